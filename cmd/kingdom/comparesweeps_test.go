//go:build !race

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/engine"
)

// The two-sided sign test against tables of the binomial distribution.
func TestSignTest(t *testing.T) {
	for _, tt := range []struct {
		up, down int
		want     float64
	}{
		{0, 0, 1},
		{1, 0, 1},
		{2, 3, 1},
		{4, 4, 1},
		{2, 0, 0.5},
		{5, 0, 0.0625},
		{1, 8, 0.0390625},
		{10, 1, 0.01171875},
		{6, 2, 0.2890625},
		{600, 400, 2.728e-10},
	} {
		if got := signTest(tt.up, tt.down); math.Abs(got-tt.want) > 1e-3*tt.want || signTest(tt.down, tt.up) != got {
			t.Errorf("%d up and %d down: p %g, want %g", tt.up, tt.down, got, tt.want)
		}
	}
}

// Seeds that did not finish are told from those that only one sweep has.
func TestCompare_SaysWhySeedsAreLeftOut(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--seeds", "1..4", "--cycles", "1", "--out", "a"))
	must(t, in(t, "run", "epoch0", "--seeds", "2..5", "--cycles", "1", "--out", "b"))
	table, err := os.ReadFile("b/results.csv")
	if err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"\n4,finished,": "\n4,interrupted,", "\n5,finished,": "\n5,interrupted,"} {
		if !strings.Contains(string(table), from) {
			t.Fatalf("no %q in\n%s", from, table)
		}
		table = []byte(strings.Replace(string(table), from, to, 1))
	}
	if err := os.WriteFile("b/results.csv", table, 0o644); err != nil {
		t.Fatal(err)
	}
	says(t, "compare|a|b", exitOK, "2 seeds at cycle 1\nleft out, because they did not finish in both: 4\nleft out, because only one of the two has them: 1, 5\n")
	var got experimentComparison
	if err := json.Unmarshal([]byte(must(t, in(t, "compare", "a", "b", "--json")).out), &got); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.LeftOut, []string{"1", "4", "5"}) || !slices.Equal(got.OnlyOne, []string{"1", "5"}) {
		t.Errorf("left out %v, only in one %v", got.LeftOut, got.OnlyOne)
	}
}

// Rows that rest on fewer seeds than the heading says tell their number; if there is none, there is no such column.
func TestCompare_RowsTellHowManySeedsTheyRestOn(t *testing.T) {
	side := func(path string, all, some []float64) *sweepResults {
		return &sweepResults{path: path, seeds: []string{"1", "2", "3"}, names: []string{"all", "some"}, values: map[string][]float64{"all": all, "some": some}}
	}
	x := &experiment{
		a: side("a", []float64{1, 2, 3}, []float64{1, math.NaN(), 3}), b: side("b", []float64{2, 3, 4}, []float64{2, 3, 4}), cycle: 5, seeds: []string{"1", "2", "3"},
	}
	for _, whole := range []bool{false, true} {
		if whole {
			x.a.values["some"][1] = 2
		}
		var b bytes.Buffer
		if err := x.printEffects(&app{out: &b}); err != nil {
			t.Fatal(err)
		}
		var rows []string
		for line := range strings.Lines(b.String()) {
			if f := strings.Fields(line); len(f) > 5 && !strings.HasPrefix(line, "no p") && !strings.HasPrefix(line, "LOW and") { // the notes
				rows = append(rows, f[0]+" "+strings.Join(f[7:], " "))
			}
		}
		if want := []string{"METRIC P LOW HIGH D_Z SEEDS", "all 0.25 1 1 - 3", "some 0.5 1 1 - 2"}; !whole && !slices.Equal(rows, want) {
			t.Errorf("rows %q, want %q", rows, want)
		}
		if want := []string{"METRIC P LOW HIGH D_Z", "all 0.25 1 1 -", "some 0.25 1 1 -"}; whole && !slices.Equal(rows, want) {
			t.Errorf("rows %q, want %q", rows, want)
		}
		b.Reset()
		if err := x.printSeeds(&app{out: &b}, "some", 0); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "some, of the 2 seeds with a figure in both: mean 2 in a, 3 in b") == whole {
			t.Errorf("of some seeds: %s", &b)
		}
	}
}

