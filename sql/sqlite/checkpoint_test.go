package sqlite_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"kingdom/sql/sqlite"
	"kingdom/sql/sqltest"
)

// Close moves the write-ahead log into the file, but not one that is long because a stop
// interrupted the checkpoint: then it stays, and the next opening has all that was committed.
func TestClose_KeepsLongLogAfterInterruptedCheckpoint(t *testing.T) {
	for name, c := range map[string]struct {
		pages     int
		interrupt bool
		stays     bool
	}{
		"short log":       {1 << 20, true, false},
		"checkpoint done": {1, false, false},
		"interrupted":     {1, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "kingdom.db")
			s, err := sqlite.Open(t.Context(), path, sqlite.Live)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if err := sqlite.CommitAndCheckpoint(ctx, s, sqltest.Batch(0, 40), c.pages, func() {
				if c.interrupt {
					cancel()
				}
			}); err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(path + "-wal"); errors.Is(err, fs.ErrNotExist) == c.stays {
				t.Errorf("the log after Close: %v; want it to stay: %v", err, c.stays)
			}
			if s, err = sqlite.Open(t.Context(), path, sqlite.Live); err != nil {
				t.Fatal(err)
			}
			if im, err := s.Load(t.Context()); err != nil || im == nil || len(im.Minds) != 40 {
				t.Fatalf("Load of the next opening: %v, %v", im, err)
			}
			if err := s.CommitCycle(t.Context(), sqltest.Batch(1, 2)); err != nil {
				t.Error(err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(path + "-wal"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("an ordinary Close leaves a log: %v", err)
			}
		})
	}
}
