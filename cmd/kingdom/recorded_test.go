package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/internal/fakellm"
	"kingdom/llm"
)

const shortLLM = "run epoch0-llm --cycles 2 --set time.base_budget=4 --json --out"

// noEndpoint takes the model server out of the environment.
func noEndpoint(t *testing.T) {
	t.Helper()
	for _, name := range []string{envEndpoint, envModel, envKey} {
		t.Setenv(name, "")
	}
}

// recordLLM runs a short scenario against a model server and then removes the server from the environment.
func recordLLM(t *testing.T, server *fakellm.Server) (dir string, sum summaryJSON) {
	t.Helper()
	withServer(t, server)
	dir = filepath.Join(t.TempDir(), "run")
	sum = summaryOf(t, must(t, in(t, append(strings.Fields(shortLLM), dir)...)))
	noEndpoint(t)
	return dir, sum
}

// Thoughts of a run are reused by another run, from its journal and from a cassette, and a
// cassette alone makes the run again: no endpoint, no model, no key.
func TestRecorded_ReusesThoughts(t *testing.T) {
	server := &fakellm.Server{Seed: 3, Key: plantedKey}
	dir, want := recordLLM(t, server)
	asked := server.Counts().Requests
	tape := filepath.Join(t.TempDir(), "epoch0.thoughts")
	must(t, in(t, "journal", "export", dir, "--thoughts", tape))
	for name, args := range map[string][]string{
		"journal":  append(strings.Fields(shortLLM), filepath.Join(t.TempDir(), "a"), "--minds", "recorded:"+dir),
		"cassette": append(strings.Fields(shortLLM), filepath.Join(t.TempDir(), "b"), "--minds", "recorded:"+tape),
		"import":   {"journal", "import", tape, "--json", "--out", filepath.Join(t.TempDir(), "c")},
	} {
		got := summaryOf(t, must(t, in(t, args...)))
		if got.WorldHash != want.WorldHash || got.AgentTicks != want.AgentTicks || got.NOPs != want.NOPs {
			t.Errorf("%s: %+v, recorded %+v", name, got, want)
		}
		if r := must(t, in(t, "replay", got.Run)); !strings.Contains(r.out, want.WorldHash) {
			t.Errorf("%s: replay says %s", name, r.out)
		}
	}
	if n := server.Counts().Requests - asked; n != 0 {
		t.Errorf("%d thoughts were asked for again", n)
	}
	raw, err := os.ReadFile(tape)
	if err != nil || bytes.Contains(raw, []byte(plantedKey)) {
		t.Errorf("%v, or the key is in the cassette", err)
	}
}