// A treatment is compared with its control seed by seed; seeds of only one of them are left out.
func TestCompare_Sweeps(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--seeds", "1..3", "--cycles", "2", "--out", "control"))
	must(t, in(t, "run", "epoch0", "--seeds", "2..4", "--cycles", "2", "--out", "rich", "--set", "mint.initial_balance=1000"))

	var got experimentComparison
	if err := json.Unmarshal([]byte(must(t, in(t, "compare", "control", "rich", "--json")).out), &got); err != nil {
		t.Fatal(err)
	}
	if got.Seeds != 2 || got.Cycle != 2 || !slices.Equal(got.LeftOut, []string{"1", "4"}) || !slices.Equal(got.OnlyOne, got.LeftOut) {
		t.Errorf("%d seeds at cycle %d, without %v", got.Seeds, got.Cycle, got.LeftOut)
	}
	if len(got.Scenario) != 1 || got.Scenario[0].Path != "mint.initial_balance" {
		t.Errorf("the scenarios differ in %v", got.Scenario)
	}
	control, rich := results(t, "control"), results(t, "rich")
	number := func(row map[string]string, metric string) float64 {
		x, err := strconv.ParseFloat(row[metric], 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for _, e := range got.Metrics {
		if e.Metric != "circulating_supply" {
			continue
		}
		a, b := (number(control["2"], e.Metric)+number(control["3"], e.Metric))/2, (number(rich["2"], e.Metric)+number(rich["3"], e.Metric))/2
		if e.A != a || e.B != b || e.Change != b-a || e.Up != 2 || e.Down != 0 || e.P != 0.5 {
			t.Errorf("%+v, want %g and %g", e, a, b)
		}
	}

	text := must(t, in(t, "compare", "control/results.csv", "rich")).out
	for _, want := range []string{
		"scenario   mint.initial_balance: 100 in a, 1000 in b\n2 seeds at cycle 2\nleft out, because only one of the two has them: 1, 4\nMETRIC",
		"equal for each seed: active,",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	text = must(t, in(t, "compare", "control", "rich", "--metric", "circulating")).out
	if !strings.Contains(text, "more in 2, less in 0, p 0.5; 95 % confidence interval of the change ") || strings.Count(text, "\n") != 9 {
		t.Error(text)
	}
	if text := must(t, in(t, "compare", "control", "rich", "--metric", "circulating", "--above", "1e6")).out; strings.Contains(text, "SEED") {
		t.Errorf("no seed differs by more than a million:\n%s", text)
	}
	if text := must(t, in(t, "compare", "control", "control")).out; strings.Contains(text, "METRIC") {
		t.Errorf("a sweep differs from itself:\n%s", text)
	}

	got = experimentComparison{}
	if err := json.Unmarshal([]byte(must(t, in(t, "compare", "control", "rich", "--society", "--json")).out), &got); err != nil {
		t.Fatal(err)
	}
	pooled := func(sweep, key string) (mean float64) {
		m, err := measureDir(t.Context(), sweep, &measuring{seeds: "2,3"})
		if err != nil {
			t.Fatal(err)
		}
		for i := range m.pool {
			if m.pool[i].Key == key {
				mean = m.pool[i].Mean
			}
		}
		return mean
	}
	for _, e := range got.Metrics {
		switch e.Metric {
		case "act_entropy":
			if a, b := pooled("control", e.Metric), pooled("rich", e.Metric); e.Seeds != 2 || a == 0 || math.Abs(e.A-a)+math.Abs(e.B-b) > 1e-12 {
				t.Errorf("%+v, want %g and %g", e, a, b)
			}
		case "ablation":
			if e.Seeds != 0 || e.P != 0 {
				t.Errorf("runs alone have no ablation: %+v", e)
			}
		}
	}

	const ofCycle = "counted in that cycle alone: velocity" // of results.csv; docs/SOCIETY.md means its mean over cycles
	if text := must(t, in(t, "compare", "control", "rich")).out; !strings.Contains(text, ofCycle) {
		t.Errorf("compare does not say %q:\n%s", ofCycle, text)
	}
	if text := must(t, in(t, "compare", "control", "rich", "--society")).out; !strings.Contains(text, "\nvelocity ") || strings.Contains(text, "in that cycle alone") {
		t.Errorf("compare --society lacks velocity, or says that it is counted in one cycle:\n%s", text)
	}

	says(t, "compare|control|rich/seed-2", exitInput, "rich/seed-2 is not a sweep, but control is; compare two runs or two sweeps")
	says(t, "compare|rich/seed-2|rich/seed-3|--metric|gini", exitInput, "--metric and --above are for sweeps")
	says(t, "compare|control|rich|--society|--metric|ablation", exitInput, "ablation has a figure in both for 0 seeds; comparing needs two")
	says(t, "compare|control|--society", exitInput, "--society is for two sweeps")
	says(t, "compare|control|nowhere", exitInput, "nowhere does not exist")
	says(t, "compare|control|rich|--above|2", exitInput, "--above needs --metric")
	must(t, in(t, "resume", "rich", "--cycles", "3"))
	says(t, "compare|control|rich", exitInput, "control ended at cycle 2 and rich at cycle 3, so their metrics do not mean the same; kingdom resume control --cycles 3 brings both to the same")
	says(t, "compare|rich/results.csv|control", exitInput, "kingdom resume control --cycles 3")
	must(t, in(t, "run", "epoch0", "--seeds", "8,9", "--cycles", "2", "--out", "others"))
	says(t, "compare|control|others", exitInput, "control and others have 0 seeds in common that finished")
	table := read(t, "others/results.csv")
	if err := os.WriteFile("others/results.csv", []byte(strings.Replace(table, ",velocity,", ",speed,", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	says(t, "compare|control|others", exitInput, "control and others have different metrics, because different versions of kingdom wrote them; kingdom resume SWEEP writes the table of a sweep anew")
}

// What was run under other rules is compared with a word about the rules, and a sweep of other rules is not extended.
func TestCompare_OtherPhysics(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"a", "b"} {
		must(t, in(t, "run", "epoch0", "--seeds", "1,2", "--cycles", "1", "--set", "time.base_budget=2", "--out", dir))
	}
	const differ = "physics    %d in a, 1 in b"
	if r := must(t, in(t, "compare", "a", "b")); strings.Contains(r.out, "physics") {
		t.Errorf("the same rules: %s", r.out)
	}
	makeOlder(t, "b/sweep.json")
	if r := must(t, in(t, "compare", "a", "b")); !strings.Contains(r.out, fmt.Sprintf(differ, engine.Physics)) {
		t.Errorf("two sweeps: %s", r.out)
	}
	before := contentsOf(t, "b")
	says(t, "run|epoch0|--seeds|1..3|--cycles|1|--set|time.base_budget=2|--out|b", exitInput, "the runs of b have physics 1 and this build has physics")
	says(t, "resume|b|--cycles|2", exitInput, "use the kingdom version that wrote them")
	if d := cmp.Diff(before, contentsOf(t, "b")); d != "" {
		t.Errorf("a refused command changed the sweep:\n%s", d)
	}
	must(t, in(t, "resume", "b")) // nothing is left to do
}

// contentsOf reads the files of a directory that are not below a run's directory.
func contentsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		out[e.Name()] = ""
		if b, err := os.ReadFile(filepath.Join(dir, e.Name())); err == nil {
			out[e.Name()] = string(b)
		}
	}
	return out
}
