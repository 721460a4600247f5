package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/sql/pgserver"
)

// A sweep needs one database: each seed has a schema of its own in it, and all commands find it.
func TestSweep_PostgreSQL(t *testing.T) {
	t.Chdir(t.TempDir())
	at := pgserver.Database(t)
	sweep := []string{"run", "epoch0", "--cycles", "2", "--seeds", "1..2,Blue-1"}
	must(t, in(t, append(sweep, "--out", "lite")...))
	r := must(t, in(t, append(sweep, "--out", "2026", "--store", at)...))
	if d := cmp.Diff(results(t, "lite"), results(t, "2026")); d != "" {
		t.Errorf("results (-sqlite +postgres):\n%s", d)
	}
	for dir, schema := range map[string]string{"seed-1": "_2026_seed_1", "seed-Blue-1": "_2026_seed_blue_1"} {
		b, err := os.ReadFile(filepath.Join("2026", dir, runFile))
		if err != nil || !strings.Contains(string(b), "schema="+schema) {
			t.Errorf("run.json does not name the schema %s: %s, %v", schema, b, err)
		}
		for _, command := range []string{"inspect", "replay"} {
			must(t, in(t, command, filepath.Join("2026", dir)))
		}
	}
	if !strings.Contains(r.out, "3 of 3 seeds finished") {
		t.Errorf("says %s", r.out)
	}
	must(t, in(t, "resume", "2026", "--cycles", "3", "--store", at))
	must(t, in(t, "resume", "lite", "--cycles", "3"))
	if d := cmp.Diff(results(t, "lite"), results(t, "2026")); d != "" {
		t.Errorf("resumed (-sqlite +postgres):\n%s", d)
	}
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--seeds", "7", "--out", "named", "--store", at+"&schema=mine"))
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--out", "single", "--store", at+"&schema=alone"))
	if err := os.Rename("named", "renamed"); err != nil {
		t.Fatal(err)
	}
	must(t, in(t, "resume", "renamed", "--cycles", "2", "--store", at)) // the schemas keep their names
	says(t, "resume|renamed|--store|"+at+"&schema=yours", exitInput, "keeps its runs in schemas mine_seed_…")
	for dir, schema := range map[string]string{"renamed/seed-7": "mine_seed_7", "single": "alone"} {
		if b, err := os.ReadFile(filepath.Join(dir, runFile)); err != nil || !strings.Contains(string(b), "schema="+schema) {
			t.Errorf("%s: run.json does not name the schema %s: %s, %v", dir, schema, b, err)
		}
	}
	for _, tt := range []struct{ line, says string }{
		{"run|epoch0|--cycles|1|--out|bad|--store|" + at + `&schema=a"b`, "want lower-case letters"},
		{"run|epoch0|--cycles|1|--out|bad|--store|" + at + "&schema=order", "is a word of SQL"},
		{"run|epoch0|--cycles|1|--out|bad|--store|" + at + "&schema=", "is empty"},
		{"run|epoch0|--cycles|1|--seed|9|--out|bad|--store|" + at + "&schema=alone", "another world"},
		{"run|epoch0|--cycles|1|--out|bad|--store|" + at, "add schema=NAME to its URL"},
		{"run|epoch0|--cycles|1|--seeds|1..2|--out|bad|--store|" + at + "&schema=", "is empty"},
		{"run|epoch0|--cycles|1|--seeds|1..2|--out|bad|--store|" + at + "&schema=A", "want lower-case letters"},
		{"run|epoch0|--cycles|1|--seeds|1..2|--out|" + strings.Repeat("x", 80) + "|--store|" + at + "&schema=" + strings.Repeat("y", 60), "at most 63"},
	} {
		r := in(t, strings.Split(tt.line, "|")...)
		if r.code == exitOK || !strings.Contains(r.err, tt.says) {
			t.Errorf("%s: exit %d: %s, want %q", tt.line, r.code, r.err, tt.says)
		}
		if _, err := os.Stat("bad"); err == nil {
			t.Fatalf("%s left a directory", tt.line)
		}
	}
}
