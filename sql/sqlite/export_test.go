package sqlite

import (
	"context"
	"fmt"
	"testing"

	"kingdom/engine"
)

// LimitPages makes SQLite behave as on a disk with so many pages.
func LimitPages(t testing.TB, s *Store, n int) {
	t.Helper()
	if _, err := s.write.Exec(fmt.Sprintf("PRAGMA max_page_count = %d", n)); err != nil {
		t.Fatal(err)
	}
}

// CommitAndCheckpoint is CommitCycle with a log that is long at so many pages; between runs
// when the cycle is stored and the checkpoint is not begun.
func CommitAndCheckpoint(ctx context.Context, s *Store, b *engine.Batch, pages int, between func()) error {
	s.maxLogPages = pages
	if err := s.commit(ctx, b); err != nil {
		return err
	}
	between()
	s.checkpoint(ctx)
	return nil
}

// MindsInMemory is how many bytes of what LoadLiving has read stay unpacked in memory.
func MindsInMemory(s *Store) (n int) {
	s.mindArchive.mu.Lock()
	defer s.mindArchive.mu.Unlock()
	for _, p := range s.mindArchive.recent {
		n += len(p.raw) + p.words.Size()
	}
	return n
}

// RunUntrusted runs a statement on the connection of Select, without looking at the statement first.
func RunUntrusted(ctx context.Context, s *Store, stmt string) error {
	conn, err := s.untrustedConn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "PRAGMA query_only = 0"); err != nil { // as a statement could
		return err
	}
	_, err = conn.ExecContext(ctx, stmt)
	return err
}
