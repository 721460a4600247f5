package postgres

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"kingdom/sql/table"
)

// pgconnect is the error of a connection that nobody takes, at two attempts.
func pgconnect(t *testing.T) error {
	t.Helper()
	_, err := pgconn.Connect(t.Context(), "postgres://nobody@/none?host="+t.TempDir()+"&sslmode=prefer")
	if err == nil {
		t.Fatal("somebody serves in an empty directory")
	}
	return err
}

func TestSecret_WrapMapsErrorsAndHidesPassword(t *testing.T) {
	full := fmt.Errorf("insert: %w", &pgconn.PgError{Code: "53100", Message: "could not extend file"})
	if err := secret("").wrap("commit", full); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("disk_full = %v, want ENOSPC", err)
	}
	if err := secret("").wrap("commit", &pgconn.PgError{Code: "23503"}); errors.Is(err, syscall.ENOSPC) {
		t.Error("a broken foreign key is no full disk")
	}
	var other *table.WorldError
	err := secret("world").wrap("bind", &table.WorldError{})
	if !errors.As(err, &other) || strings.Contains(err.Error(), "another world") || !strings.Contains(err.Error(), "another xxxxx") {
		t.Errorf("a password that is a word of the error: %v", err)
	}
	bad := &pgconn.ConnectError{}
	err = secret("").wrap("open", pgconnect(t))
	if !errors.As(err, &bad) || strings.Count(err.Error(), "no such") != 1 || strings.Contains(err.Error(), "\n") || !strings.HasSuffix(err.Error(), "database of --store or run.json are right") {
		t.Errorf("without a server: %v", err)
	}
	if secret("x").wrap("close", nil) != nil {
		t.Error("no error became one")
	}
}
