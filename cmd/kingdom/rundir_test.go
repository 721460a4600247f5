package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Of two runs that begin in one empty directory at the same time only one goes on. The other removes nothing.
func TestRunDir_OnlyOneRunTakesAnEmptyDirectory(t *testing.T) {
	dir := t.TempDir()
	for range 2 { // both see an empty directory
		if _, _, err := makeRunDir(dir, ""); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeNewScenario(dir, []byte("first")); err != nil {
		t.Fatal(err)
	}
	if err := writeNewScenario(dir, []byte("second")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("the second has the error %v, want %v", err, fs.ErrExist)
	}
	if b, err := os.ReadFile(filepath.Join(dir, scenarioFile)); err != nil || string(b) != "first" {
		t.Errorf("the scenario is %q, %v", b, err)
	}
}

// A fork of the run in the working directory lies beside that run, not in it.
func TestFork_OfTheWorkingDirectory(t *testing.T) {
	parent := runEpoch0(t, "--cycles", "2").dir
	t.Chdir(parent)
	r := must(t, in(t, "fork", ".", "--at", "1"))
	if want := filepath.Join(filepath.Dir(parent), "run-at1"); !strings.Contains(r.out, "  run         "+want+"\n") {
		t.Errorf("the fork is not in %s:\n%s", want, r.out)
	}
}
