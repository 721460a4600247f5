//go:build !race

package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kingdom/society"
)

func TestSociety(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--seeds", "1..2", "--cycles", "2", "--out", "s"))
	text := must(t, in(t, "society", "s/seed-1")).out
	lines := strings.Split(strings.TrimSpace(text), "\n")
	n := len((&society.Run{}).Measure())
	if len(lines) != n+3 || lines[0] != "8 agents, 2 cycles" || !strings.HasPrefix(lines[1], "#   METRIC") || !strings.HasPrefix(lines[2], "1   act_entropy") {
		t.Errorf("%d lines for %d measures:\n%s", len(lines), n, text)
	}

	var one, both societyJSON
	for args, out := range map[string]*societyJSON{"s/seed-1": &one, "s": &both} {
		if err := json.Unmarshal([]byte(must(t, in(t, "society", args, "--json")).out), out); err != nil {
			t.Fatal(err)
		}
		if len(out.Measures) != n || out.Judged > n-out.Without || out.In > out.Judged {
			t.Errorf("%s: %d measures, %d in of %d judged, %d without", args, len(out.Measures), out.In, out.Judged, out.Without)
		}
		in, judged, without := 0, 0, 0
		for _, m := range out.Measures {
			if m.In != nil {
				if judged++; *m.In {
					in++
				}
			}
			if (m.Value == nil) != (m.Why != "") {
				t.Errorf("%s: %s has value %v and why %q", args, m.Key, m.Value, m.Why)
			}
			if m.Value == nil {
				without++
			}
		}
		if in != out.In || judged != out.Judged || without != out.Without {
			t.Errorf("%s: %d in of %d judged, %d without; it says %d, %d, %d", args, in, judged, without, out.In, out.Judged, out.Without)
		}
	}
	if len(one.Runs) != 1 || one.Runs[0].Seed != "1" || one.Runs[0].Cycles != 2 || one.Runs[0].Agents != 8 || one.Measures[0].SeedsJSON != nil {
		t.Errorf("one run: %+v", one.Runs)
	}
	if len(both.Runs) != 2 || both.Measures[0].SeedsJSON == nil || both.Measures[0].Runs != 2 {
		t.Errorf("a sweep: %+v", both.Runs)
	}

	// The figure of one seed of a sweep is that of its run, to the last bit.
	rows, err := csv.NewReader(strings.NewReader(must(t, in(t, "society", "s", "--seeds", "1", "--csv")).out)).ReadAll()
	if err != nil || len(rows) != n+1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, m := range one.Measures {
		want := ""
		if m.Value != nil {
			want = formatExact(*m.Value)
		}
		if row := rows[i+1]; row[1] != m.Key || row[2] != want {
			t.Errorf("%v, want %s %s", row[:3], m.Key, want)
		}
	}
}

