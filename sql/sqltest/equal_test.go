package sqltest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/internal/golden"
	"kingdom/sql/pgserver"
	"kingdom/sql/postgres"
	"kingdom/sql/sqlite"
	"kingdom/sql/sqltest"
	"kingdom/sql/table"
	"kingdom/sql/views"
	"kingdom/wire"
)

func TestMain(m *testing.M) { os.Exit(pgserver.Main(m)) }

// both opens a store of each kind with three cycles in it.
func both(t *testing.T) (pg, lite sqltest.Store) {
	t.Helper()
	pg, lite = empty(t)
	for _, s := range []sqltest.Store{pg, lite} {
		for c := range wire.Cycle(3) {
			b := sqltest.Batch(c, 2)
			if c == 2 {
				b.Minds[0].DeletedBeliefs = []uint64{sqltest.Mind(1, 0).Beliefs[0].ID}
			}
			if err := s.CommitCycle(t.Context(), b); err != nil {
				t.Fatal(err)
			}
		}
	}
	return pg, lite
}

// empty opens a store of each kind.
func empty(t *testing.T) (pg, lite sqltest.Store) {
	t.Helper()
	p, err := postgres.Open(t.Context(), pgserver.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	l, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "kingdom.db"), sqlite.Live)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return p, l
}

// later opens a SQLite store that makes its tables when it is asked to.
func later(t *testing.T) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "kingdom.db"), sqlite.Later)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// inSchema opens a store in a schema of a PostgreSQL database.
func inSchema(t *testing.T) sqltest.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), pgserver.Database(t)+"&schema=run_1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// TestStores_HoldEqualRows compares every column that the engine fills.
func TestStores_HoldEqualRows(t *testing.T) {
	pg, lite := both(t)
	want, got := sqltest.Dump(t, pg), sqltest.Dump(t, lite)
	if want != got {
		t.Errorf("rows differ (-postgres +sqlite):\n%s", cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
	}
	golden.File(t, "testdata/dump.txt", got) // both stores share the columns' definitions, so only this notices a value in the wrong one
	for _, tb := range table.All() {
		if !strings.Contains(got, tb.Schema+"."+tb.Name+"\n ") {
			t.Errorf("%s.%s has no row; the batch must fill every table", tb.Schema, tb.Name)
		}
	}
}

// Tables that are made from the history, at once or step by step between cycles, equal those of a store that wrote them
// with each cycle.
func TestTables_MadeFromHistoryEqualLiveTables(t *testing.T) {
	_, live := empty(t)
	once, often := later(t), later(t)
	for c := range wire.Cycle(6) {
		b := sqltest.Batch(c, 40)
		for i := range b.Minds { // what began two cycles ago ends
			if c >= 2 {
				plan := sqltest.Mind(c-2, i).Plans[0]
				goal := sqltest.Mind(c-2, i).Goals[0]
				plan.Status, goal.Status = 2, 3
				b.Minds[i].Plans = append(b.Minds[i].Plans, plan)
				b.Minds[i].Goals = append(b.Minds[i].Goals, goal)
			}
		}
		for _, s := range []sqltest.Store{live, once, often} {
			if err := s.CommitCycle(t.Context(), b); err != nil {
				t.Fatal(err)
			}
		}
		if c%2 == 1 {
			sqltest.WithTables(t, often)
		}
	}
	if _, _, whole, err := once.Made(t.Context()); err != nil || whole {
		t.Errorf("the tables are whole before they are made, %v", err)
	}
	want := strings.Split(sqltest.Dump(t, live), "\n")
	for name, s := range map[string]*sqlite.Store{"once": once, "often": often} {
		got := strings.Split(sqltest.Dump(t, sqltest.WithTables(t, s)), "\n")
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: rows differ (-live +made):\n%s", name, d)
		}
		if through, none, whole, err := s.Made(t.Context()); err != nil || !whole || none || through != 5 {
			t.Errorf("%s: Made = %d, %v, %v, %v; want all of 5 cycles", name, through, none, whole, err)
		}
	}
	a, err := live.(*sqlite.Store).EventCounts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b, err := once.EventCounts(t.Context())
	if d := cmp.Diff(a, b); err != nil || d != "" {
		t.Errorf("events are counted differently (-live +later): %v\n%s", err, d)
	}
}

