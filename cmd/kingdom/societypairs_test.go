//go:build !race

package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"kingdom/scenarios"
	"kingdom/society"
)

func TestSocietyAblate(t *testing.T) {
	t.Chdir(t.TempDir())
	line := []string{"society", "ablate", "epoch0", "--seeds", "1..2", "--cycles", "1", "--only", "money", "--out", "a"}
	text := must(t, in(t, line...)).out
	for _, want := range []string{"epoch0, 2 pairs of 1 cycle, seeds 1, 2", "between halves of the unchanged runs acts differ by", "claims_below_wage"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	scenario, err := os.ReadFile("a/blind-money/scenario.yaml")
	if err != nil || !strings.Contains(string(scenario), "- money") && !strings.Contains(string(scenario), "[money]") {
		t.Errorf("the blinded runs have the scenario %s, %v", scenario, err)
	}

	// A second command finds the runs and says the same; another layer is added to them.
	before, err := os.Stat("a/sighted/seed-1/kingdom.db")
	if err != nil {
		t.Fatal(err)
	}
	if again := must(t, in(t, line...)).out; again != text {
		t.Errorf("run again it says\n%s\nand not\n%s", again, text)
	}
	var found pairsFound
	if err := json.Unmarshal([]byte(must(t, in(t, "society", "ablate", "epoch0", "--seeds", "1..2", "--cycles", "1", "--only", "money,peers", "--out", "a", "--json")).out), &found); err != nil {
		t.Fatal(err)
	}
	if len(found.Subjects) != 2 || found.Noise == nil || len(found.Subjects[1].Shifts) != 3 || found.Subjects[0].Beyond == nil {
		t.Errorf("found %+v", found)
	}
	if after, err := os.Stat("a/sighted/seed-1/kingdom.db"); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("the sighted runs ran again, %v", err)
	}
}

// Both sides differ in one layer, whatever the scenario blinds itself.
func TestSocietyAblate_KeepsWhatTheScenarioBlinds(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "society", "ablate", "epoch0", "--seeds", "1..2", "--cycles", "1", "--only", "money", "--set", "minds.blind=[notes]", "--out", "a"))
	for side, want := range map[string][]string{"sighted": {"notes"}, "blind-money": {"notes", "money"}} {
		sc, err := scenarios.Load("a/" + side + "/scenario.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(sc.Minds.Blind, want) {
			t.Errorf("%s is blind to %v, want %v", side, sc.Minds.Blind, want)
		}
	}
}

func TestSocietyGenome(t *testing.T) {
	t.Chdir(t.TempDir())
	rows, err := csv.NewReader(strings.NewReader(must(t, in(t, "society", "genome", "epoch0", "--seeds", "1", "--cycles", "1", "--only", "risk_tolerance", "--out", "g", "--csv")).out)).ReadAll()
	if err != nil || len(rows) != 2 || rows[1][0] != "risk_tolerance" || rows[1][3] != "claims_difficulty" {
		t.Fatalf("%v, %v", rows, err)
	}
	for side, want := range map[string]string{"g/risk_tolerance-0.3": "risk_tolerance: 0.3", "g/risk_tolerance-0.7": "risk_tolerance: 0.7"} {
		b, err := os.ReadFile(side + "/scenario.yaml")
		if n := strings.Count(string(b), want); err != nil || n == 0 || n != strings.Count(string(b), "risk_tolerance:") {
			t.Errorf("%s sets it in %d groups, %v", side, n, err)
		}
	}
}

// What no pair has is not 0, and a change that is not enough does not look as if it were.
func TestSocietyPairs_PrintWhatWasMeasured(t *testing.T) {
	shift := &society.Shift{Key: "key", Want: "grows by 25 %"}
	found := pairsFound{Seeds: []string{"1"}, Subjects: []subjectFound{{Name: "peers", Shifts: []shiftFound{
		toShiftFound(society.Shifted{Shift: shift, From: 206, To: 257, Pairs: 3, Right: 3}),
		toShiftFound(society.Shifted{Shift: shift, Why: "nobody read"}),
	}}}}
	var text, table strings.Builder
	found.print(&text)
	if err := found.printCSV(&table); err != nil {
		t.Fatal(err)
	}
	words := strings.Join(strings.Fields(text.String()), " ")
	for _, want := range []string{"key 206 257 +24.8 % 3 of 3 fails", "key - - - 0 of 0 - grows by 25 %; no figure: nobody read"} {
		if !strings.Contains(words, want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	if want := "peers,0,,key,,,0,0,false,grows by 25 %,nobody read\n"; !strings.HasSuffix(table.String(), want) {
		t.Errorf("no %q in\n%s", want, table.String())
	}
	if b, err := json.Marshal(found.Subjects[0].Shifts[1]); err != nil || !strings.Contains(string(b), `"from":null,"to":null,"relative":null`) {
		t.Errorf("%s, %v", b, err)
	}
}

func TestSocietyPairs_RefuseWrongArguments(t *testing.T) {
	t.Chdir(t.TempDir())
	for args, want := range map[string]string{
		"society ablate":                                               "kingdom society ablate takes a scenario",
		"society ablate nosuch":                                        "nosuch: no such scenario",
		"society ablate epoch0 --only nose":                            "--only: nose is not one of the layers; they are beliefs, knowledge, notes, peers, experiences, plans, reputation, money",
		"society ablate epoch0 --only peers,money,peers":               "--only names peers twice",
		"society genome epoch0 --only nose":                            "--only: nose is not one of the traits; they are risk_tolerance,",
		"society ablate epoch0 --only peers --set minds.blind=[peers]": "epoch0 is blind to peers already (minds.blind), so both sides would be the same; name the other layers with --only",
		"society ablate epoch0 --seeds 1..25":                          "--seeds names 25 seeds; an ablation takes at most 24",
		"society genome epoch0 --csv --json":                           "--csv and --json exclude each other; leave one out",
		"society genome epoch0 --seeds 1 --cycles 0":                   "kingdom: --cycles is 0; want a whole number from 1",
		"society genome epoch0 --seeds 1 --set nothing=true":           "nothing: unknown key",
	} {
		r := in(t, strings.Fields(args)...)
		if r.code != 2 || !strings.Contains(r.err, want) {
			t.Errorf("%s: exit %d, %s; want %s", args, r.code, r.err, want)
		}
	}
	// A change would undo on one side what the ablation sets, and nothing would tell.
	for _, set := range []string{"minds.blind=[]", "minds.blind=[money]", "minds.blind[0]=notes"} {
		changes := "changes=[{cycle: 2, set: ['minds.scripted.nop_rate=0', '" + set + "']}]"
		r := in(t, "society", "ablate", "epoch0", "--only", "peers", "--seeds", "1..2", "--cycles", "3", "--set", "minds.blind=[notes]", "--set", changes, "--out", "ablated")
		if want := "changes[0].set[1]: sets what agents are blind to from cycle 2 on, which an ablation does itself; leave it out of the scenario for the ablation"; r.code != exitInput || !strings.Contains(r.err, want) {
			t.Errorf("%s: exit %d, %s; want %s", changes, r.code, r.err, want)
		}
	}
	if fileExists("ablated") {
		t.Error("a refused ablation ran something")
	}
}
