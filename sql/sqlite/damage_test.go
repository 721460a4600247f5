package sqlite_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/sql/sqlite"
	"kingdom/sql/sqltest"
	"kingdom/sql/table"
	"kingdom/wire"
	"kingdom/world"
)

// closedFile returns a file with two cycles that nobody has open.
func closedFile(t *testing.T, tables sqlite.Tables) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "kingdom.db")
	s, err := sqlite.Open(t.Context(), path, tables)
	if err != nil {
		t.Fatal(err)
	}
	for c := range wire.Cycle(2) {
		err = errors.Join(err, s.CommitCycle(t.Context(), sqltest.Batch(c, 2)))
	}
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// Whatever is read, a page that SQLite cannot make sense of is told as damage, with the file and what to do.
func TestStore_DamagedPage(t *testing.T) {
	reads := map[string]func(s *sqlite.Store) error{
		"Load":       func(s *sqlite.Store) error { _, err := s.Load(t.Context()); return err },
		"LoadAgent":  func(s *sqlite.Store) error { _, err := s.LoadAgent(t.Context(), sqltest.ID(0)); return err },
		"LoadLiving": func(s *sqlite.Store) error { _, _, err := s.LoadLiving(t.Context(), sqltest.ID(0)); return err },
		"ChainRows": func(s *sqlite.Store) error {
			return s.ChainRows(t.Context(), wire.SystemAgora, "notes", 0, 9, func(world.Row) error { return nil })
		},
		"Cycles":      func(s *sqlite.Store) error { _, err := s.Cycles(t.Context(), 0, 9); return err },
		"Last":        func(s *sqlite.Store) error { _, _, err := s.Last(t.Context()); return err },
		"CallTotals":  func(s *sqlite.Store) error { _, err := s.CallTotals(t.Context(), 0, 9); return err },
		"EventCounts": func(s *sqlite.Store) error { _, err := s.EventCounts(t.Context()); return err },
		"EventsOf":    func(s *sqlite.Store) error { _, err := s.EventsOf(t.Context(), 0, wire.KindTick); return err },
		"Query": func(s *sqlite.Store) error {
			return s.Query(t.Context(), "SELECT * FROM world_cycles", nil, func(c table.Cursor) error {
				for c.Next() {
				}
				return c.Err()
			})
		},
	}
	for _, tables := range []sqlite.Tables{sqlite.Live, sqlite.Later} {
		history := tables == sqlite.Later
		damaged := map[string][]string{ // by table
			"world_cycles": {"Load", "Cycles", "Last", "Query"}, "agent_calls": {"CallTotals"}, "agent_state": {"Load", "LoadAgent", "LoadLiving"},
		}
		if history {
			damaged["history_blobs"], damaged["history_state"] = []string{"ChainRows", "EventsOf"}, []string{"EventCounts"}
		} else {
			damaged["world_records"], damaged["observer_events"] = []string{"ChainRows"}, []string{"EventCounts", "EventsOf"}
		}
		for name, methods := range damaged {
			path := closedFile(t, tables)
			breakTable(t, path, name)
			for _, method := range methods {
				s, err := sqlite.OpenReadOnly(t.Context(), path)
				if err == nil {
					err = reads[method](s)
					s.Close()
				}
				if !errors.Is(err, sqlite.ErrDamaged) || strings.Count(err.Error(), "restore it from a copy") != 1 || strings.Count(err.Error(), path) != 1 {
					t.Errorf("%s with damage in %s (history %v): %v", method, name, history, err)
				}
			}
		}
	}
}

// breakTable writes nonsense into the first page of a table and of its indexes.
func breakTable(t *testing.T, path, name string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), "SELECT rootpage FROM sqlite_master WHERE tbl_name = ? AND rootpage > 0", name)
	if err != nil {
		t.Fatal(err)
	}
	var pages []int64
	for rows.Next() {
		var page int64
		if err := rows.Scan(&page); err != nil {
			t.Fatal(err)
		}
		pages = append(pages, page)
	}
	f, ferr := os.OpenFile(path, os.O_WRONLY, 0)
	if err := errors.Join(rows.Err(), rows.Close(), ferr); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, page := range pages {
		if _, err := f.WriteAt([]byte(strings.Repeat("\xFF", 4096)), (page-1)*4096); err != nil {
			t.Fatal(err)
		}
	}
	if len(pages) == 0 {
		t.Fatalf("there is no table %s", name)
	}
}

// Rows that no run writes are told as damage of the store.
func TestStore_ImpossibleRow(t *testing.T) {
	load := func(s *sqlite.Store) error { _, err := s.Load(t.Context()); return err }
	for change, read := range map[string]func(s *sqlite.Store) error{
		"UPDATE world_run SET digest = x'00'":    load,
		"UPDATE world_chains SET digest = x'00'": load,
		"UPDATE world_cycles SET cycle = -7":     load,
		"UPDATE agent_calls SET agent_id = x'00'": func(s *sqlite.Store) error {
			_, err := s.CallTotals(t.Context(), 0, 9)
			return err
		},
	} {
		path := closedFile(t, sqlite.Live)
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(change, "cycles") {
			change = "DELETE FROM world_cycles WHERE cycle > 0; " + change
		}
		if _, err := db.ExecContext(t.Context(), change); err != nil {
			t.Fatal(err)
		}
		db.Close()
		s, err := sqlite.OpenReadOnly(t.Context(), path)
		if err == nil {
			err = read(s)
			s.Close()
		}
		var bad *table.RowError
		if !errors.As(err, &bad) {
			t.Errorf("after %s: %v, want a RowError", change, err)
		}
	}
}
