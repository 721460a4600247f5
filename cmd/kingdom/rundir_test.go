package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
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
