//go:build !race

package main

import (
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
	r := must(t, in(t, "compare", "a", "b"))
	for line := range strings.Lines(r.out) {
		with := strings.HasSuffix(line, "   (with kingdom v1)\n")
		if strings.HasPrefix(line, "  kingdom explain ") && with != strings.HasPrefix(line, "  kingdom explain b ") {
			t.Errorf("says %q", line)
		}
	}
	if strings.Count(r.out, "  kingdom explain ") != 2 {
		t.Errorf("not two commands: %s", r.out)
	}
}
