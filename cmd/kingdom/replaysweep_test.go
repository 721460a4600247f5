//go:build !race

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/sql/sqlite"
)

// replay of a sweep replays all its runs, whatever becomes of one. What differs decides the exit code before what could not
// be compared.
func TestReplay_Sweep(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--seeds", "42,2,3", "--cycles", "2", "--out", "s"))
	if r := must(t, in(t, "replay", "s")); strings.Count(r.out, ": 2 cycles re-executed, every hash the same; ") != 3 {
		t.Errorf("says %s", r.out)
	}
	path, b := journalOf(t, "s/seed-2")
	if err := os.WriteFile(path, b[:len(b)-9], 0o644); err != nil {
		t.Fatal(err)
	}
	r := in(t, "replay", "s")
	for _, want := range []string{
		"s/seed-42: 2 cycles re-executed", "s/seed-3: 2 cycles re-executed", "s/seed-2: replay s/seed-2: ticks, inputs and thoughts from cycle 2 on could not be compared",
		"replay s: of 3 runs 1 could not be compared; the first of them alone: kingdom replay s/seed-2\n",
	} {
		if r.code != exitFailure || !strings.Contains(r.out+r.err, want) {
			t.Errorf("a journal that was cut: exit %d, no %q in\n%s%s", r.code, want, r.out, r.err)
		}
	}
	foreignRun(t, "other", "v1", "2", "minds.scripted.malformed_rate=0.05")
	for _, dir := range []string{"s/seed-42", "s/seed-3"} {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename("other", "s/seed-42"); err != nil {
		t.Fatal(err)
	}
	r = in(t, "replay", "s", "--json")
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	if r.code != exitDivergence || len(lines) != 4 {
		t.Fatalf("exit %d, %d lines\n%s%s", r.code, len(lines), r.out, r.err)
	}
	var same []string
	for _, line := range lines[:3] {
		var run struct {
			Run        string
			Same       *bool
			Divergence struct{ Tick uint64 }
			Error      string
		}
		decode(t, line, &run)
		what := "null"
		if run.Same != nil {
			what = fmt.Sprint(*run.Same)
		}
		same = append(same, fmt.Sprintf("%s %s %t %s", run.Run, what, run.Divergence.Tick > 0, run.Error))
	}
	want := "[s/seed-42 false true  s/seed-2 null false  s/seed-3 null false seed 3 has no run to replay; kingdom resume s makes it]"
	if got := fmt.Sprint(same); got != want {
		t.Errorf("says %s, want %s", got, want)
	}
	var last errorJSON
	decode(t, lines[3], &last)
	if last.Code != "divergence" || last.Divergence["agent"] == nil || last.Error != "replay s: of 3 runs 1 differs, 2 could not be compared; the first of them alone: kingdom replay s/seed-42" {
		t.Errorf("the last line is %s", lines[3])
	}
	for _, dir := range []string{"s/seed-42", "s/seed-2"} {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	says(t, "replay|s", exitFailure, "replay s: of 3 runs 3 could not be compared: seed 42 has no run to replay; kingdom resume s makes it\n")
	says(t, "replay|nowhere", exitInput, "nowhere does not exist; want the directory of a run, which kingdom run SCENARIO makes")
}

// A seed that another process runs is left alone and told as that.
func TestSweep_SeedOfAnotherProcess(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--seeds", "1..2", "--cycles", "1", "--out", "s"))
	path := filepath.Join("s", "seed-1", runFile)
	if err := os.WriteFile(path, []byte(strings.Replace(read(t, path), `"finished"`, `"running"`, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	st, err := sqlite.Open(t.Context(), filepath.Join("s", "seed-1", "kingdom.db"), sqlite.Later)
	if err != nil {
		t.Fatal(err)
	}
	says(t, "run|epoch0|--seeds|1..2|--cycles|2|--out|s", exitFailure,
		"1 of 2 seeds did not finish, such as 1, which is going on in another process; wait until it ends, or follow it: kingdom tail s/seed-1 -f; then continue with: kingdom resume s\n")
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	must(t, in(t, "resume", "s"))
}
