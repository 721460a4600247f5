package postgres_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"kingdom/sql/pgserver"
	"kingdom/sql/postgres"
	"kingdom/sql/sqltest"
)

// ask runs a statement that gives one text.
func ask(t *testing.T, at, stmt string, args ...any) (text string) {
	t.Helper()
	c, err := pgx.Connect(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(t.Context())
	if err := c.QueryRow(t.Context(), stmt, args...).Scan(&text); err != nil {
		t.Fatalf("%v in %s", err, stmt)
	}
	return text
}

const schemas = `SELECT coalesce(string_agg(nspname, ' ' ORDER BY nspname), '') FROM pg_namespace WHERE nspname NOT LIKE 'pg\_%' AND nspname <> 'information_schema'`

func TestSchema_BadNamesAreRefused(t *testing.T) {
	at := pgserver.Database(t)
	was := ask(t, at, schemas)
	for name, says := range map[string]string{
		"":                      "is empty",
		`a"b`:                   "want lower-case letters",
		"a'; DROP TABLE x; --":  "want lower-case letters",
		"Run1":                  "want lower-case letters",
		"1run":                  "want lower-case letters",
		"run-1":                 "want lower-case letters",
		"grün":                  "want lower-case letters",
		strings.Repeat("x", 64): "at most 63",
		"agent":                 "means something else",
		"v":                     "means something else",
		"pg_mine":               "means something else",
		"order":                 "is a word of SQL",
		"user":                  "is a word of SQL",
	} {
		_, err := postgres.Open(t.Context(), at+"&schema="+url.QueryEscape(name))
		if bad := new(postgres.SchemaError); !errors.As(err, &bad) || !strings.Contains(err.Error(), says) {
			t.Errorf("schema=%s: %v, want %q", name, err, says)
		}
	}
	if now := ask(t, at, schemas); now != was {
		t.Errorf("there were schemas %s, there are %s", was, now)
	}
}

// Runs in one database have nothing of each other: neither rows nor the lock nor the views.
func TestSchema_ManyRunsInOneDatabase(t *testing.T) {
	at := pgserver.Database(t)
	one, two := open(t, at+"&schema=one"), open(t, at+"&schema=two")
	for s, agents := range map[*postgres.Store]int{one: 2, two: 3} {
		if err := s.CommitCycle(t.Context(), sqltest.Batch(0, agents)); err != nil {
			t.Fatal(err)
		}
	}
	if got := ask(t, at, "SELECT (SELECT count(*) FROM one.v_agents) || ' ' || (SELECT count(*) FROM two.v_agents) || ' ' || (SELECT count(*) FROM two.agent_state)"); got != "2 3 3" {
		t.Errorf("agents: %s", got)
	}
	if got := ask(t, at, "SELECT (genome::json IS NOT NULL)::text FROM one.v_agents LIMIT 1"); got != "true" {
		t.Errorf("a genome as JSON, without a search path: %s", got)
	}
	var busy *postgres.BusyError
	if _, err := postgres.Open(t.Context(), at+"&schema=one"); !errors.As(err, &busy) || !strings.Contains(err.Error(), "schema one of database") {
		t.Errorf("the schema of a run that goes on: %v", err)
	}
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"one": false, "two": true} {
		r, err := postgres.OpenReadOnly(t.Context(), at+"&schema="+name)
		if err != nil {
			t.Fatal(err)
		}
		if busy, err := r.Busy(t.Context()); err != nil || busy != want {
			t.Errorf("schema %s: Busy = %v, %v", name, busy, err)
		}
		r.Close()
	}
	if _, err := postgres.OpenReadOnly(t.Context(), at+"&schema=three"); err == nil || !strings.Contains(err.Error(), "schema three: the database holds no world yet") {
		t.Errorf("reading a schema that is not there: %v", err)
	}
	if _, err := postgres.Open(t.Context(), at); err == nil || !strings.Contains(err.Error(), "one.agent_agent_memory, one.agent_beliefs") || !strings.Contains(err.Error(), "add schema=NAME to its URL") {
		t.Errorf("the whole database of runs in schemas: %v", err)
	}
	if got := ask(t, at, schemas); got != "one public two" {
		t.Errorf("schemas %s", got)
	}
}

// A schema of somebody else's tables is refused; one that an administrator made for a role
// that may not make schemas is used.
func TestSchema_MadeByAdministratorIsUsed(t *testing.T) {
	at := pgserver.Database(t)
	c, err := pgx.Connect(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(t.Context())
	if _, err := c.Exec(t.Context(), `CREATE SCHEMA music; CREATE TABLE music.songs (id INTEGER);
		CREATE ROLE guest_of_schema LOGIN; CREATE SCHEMA mine; GRANT USAGE, CREATE ON SCHEMA mine TO guest_of_schema`); err != nil {
		t.Fatal(err)
	}
	if _, err := postgres.Open(t.Context(), at+"&schema=music"); err == nil || !strings.Contains(err.Error(), "holds other tables (music.songs); name another schema") {
		t.Errorf("Open = %v", err)
	}
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.User("guest_of_schema")
	s := open(t, u.String()+"&schema=mine")
	if err := s.CommitCycle(t.Context(), sqltest.Batch(0, 2)); err != nil {
		t.Fatal(err)
	}
	s.Close()
	open(t, u.String()+"&schema=mine")
	if _, err := postgres.Open(t.Context(), u.String()+"&schema=other"); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("a role that may not make schemas made one: %v", err)
	}
}

// Views of another build are dropped with their functions and made anew.
func TestSchema_ViewsAreRenewed(t *testing.T) {
	at := pgserver.Database(t)
	open(t, at+"&schema=run_1").Close()
	c, err := pgx.Connect(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(t.Context())
	if _, err := c.Exec(t.Context(), `COMMENT ON VIEW run_1.v_places IS '7'; CREATE VIEW run_1.v_old AS SELECT 1; CREATE FUNCTION run_1.v_older() RETURNS int LANGUAGE sql AS 'SELECT 1'`); err != nil {
		t.Fatal(err)
	}
	open(t, at+"&schema=run_1").Close()
	if got := ask(t, at, "SELECT coalesce(to_regclass('run_1.v_old')::text, to_regproc('run_1.v_older')::text, 'gone')"); got != "gone" {
		t.Errorf("of the old views there is %s", got)
	}
	if got := ask(t, at, "SELECT count(*)::text FROM run_1.v_acts"); got != "0" {
		t.Errorf("acts: %s", got)
	}
}
