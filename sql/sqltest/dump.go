package sqltest

import (
	"fmt"
	"strings"
	"testing"

	"kingdom/sql/table"
)

// Flavour picks one of two texts of a query: that of PostgreSQL or of SQLite.
func Flavour(t testing.TB, s Store) func(postgres, sqlite string) string {
	t.Helper()
	isSQLite := s.Query(t.Context(), "SELECT sqlite_version()", nil, func(c table.Cursor) error {
		for c.Next() {
		}
		return c.Err()
	}) == nil
	return func(postgres, sqlite string) string {
		if isSQLite {
			return sqlite
		}
		return postgres
	}
}

func count(t testing.TB, s Store, postgres, sqlite string) (n int64) {
	t.Helper()
	must(t, s.Query(t.Context(), Flavour(t, s)(postgres, sqlite), nil, func(c table.Cursor) error {
		for c.Next() {
			if err := c.Scan(&n); err != nil {
				return err
			}
		}
		return c.Err()
	}))
	return n
}

// Dump is every row that the engine filled, as text: table by table, by key. Two
// stores with equal rows have equal dumps.
func Dump(t testing.TB, s Store) string {
	t.Helper()
	var out strings.Builder
	for _, tb := range table.All() {
		name := tb.Schema + "." + tb.Name
		fmt.Fprintf(&out, "%s\n", name)
		dest, show := cells(tb)
		sql := Flavour(t, s)("SELECT "+tb.Names()+" FROM "+name, "SELECT "+tb.Names()+" FROM "+tb.Schema+"_"+tb.Name)
		keys := make([]string, tb.Key)
		for i, c := range tb.Columns[:tb.Key] {
			keys[i] = c.Name
		}
		must(t, s.Query(t.Context(), sql+" ORDER BY "+strings.Join(keys, ", "), nil, func(c table.Cursor) error {
			for c.Next() {
				if err := c.Scan(dest...); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				for i := range show {
					fmt.Fprintf(&out, " %s=%s", tb.Columns[i].Name, show[i]())
				}
				out.WriteByte('\n')
			}
			return c.Err()
		}))
	}
	return out.String()
}

// cells makes a variable per column and a way to print each.
func cells(tb *table.Table) (dest []any, show []func() string) {
	for _, c := range tb.Columns {
		switch c.Kind {
		case table.Bytes:
			p := new([]byte)
			dest, show = append(dest, p), append(show, func() string { return fmt.Sprintf("%x", *p) }) // drivers differ in whether empty is nil
		case table.Text:
			p := new(string)
			dest, show = append(dest, p), append(show, func() string { return fmt.Sprintf("%q", *p) })
		case table.Real, table.Double:
			p := new(float64)
			dest, show = append(dest, p), append(show, func() string { return fmt.Sprint(*p) })
		case table.Bool:
			p := new(bool)
			dest, show = append(dest, p), append(show, func() string { return fmt.Sprint(*p) })
		default:
			p := new(*int64)
			dest, show = append(dest, p), append(show, func() string {
				if *p == nil {
					return "null"
				}
				return fmt.Sprint(**p)
			})
		}
	}
	return dest, show
}
