//go:build !race

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kingdom/report"
	"kingdom/sql/pgserver"
)

func readPage(t *testing.T, file string) string {
	t.Helper()
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// A run ends with its report. The same run in another store has the same page, and whoever follows the page gets the same
// world.
func TestReport_RunCanBeRepeatedFromIt(t *testing.T) {
	t.Chdir(t.TempDir())
	var summary struct {
		Report string
		Hash   string `json:"world_hash"`
	}
	lines := strings.Split(strings.TrimSpace(must(t, in(t, "run", "epoch0", "--cycles", "3", "--seed", "x&y", "--out", "r", "--json")).out), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &summary); err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join("r", "report.html"); summary.Report != want {
		t.Fatalf("report %q; want %s", summary.Report, want)
	}
	page := readPage(t, summary.Report)
	for _, want := range []string{"<title>epoch0</title>", "8 agents lived through 3 cycles from seed <code>x&amp;y</code>.", "<h2>Who answered whom</h2>", "World hash at the end of cycle 3: <code>" + summary.Hash} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}

	must(t, in(t, "run", "epoch0", "--cycles", "3", "--seed", "x&y", "--out", "pg", "--store", pgserver.Database(t)))
	if readPage(t, "pg/report.html") != page {
		t.Error("a run in PostgreSQL has another page than one in SQLite")
	}

	scenario := regexp.MustCompile(`(?s)<summary>scenario.yaml</summary><pre>(.*?)</pre>`).FindStringSubmatch(page)
	command := regexp.MustCompile(`<pre>kingdom (.*)\n</pre>`).FindStringSubmatch(page)
	if scenario == nil || command == nil {
		t.Fatal("the page says no scenario or no command")
	}
	if err := os.WriteFile("scenario.yaml", []byte(html.UnescapeString(scenario[1])), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, in(t, append(strings.Fields(command[1]), "--out", "again")...))
	if readPage(t, "again/report.html") != page {
		t.Error("who follows the page gets another one")
	}
}

func TestReport_RepeatCommand(t *testing.T) {
	arm := &report.Arm{Runs: []report.Run{{Seed: "a b", Cycle: 7}}}
	two := &report.Arm{Runs: []report.Run{{Seed: "1", Cycle: 7}, {Seed: "2", Cycle: 7}}}
	const how = "FILE is written by: kingdom journal export RUN --thoughts FILE"
	for _, c := range []struct {
		arm           *report.Arm
		sweep, models bool
		want          string
	}{
		{arm, false, false, ""},
		{arm, true, false, " --seeds 'a b'"},
		{two, true, false, " --seeds 1,2"},
		{arm, false, true, " --minds recorded:FILE   # " + how},
		{two, true, true, " --seed SEED --minds recorded:FILE   # for each seed; " + how},
	} {
		if got, want := repeatCommand(c.arm, c.sweep, c.models), "kingdom run scenario.yaml --cycles 7"+c.want; got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
}

func TestReport_Arms(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "3", "--out", "parent"))
	must(t, in(t, "fork", "parent", "--at", "1", "--set", "minds.blind=[peers]", "--out", "fork"))
	must(t, in(t, "report", "parent", "fork", "--out", "two.html", "--title", "Without <peers>"))
	must(t, in(t, "run", "epoch0", "--cycles", "3", "--seeds", "1..2", "--out", "a"))
	must(t, in(t, "run", "epoch0", "--cycles", "3", "--seeds", "1..2", "--out", "b", "--set", "mint.initial_balance=20"))
	must(t, in(t, "report", "a"))
	must(t, in(t, "report", "a", "b", "--out", "arms.html"))
	for file, wants := range map[string][]string{
		"two.html":      {"<title>Without &lt;peers&gt;</title>", "2 runs beside each other.", "</span>fork</td><td><code>changes", "forked from parent at the end of cycle 1"},
		"a/report.html": {"<title>epoch0</title>", "area around them reaches from the lowest to the highest seed", "(2 seeds)", "--seeds 1,2\n"},
		"arms.html":     {"2 groups of runs beside each other.", "<code>mint.initial_balance</code></td><td><code>20</code></td><td><code>100</code>", "exact two-sided sign test", "; p "},
	} {
		page := readPage(t, file)
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %q", file, want)
			}
		}
	}
	if page := readPage(t, "a/report.html"); strings.Contains(page, "sign test") {
		t.Error("a sweep by itself is compared with something")
	}

	for command, says := range map[string]string{
		"report":                  "kingdom report takes the directory of a run or a sweep, or several of them",
		"report parent fork":      "belongs to none of their directories; name its file, such as --out report.html",
		"report nowhere":          "nowhere does not exist; want the directory of a run",
		"report parent --out a":   "--out names a file, and a is a directory; want such as a/report.html",
		"report parent --out x/y": "--out names a file in x, which does not exist",
		"report " + strings.Repeat("parent ", report.MaxArms+1) + "--out x": "a report shows at most 6 runs or sweeps beside each other, and these are 7",
		"report parent fork --out x --store sqlite":                         "--store locates the store of one run or sweep, and these are 2",
	} {
		if r := in(t, strings.Fields(command)...); r.code == exitOK || !strings.Contains(r.err, says) {
			t.Errorf("kingdom %s: exit %d, %s\nwant: %s", command, r.code, r.err, says)
		}
	}
	must(t, in(t, "resume", "parent", "--cycles", "4"))
	if r := in(t, "report", "parent", "fork", "--out", "x"); r.code != exitInput || !strings.Contains(r.err, "parent ended at cycle 4 and fork at cycle 3, so their figures do not mean the same; kingdom resume fork --cycles 4 brings both to the same") {
		t.Errorf("runs of different length: exit %d, %s", r.code, r.err)
	}
}

