package main

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// A run of another user that has all its tables is told to have them. One that lacks some says what to do, and nothing changes.
func TestTables_WhereNothingMayBeWritten(t *testing.T) {
	t.Chdir(t.TempDir())
	for dir, tables := range map[string]string{"whole": "end", "part": "demand"} {
		must(t, in(t, "run", "epoch0", "--cycles", "2", "--set", "store.tables="+tables, "--out", dir))
	}
	asStranger(t, "whole", "part")
	says(t, "tables|whole", exitOK, "the tables of whole hold all 2 cycles\n")
	says(t, "tables|part", exitFailure, "this user may not write in it; change its permissions, or use a copy that you own")
	says(t, "society|part", exitFailure, "the tables of part are not filled yet")
}

// asStranger makes the test a user who may read in directories and not write. Root may write everywhere, so it takes the rights
// of nobody on files, which Linux has for each thread.
func asStranger(t *testing.T, dirs ...string) {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	modes := map[string]os.FileMode{here: 0o755, filepath.Dir(here): 0o755}
	for _, dir := range dirs {
		modes[dir] = 0o555
	}
	for at, mode := range modes {
		if err := os.Chmod(at, mode); err != nil {
			t.Fatal(err)
		}
	}
	runtime.LockOSThread()
	root := os.Geteuid() == 0
	if root {
		if err := syscall.Setfsuid(65534); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if root {
			if err := syscall.Setfsuid(0); err != nil {
				panic(err) // the thread would go on with other rights
			}
		}
		runtime.UnlockOSThread()
		for _, dir := range dirs {
			_ = os.Chmod(dir, 0o700) // to be removed; the test has failed already if not
		}
	})
	if f, err := os.Create(filepath.Join(dirs[0], "new")); err == nil {
		f.Close()
		t.Fatal("a stranger may write in the directory, so the test shows nothing")
	}
}