// Groups of one run beside each other, and over the seeds of a sweep their differences.
func TestSociety_Groups(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("two.yaml", `name: two
population:
  - {role: LIBRARIAN, count: 2}
  - {role: LIBRARIAN, name: poor, balance: 5}
  - {role: EXPLORER, adversary: junk-answers, balance: 7}
  - {role: LIBRARIAN}
spawn: {cap: 9}
inputs:
  - {cycle: 1, do: spawn, role: EXPLORER}
`)
	must(t, in(t, "run", "two.yaml", "--seeds", "1..3", "--cycles", "3", "--out", "s"))
	groups := func(args ...string) (names []string, of map[string]map[string]groupFigureJSON) {
		var out groupedJSON
		if err := json.Unmarshal([]byte(must(t, in(t, append([]string{"society", "--json"}, args...)...)).out), &out); err != nil {
			t.Fatal(err)
		}
		of = map[string]map[string]groupFigureJSON{}
		for _, f := range out.Figures {
			if of[f.Group] == nil {
				names, of[f.Group] = append(names, f.Group), map[string]groupFigureJSON{}
			}
			of[f.Group][f.Key] = f
		}
		return names, of
	}
	for by, want := range map[string]map[string]float64{
		"group": {"LIBRARIAN-1": 2, "poor": 1, "EXPLORER": 1, "LIBRARIAN-2": 1, "newcomers": 1},
		"role":  {"LIBRARIAN": 4, "EXPLORER": 2},
		"mind":  {"scripted": 5, "junk-answers": 1},
	} {
		names, of := groups("s/seed-1", "--by", by)
		if len(names) != len(want) {
			t.Errorf("by %s: %q; want %v", by, names, want)
		}
		for name, agents := range want {
			f := of[name]["balance"]
			if f.Agents != agents || f.Value == nil || f.SD != nil || f.Change != nil || f.Runs != 1 {
				t.Errorf("by %s: %s is %+v; want %v agents and one run", by, name, f, agents)
			}
		}
	}
	if _, of := groups("s/seed-1", "--by", "group"); *of["newcomers"]["acts"].Value <= 0 || *of["poor"]["balance"].Value >= *of["LIBRARIAN-1"]["balance"].Value {
		t.Errorf("the newcomer did nothing, or the poor are not poor: %v", of["newcomers"])
	}
	_, of := groups("s", "--by", "group")
	poor := of["poor"]["balance"]
	if poor.Runs != 3 || poor.SD == nil || poor.Change == nil || poor.Change.Down != 3 || math.Abs(poor.Change.P-.25) > 1e-9 || of["LIBRARIAN-1"]["balance"].Change != nil {
		t.Errorf("over three seeds: %+v, %+v", poor, poor.Change)
	}
	if got := poor.Change.B - poor.Change.A; poor.Change.B != *poor.Value || math.Abs(got-poor.Change.Change) > 1e-9 {
		t.Errorf("the change is %v from %v to %v, and the mean %v", poor.Change.Change, poor.Change.A, poor.Change.B, *poor.Value)
	}

	text := must(t, in(t, "society", "s", "--by", "role")).out
	if !strings.Contains(text, "CHANGE is from LIBRARIAN in the same runs") || !strings.Contains(text, "FIGURE          ROLE       AGENTS") {
		t.Errorf("the text of a sweep:\n%s", text)
	}
	text = must(t, in(t, "society", "s/seed-1", "--by", "mind")).out
	if !strings.Contains(text, "MIND          AGENTS  BALANCE") || !strings.Contains(text, "accuracy        accuracy of these entries") {
		t.Errorf("the text of a run:\n%s", text)
	}
	rows, err := csv.NewReader(strings.NewReader(must(t, in(t, "society", "s", "--by", "role", "--csv")).out)).ReadAll()
	if err != nil || len(rows) != 1+2*len(society.GroupCatalogue()) || rows[1][6] != "" || rows[2][6] == "" {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	page := must(t, in(t, "report", "s/seed-1", "--out", "r.html"))
	if b, _ := os.ReadFile("r.html"); !strings.Contains(string(b), "<td>newcomers</td>") {
		t.Errorf("the report has no groups: %s", page.out)
	}
}

// A mean or a change of fewer seeds than the heading names says of how many; if there is none, there are no such columns.
func TestSociety_GroupsTellHowManySeedsTheyRestOn(t *testing.T) {
	g := groupedSociety{name: "s", by: "group", sweep: true, cycles: 3, groups: []string{"calm", "treated"}}
	n := len(society.GroupCatalogue())
	for i := range 3 {
		g.runs = append(g.runs, groupedRun{
			seed: strconv.Itoa(i), groups: []agentGroup{{name: "calm", members: []int{0}}, {name: "treated", members: []int{1}}},
			values: [][]float64{slices.Repeat([]float64{1}, n), slices.Repeat([]float64{float64(2 + i)}, n)},
		})
	}
	rows := func() (out [3]string) {
		var b bytes.Buffer
		g.print(&b)
		for line := range strings.Lines(b.String()) {
			words := strings.Fields(line)
			switch {
			case words[0] == "FIGURE":
				out[0] = strings.Join(words, " ")
			case words[0] == "accuracy":
				out[1] = strings.Join(words[1:5], " ")
			case words[0] == "treated" && out[1] != "" && out[2] == "":
				out[2] = strings.Join(words, " ")
			}
		}
		return out
	}
	if got, want := rows(), [3]string{"FIGURE GROUP AGENTS MEAN SD CHANGE UP DOWN P WHAT IT IS", "calm 1 1 0", "treated 1 3 1 +2 3 0 0.25"}; got != want {
		t.Errorf("all seeds have all figures: %q; want %q", got, want)
	}
	accuracy := slices.IndexFunc(society.GroupCatalogue(), func(m society.GroupMeasure) bool { return m.Key == "accuracy" })
	g.runs[0].values[0][accuracy], g.runs[1].values[1][accuracy] = math.NaN(), math.NaN() // of calm in one seed, of treated in another
	if got, want := rows(), [3]string{"FIGURE GROUP AGENTS MEAN SD SEEDS PAIRS CHANGE UP DOWN P WHAT IT IS", "calm 1 1 0", "treated 1 3 1.414 2 1 - - - -"}; got != want {
		t.Errorf("two of three seeds have each figure, one both: %q; want %q", got, want)
	}
}

func TestSociety_RefusesWhatItCannotMeasure(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--seeds", "1..2", "--cycles", "1", "--out", "s"))
	if err := os.Mkdir("nothing", 0o755); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"society":                              "kingdom society takes a run directory, or that of a sweep",
		"society gone":                         "gone does not exist; want the directory of a run",
		"society nothing":                      "nothing is not a run directory: it has no run.json",
		"society s --seeds 1,7":                "s has no seed 7; it has 1, 2",
		"society s --seeds 2,2":                "--seeds names the seed 2 twice", // else its figures count twice, with a deviation of 0
		"society s/seed-1 --seeds 5..1":        "--seeds: 5..1 ends before it begins; want 1..5",
		"society s/seed-1 --seeds 1":           "--seeds chooses among the runs of a sweep, and s/seed-1 is not a sweep",
		"society s --by genome":                `--by is "genome"; want group (the items of population), role or mind`,
		"society s/seed-1 --by role --seeds 1": "--seeds chooses among the runs of a sweep, and s/seed-1 is not a sweep",
		"society s/seed-1 --csv --json":        "--csv and --json exclude each other; leave one out",
	} {
		r := in(t, strings.Fields(args)...)
		if r.code != 2 || !strings.Contains(r.err, want) {
			t.Errorf("%s: exit %d, %s; want %s", args, r.code, r.err, want)
		}
	}
}

// A run that somebody put in the place of another seed would count as that seed.
func TestSociety_RefusesAnotherRunInASweep(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--seeds", "1..2", "--cycles", "1", "--out", "s"))
	says(t, "report|s/seed-1|s/seed-2|./s/seed-1|--out|r.html", exitInput, "./s/seed-1 is named twice; a report is about different runs or sweeps")
	if err := os.RemoveAll("s/seed-2"); err != nil {
		t.Fatal(err)
	}
	says(t, "society|s", exitInput, "seed 2 of s has not reached cycle 1; kingdom resume s finishes it, or choose other seeds with --seeds\n")
	says(t, "report|s", exitInput, "seed 2 of s has not reached cycle 1; kingdom resume s finishes it\n") // it has no --seeds
	if err := os.CopyFS("s/seed-2", os.DirFS("s/seed-1")); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"society|s", "report|s", "resume|s"} {
		says(t, command, exitInput, "s/seed-2 holds another run than that of seed 2 of the sweep; move it away, then kingdom resume s makes the missing run")
	}
}
