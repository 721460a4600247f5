package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/engine"
	"kingdom/scenarios"
)

// A sweep whose files cannot be written leaves nothing that the same command would refuse afterwards.
func TestSweep_ThatCannotBeginLeavesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	sc, err := scenarios.Load("epoch0")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("empty", 0o755); err != nil {
		t.Fatal(err)
	}
	nan := math.NaN() // which JSON cannot hold, so sweep.json is not written
	for _, dir := range []string{"new", "empty"} {
		s, err := sweepAt(dir, sc, sweepFile{Seeds: []string{"1"}, Budget: &nan})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.write(); err == nil {
			t.Fatal("sweep.json holds NaN")
		}
		if inside, err := os.ReadDir(dir); len(inside) > 0 || (err == nil) != (dir == "empty") {
			t.Errorf("%s has %v, %v", dir, inside, err)
		}
	}
}

func TestParseSeeds(t *testing.T) {
	for in, want := range map[string]string{
		"1":             "1",
		"1..3":          "1 2 3",
		"1,5,9":         "1 5 9",
		"1..2, 7 ,blue": "1 2 7 blue",
		"3..3":          "3",
		"-1":            "-1",
		"a b,007":       "a b 007",

		"18446744073709551613..18446744073709551615": "18446744073709551613 18446744073709551614 18446744073709551615",
	} {
		if got, err := parseSeeds(in); err != nil || strings.Join(got, " ") != want {
			t.Errorf("parseSeeds(%q) = %q, %v; want %s", in, got, err, want)
		}
	}
	for in, says := range map[string]string{
		"":        "has an empty item",
		"1,,2":    "has an empty item",
		"5..1":    "5..1 ends before it begins; want 1..5",
		"1..x":    "1..x is not a range",
		"-3..3":   "is not a range",
		"1..2..3": "is not a range",
		"1-3":     "1-3 is no range; want 1..3, or 1,3 for these two alone; --seed 1-3 makes one run with a seed of that name",
		"9,1:2":   "1:2 is no range; want 1..2",
		"1 2":     "'1 2' is no range; want 1..2",
		"18446744073709551615..18446744073709551616": "want two whole numbers from 0 to 18446744073709551615, such as 1..10",
		"0..18446744073709551615":                    "more than 10000 seeds",

		"0..10000":     "more than 10000 seeds",
		"1..9999,a..b": "a..b is not a range",
		"0..9999,x":    "more than 10000 seeds",
	} {
		if _, err := parseSeeds(in); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("parseSeeds(%q) = %v; want %q", in, err, says)
		}
	}
}

// Rows of long seeds can be told apart, and the table is no wider than it must be for that.
func TestShortSeeds(t *testing.T) {
	for _, tt := range []struct{ seeds, want []string }{
		{[]string{"42", "fourteen-runes"}, []string{"42", "fourteen-runes"}},
		{[]string{"control-group-of-monday-1", "control-group-of-monday-2"}, []string{"contro…onday-1", "contro…onday-2"}},
		{[]string{"ééééééééééééééé"}, []string{"éééééé…ééééééé"}},
		{[]string{"before-1-and-afterwards", "before-2-and-afterwards", "something-else-entirely"}, []string{"before-1-and-afterwards", "before-2-and-afterwards", "someth…ntirely"}},
	} {
		if got := shortSeeds(tt.seeds); !slices.Equal(got, tt.want) {
			t.Errorf("%q become %q; want %q", tt.seeds, got, tt.want)
		}
	}
}

// results reads results.csv: by seed, and then by column.
func results(t *testing.T, dir string) map[string]map[string]string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, resultsFile))
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]string{}
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		out[row["seed"]] = row
	}
	return out
}