// The events of one kind in a cycle are the same in every store, whether or not it has made its tables.
func TestStores_EventsOfOneKind(t *testing.T) {
	pg, live := empty(t)
	bare, made := later(t), later(t)
	for _, s := range []sqltest.Store{pg, live, bare, made} {
		for c := range wire.Cycle(3) {
			b := sqltest.Batch(c, 2)
			for n := range uint64(c) {
				b.Events = append(b.Events, &wire.Event{
					ID: wire.EventID{Lamport: uint64(b.Cycle.Tick)<<32 | (6 + n), Agent: sqltest.ID(0)}, Timestamp: b.Cycle.Tick, Origin: sqltest.ID(0), System: wire.SystemNexus,
					Kind: wire.KindAgentStatusChange, Payload: &wire.AgentStatusChangeEvent{AgentID: sqltest.ID(0), OldStatus: wire.StatusActive, NewStatus: wire.StatusDormant, Reason: fmt.Sprint("reason ", n)},
				})
			}
			if err := s.CommitCycle(t.Context(), b); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, s := range map[string]sqltest.Store{"postgres": pg, "live": live, "bare": bare, "made": sqltest.WithTables(t, made)} {
		for c := range wire.Cycle(3) {
			got, err := s.EventsOf(t.Context(), c, wire.KindAgentStatusChange)
			if err != nil || len(got) != int(c) {
				t.Fatalf("%s: %d events of cycle %d, %v; want %d", name, len(got), c, err, c)
			}
			for n, b := range got {
				p, err := wire.DecodePayload(wire.KindAgentStatusChange, b)
				if err != nil || p.(*wire.AgentStatusChangeEvent).Reason != fmt.Sprint("reason ", n) {
					t.Errorf("%s: event %d of cycle %d is %+v, %v", name, n, c, p, err)
				}
			}
		}
	}
}

// TestDocs_ExampleQueriesWork runs the queries of docs/STORE.md on both stores
// and compares what they answer.
func TestDocs_ExampleQueriesWork(t *testing.T) {
	page, err := os.ReadFile("../../docs/STORE.md")
	if err != nil {
		t.Fatal(err)
	}
	pg, lite := empty(t)
	own, made := inSchema(t), later(t)
	for _, s := range []sqltest.Store{pg, lite, own, made} {
		for c := range wire.Cycle(2) {
			b := sqltest.Batch(c, 2)
			if c == 1 {
				tell(b)
			}
			if err := s.CommitCycle(t.Context(), b); err != nil {
				t.Fatal(err)
			}
		}
	}
	sqltest.WithTables(t, made)
	texts := strings.Split(string(page), "```sql\n")[1:]
	if len(texts) < 9 {
		t.Errorf("the page has %d queries", len(texts))
	}
	for i, part := range texts {
		text, _, _ := strings.Cut(part, "```")
		want, got := answer(t, pg, text), answer(t, lite, strings.ReplaceAll(text, "v.", "v_"))
		if len(want) == 0 {
			t.Errorf("query %d finds nothing:\n%s", i+1, text)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("query %d answers differently (-postgres +sqlite):\n%s", i+1, d)
		}
		if d := cmp.Diff(want, answer(t, made, strings.ReplaceAll(text, "v.", "v_"))); d != "" {
			t.Errorf("query %d answers differently (-postgres +made tables):\n%s", i+1, d)
		}
		if d := cmp.Diff(want, answer(t, own, strings.ReplaceAll(text, "v.", "run_1.v_"))); d != "" {
			t.Errorf("query %d answers differently (-postgres +schema):\n%s", i+1, d)
		}
	}
}

// TestDocs_ListTheViews holds the page to the views; -update writes their list.
func TestDocs_ListTheViews(t *testing.T) {
	const path, from, to = "../../docs/STORE.md", "<!-- views: made by `make docs` -->\n", "<!-- end of views -->"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), from)
	_, after, ends := strings.Cut(rest, to)
	if !found || !ends {
		t.Fatalf("%s lacks the marks of the list of views", path)
	}
	var b strings.Builder
	b.WriteString("| view | a row is | columns |\n|---|---|---|\n")
	for _, v := range views.All() {
		fmt.Fprintf(&b, "| `v.%s` | %s | ", v.Name, v.Row)
		for i, c := range v.Columns {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%s %s", c.Name, c.Type)
			if c.Is != "" {
				fmt.Fprintf(&b, " (%s)", c.Is)
			}
		}
		b.WriteString(" |\n")
	}
	golden.File(t, path, before+from+b.String()+to+after)
}

func answer(t *testing.T, s sqltest.Store, sql string) (out []string) {
	t.Helper()
	err := s.Query(t.Context(), sql, nil, func(c table.Cursor) error {
		for c.Next() {
			v, err := values(c)
			if err != nil {
				return err
			}
			var row []string
			for _, x := range v {
				switch x.(type) {
				case float32, float64:
					row = append(row, fmt.Sprintf("%.4f", x))
				default:
					row = append(row, fmt.Sprint(x))
				}
			}
			out = append(out, strings.Join(row, " | "))
		}
		return c.Err()
	})
	if err != nil {
		t.Fatalf("%v in\n%s", err, sql)
	}
	return out
}

// values scans a row of unknown columns.
func values(c table.Cursor) ([]any, error) {
	if r, ok := c.(interface{ Values() ([]any, error) }); ok { // pgx
		return r.Values()
	}
	names, err := c.(interface{ Columns() ([]string, error) }).Columns()
	if err != nil {
		return nil, err
	}
	out, dest := make([]any, len(names)), make([]any, len(names))
	for i := range out {
		dest[i] = &out[i]
	}
	return out, c.Scan(dest...)
}
