package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"kingdom/sql/pgserver"
)

// Binaries are built once per test process from packageDir, whatever directory a test has changed to, in a folder that
// TestMain removes.
var binDir, packageDir string

func TestMain(m *testing.M) {
	if os.Getenv(asPlainServer) != "" {
		servePlainly()
	}
	flag.Parse()
	dir, err := os.MkdirTemp("", "kingdom-bin")
	if err != nil {
		panic(err)
	}
	binDir = dir
	if packageDir, err = os.Getwd(); err != nil {
		panic(err)
	}
	code := pgserver.Main(m)
	os.RemoveAll(dir)
	os.Exit(code)
}

// builder builds the command once with the given environment and flags.
func builder(name string, env []string, flags ...string) func(testing.TB) string {
	build := sync.OnceValues(func() (string, error) {
		path := filepath.Join(binDir, name)
		cmd := exec.Command("go", append(append([]string{"build", "-o", path}, flags...), ".")...)
		cmd.Dir, cmd.Env = packageDir, append(os.Environ(), env...)
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", errors.New(string(out))
		}
		return path, nil
	})
	return func(t testing.TB) string {
		t.Helper()
		path, err := build()
		if err != nil {
			t.Fatalf("build %s: %v", name, err)
		}
		return path
	}
}

var (
	plainBinary = builder("kingdom", []string{"CGO_ENABLED=0"})
	raceBinary  = builder("kingdom-race", []string{"CGO_ENABLED=1"}, "-race", "-gcflags=modernc.org/...=-race=false -d=checkptr=0") // as in the Makefile
	arm64Binary = builder("kingdom-arm64", []string{"CGO_ENABLED=0", "GOARCH=arm64"})
)

// result is a finished command.
type result struct {
	out, err string
	code     int
}

// in runs the command inside this process.
func in(t *testing.T, args ...string) result {
	t.Helper()
	var out, errw bytes.Buffer
	code := execute(context.Background(), args, &out, &errw)
	return result{out.String(), errw.String(), code}
}

// process runs a binary and waits for it.
func process(t testing.TB, env []string, bin string, args ...string) result {
	t.Helper()
	cmd := exec.Command(bin, args...)
	cmd.Env = append(os.Environ(), env...)
	var out, errw bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errw
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("run %s: %v", bin, err)
	}
	return result{out.String(), errw.String(), cmd.ProcessState.ExitCode()}
}

// summaryOf reads the last line of --json output, or the one before that of an error.
func summaryOf(t testing.TB, r result) summaryJSON {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	if r.code != exitOK && len(lines) > 1 {
		lines = lines[:len(lines)-1]
	}
	var s summaryJSON
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &s); err != nil {
		t.Fatalf("last line of output is no summary: %v\nexit %d\n%s\n%s", err, r.code, r.out, r.err)
	}
	return s
}

func must(t testing.TB, r result) result {
	t.Helper()
	if r.code != exitOK {
		t.Fatalf("exit %d, want 0\n%s\n%s", r.code, r.out, r.err)
	}
	return r
}

// says runs a command line, its words separated by |, and wants an exit code and a text.
func says(t *testing.T, line string, code int, text string) {
	t.Helper()
	r := in(t, strings.Split(line, "|")...)
	if r.code != code || !strings.Contains(r.out+r.err, text) {
		t.Errorf("kingdom %s: exit %d, want %d and %q\n%s%s", line, r.code, code, text, r.out, r.err)
	}
}
