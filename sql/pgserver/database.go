package pgserver

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// startTimeout is how long a server may take to answer.
const startTimeout = 30 * time.Second

var (
	once         sync.Once
	shared       *Server
	startErr     error
	nextDatabase atomic.Int64
)

// Main runs the tests of a package and stops the shared server after them:
//
//	func TestMain(m *testing.M) { os.Exit(pgserver.Main(m)) }
func Main(m *testing.M) int {
	defer func() {
		if shared != nil {
			_ = shared.Stop() // the tests are over; its directory is temporary
		}
	}()
	return m.Run()
}

// Database returns the URL of a new empty database on a server that all tests of
// the binary share. The test fails when there is no PostgreSQL.
func Database(t testing.TB) string {
	t.Helper()
	once.Do(func() { shared, startErr = Start() })
	if startErr != nil {
		t.Fatalf("private PostgreSQL: %v", startErr)
	}
	name := fmt.Sprintf("t%d", nextDatabase.Add(1))
	ctx := context.Background()
	c, err := pgx.Connect(ctx, shared.URL("postgres"))
	if err != nil {
		t.Fatalf("private PostgreSQL: %v", err)
	}
	defer func() { _ = c.Close(ctx) }()
	if _, err := c.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		t.Fatalf("private PostgreSQL: %v", err)
	}
	return shared.URL(name)
}

// waitReady waits until the server answers.
func (s *Server) waitReady() error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	every := time.NewTicker(20 * time.Millisecond)
	defer every.Stop()
	for {
		c, err := pgx.Connect(ctx, s.URL("postgres"))
		if err == nil {
			return c.Close(ctx)
		}
		select {
		case <-ctx.Done():
			log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
			return fmt.Errorf("wait for postgres: %w\n%s", err, log)
		case <-every.C:
		}
	}
}
