package sqltest_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"kingdom/sql/sqltest"
	"kingdom/sql/table"
)

// filled are the columns that the schema fills by itself, with the wall clock.
var filled = []string{"created_at", "updated_at"}

// TestSchema_HasTheDeclaredColumns: a column is declared once, by a field or a line of
// package table, and made by a migration for each database. This test names what one of
// them lacks, and what docs/STORE.md does not tell of.
func TestSchema_HasTheDeclaredColumns(t *testing.T) {
	page, err := os.ReadFile("../../docs/STORE.md")
	if err != nil {
		t.Fatal(err)
	}
	pg, lite := both(t)
	for name, s := range map[string]sqltest.Store{"PostgreSQL": pg, "SQLite": lite} {
		for _, tb := range table.All() {
			full := tb.Schema + "." + tb.Name
			_, row, _ := strings.Cut(string(page), "| `"+full+"` |")
			row, _, _ = strings.Cut(row, "\n")
			have := columnsOf(t, s, tb)
			for _, c := range tb.Columns {
				if i := slices.Index(have, c.Name); i >= 0 {
					have = slices.Delete(have, i, i+1)
				} else {
					t.Errorf("%s: %s has no column %s; a migration must add it", name, full, c.Name)
				}
				if !slices.Contains(strings.FieldsFunc(row, func(r rune) bool { return strings.ContainsRune(" ,*|:()", r) }), c.Name) {
					t.Errorf("docs/STORE.md: the row of %s does not tell of %s", full, c.Name)
				}
			}
			for _, c := range have {
				if !slices.Contains(filled, c) {
					t.Errorf("%s: nothing fills column %s of %s; declare it in package table", name, c, full)
				}
			}
		}
	}
}

// columnsOf are the columns that a table has in the database.
func columnsOf(t *testing.T, s sqltest.Store, tb *table.Table) (names []string) {
	t.Helper()
	sql := sqltest.Flavour(t, s)(
		"SELECT CAST(column_name AS TEXT) FROM information_schema.columns WHERE table_schema = '"+tb.Schema+"' AND table_name = '"+tb.Name+"'",
		"SELECT name FROM pragma_table_info('"+tb.Schema+"_"+tb.Name+"')")
	err := s.Query(t.Context(), sql, nil, func(c table.Cursor) error {
		for c.Next() {
			var n string
			if err := c.Scan(&n); err != nil {
				return err
			}
			names = append(names, n)
		}
		return c.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