// Each seed gets the run that it would get alone; the same command again does nothing, and one
// with more seeds or cycles only what is missing.
func TestSweep_RunsAreThoseOfSingleRuns(t *testing.T) {
	t.Chdir(t.TempDir())
	sweep := []string{"run", "epoch0", "--cycles", "2", "--set", "mint.initial_balance=15", "--jobs", "2", "--json"}
	r := must(t, in(t, append(sweep, "--seeds", "5..6,blue moon")...))
	var got sweepJSON
	if err := json.Unmarshal([]byte(r.out), &got); err != nil {
		t.Fatal(err)
	}
	if got.Finished != 3 || got.Seeds != 3 || got.Set["mint.initial_balance"] != "15" || got.Sweep != "runs/epoch0-sweep" {
		t.Errorf("--json says %+v", got)
	}
	rows := results(t, got.Sweep)
	for i, seed := range []string{"5", "6", "blue moon"} {
		alone := summaryOf(t, must(t, in(t, "run", "epoch0", "--cycles", "2", "--set", "mint.initial_balance=15", "--seed", seed, "--json")))
		run, row := got.Runs[i], rows[seed]
		if run.Seed != seed || run.WorldHash != alone.WorldHash || row["world_hash"] != alone.WorldHash || row["status"] != "finished" || row["mint.initial_balance"] != "15" || row["cycle"] != "2" {
			t.Errorf("seed %s: %+v\n%v\nalone %+v", seed, run, row, alone)
		}
		if gini := run.Metrics["gini_coefficient"].String(); gini == "" || gini != row["gini_coefficient"] {
			t.Errorf("seed %s: Gini %s in --json, %s in results.csv", seed, gini, row["gini_coefficient"])
		}
		must(t, in(t, "replay", filepath.Join(got.Sweep, row["run"])))
	}
	stamp := func(seed string) int64 {
		info, err := os.Stat(filepath.Join(got.Sweep, rows[seed]["run"], runFile))
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime().UnixNano()
	}
	was := stamp("5")
	if r := must(t, in(t, append(sweep, "--seeds", "5..6")...)); !strings.Contains(r.err, "nothing to do") || stamp("5") != was {
		t.Errorf("the same command again: %s", r.err)
	}
	must(t, in(t, append(sweep, "--seeds", "4..6")...))
	if more := results(t, got.Sweep); len(more) != 4 || stamp("5") != was || !cmp.Equal(more["5"], rows["5"]) {
		t.Errorf("one seed more: %d rows; seed 5 was %v, is %v", len(more), rows["5"], more["5"])
	}
	must(t, in(t, "resume", got.Sweep, "--cycles", "3"))
	for seed, row := range results(t, got.Sweep) {
		if row["cycle"] != "3" {
			t.Errorf("seed %s is at cycle %s after resume --cycles 3", seed, row["cycle"])
		}
	}
	says(t, "tail|runs/epoch0-sweep", exitInput, "holds a sweep; name one of its runs")
	says(t, "doctor|runs/epoch0-sweep", exitInput, "runs/epoch0-sweep holds a sweep; name one of its runs, such as runs/epoch0-sweep/seed-4, or its scenario, runs/epoch0-sweep/scenario.yaml")
	says(t, "inspect|runs/epoch0-sweep", exitInput, "holds a sweep; name one of its runs, such as runs/epoch0-sweep/seed-4")
}

