// Package pgserver starts a private PostgreSQL for tests from the binaries that
// are installed on the machine.
//
// Each test binary gets its own server on a free local port with a temporary directory, which is
// removed when the binary ends; each test gets its own database. Without PostgreSQL the test fails
// and says what to install; it is never skipped. The server does not sync to disk, so it is for tests only.
package pgserver

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Server is a running PostgreSQL.
type Server struct {
	dir  string
	port int
	cmd  *exec.Cmd
	log  *os.File
}

// Start makes a data directory and starts the server; it is ready when Start returns.
func Start() (*Server, error) {
	initdb, err := program("initdb")
	if err != nil {
		return nil, err
	}
	postgres, err := program("postgres")
	if err != nil {
		return nil, err
	}
	s := &Server{}
	if s.dir, err = os.MkdirTemp("", "kingdom-pg-"); err != nil {
		return nil, fmt.Errorf("make data directory: %w", err)
	}
	if err := s.start(initdb, postgres); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

func (s *Server) start(initdb, postgres string) error {
	data := filepath.Join(s.dir, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		return fmt.Errorf("make data directory: %w", err)
	}
	for _, d := range []string{s.dir, data} {
		if err := chownToNobody(d); err != nil {
			return err
		}
	}
	out, err := asNobody(exec.Command(initdb, "-D", data, "-U", "kingdom", "-A", "trust", "-N", "--locale=C", "-E", "UTF8"), s.dir).CombinedOutput()
	if err != nil {
		return fmt.Errorf("run initdb: %w\n%s", err, out)
	}
	if s.port, err = freePort(); err != nil {
		return err
	}
	if s.log, err = os.Create(filepath.Join(s.dir, "log")); err != nil {
		return fmt.Errorf("make log: %w", err)
	}
	s.cmd = asNobody(exec.Command(postgres, "-D", data, "-p", fmt.Sprint(s.port), "-k", s.dir,
		"-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "max_connections=50"), s.dir)
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	if err := s.cmd.Start(); err != nil {
		s.cmd = nil
		return fmt.Errorf("start postgres: %w", err)
	}
	return s.waitReady()
}

// URL is the address of a database of the server.
func (s *Server) URL(database string) string {
	u := url.URL{
		Scheme: "postgres", User: url.User("kingdom"), Host: fmt.Sprintf("127.0.0.1:%d", s.port), Path: "/" + database,
		RawQuery: "sslmode=disable",
	}
	return u.String()
}

// Stop ends the server and removes its directory.
func (s *Server) Stop() error {
	var errs []error
	if s.cmd != nil {
		// An interrupt is PostgreSQL's fast shutdown; its exit code says nothing new.
		errs = append(errs, s.cmd.Process.Signal(os.Interrupt))
		_ = s.cmd.Wait()
		s.cmd = nil
	}
	if s.log != nil {
		errs = append(errs, s.log.Close())
		s.log = nil
	}
	return errors.Join(append(errs, os.RemoveAll(s.dir))...)
}

// program finds a PostgreSQL binary on PATH or in Debian's versioned directories,
// the newest version first.
func program(name string) (string, error) {
	if p, err := exec.LookPath(name); err == nil {
		return p, nil
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if err != nil || len(found) == 0 {
		return "", fmt.Errorf("PostgreSQL's %s is neither on PATH nor in /usr/lib/postgresql/*/bin; install it: apt-get install postgresql", name)
	}
	slices.SortFunc(found, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b) // 9 before 15
		}
		return strings.Compare(a, b)
	})
	return found[len(found)-1], nil
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find free port: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
