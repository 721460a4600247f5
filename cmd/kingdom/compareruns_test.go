//go:build !race

package main

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
)

// Runs with two seeds have no agent in common, so none is named and no command that would fail is printed.
func TestCompareRuns_TwoSeeds(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--seeds", "1,2", "--cycles", "1", "--out", "s"))
	r := must(t, in(t, "compare", "s/seed-1", "s/seed-2"))
	if !strings.Contains(r.out, "first seen in what happened: cycle 1, tick ") || !strings.Contains(r.out, ": other thought in b\n") || strings.Contains(r.out, "--agent") {
		t.Errorf("says %s", r.out)
	}
	var out runComparison
	decode(t, must(t, in(t, "compare", "s/seed-1", "s/seed-2", "--json")).out, &out)
	act, _ := out.First["after"].(map[string]any)["act"].(map[string]any)
	if _, named := act["agent"]; act["component"] != "thought" || named {
		t.Errorf("--json says %v", act)
	}
}

// This build executes no run of other rules, so the commands for one say by which build they are to be given.
func TestCompareRuns_OtherPhysics(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "2", "--out", "a"))
	must(t, in(t, "run", "epoch0", "--cycles", "2", "--set", "minds.scripted.malformed_rate=0.05", "--out", "b"))
	writeBuild(t, "b", "v1")
	makeOlder(t, filepath.Join("b", runFile))
	db, err := sql.Open("sqlite", filepath.Join("b", "kingdom.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("UPDATE world_run SET physics = 1"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	out := must(t, in(t, "compare", "a", "b")).out
	if !strings.Contains(out, "  kingdom inspect a --cycle 1\n  kingdom inspect b --cycle 1   (with kingdom v1)\n") {
		t.Errorf("says %s", out)
	}
}
