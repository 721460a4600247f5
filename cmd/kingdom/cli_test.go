package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"kingdom/internal/golden"
)

// changing are the parts of output that differ from run to run.
var changing = []struct {
	re *regexp.Regexp
	to string
}{
	{regexp.MustCompile(`"wall_ms":\s*\d+`), `"wall_ms":0`},
	{regexp.MustCompile(`agent-ticks in [\d.]+ s`), "agent-ticks in 0.0 s"},
	{regexp.MustCompile(`(?m)^cycle \d+/.*\n`), ""},
	{regexp.MustCompile(`"(version|revision|go|platform)": ?"[^"]*"`), `"$1":"…"`},
	{regexp.MustCompile(`(?m)^kingdom \S+ \(.*`), "kingdom …"},
	{regexp.MustCompile(`"ts":"[^"]*"`), `"ts":"…"`},
}

// Every command's text, JSON and complaints, as a user sees them. Each case is a
// command line run in one folder, in order; the golden file holds all output.
func TestCLI_Transcript(t *testing.T) {
	file, err := filepath.Abs("testdata/cli.txt")
	if err != nil {
		t.Fatal(err)
	}
	broken, err := os.ReadFile("testdata/broken.yaml")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("broken.yaml", broken, 0o644); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, line := range []string{
		"version", "version --json",
		"scenario list", "scenario list --json",
		"scenario validate epoch0", "scenario validate epoch0 --json",
		"scenario validate broken.yaml", "scenario validate broken.yaml --json",
		"scenario validate nosuch",
		"actions bounty_claim", "actions bounty_claim --json", "actions bounty_claim --schema", "actions bounty_clam",
		"run epoch0 --cycles 2", "run epoch0 --cycles 2 --json", "run epoch0 --cycles 2 --out runs/epoch0-42 --json",
		"run epoch0 --cycles nine", "run epoch0 --set mint.initial_balence=3", "run epoch0 --store mysql://x", "run", "runn",
		"inspect runs/epoch0-42", "inspect runs/epoch0-42 --cycle 1", "inspect runs/epoch0-42 --cycle 9", "inspect runs/epoch0-42 --agent nobody", "inspect nowhere",
		"replay runs/epoch0-42", "replay runs/epoch0-42 --json",
		"resume runs/epoch0-42 --cycles 3", "resume runs/epoch0-42 --cycles 1", "resume runs/epoch0-42",
		"tail runs/epoch0-42 --dormancy", "tail nowhere", "tail runs/epoch0-42 --agent zz",
		"run epoch0 --cycles 1 --set minds.scripted.malformed_rate=1.0 --out stuck",
		"tail stuck --dormancy", "tail stuck --nop --since 2",
	} {
		r := in(t, strings.Fields(line)...)
		b.WriteString("$ kingdom " + line + "\n")
		out := r.out + r.err
		for _, c := range changing {
			out = c.re.ReplaceAllString(out, c.to)
		}
		b.WriteString(out)
		if r.code != 0 {
			b.WriteString("[exit " + strconv.Itoa(r.code) + "]\n")
		}
		b.WriteString("\n")
	}
	golden.File(t, file, b.String())
}

// The column of descriptions begins within 100 characters, and a long price is shown by kingdom actions NAME.
func TestActions_TableFitsNarrowTerminal(t *testing.T) {
	r := must(t, in(t, "actions"))
	head, rest, _ := strings.Cut(r.out, "\n")
	if at := strings.Index(head, "WHAT IT DOES"); at < 0 || at > 100 {
		t.Errorf("WHAT IT DOES begins at %d:\n%s", at, head)
	}
	if table, _, _ := strings.Cut(rest, "\n\n"); !strings.Contains(table, "kingdom actions NAME shows the whole price") {
		t.Error("nothing says where the whole price is")
	}
}

// Each trial run of an estimate is named in a line of its own.
func TestEstimate_ProgressNamesEachTrialRun(t *testing.T) {
	t.Setenv("KINGDOM_ENDPOINT", "http://localhost:1/v1")
	t.Setenv("KINGDOM_MODEL", "x")
	r := must(t, in(t, "run", "epoch0-llm", "--cycles", "12", "--estimate"))
	if n := strings.Count(r.err, "cycle "); n != 3 || !strings.Contains(r.err, "trial run 3 of 3, cycle 12/12 · ") {
		t.Errorf("%d lines of progress, want 3:\n%s", n, r.err)
	}
}

