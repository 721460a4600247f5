//go:build !race

package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// A treatment of one group is seen in that group alone: each group is compared with the same group of the control, by seed, with the
// figures of society --by.
func TestCompare_GroupsOfAgents(t *testing.T) {
	t.Chdir(t.TempDir())
	const scenario = "name: g\ncycles: 4\ntime: {base_budget: 16}\npopulation:\n  - {name: calm, role: LIBRARIAN, count: 3}\n  - {name: treated, role: EXPLORER, count: 3, balance: BALANCE}\n"
	for name, balance := range map[string]string{"control": "40", "rich": "400"} {
		if err := os.WriteFile(name+".yaml", []byte(strings.Replace(scenario, "BALANCE", balance, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		must(t, in(t, "run", name+".yaml", "--seeds", "1..3", "--out", name))
	}
	compare := func(args ...string) (out experimentComparison) {
		t.Helper()
		if err := json.Unmarshal([]byte(must(t, in(t, append([]string{"compare", "control", "rich", "--society", "--json"}, args...)...)).out), &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	got := compare("--by", "group")
	at := func(group, metric string) effect {
		return got.Metrics[slices.IndexFunc(got.Metrics, func(e effect) bool { return e.Group == group && e.Metric == metric })]
	}
	if e := at("treated", "balance"); got.By != "group" || e.Up != 3 || e.Change < 200 || e.Change > 500 {
		t.Errorf("by %q, of the treated %+v", got.By, e)
	}
	if e := at("calm", "balance"); e.Change < -200 || e.Change > 200 {
		t.Errorf("of the others %+v", e)
	}
	for i, dir := range []string{"control", "rich"} { // the same figures
		var own groupedJSON
		if err := json.Unmarshal([]byte(must(t, in(t, "society", dir, "--by", "group", "--json")).out), &own); err != nil {
			t.Fatal(err)
		}
		k := slices.IndexFunc(own.Figures, func(f groupFigureJSON) bool { return f.Group == "treated" && f.Key == "productive" })
		if is, want := []float64{at("treated", "productive").A, at("treated", "productive").B}[i], *own.Figures[k].Value; is != want {
			t.Errorf("%s: compare has %v, society %v", dir, is, want)
		}
	}
	one := compare("--by", "group", "--group", "treated", "--from", "3")
	if len(one.Metrics) != len(got.Metrics)/2 || one.From != 3 || slices.ContainsFunc(one.Metrics, func(e effect) bool { return e.Group != "treated" }) {
		t.Errorf("of one group %d of %d figures from cycle %d", len(one.Metrics), len(got.Metrics), one.From)
	}
	r := must(t, in(t, "compare", "control", "rich", "--society", "--by", "role"))
	if !strings.Contains(r.out, "\nROLE ") || !strings.Contains(r.out, "\nEXPLORER   balance ") || !strings.Contains(r.out, "no p of this table could reach .05") {
		t.Errorf("compare says\n%s", r.out)
	}
	says(t, "compare|control|rich|--society|--by|group|--metric|treated balance", exitOK, "treated balance: mean ")
	says(t, "compare|control|rich|--by|group", exitInput, "--by needs --society")
	says(t, "compare|control|rich|--society|--group|treated", exitInput, "add --by group")
	says(t, "compare|control|rich|--society|--by|group|--group|mad", exitInput, "have no group named mad in common; want one of calm, treated")
	says(t, "compare|control|rich|--society|--by|tribe", exitInput, `--by is "tribe"; want group`)
}
