package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"kingdom/wire"
)

// Commands find an agent by the beginning of its name, as by that of its alias, and say if several begin so. tail takes the
// name of a group and shows all of its members, as inspect does, and interview asks all of them; explain is about one agent.
func TestNames_BeginningsAndGroups(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("town.yaml", []byte(town), 0o644); err != nil {
		t.Fatal(err)
	}
	must(t, in(t, "run", "town.yaml", "--out", "t"))
	for _, command := range []string{"inspect t --json --agent ", "tail t --rest --nop --json --agent ", "explain t --json --agent "} {
		whole, begun := must(t, in(t, strings.Fields(command+"mayor")...)), must(t, in(t, strings.Fields(command+"May")...))
		if whole.out != begun.out || whole.out == "" {
			t.Errorf("kingdom %smay prints %.200s\nand with the whole name %.200s", command, begun.out, whole.out)
		}
		if r := in(t, strings.Fields(command+"smi")...); r.code != exitInput || !strings.Contains(r.err, `3 agents of t begin with "smi", smith-1 and smith-2 among them; write more of the one you mean`) {
			t.Errorf("kingdom %ssmi: exit %d: %s", command, r.code, r.err)
		}
		if r := in(t, strings.Fields(command+"smith")...); strings.HasPrefix(command, "explain") && (r.code != exitInput || !strings.Contains(r.err, "smith names 3 agents; give one of them, smith-1 to smith-3")) {
			t.Errorf("kingdom %ssmith: exit %d: %s", command, r.code, r.err)
		}
	}
	says(t, "inspect|t|--agent|smth", exitInput, `no agent of t is named "smth"; did you mean smith? kingdom inspect t lists them`)
	says(t, "tail|t|--agent|smoth-2", exitInput, `no agent of t is named "smoth-2"; did you mean smith-2? `)
	says(t, "tail|t|--agent|nobody", exitInput, `want its number from 1 to 5, its name in the scenario, an alias of 8 digits of 0-9 and a-f, or an id of 64; `)
	sc, _, err := openRunDir("t")
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"inspect t --agent smith", "interview t --ask Well? --preview --agent SMITH"} {
		r := must(t, in(t, strings.Fields(command)...))
		for _, name := range []string{"smith-1", "smith-2", "smith-3"} {
			if !strings.Contains(r.out, name) || strings.Contains(r.out, "=== mayor") || strings.Contains(r.out, "mayor  ") {
				t.Errorf("kingdom %s: want the three smiths and nobody else\n%.2000s", command, r.out)
			}
			if strings.HasPrefix(command, "inspect") && !strings.Contains(r.out, "\ngoals of "+name+"\n") {
				t.Errorf("kingdom %s: the goals of %s are not told apart\n%s", command, name, r.out)
			}
		}
	}
	var want, got []string
	all := strings.Count(must(t, in(t, "tail", "t", "--rest", "--nop", "--json", "--agent", "smith")).out, "\n")
	for _, name := range []string{"smith-1", "smith-2", "smith-3"} {
		want = append(want, wire.AgentIDAt(sc.WorldSeed(), sc.AgentsNamed("smith")[len(want)]).String())
		all -= strings.Count(must(t, in(t, "tail", "t", "--rest", "--nop", "--json", "--agent", name)).out, "\n")
	}
	if all != 0 {
		t.Errorf("the group has %d lines more than its members", all)
	}
	for line := range strings.Lines(must(t, in(t, "tail", "t", "--think", "--rest", "--nop", "--goals", "--json", "--agent", "smith")).out) {
		var l struct{ Agent struct{ ID string } }
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		got = append(got, l.Agent.ID)
	}
	slices.Sort(got)
	slices.Sort(want)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("tail shows %v, want %v", got, want)
	}
	says(t, "tail|t|--keep", exitInput, "--keep is for -f, which goes on with new lines; add -f, or leave --keep out")
}