// A run that reuses answers goes on to do so when it is resumed, wherever the command is given, and asks models only if that is
// said: until now each resume of it asked them.
func TestRecorded_ResumeAsksNoModelUnasked(t *testing.T) {
	server := &fakellm.Server{Seed: 3, Key: plantedKey}
	dir, _ := recordLLM(t, server)
	asked := server.Counts().Requests
	t.Chdir(t.TempDir())
	must(t, in(t, "journal", "export", dir, "--thoughts", "f.thoughts"))
	tape, err := filepath.Abs("f.thoughts")
	if err != nil {
		t.Fatal(err)
	}
	withServer(t, server)
	must(t, in(t, "journal", "import", "f.thoughts", "--out", "imported"))
	must(t, in(t, append(strings.Fields(shortLLM), "reused", "--minds", "recorded:f.thoughts")...))
	for _, run := range []string{"imported", "reused"} {
		r := in(t, "resume", run, "--cycles", "3")
		for _, want := range []string{"the recording ends with tick ", "; to go on with this run: kingdom resume " + run + " --on-miss call\n"} {
			if r.code != exitDivergence || !strings.Contains(r.err, want) {
				t.Errorf("%s: exit %d, want %q: %s", run, r.code, want, r.err)
			}
		}
		lacks := run + ": failed at cycle 2 of 3; kingdom resume " + run + " continues it with the answers of " + tape + ", and with --on-miss call asks models for what these lack\n"
		if r := must(t, in(t, "inspect", run)); !strings.HasPrefix(r.out, lacks) || !strings.Contains(r.out, "thoughts      of "+tape) {
			t.Errorf("inspect says\n%.600s", r.out)
		}
		if r := must(t, in(t, "tail", run, "--since", "9")); !strings.Contains(r.err, "kingdom: "+lacks+"kingdom: cause: ") {
			t.Errorf("tail says %s", r.err)
		}
	}
	if got := inspectOf(t, "imported"); got.Minds != "recorded:"+tape || got.OnMiss != "fail" || got.Cause == "" {
		t.Errorf("inspect --json says minds %q, on_miss %q, cause %q", got.Minds, got.OnMiss, got.Cause)
	}
	if err := os.Rename("f.thoughts", "g.thoughts"); err != nil {
		t.Fatal(err)
	}
	if r := in(t, "resume", "imported"); r.code != exitInput || !strings.Contains(r.err, "the run reuses the answers of "+tape+", which is not there any more; say with --minds recorded:FILE where") {
		t.Errorf("without the recording: exit %d: %s", r.code, r.err)
	}
	if n := server.Counts().Requests - asked; n != 0 {
		t.Fatalf("%d answers were asked for", n)
	}
	must(t, in(t, "resume", "imported", "--minds", "recorded:g.thoughts", "--on-miss", "call"))
	must(t, in(t, "resume", "reused", "--minds", "models"))
	if a, b := inspectOf(t, "imported"), inspectOf(t, "reused"); a.WorldHash != b.WorldHash || a.OnMiss != "call" || b.Minds != "" || server.Counts().Requests == asked {
		t.Errorf("imported: %s, on_miss %q; reused: %s, minds %q; %d requests", a.WorldHash, a.OnMiss, b.WorldHash, b.Minds, server.Counts().Requests-asked)
	}
	if r := in(t, "resume", "reused", "--on-miss", "call"); r.code != exitInput || !strings.Contains(r.err, "--on-miss needs --minds") {
		t.Errorf("of a run that reuses nothing: exit %d: %s", r.code, r.err)
	}
}

// If a prompt differs, the run stops and names agent, tick and reason, or asks the models for the missing thoughts
// only.
func TestRecorded_ChangedPromptStopsOrAsksModels(t *testing.T) {
	server := &fakellm.Server{Seed: 3, Key: plantedKey}
	dir, _ := recordLLM(t, server)
	other := append(strings.Fields(shortLLM), filepath.Join(t.TempDir(), "a"), "--set", "mint.initial_balance=21", "--minds", "recorded:"+dir)
	r := in(t, append(other, "--json")...)
	if r.code != exitDivergence || !strings.Contains(r.err, "no recorded thought for agent") || !strings.Contains(r.err, "at tick 256 (act, try 0): its prompt is another one than the recorded one") ||
		!strings.Contains(r.err, "; kingdom explain "+dir+" --agent ") || !strings.Contains(r.err, " --tick 256 --prompt shows the recorded one") {
		t.Errorf("exit %d: %s", r.code, r.err)
	}
	var last errorJSON
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	decode(t, lines[len(lines)-1], &last)
	if d := last.Divergence; d["cycle"] != 1.0 || d["tick"] != 256.0 || d["component"] != "prompt" || d["agent"] == nil || d["want"] == nil || d["got"] == d["want"] {
		t.Errorf("--json says %v", last.Divergence)
	}
	late := append(strings.Fields(shortLLM), filepath.Join(t.TempDir(), "c"), "--cycles", "3", "--minds", "recorded:"+dir)
	r = in(t, late...)
	if r.code != exitDivergence || !strings.Contains(r.err, "kingdom: cycle 3: no recorded thought for agent ") || !strings.Contains(r.err, "at tick 768 (act, try 0): the recording ends with tick ") || strings.Contains(r.err, "broke") {
		t.Errorf("beyond the record: exit %d: %s", r.code, r.err)
	}

	withServer(t, server)
	longer := filepath.Join(t.TempDir(), "b")
	before := server.Counts().Requests
	sum := summaryOf(t, must(t, in(t, "run", "epoch0-llm", "--cycles", "3", "--set", "time.base_budget=4", "--json", "--out", longer, "--minds", "recorded:"+dir, "--on-miss", "call")))
	if n := server.Counts().Requests - before; n == 0 || n > before/2+8 {
		t.Errorf("%d requests for the third cycle, the first two took %d", n, before)
	}
	noEndpoint(t)
	if r := must(t, in(t, "replay", longer)); !strings.Contains(r.out, sum.WorldHash) {
		t.Errorf("replay: %s", r.out)
	}
}

