package sqlite

import (
	"fmt"
	"testing"
)

// LimitPages makes SQLite behave as on a disk with so many pages.
func LimitPages(t testing.TB, s *Store, n int) {
	t.Helper()
	if _, err := s.write.Exec(fmt.Sprintf("PRAGMA max_page_count = %d", n)); err != nil {
		t.Fatal(err)
	}
}