// A large run does not read itself into memory unasked.
func TestReport_LargeRunIsAsked(t *testing.T) {
	var said bytes.Buffer
	a := &app{err: &said}
	for _, c := range []struct {
		ticks uint64
		says  string
	}{{ownReportLimit, "the report of nowhere was not written: nowhere does not exist"}, {ownReportLimit + 1, "writes no report by itself, because that takes much memory; kingdom report nowhere does"}} {
		said.Reset()
		if file := a.reportOnRun(t.Context(), "nowhere", "", c.ticks); file != "" || !strings.Contains(said.String(), c.says) {
			t.Errorf("%d agent-ticks: file %q, it says %q; want %q", c.ticks, file, said.String(), c.says)
		}
	}
}

// Ctrl-C while the report is written leaves a finished run, and says how to get the report.
func TestReport_Interrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--out", "r"))
	var said bytes.Buffer
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if file := (&app{err: &said}).reportOnRun(ctx, "r", "", 1); file != "" || said.String() != "kingdom: interrupted before the report of r was written; kingdom report r writes it\n" {
		t.Errorf("file %q, it says %q", file, said.String())
	}
}

// A run that keeps its history compressed has no report until its tables are made.
func TestReport_NeedsTables(t *testing.T) {
	t.Chdir(t.TempDir())
	if out := must(t, in(t, "run", "epoch0", "--cycles", "2", "--out", "r", "--set", "store.tables=demand")).out; strings.Contains(out, "report") {
		t.Errorf("a run without tables names a report:\n%s", out)
	}
	if r := in(t, "report", "r"); r.code != exitFailure || !strings.Contains(r.err, "kingdom tables r fills them") {
		t.Errorf("exit %d, %s", r.code, r.err)
	}
	must(t, in(t, "tables", "r"))
	if out := must(t, in(t, "report", "r")).out; !strings.HasPrefix(out, "r/report.html: a report about 1 run, ") {
		t.Errorf("it prints %q", out)
	}
}

// A run that goes on has no report of an earlier end when it is stopped on the way.
func TestReport_GoesWhenTheRunGoesOn(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--out", "r"))
	if !fileExists("r/report.html") {
		t.Fatal("no report at the end")
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	errw := &cancelling{when: "cycle 2/100000", cancel: cancel}
	if code := execute(ctx, []string{"resume", "r", "--cycles", "100000"}, &bytes.Buffer{}, errw); code != exitInterrupted {
		t.Fatalf("exit %d: %s", code, &errw.b)
	}
	if fileExists("r/report.html") {
		t.Error("the report of cycle 1 is still there")
	}
}