// A slot that a cap left without an answer holds none to reuse: without the cap the model is asked for it, or the slot stays
// idle if no model may be asked. The last line says which.
func TestRecorded_EmptySlotsAreAskedFor(t *testing.T) {
	withServer(t, &fakellm.Server{Seed: 3, Key: plantedKey})
	priced := func(cap, out string, more ...string) []string {
		return append([]string{
			"run", "epoch0-llm", "--cycles", "1", "--set", "time.base_budget=4", "--set", "minds.models.default.price_input=1",
			"--set", "minds.models.default.price_output=1", "--set", "minds.caps.agent_usd=" + cap, "--json", "--out", out,
		}, more...)
	}
	t.Chdir(t.TempDir())
	capped := summaryOf(t, must(t, in(t, priced("0.015", "capped")...)))
	if capped.Unanswered == 0 || capped.Unanswered == capped.AgentTicks {
		t.Fatalf("%d of %d slots are idle, want some", capped.Unanswered, capped.AgentTicks)
	}
	r := must(t, in(t, priced("-1", "free", "--minds", "recorded:capped", "--on-miss", "call")...))
	if free := summaryOf(t, r); free.Unanswered != 0 || free.Spend == nil || free.Spend.Calls == 0 || !strings.Contains(r.err, fmt.Sprintf(", %d asked for\n", free.Spend.Calls)) {
		t.Errorf("without the cap %d slots are idle: %+v\n%s", free.Unanswered, free.Spend, r.err)
	}
	noEndpoint(t)
	r = must(t, in(t, priced("-1", "same", "--minds", "recorded:capped")...))
	want := fmt.Sprintf("0 asked for; %s had no answer of a model, as in the recording: --on-miss call asks for it", llm.Count(capped.Unanswered, "slot"))
	if same := summaryOf(t, r); same.WorldHash != capped.WorldHash || !strings.Contains(r.err, want) {
		t.Errorf("it ends in %s, the recorded run in %s; it says %q, want %q", same.WorldHash, capped.WorldHash, r.err, want)
	}
}

// A run whose minds change is reused and imported like any other, also if in some cycles no model is asked: its journal
// lacks those thoughts, which can be computed again.
func TestRecorded_ReusesRunsWithChanges(t *testing.T) {
	server := &fakellm.Server{Seed: 3, Key: plantedKey}
	withServer(t, server)
	for name, set := range map[string]string{"temperature": "minds.models.default.temperature=0.5", "no model": "minds.tiers={1: [], 2: [], 3: []}", "blind": "minds.blind=[peers]"} {
		t.Chdir(t.TempDir())
		args := []string{"run", "epoch0-llm", "--cycles", "3", "--set", "time.base_budget=3", "--set", "changes=[{cycle: 2, set: ['" + set + "']}]", "--json"}
		want := summaryOf(t, must(t, in(t, append(args, "--out", "first")...)))
		must(t, in(t, "journal", "export", "first", "--thoughts", "tape"))
		asked := server.Counts().Requests
		for _, again := range [][]string{append(args, "--minds", "recorded:first", "--out", "again"), {"journal", "import", "tape", "--json", "--out", "imported"}} {
			if got := summaryOf(t, must(t, in(t, again...))); got.WorldHash != want.WorldHash {
				t.Errorf("%s: %v ends in %s, the recorded run in %s", name, again, got.WorldHash, want.WorldHash)
			}
		}
		if n := server.Counts().Requests - asked; n != 0 {
			t.Errorf("%s: the model was asked %d times again", name, n)
		}
	}
}

