package postgres_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"kingdom/sql/pgserver"
	"kingdom/sql/postgres"
	"kingdom/sql/sqltest"
)

func TestMain(m *testing.M) { os.Exit(pgserver.Main(m)) }

func fresh(t testing.TB) sqltest.Database {
	url := pgserver.Database(t)
	return func(t testing.TB) sqltest.Store { return open(t, url) }
}

func open(t testing.TB, url string) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestStore_Conformance(t *testing.T) { sqltest.Run(t, fresh) }

// inSchema is a schema of a database that others use, too.
func inSchema(t testing.TB) sqltest.Database {
	url := pgserver.Database(t)
	other, err := postgres.Open(t.Context(), url+"&schema=other")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(other.CommitCycle(t.Context(), sqltest.Batch(0, 3)), other.Close()); err != nil {
		t.Fatal(err)
	}
	return func(t testing.TB) sqltest.Store { return open(t, url+"&schema=run_7") }
}

func TestStore_ConformanceInASchema(t *testing.T) { sqltest.Run(t, inSchema) }

func BenchmarkStore(b *testing.B) { sqltest.Benchmarks(b, fresh) }

func TestStore_SecondProcess(t *testing.T) {
	url := pgserver.Database(t)
	s, err := postgres.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := postgres.OpenReadOnly(t.Context(), url); err == nil || !strings.Contains(err.Error(), "holds no world yet") {
		t.Errorf("reading an empty database = %v", err)
	}
	if err := s.CommitCycle(t.Context(), sqltest.Batch(0, 2)); err != nil {
		t.Fatal(err)
	}
	var busy *postgres.BusyError
	if _, err := postgres.Open(t.Context(), url); !errors.As(err, &busy) {
		t.Errorf("second Open = %v, want a BusyError", err)
	}
	r, err := postgres.OpenReadOnly(t.Context(), url)
	if err != nil {
		t.Fatalf("reading beside a run: %v", err)
	}
	defer r.Close()
	if err := r.Bind(t.Context(), sqltest.World); err != nil {
		t.Errorf("Bind of a store for reading: %v", err)
	}
	if err := r.CommitCycle(t.Context(), sqltest.Batch(1, 2)); err == nil {
		t.Error("a store for reading wrote")
	}
	for _, open := range []bool{true, false} {
		if busy, err := r.Busy(t.Context()); err != nil || busy != open {
			t.Errorf("Busy = %v, %v; the database is open for a run: %v", busy, err, open)
		}
		if err := s.Close(); open && err != nil {
			t.Fatal(err)
		}
	}
}

func TestOpen_RefusesOtherTables(t *testing.T) {
	url := pgserver.Database(t)
	c, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(t.Context())
	if _, err := c.Exec(t.Context(), "CREATE TABLE songs (id INTEGER)"); err != nil {
		t.Fatal(err)
	}
	_, err = postgres.Open(t.Context(), url)
	if err == nil || !strings.Contains(err.Error(), "holds other tables (public.songs); use an empty database") {
		t.Errorf("Open = %v", err)
	}
}

func TestErrors_HoldNoPassword(t *testing.T) {
	const password = "s3cret-w0rd"
	for _, url := range []string{
		"postgres://u:" + password + "@127.0.0.1:1/db?sslmode=disable",
		"postgres://u:" + password + "@127.0.0.1:notaport/db",
		"postgres://u:" + password + "@[::1/db",
		"host=127.0.0.1 port=1 password=" + password + " sslmode=nonsense",
		"postgres://u:" + password + "@127.0.0.1:1/" + password + "?sslmode=disable",
	} {
		_, err := postgres.Open(t.Context(), url)
		if err == nil {
			t.Fatalf("opened %s", url)
		}
		for e := err; e != nil; e = errors.Unwrap(e) {
			if strings.Contains(e.Error(), password) {
				t.Errorf("password in error: %v", e)
			}
		}
	}
}
