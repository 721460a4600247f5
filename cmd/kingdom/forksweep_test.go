//go:build !race

package main

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A fork of a sweep has the forks of its runs. What is missing of it, such as the run of a command that was killed before it
// had begun, is forked by resume, from the directory in which the fork was made.
func TestForkSweep_IsTheForksOfItsRuns(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "6", "--set", "time.base_budget=16", "--seeds", "5,6", "--out", "s"))
	var got sweepJSON
	r := must(t, in(t, "fork", "s", "--at", "4", "--set", "minds.blind=[peers]", "--cycles", "7", "--json"))
	if err := json.Unmarshal([]byte(r.out), &got); err != nil {
		t.Fatal(err)
	}
	if got.Sweep != "s-at4" || got.Finished != 2 || got.Cycles != 7 || got.Set["minds.blind"] != "[peers]" || got.Set["time.base_budget"] != "16" {
		t.Errorf("--json says %+v", got)
	}
	for _, run := range got.Runs {
		alone := summaryOf(t, must(t, in(t, "fork", filepath.Join("s", "seed-"+run.Seed), "--at", "4", "--set", "minds.blind=[peers]", "--cycles", "7", "--json")))
		if run.WorldHash != alone.WorldHash {
			t.Errorf("seed %s ended in %s, its fork alone in %s", run.Seed, run.WorldHash, alone.WorldHash)
		}
		must(t, in(t, "replay", run.Run))
	}

	if err := os.Remove("s-at4/seed-6/" + runFile); err != nil { // as if the command had been killed while it made the directory
		t.Fatal(err)
	}
	for _, file := range []string{"kingdom.db", "kingdom.db-wal", "kingdom.db-shm"} {
		if err := os.RemoveAll("s-at4/seed-6/" + file); err != nil {
			t.Fatal(err)
		}
	}
	must(t, in(t, "resume", "s-at4"))
	if err := os.RemoveAll("s-at4/seed-5"); err != nil {
		t.Fatal(err)
	}
	top, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	says(t, "resume|"+top+"/s-at4", exitInput, "was forked from the sweep s, which is not there; go to the directory from which it was forked, or restore it")
	t.Chdir(top)
	must(t, in(t, "resume", "s-at4"))
	for _, run := range got.Runs {
		if is := results(t, "s-at4")[run.Seed]["world_hash"]; is != run.WorldHash {
			t.Errorf("seed %s made anew ended in %s, at first in %s", run.Seed, is, run.WorldHash)
		}
	}

	must(t, in(t, "resume", "s", "--cycles", "7"))
	if r := must(t, in(t, "compare", "s", "s-at4")); !strings.Contains(r.out, `minds.blind=[peers]`) {
		t.Errorf("compare says %s", r.out)
	}
	must(t, in(t, "report", "s", "s-at4", "--out", "page.html"))
	page := readPage(t, "page.html")
	for _, want := range []string{"s-at4 is a fork of <b>s</b>: up to the end of cycle 4 the runs of each seed are the same.", "; forked from s at the end of cycle 4. Save the scenario"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestForkSweep_InputErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "3", "--set", "time.base_budget=16", "--seeds", "5,6", "--out", "s"))
	must(t, in(t, "fork", "s", "--at", "1", "--out", "f"))
	for _, tt := range []struct{ line, says string }{
		{"fork|s", "--at is missing; want the last cycle that both runs have in common; kingdom inspect s/seed-5 says how far the run is"},
		{"fork|s|--at|4", "s/seed-5 has reached cycle 3, so it cannot be forked at cycle 4; kingdom resume s --cycles 4 runs it up to there"},
		{"fork|s|--at|3", "a fork of s at cycle 3 that ends with cycle 3 has nothing to run; --cycles says where it ends, such as --cycles 13"},
		{"fork|s|--at|2|--set|mint.upkeep=1", "cannot change while a run goes on"},
		{"fork|s|--at|2|--out|f", "f holds the fork of s at cycle 1; kingdom resume f continues it, or choose another --out"},
		{"fork|s|--at|2|--out|s", "s holds a sweep of this scenario that is not this fork; choose another --out"},
		{"fork|s|--at|2|--jobs|0", "--jobs is 0; want a whole number from 1"},
		{"fork|s/seed-5|--at|2|--jobs|2", "--jobs is for a sweep, and s/seed-5 is not a sweep; leave it out"},
		{"run|f/scenario.yaml|--seeds|5..7|--out|f", "f holds the fork of s at cycle 1; kingdom resume f continues it, or choose another --out"},
	} {
		says(t, tt.line, exitInput, tt.says)
	}
	if err := os.RemoveAll("s/seed-6"); err != nil {
		t.Fatal(err)
	}
	says(t, "fork|s|--at|2", exitInput, "seed 6 of s has not begun, so it cannot be forked; kingdom resume s runs it")
}