// A command that names some seeds of a sweep runs only these, and says what it leaves; resume runs the rest.
func TestSweep_RunsOnlyTheSeedsAskedFor(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "2", "--seeds", "1..5", "--out", "s"))
	for _, seed := range []string{"2", "3", "4", "5"} {
		if err := os.RemoveAll(filepath.Join("s", "seed-"+seed)); err != nil {
			t.Fatal(err)
		}
	}
	sweep := []string{"run", "epoch0", "--out", "s", "--cycles"}
	statuses := func() (out string) {
		rows := results(t, "s")
		for _, seed := range []string{"1", "2", "3", "4", "5", "6"} {
			if row, ok := rows[seed]; ok {
				out += row["status"] + row["cycle"] + " "
			}
		}
		return out
	}
	r := must(t, in(t, append(sweep, "2", "--seeds", "1..2")...))
	if got, want := statuses(), "finished2 finished2 missing missing missing "; got != want {
		t.Errorf("seeds 1..2 of five: %s, want %s", got, want)
	}
	if !strings.Contains(r.out, "2 of 5 seeds finished") || !strings.Contains(r.err, "seed 2 finished at cycle 2 · 2/2 seeds") ||
		!strings.Contains(r.err, "3 seeds of s that were not asked for are left unfinished; kingdom resume s runs them") {
		t.Errorf("says %s%s", r.out, r.err)
	}
	says(t, "run|epoch0|--out|s|--cycles|2|--seeds|1..2", exitOK, "all 2 asked seeds of s have already reached cycle 2, so there is nothing to do")
	must(t, in(t, append(sweep, "3", "--seeds", "5..6")...))
	if got, want := statuses(), "finished2 finished2 missing missing finished3 finished3 "; got != want {
		t.Errorf("with a seed more and one cycle more: %s, want %s", got, want)
	}
	if r := must(t, in(t, "resume", "s")); strings.Contains(r.err, "not asked for") {
		t.Errorf("resume says %s", r.err)
	}
	if got, want := statuses(), strings.Repeat("finished3 ", 6); got != want {
		t.Errorf("resumed: %s, want %s", got, want)
	}

	if err := os.RemoveAll(filepath.Join("s", "seed-3")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("s", "seed-3"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	must(t, in(t, append(sweep, "3", "--seeds", "1..2")...)) // what is wrong with another seed is no matter
	says(t, "run|epoch0|--out|s|--cycles|3|--seeds|2..3", exitInput, "1 of 2 seeds did not finish, such as 3, which is failed: ")
	says(t, "run|epoch0|--out|s|--cycles|3|--seeds|2..3", exitInput, "; continue with the same command")
}

// A seed that cannot run is a row and an exit code, and the others go on.
func TestSweep_FailedSeed(t *testing.T) {
	t.Chdir(t.TempDir())
	sweep := []string{"run", "epoch0", "--cycles", "1", "--seeds", "1..3", "--out", "s"}
	r := in(t, append(sweep, "--store", "postgres://nobody@127.0.0.1:1/none")...)
	if _, err := os.Stat("s"); r.code == exitOK || err == nil {
		t.Errorf("no seed could start: exit %d, %v\n%s", r.code, err, r.err)
	}
	must(t, in(t, append(sweep, "--jobs", "1")...))
	if err := os.RemoveAll("s/seed-2"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("s/seed-2", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	r = in(t, append(sweep, "--cycles", "2")...)
	rows := results(t, "s")
	// A file in place of a run is a mistake of the user, so the exit code is that of wrong input.
	if r.code != exitInput || rows["1"]["status"] != "finished" || rows["3"]["cycle"] != "2" || rows["2"]["status"] != "failed" || rows["2"]["error"] == "" {
		t.Errorf("exit %d: %s\n%v", r.code, r.err, rows["2"])
	}
	if !strings.Contains(r.err, "1 of 3 seeds did not finish, such as 2, which is failed") || !strings.Contains(r.err, "kingdom resume s") {
		t.Errorf("says %s", r.err)
	}
	if err := os.Remove("s/seed-2"); err != nil {
		t.Fatal(err)
	}
	must(t, in(t, "resume", "s"))
	if rows := results(t, "s"); rows["2"]["status"] != "finished" || rows["2"]["cycle"] != "2" || rows["2"]["error"] != "" {
		t.Errorf("resumed: %v", rows["2"])
	}
}

// cancelling ends a context when something is written that holds a text.
type cancelling struct {
	mu     sync.Mutex
	b      bytes.Buffer
	when   string
	cancel func()
}

func (c *cancelling) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if strings.Contains(string(b), c.when) {
		c.cancel()
	}
	return c.b.Write(b)
}

// Ctrl-C stops all runs; their rows are there, and the same command again ends where an
// undisturbed one does.
func TestSweep_CtrlC(t *testing.T) {
	t.Chdir(t.TempDir())
	sweep := []string{"run", "epoch0", "--cycles", "3", "--seeds", "1..6", "--jobs", "2"}
	must(t, in(t, append(sweep, "--out", "whole")...))
	want := results(t, "whole")

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	errw := &cancelling{when: "seed 1 finished", cancel: cancel}
	var out bytes.Buffer
	args := append(sweep, "--out", "cut")
	if code := execute(ctx, args, &out, errw); code != exitInterrupted {
		t.Fatalf("exit %d: %s", code, &errw.b)
	}
	if text := errw.b.String(); !strings.Contains(text, "stopping; press Ctrl-C again") || !strings.Contains(text, "of 6 seeds not finished; continue with: kingdom resume cut") {
		t.Errorf("says %s", text)
	}
	rows := results(t, "cut")
	if len(rows) != 6 || rows["1"]["status"] != "finished" || rows["6"]["status"] != string(statusMissing) {
		t.Errorf("after Ctrl-C: %v\n%v", rows["1"], rows["6"])
	}
	must(t, in(t, args...))
	if d := cmp.Diff(want, results(t, "cut")); d != "" {
		t.Errorf("continued (-undisturbed +continued):\n%s", d)
	}
}

// After Ctrl-C all that is printed agrees: runs that lack only tables are finished, and interrupted ones are not counted.
func TestSweep_CtrlCWhileTablesAreMade(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "2", "--seeds", "1..3", "--out", "s"))
	for _, seed := range []string{"1", "2"} {
		must(t, in(t, "run", "epoch0", "--cycles", "2", "--seed", seed, "--set", "store.tables=demand", "--out", "other"))
		dir := filepath.Join("s", "seed-"+seed)
		for _, err := range []error{os.RemoveAll(dir), os.Rename("other", dir)} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	errw := &cancelling{when: "seed 1 finished at cycle 2 · 2/3 seeds", cancel: cancel}
	var out bytes.Buffer
	code := execute(ctx, []string{"resume", "s", "--jobs", "1"}, &out, errw)
	if text := errw.b.String(); code != exitInterrupted || !strings.Contains(text, "interrupted before all tables of 1 of 3 seeds were made; continue with: kingdom resume s") {
		t.Errorf("exit %d: %s", code, text)
	}
	if !strings.Contains(out.String(), "3 of 3 seeds finished") {
		t.Errorf("prints %s", &out)
	}
	must(t, in(t, "resume", "s"))
	must(t, in(t, "society", "s"))

	interrupted := &cancelledError{"interrupted while tables were made"}
	r := &sweepRun{seed: "9", dir: "s/seed-9", todo: true, err: interrupted, row: row{status: engine.StatusFinished, err: interrupted.text}}
	r.row.cycle.Cycle = 2
	s := &sweep{dir: "s", file: sweepFile{Cycles: 2}, runs: []*sweepRun{r, {row: r.row}}}
	var line bytes.Buffer
	progress := newSweepProgress(&app{err: &line}, 2, 1, 0)
	progress.end(r)
	if got := line.String(); got != "seed 9 finished at cycle 2 · 1/2 seeds\n" {
		t.Errorf("a seed whose tables are missing: %s", got)
	}
	if err := s.result(ctx); err == nil || err.Error() != "interrupted before all tables of 1 of 2 seeds were made; continue with: kingdom resume s" {
		t.Errorf("%v", err)
	}
	r.err = errors.New("no space")
	if err := s.result(context.Background()); err == nil || !strings.HasPrefix(err.Error(), "the tables of 1 of 2 seeds were not made, such as those of 9: ") || !errors.Is(err, r.err) {
		t.Errorf("%v", err)
	}
	*r = sweepRun{seed: "9", todo: true, row: row{status: engine.StatusInterrupted}}
	line.Reset()
	progress.end(r)
	if got := line.String(); got != "seed 9 interrupted at cycle 0 · 1/2 seeds\n" {
		t.Errorf("an interrupted seed: %s", got)
	}
}

// A sweep that is extended and interrupted does not count seeds that have not got to the new end as finished.
func TestSweep_CtrlCWhileExtended(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--seeds", "1..3", "--out", "s"))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var out bytes.Buffer
	errw := &cancelling{when: "seed 1 finished at cycle 2", cancel: cancel}
	code := execute(ctx, []string{"resume", "s", "--cycles", "2", "--jobs", "1"}, &out, errw)
	if text := errw.b.String(); code != exitInterrupted || !strings.Contains(text, "interrupted with 2 of 3 seeds not finished") || !strings.Contains(out.String(), "1 of 3 seeds finished") {
		t.Errorf("exit %d: %s%s", code, &out, text)
	}
}

// A sweep that was interrupted can be made shorter, as long as no run is further than that, and then ends there, also if it is
// stopped and continued once more.
func TestSweep_InterruptedSweepIsShortened(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--seeds", "1..3", "--out", "s"))
	must(t, in(t, "resume", "s/seed-2", "--cycles", "2"))
	file := filepath.Join("s", sweepFileName)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, bytes.Replace(text, []byte(`"cycles": 1`), []byte(`"cycles": 60`), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, seed := range []string{"1", "2"} { // stopped on their way to cycle 60
		killed(t, filepath.Join("s", "seed-"+seed), 60)
	}
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	says(t, "resume|s|--cycles|1", exitInput, "--cycles is 1, but seed 2 of s has reached cycle 2, and runs cannot go back; give --cycles 2 or more")
	if after, err := os.ReadFile(file); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the refused command wrote %s, %v", after, err)
	}
	says(t, "run|epoch0|--seeds|1..2|--cycles|3|--out|s", exitOK, "2 of 3 seeds finished, 3 cycles each")
	says(t, "resume|s", exitOK, "3 of 3 seeds finished, 3 cycles each")
	for seed, row := range results(t, "s") {
		if row["cycle"] != "3" || row["status"] != "finished" {
			t.Errorf("seed %s: %s at cycle %s", seed, row["status"], row["cycle"])
		}
	}
}

func TestSweep_MessagesForWrongArguments(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, tt := range []struct{ line, says string }{
		{"run|epoch0|--seeds|1,2,1", "names the seed 1 twice"},
		{"run|epoch0|--seeds|a-b,a_b", "the seeds a-b and a_b would share a directory"},
		{`run|epoch0|--seeds|018,"018"`, `the seeds 018 and '"018"' are the same; leave one out`},
		{"run|epoch0|--seeds|Blue,blue", "would share a directory"},
		{"run|epoch0|--seeds|a\tb", "--seeds 'a\tb': seed: is the text \"a\\tb\"; want no control characters in it"},
		{"run|epoch0|--seeds|1..2|--seed|3", "--seed gives the seed of one run"},
		{"run|epoch0|--seeds|1..2|--set|seed=3", "--set seed=3 gives the seed of one run"},
		{"run|epoch0|--seeds|1..2|--minds|recorded:x", "--minds gives the thoughts of one run"},
		{"run|epoch0|--seeds|1..2|--jobs|0", "--jobs is 0; want a whole number from 1"},
		{"run|epoch0|--seeds|1..2|--jobs|many", "want a whole number"},
		{"run|epoch0|--seeds|1..2|--cycles|0", "--cycles is 0; want a whole number from 1"},
		{"run|epoch0|--seeds|1..2|--budget|1", "epoch0 asks no models, so that it needs no --budget"},
		{"run|epoch0|--seeds|1..2|--store|mysql:x", `--store is "mysql:x"; want sqlite or postgres:`},
		{"run|epoch0|--jobs|2", "--jobs needs --seeds"},
	} {
		says(t, tt.line, exitInput, tt.says)
		if inside, err := os.ReadDir("."); err != nil || len(inside) > 0 {
			t.Fatalf("kingdom %s left %v, %v", tt.line, inside, err)
		}
	}
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--out", "run"))
	must(t, in(t, "run", "epoch0", "--cycles", "2", "--seeds", "1", "--out", "sweep"))
	if err := os.WriteFile("file", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	says(t, "run|epoch0|--seeds|1|--out|run", exitInput, "run is the directory of a run")
	says(t, "run|epoch0|--seeds|1|--out|file", exitInput, "file is a file")
	says(t, "run|epoch0|--seeds|1|--out|.", exitInput, "kingdom: . is a directory with other things than a sweep in it, such as")
	says(t, "run|epoch0|--seeds|1|--out|sweep|--set|mint.initial_balance=3", exitInput, "holds a sweep of another scenario, or of one with other values (sweep/scenario.yaml): mint.initial_balance is 100 there and 3 here; only")
	says(t, "run|epoch0|--seeds|1|--out|sweep|--cycles|1", exitInput, "--cycles is 1, but seed 1 of sweep has reached cycle 2, and runs cannot go back; give --cycles 2 or more")
	says(t, "run|epoch0|--seeds|1|--out|sweep|--store|postgres://x", exitInput, "keeps its runs in sqlite")
	says(t, "resume|run|--jobs|2", exitInput, "--jobs is for a sweep")
	if err := os.WriteFile(filepath.Join("sweep", sweepFileName), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	says(t, "resume|sweep", exitFailure, "is damaged")
}

// Another sweep of the same name gets a directory of its own.
func TestSweep_OtherSweepGetsNewDirectory(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, balance := range []string{"10", "20", "10"} {
		must(t, in(t, "run", "epoch0", "--cycles", "1", "--seeds", "1", "--set", "mint.initial_balance="+balance))
	}
	dirs, err := filepath.Glob("runs/*")
	if want := []string{"runs/epoch0-sweep", "runs/epoch0-sweep-2"}; err != nil || !slices.Equal(dirs, want) {
		t.Errorf("made %v, want %v", dirs, want)
	}
}

// The cookbook's recipes of sweeps run as they stand, with fewer seeds and cycles.
func TestSweep_Cookbook(t *testing.T) {
	page, err := os.ReadFile("../../docs/COOKBOOK.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	smaller := strings.NewReplacer("1..10", "1..2", "1..12", "1..3", "--cycles 50", "--cycles 2", "--cycles 60", "--cycles 3", "--cycles 20", "--cycles 1", "--at 10", "--at 0", "--from 11", "--from 1", "'", "")
	_, text, _ := strings.Cut(string(page), "**Many seeds.**")
	text, _, found := strings.Cut(text, "**Networks.**")
	if !found {
		t.Fatal("the page lacks the recipes")
	}
	n := 0
	for line := range strings.Lines(text) {
		if command, is := strings.CutPrefix(line, "kingdom "); is {
			n++
			must(t, in(t, strings.Fields(smaller.Replace(command))...))
		}
	}
	if rows := results(t, "runs/epoch0-sweep"); n < 8 || len(rows) != 3 || rows["3"]["cycle"] != "3" {
		t.Errorf("%d commands, rows %v", n, rows)
	}
	if rows := results(t, "runs/rich"); rows["2"]["mint.initial_balance"] != "1000" {
		t.Errorf("the column of an override: %v", rows["2"])
	}
}

// If a run of a sweep was stopped after its last cycle and before its tables were made, the same command makes them.
func TestSweep_SameCommandMakesMissingTables(t *testing.T) {
	t.Chdir(t.TempDir())
	sweep := []string{"run", "epoch0", "--cycles", "2", "--seeds", "1..2", "--out", "s"}
	must(t, in(t, sweep...))
	want := must(t, in(t, "society", "s", "--json")).out
	must(t, in(t, "run", "epoch0", "--cycles", "2", "--seed", "2", "--set", "store.tables=demand", "--out", "other"))
	for _, err := range []error{os.RemoveAll("s/seed-2"), os.Rename("other", "s/seed-2")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	says(t, "society|s", exitFailure, "seed 2: the tables of s/seed-2 are not filled yet; kingdom tables s/seed-2 fills them")
	if r := must(t, in(t, sweep...)); strings.Contains(r.err, "nothing to do") {
		t.Errorf("making the tables it says %s", r.err)
	}
	if got := must(t, in(t, "society", "s", "--json")).out; got != want {
		t.Errorf("society of the tables that were made later:\n%s\nbefore:\n%s", got, want)
	}
	if r := must(t, in(t, sweep...)); !strings.Contains(r.err, "so there is nothing to do") {
		t.Errorf("a third time: %s", r.err)
	}
}

// Figures of runs of different length are not put together.
func TestSweep_SeedsOfDifferentLengthAreNotCompared(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "2", "--seeds", "1..2", "--out", "s"))
	must(t, in(t, "resume", "s/seed-1", "--cycles", "3"))
	says(t, "society|s", exitInput, "seed 1 of s has 3 cycles and seed 2 has 2, so their figures do not mean the same; kingdom resume s --cycles 3")
	says(t, "compare|s", exitInput, "written when seed 1 was at cycle 2, but its run is at cycle 3; kingdom resume s --cycles 3")
	for _, again := range [][]string{{"resume", "s"}, {"run", "epoch0", "--cycles", "2", "--seeds", "1..2", "--out", "s"}} { // writes the table anew
		r := must(t, in(t, again...))
		if !strings.Contains(r.out, "2 of 2 seeds finished, 2 cycles or more each") || !strings.Contains(r.err, "compare and report need the same: kingdom resume s --cycles 3 brings") || strings.Contains(r.out+r.err, "kingdom compare") || strings.Contains(r.err, "nothing to do") {
			t.Errorf("%v says\n%s%s\nwant that it leads to --cycles 3, not to compare", again, r.out, r.err)
		}
	}
	says(t, "compare|s", exitInput, "s/results.csv has seeds that ended at cycle 3 or 2, so their metrics do not mean the same; kingdom resume s ")
	must(t, in(t, "resume", "s", "--cycles", "3"))
	must(t, in(t, "society", "s"))
	must(t, in(t, "compare", "s"))
	if err := os.RemoveAll("s/seed-2"); err != nil {
		t.Fatal(err)
	}
	says(t, "society|s", exitInput, "seed 2 of s has not reached cycle 3; kingdom resume s finishes it")
}
