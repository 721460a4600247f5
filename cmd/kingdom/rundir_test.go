package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/engine"
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

// A run that was killed before its database was made, or its world stored, is not lost: commands say that resume repairs it.
func TestRunDir_KilledBeforeItsDatabaseWasMade(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "2", "--out", "whole"))
	sc, _, err := openRunDir("whole")
	if err != nil {
		t.Fatal(err)
	}
	cfg := config(sc)
	for _, err := range []error{os.Mkdir("r", 0o755), writeNewScenario("r", sc.Show()), engine.WriteRunFile("r", &cfg, defaultStore)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{"inspect|r", "replay|r", "tables|r", "explain|r|--agent|1"} {
		says(t, command, exitFailure, "r has no world yet, because it has only just begun; if it was stopped there, kingdom resume r begins it again")
	}
	if fileExists(filepath.Join("r", "kingdom.db")) {
		t.Error("a command that reads made a database")
	}
	must(t, in(t, "resume", "r"))
	if want, got := must(t, in(t, "inspect", "whole", "--json")).out, must(t, in(t, "inspect", "r", "--json")).out; !strings.Contains(want, `"world_hash"`) || strings.ReplaceAll(got, `"r"`, `"whole"`) != want {
		t.Errorf("resumed:\n%s\nwant\n%s", got, want)
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

// A link to nothing is no directory of a run, and not a path where one can be made.
func TestRun_OutThatIsADanglingLink(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Symlink("nowhere", "link"); err != nil {
		t.Fatal(err)
	}
	says(t, "run|epoch0|--cycles|1|--out|link", exitInput, "kingdom: link is a link to something that does not exist; remove it, or choose another --out\n")
}
