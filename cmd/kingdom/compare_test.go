//go:build !race

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const comparedCSV = `seed,mint.initial_balance,status,cycle,tick,epoch,world_hash,gini_coefficient,messages,calls,run,error
1,15,finished,50,1,0,aa,0.25,10,0,seed-1,
2,15,finished,50,1,0,bb,0.5,30,0,seed-2,
3,15,failed,7,1,0,cc,0.9,1,0,seed-3,"it, broke"
blue,15,finished,50,1,0,dd,0.375,20,0,seed-blue,
5,15,missing,,,,,,,,seed-5,
`

func TestCompare(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("s", 0o755); err != nil {
		t.Fatal(err)
	}
	write("s/results.csv", comparedCSV)
	for _, arg := range []string{"s", "s/results.csv"} {
		want := arg + `, 3 seeds at cycle 50
left out, because they did not finish: 3, 5
METRIC            MEAN   SD     LEAST  SEED  MOST  SEED
gini_coefficient  0.375  0.125  0.25   1     0.5   2
messages          20     10     10     1     30    2
counted in that cycle alone: messages
equal in all: calls 0
`
		if r := must(t, in(t, "compare", arg)); r.out != want {
			t.Errorf("got\n%s\nwant\n%s", r.out, want)
		}
	}
	for _, name := range ofOneCycle {
		if !slices.Contains(metricNames(), name) {
			t.Errorf("there is no metric %s", name)
		}
	}
	want := `s, 3 seeds at cycle 50
left out, because they did not finish: 3, 5
gini_coefficient: mean 0.375, sd 0.125, from 0.25 (seed 1) to 0.5 (seed 2)
1 of 3 pairs of seeds differ by more than 0.125
DIFFERENCE  SEED  LOW   SEED  HIGH
0.25        1     0.25  2     0.5
`
	if r := must(t, in(t, "compare", "s", "--metric", "gini", "--above", "0.125")); r.out != want {
		t.Errorf("got\n%s\nwant\n%s", r.out, want)
	}
	var got sweepComparison
	if err := json.Unmarshal([]byte(must(t, in(t, "compare", "s", "--metric", "messages", "--json")).out), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Metrics) != 1 || got.Metrics[0] != (spread{"messages", 20, 10, 10, "1", 30, "2"}) || len(*got.Pairs) != 3 || (*got.Pairs)[0] != (seedPair{"1", 10, "2", 30, 20}) || len(got.LeftOut) != 2 {
		t.Errorf("--json says %+v %+v", got, got.Pairs)
	}
	head, _, _ := strings.Cut(comparedCSV, "2,15")
	write("one.csv", head)
	write("songs.csv", "title,seed\nx,1\n")
	write("text.csv", strings.ReplaceAll(comparedCSV, "0.375", "much"))
	write("torn.csv", "seed,status\n1\n")
	for _, tt := range []struct{ line, says string }{
		{"compare|s|--metric|ginni", "has no metric ginni"},
		{"compare|s|--metric|mesages", "did you mean messages?"},
		{"compare|s|--above|0.1", "--above needs --metric"},
		{"compare|s|--metric|gini|--above|-1", "and a number from 0"},
		{"compare|s|--metric|gini|--above|NaN", "and a number from 0"},
		{"compare|nowhere", "nowhere does not exist; want the directory of a sweep, its results.csv, or two runs"},
		{"compare|nowhere/results.csv", "nowhere/results.csv does not exist; want"},
		{"compare|one.csv/results.csv", "one.csv/results.csv does not exist; want"},
		{"compare|.", "not a sweep: it has no results.csv"},
		{"compare|one.csv", "has 1 seed that finished; comparing needs two"},
		{"compare|songs.csv", "is not the table of a sweep"},
		{"compare|text.csv", `text.csv line 5: gini_coefficient is "much"; want a number`},
		{"compare|torn.csv", "wrong number of fields; want the table of a sweep, as kingdom run --seeds writes it"},
	} {
		says(t, tt.line, exitInput, tt.says)
	}
	write("s/"+sweepFileName, "")
	write("s/results.csv", head+"3,15,capped,7,1,0,cc,0.9,1,0,seed-3,its cap is reached\n")
	says(t, "compare|s", exitInput, "has 1 seed that finished; comparing needs two; kingdom resume s goes on with the others")
}

// For any values the pairs are those of two seeds that differ by more than the bound, and the spread encloses the mean.
func TestCompare_PairsAndSpreadOfAnyValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 2, 12).Draw(t, "xs")
		above := rapid.Float64Range(0, 1e6).Draw(t, "above")
		m := &sweepResults{values: map[string][]float64{"x": xs}}
		for i := range xs {
			m.seeds = append(m.seeds, fmt.Sprint(i))
		}
		want := 0
		for i := range xs {
			for j := range i {
				if math.Abs(xs[i]-xs[j]) > above {
					want++
				}
			}
		}
		got := m.pairs("x", above)
		for i, p := range got {
			if p.Difference <= above || p.High-p.Low != p.Difference || i > 0 && got[i-1].Difference < p.Difference {
				t.Fatalf("pair %d is %+v", i, p)
			}
		}
		s := m.spreadOf("x")
		if len(got) != want || s.Mean < s.Min-1e-6 || s.Mean > s.Max+1e-6 || s.SD < 0 {
			t.Fatalf("%d pairs, want %d; %+v", len(got), want, s)
		}
	})
}

func TestWrapList(t *testing.T) {
	text := wrapList("equal in all: ", strings.Fields(strings.Repeat("total_cost_micro_usd ", 12)))
	for line := range strings.Lines(text) {
		if len(strings.TrimSuffix(line, "\n")) > 80 {
			t.Errorf("too wide: %q", line)
		}
	}
	if n := strings.Count(text, "total_cost_micro_usd"); n != 12 {
		t.Errorf("%d of 12 words are there", n)
	}
}

// Compare finds the seeds that differ from the files that a sweep leaves.
func TestCompare_SeedsOfASweep(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--seeds", "1..3", "--cycles", "2"))
	r := must(t, in(t, "compare", filepath.Join("runs", "epoch0-sweep"), "--metric", "oracle"))
	if !strings.Contains(r.out, "of 3 pairs of seeds differ\n") || !strings.Contains(r.out, "3 seeds at cycle 2") {
		t.Errorf("says %s", r.out)
	}
	dir := filepath.Join("runs", "epoch0-sweep")
	if err := os.WriteFile(filepath.Join(dir, resultsFile), []byte("seed,status\n1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	says(t, "compare|"+dir, exitInput, "wrong number of fields; kingdom resume "+dir+" writes it anew")
	if err := os.Remove(filepath.Join(dir, resultsFile)); err != nil {
		t.Fatal(err)
	}
	for _, arg := range []string{dir, filepath.Join(dir, resultsFile)} {
		says(t, "compare|"+arg, exitInput, dir+" has no results.csv: no seed has ended, or it was removed; kingdom resume "+dir+" goes on and writes it")
	}
	must(t, in(t, "resume", dir))
	must(t, in(t, "compare", dir))
}
