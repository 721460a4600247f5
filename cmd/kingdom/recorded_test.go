package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/internal/fakellm"
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

// If a prompt differs, the run stops and names agent, tick and reason, or asks the models for the missing thoughts
// only.
func TestRecorded_ChangedPromptStopsOrAsksModels(t *testing.T) {
	server := &fakellm.Server{Seed: 3, Key: plantedKey}
	dir, _ := recordLLM(t, server)
	other := append(strings.Fields(shortLLM), filepath.Join(t.TempDir(), "a"), "--set", "mint.initial_balance=21", "--minds", "recorded:"+dir)
	r := in(t, other...)
	if r.code != exitDivergence || !strings.Contains(r.err, "no recorded thought for agent") || !strings.Contains(r.err, "at tick 256 (act, try 0): its prompt has the hash") {
		t.Errorf("exit %d: %s", r.code, r.err)
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
