package postgres

import (
	"database/sql"
	"os"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // registers the driver "pgx"
	"github.com/pressly/goose/v3"

	"kingdom/sql/pgserver"
)

// TestMigrations_DownAndUp: every step back works and leaves nothing behind.
func TestMigrations_DownAndUp(t *testing.T) {
	db, err := sql.Open("pgx", pgserver.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	p, err := goose.NewProvider(goose.DialectPostgres, db, os.DirFS("../migrations/postgres"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := p.Up(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := p.DownTo(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
	}
	var left int
	err = db.QueryRow(`SELECT count(*) FROM pg_namespace WHERE nspname IN ('nexus', 'agent', 'world', 'agora', 'oracle', 'mint', 'observer')`).Scan(&left)
	if err != nil || left != 0 {
		t.Errorf("%d schemas left, %v", left, err)
	}
}