// The summary of a run without logs does not name the command that shows them.
func TestRun_WithoutLogsNamesNoTail(t *testing.T) {
	t.Chdir(t.TempDir())
	if r := must(t, in(t, "run", "epoch0", "--cycles", "1", "--logs=false", "--out", "r")); strings.Contains(r.out, "kingdom tail") || !strings.Contains(r.out, "look closer   kingdom inspect r\n              kingdom watch r\ncheck it ") {
		t.Errorf("the summary says\n%s", r.out)
	}
}

// What would be reused is not estimated, which is said, and flags that say it wrongly are refused as they are of the run.
func TestEstimate_SaysThatNothingIsReused(t *testing.T) {
	t.Setenv("KINGDOM_ENDPOINT", "http://localhost:1/v1")
	t.Setenv("KINGDOM_MODEL", "x")
	const command = "run|epoch0-llm|--cycles|1|--set|time.base_budget=4|--estimate"
	says(t, command+"|--minds|recorded:first|--on-miss|call", exitOK, "--estimate supposes that nothing is reused: the answers that --minds takes from first cost nothing")
	says(t, command+"|--minds|first", exitInput, "--minds is \"first\"; want recorded:RUN")
	says(t, command+"|--on-miss|call", exitInput, "--on-miss needs --minds recorded:RUN")
	says(t, command+"|--seeds|1..4|--budget|0.01", exitOK, "the sweep takes about 4 times as much; of --budget 0.01 each run gets an equal part")
}

// A key or failures that are empty are those of a variable that is not set.
func TestFakeLLM_RefusesEmptyFlags(t *testing.T) {
	for _, flag := range []string{"--key", "--fail"} {
		says(t, "dev|fakellm|--addr|nowhere|"+flag+"|", exitInput, flag+" is empty; leave it out if none is meant")
	}
}

// Where no mind is a model, nothing is tried.
func TestEstimate_WithoutModelsTriesNothing(t *testing.T) {
	r := must(t, in(t, "run", "epoch0", "--estimate"))
	if want := "epoch0, 50 cycles: no model would be asked, so it costs nothing\n"; r.out != want || r.err != "" {
		t.Errorf("says %q and %q, want %q only", r.out, r.err, want)
	}
	if r := must(t, in(t, "run", "epoch0", "--estimate", "--json")); !strings.Contains(r.out, `"calls":0`) || r.err != "" {
		t.Errorf("with --json: %q and %q", r.out, r.err)
	}
}

// The slots of an estimate are those of the agents with models, whose slots alone could be asked.
func TestEstimate_CountsSlotsOfAgentsWithModels(t *testing.T) {
	const model = `minds.models.default={price_input: 1, price_output: 4, model: fake, endpoint: "http://127.0.0.1:1/v1"}`
	slots := func(set ...string) (e estimateJSON) {
		args := []string{"run", "epoch0", "--estimate", "--json", "--set", model, "--set", "cycles=2", "--set", "time.base_budget=8"}
		for _, s := range set {
			args = append(args, "--set", s)
		}
		if err := json.Unmarshal([]byte(must(t, in(t, args...)).out), &e); err != nil {
			t.Fatal(err)
		}
		return e
	}
	one, all := slots("population[2].mind=default"), slots(`minds.tiers={1: [default], 2: [default], 3: [default]}`)
	if one.Slots != 2*8 || one.Calls == 0 || one.Calls > one.Slots {
		t.Errorf("one agent has a model: %d slots, %d calls; want 16 slots, and no more calls", one.Slots, one.Calls)
	}
	if all.Slots != 8*2*8 {
		t.Errorf("all 8 agents have a model: %d slots, want 128", all.Slots)
	}
	// Whoever is spawned in cycle 1 has slots only from cycle 3 on.
	late := slots("population[2].mind=default", "cycles=3", "spawn.cap=12", "inputs=[{cycle: 1, do: spawn, role: EXPLORER, mind: default}]")
	if late.Slots != 3*8+8 {
		t.Errorf("one agent has a model in three cycles and another in the third: %d slots, want 32", late.Slots)
	}
}