// What the scripted mind thought is not taken for the answer of a model that thinks for the agent now.
func TestRecorded_ScriptedThoughtIsNoAnswer(t *testing.T) {
	withServer(t, &fakellm.Server{Seed: 3, Key: plantedKey})
	t.Chdir(t.TempDir())
	args := strings.Fields("run epoch0 --cycles 1 --set time.base_budget=2 --set minds.models.default={} --set population[2].mind=default --out")
	must(t, in(t, append(args, "one")...))
	if r := must(t, in(t, append(args, "same", "--minds", "recorded:one")...)); !strings.Contains(r.err, "2 answers reused of one, 0 asked for") {
		t.Errorf("it says %q", r.err)
	}
	two := append(args, "two", "--set", "population[1].mind=default", "--minds", "recorded:one")
	if r := in(t, two...); r.code != exitDivergence || !strings.Contains(r.err, "nothing is recorded for it") {
		t.Errorf("exit %d: %s", r.code, r.err)
	}
	if r := must(t, in(t, append(two, "--on-miss", "call", "--out", "asked")...)); strings.Contains(r.err, " 0 asked for") {
		t.Errorf("it says %q", r.err)
	}
}

// The agents of another seed are others, so no answer of it can be reused: it is refused before there is a run, whatever is to be
// done if an answer is missing.
func TestRecorded_AnotherSeedIsRefused(t *testing.T) {
	dir, _ := recordLLM(t, &fakellm.Server{Seed: 3, Key: plantedKey})
	t.Chdir(t.TempDir())
	must(t, in(t, "journal", "export", dir, "--thoughts", "tape"))
	withServer(t, &fakellm.Server{Seed: 3, Key: plantedKey})
	for _, from := range []string{dir, "tape"} {
		for _, onMiss := range []string{"fail", "call"} {
			r := in(t, append(strings.Fields(shortLLM), "other", "--seed", "7", "--minds", "recorded:"+from, "--on-miss", onMiss)...)
			if want := from + " has seed 42, this run seed 7, "; r.code != exitInput || !strings.Contains(r.err, want) || !strings.Contains(r.err, "; give --seed 42, or a recording with seed 7\n") {
				t.Errorf("%s, %s: exit %d, want %q: %s", from, onMiss, r.code, want, r.err)
			}
			if fileExists("other") {
				t.Error("it made a directory")
			}
		}
	}
}

func TestRecorded_InputErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	noEndpoint(t)
	if err := os.WriteFile("other", []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ args, says string }{
		{"run epoch0-llm --minds scripted", "want recorded:RUN"},
		{"run epoch0-llm --minds recorded:nowhere", "nowhere does not exist; want the directory of a run, or a cassette"},
		{"run epoch0-llm --minds recorded:other", "so it is not a cassette"},
		{"run epoch0-llm --minds recorded:other --on-miss shrug", "want fail or call"},
		{"run epoch0-llm --on-miss call", "--on-miss needs --minds"},
		{"run epoch0 --minds recorded:other", "no agent of epoch0 thinks with a model"},
		{"journal import other", "so it is not a cassette"},
		{"journal export nowhere --frames a --thoughts b", "takes one of --frames and --thoughts, and both are given; leave one out"},
		{"journal export nowhere", "needs --frames FILE or --thoughts FILE"},
	} {
		r := in(t, strings.Fields(tt.args)...)
		if r.code != exitInput || !strings.Contains(r.err, tt.says) {
			t.Errorf("%s: exit %d: %s\nwant %q", tt.args, r.code, r.err, tt.says)
		}
		if entries, _ := os.ReadDir("."); len(entries) > 1 {
			t.Errorf("%s left something", tt.args)
		}
	}
}