// What has other rules cannot be forked, and the refusal names what was to be forked, since there is no fork.
func TestFork_OtherPhysicsNamesTheParent(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "3", "--set", "time.base_budget=2", "--seeds", "5", "--out", "s"))
	makeOlder(t, "s/sweep.json")
	makeOlder(t, "s/seed-5/run.json")
	db, err := sql.Open("sqlite", "s/seed-5/kingdom.db")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("UPDATE world_run SET physics = 1"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ line, says string }{
		{"fork|s|--at|1|--cycles|5", "kingdom: the runs of s have physics 1 and this build has physics "},
		{"fork|s/seed-5|--at|1|--cycles|5", "kingdom: s/seed-5: physics is 1, want "},
		{"resume|s/seed-5|--cycles|5", "kingdom: s/seed-5: physics is 1, want "},
		{"replay|s/seed-5", "kingdom: s/seed-5: physics is 1, want "},
		{"replay|s", "s/seed-5: physics is 1, want "},
		{"explain|s/seed-5|--agent|1|--tick|256", "kingdom: s/seed-5: physics is 1, want "},
		{"inspect|s/seed-5|--cycle|1", "kingdom: s/seed-5: physics is 1, want "},
		{"journal|export|s/seed-5|--frames|-", "kingdom: s/seed-5: physics is 1, want "},
	} {
		says(t, tt.line, exitInput, tt.says)
	}
	if r := in(t, "replay", "s"); strings.Contains(r.out, "s/seed-5: s/seed-5") {
		t.Errorf("replay names the run twice: %s", r.out)
	}
	if left, err := filepath.Glob("s*at*"); len(left) > 0 || err != nil {
		t.Errorf("a refused fork left %v, %v", left, err)
	}
}

// What is counted from the first cycle of the forks on leaves out what they have in common.
func TestForkSweep_ComparedFromItsFirstCycle(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "5", "--set", "time.base_budget=16", "--seeds", "5,6", "--out", "s"))
	r := must(t, in(t, "fork", "s", "--at", "3", "--set", "minds.blind=[peers]", "--out", "f"))
	if !strings.Contains(r.out, "kingdom compare s f --society --from 4\n") {
		t.Errorf("fork does not say how to compare: %s", r.out)
	}
	of := func(args ...string) experimentComparison {
		var c experimentComparison
		if err := json.Unmarshal([]byte(must(t, in(t, append([]string{"compare", "s", "f", "--society", "--json"}, args...)...)).out), &c); err != nil {
			t.Fatal(err)
		}
		return c
	}
	whole, late := of(), of("--from", "4")
	if late.From != 4 || whole.From != 0 {
		t.Errorf("from %d and %d", late.From, whole.From)
	}
	for i, m := range late.Metrics {
		if m.Metric == "act_names" && m.A >= whole.Metrics[i].A {
			t.Errorf("%v different acts from cycle 4 on, %v in all", m.A, whole.Metrics[i].A)
		}
	}
	for _, tt := range []struct{ line, says string }{
		{"compare|s|f|--from|2", "--from needs --society"},
		{"compare|s|f|--society|--from|6", "--from is 6, and s/seed-5 ends with cycle 5; want a cycle from 1 to 5"},
		{"society|s/seed-5|--from|6", "--from is 6, and s/seed-5 ends with cycle 5; want a cycle from 1 to 5"},
	} {
		says(t, tt.line, exitInput, tt.says)
	}
	for _, line := range [][]string{{"society", "f"}, {"society", "f/seed-5"}, {"society", "f", "--by", "role"}, {"society", "f/seed-5", "--by", "role"}} {
		if r := must(t, in(t, append(line, "--from", "4")...)); !strings.Contains(r.out, "counted from cycle 4 on") {
			t.Errorf("%v says %s", line, r.out[:min(200, len(r.out))])
		}
	}
}
