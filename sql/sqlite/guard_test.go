package sqlite

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
)

// Commands that look whether a run is going on, such as tail -f twice a second, do not keep one from starting.
func TestLock_IsNotRefusedBecauseSomebodyLooks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kingdom.db")
	ctx, stop := context.WithCancel(t.Context())
	var looking sync.WaitGroup
	defer looking.Wait()
	defer stop()
	for range 4 {
		looking.Go(func() {
			for ctx.Err() == nil {
				if _, err := lockHeld(context.WithoutCancel(ctx), path); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 100 {
		g, err := lock(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.release(); err != nil {
			t.Fatal(err)
		}
	}
}
