package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kingdom/internal/fakellm"
)

const plantedKey = "sk-planted-7f3q9zkw5x1m8vj2hb4n"

// withServer starts a model server and names it in the environment.
func withServer(t *testing.T, s *fakellm.Server) {
	t.Helper()
	ts := httptest.NewServer(s)
	t.Cleanup(ts.Close)
	t.Setenv(envEndpoint, ts.URL+"/v1")
	t.Setenv(envModel, "fake")
	t.Setenv(envKey, plantedKey)
}

// A run of language models replays offline: no endpoint, no model, no key.
func TestLLM_RunAndReplayOffline(t *testing.T) {
	server := &fakellm.Server{Seed: 3, Key: plantedKey}
	withServer(t, server)
	dir := filepath.Join(t.TempDir(), "run")
	sum := summaryOf(t, must(t, in(t, "run", "epoch0-llm", "--cycles", "1", "--set", "time.base_budget=6", "--json", "--out", dir)))
	if sum.Status != "finished" || sum.AgentTicks == 0 {
		t.Fatalf("got %+v", sum)
	}
	asked := server.Counts().Requests
	for _, name := range []string{envEndpoint, envModel, envKey} {
		t.Setenv(name, "")
	}
	r := must(t, in(t, "replay", dir))
	if !strings.Contains(r.out, sum.WorldHash) {
		t.Errorf("replay says %q, the run ended in %s", r.out, sum.WorldHash)
	}
	if n := server.Counts().Requests; n != asked {
		t.Errorf("replay asked the server %d times", n-asked)
	}
	think := thinkLines(t, dir)
	var logged fakellm.Counts
	for line := range bytes.Lines(think) {
		var l struct {
			Prompt uint64 `json:"prompt_tokens"`
			Output uint64 `json:"output_tokens"`
		}
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		logged.Requests++
		logged.Answers++
		logged.PromptTokens += l.Prompt
		logged.OutputTokens += l.Output
	}
	if served := server.Counts(); logged != served {
		t.Errorf("the think log says %+v, the server %+v", logged, served)
	}
}

// One group thinks with a model, the others with the scripted mind.
func TestLLM_MixedPopulation(t *testing.T) {
	server := &fakellm.Server{}
	withServer(t, server)
	dir := filepath.Join(t.TempDir(), "run")
	args := []string{"run", "epoch0", "--cycles", "1", "--set", "time.base_budget=4", "--set", "minds.models.default={}", "--set", "population[2].mind=default", "--json", "--out", dir}
	sum := summaryOf(t, must(t, in(t, args...)))
	if n := server.Counts().Requests; n == 0 || n > 4 {
		t.Errorf("the server saw %d requests of one agent with 4 slots", n)
	}
	if r := must(t, in(t, "replay", dir)); !strings.Contains(r.out, sum.WorldHash) {
		t.Errorf("replay: %s", r.out)
	}
}

// Newcomers think with the models of minds.tiers, also where all groups have minds of their own; the estimate and the
// replay know them.
func TestLLM_ModelsThinkForNewcomers(t *testing.T) {
	server := &fakellm.Server{}
	withServer(t, server)
	dir := filepath.Join(t.TempDir(), "run")
	args := []string{
		"run", "epoch0", "--cycles", "3", "--set", "time.base_budget=4", "--set", "minds.models.default={}", "--set", "minds.tiers={1: [default], 2: [default], 3: [default]}",
		"--set", "spawn.cap=9", "--set", "inputs=[{cycle: 1, do: spawn}]",
	}
	for i := range 8 {
		args = append(args, "--set", fmt.Sprintf("population[%d].mind=scripted", i))
	}
	estimate := must(t, in(t, append(slices.Clone(args), "--estimate", "--json")...))
	sum := summaryOf(t, must(t, in(t, append(args, "--json", "--out", dir)...)))
	n := server.Counts().Requests // in cycle 3, the first in which the newcomer has slots
	if n == 0 || n > 8 {
		t.Errorf("the server saw %d requests of one newcomer with 4 slots", n)
	}
	for _, r := range server.Requests() {
		if !bytes.Contains(r.Body, []byte("of cycle 3")) {
			t.Errorf("a request before the newcomer's first cycle: %s", r.Body)
		}
	}
	if !strings.Contains(estimate.out, `"model":"default"`) {
		t.Errorf("the estimate knows no call of the newcomer: %s", estimate.out)
	}
	if r := must(t, in(t, "replay", dir)); !strings.Contains(r.out, sum.WorldHash) {
		t.Errorf("replay: %s", r.out)
	}
}

// With prompt_cache_key the agents are divided among as many keys as the declared rate needs.
func TestLLM_CacheKeys(t *testing.T) {
	server := &fakellm.Server{}
	withServer(t, server)
	must(t, in(t, "run", "epoch0-llm", "--cycles", "1", "--set", "time.base_budget=1", "--set", "minds.models.default.requests_per_minute=600",
		"--set", "minds.models.default.prompt_cache_key=true", "--out", filepath.Join(t.TempDir(), "run")))
	keys := map[string]int{}
	for _, r := range server.Requests() {
		var sent struct {
			Key string `json:"prompt_cache_key"`
		}
		if err := json.Unmarshal(r.Body, &sent); err != nil || sent.Key == "" {
			t.Fatalf("a request without a key: %v", err)
		}
		keys[sent.Key]++
	}
	if len(keys) < 8 { // a key for 15 requests a minute, and 8 agents
		t.Errorf("8 agents have the keys %v, want one each", keys)
	}
}

func TestLLM_InputErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{envEndpoint, envModel, envKey} {
		t.Setenv(name, "")
	}
	for _, tt := range []struct{ args, says string }{
		{"run epoch0-llm", "epoch0-llm.yaml:26:14: minds.models.default.endpoint: is missing; give the base URL, such as"},
		{"run epoch0-llm --set minds.models.default.endpoint=http://127.0.0.1:1/v1", "minds.models.default.model: is missing"},
		{"run epoch0-llm --set minds.models.default.endpoint=http://example.com/v1 --set minds.models.default.model=x", "--set minds.models.default.endpoint=http://example.com/v1: minds.models.default.endpoint: would send key and prompts unencrypted"},
		{"run epoch0-llm --set minds.models.default.key_env=NO_SUCH_KEY", "set the environment variable NO_SUCH_KEY"},
	} {
		r := in(t, strings.Fields(tt.args)...)
		if r.code != exitInput || !strings.Contains(r.err, tt.says) {
			t.Errorf("%s: exit %d: %s\nwant %q", tt.args, r.code, r.err, tt.says)
		}
		if entries, _ := os.ReadDir("."); len(entries) > 0 {
			t.Errorf("%s left %s", tt.args, entries[0].Name())
		}
	}
}

// The test server says at its end what it counted.
func TestDev_FakeLLMSaysWhatItCounted(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		r, w := io.Pipe()
		args := []string{"dev", "fakellm", "--addr", "127.0.0.1:0"}
		if asJSON {
			args = append(args, "--json")
		}
		go func() {
			execute(ctx, args, w, w)
			_ = w.Close()
		}()
		lines := bufio.NewReader(r)
		first, err := lines.ReadString('\n')
		url := regexp.MustCompile(`http://[^";]*`).FindString(first)
		if err != nil || url == "" {
			t.Fatalf("%q, %v", first, err)
		}
		for _, path := range []string{"/chat/completions", "/nothing"} {
			resp, err := http.Post(url+path, "application/json", strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"hello"}]}`))
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			if path != "/nothing" && resp.StatusCode != http.StatusOK {
				t.Errorf("%s: %s", path, resp.Status)
			}
		}
		stop()
		last, _ := io.ReadAll(lines)
		want := `^2 requests, of which 2 were answered: \d+ tokens in, \d+ out\n$`
		if asJSON {
			want = `^{"answers":2,"output_tokens":\d+,"prompt_tokens":\d+,"requests":2}\n$`
		}
		if !regexp.MustCompile(want).Match(last) {
			t.Errorf("it ended with %q, want %s", last, want)
		}
	}
}

// All answers of the test server can be used, by a population that it thinks for and by one agent among others.
func TestFakeLLM_AnswersCanBeUsed(t *testing.T) {
	one, err := os.ReadFile("../../scenarios/epoch0.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(one), "- role: LIBRARIAN\n", "- role: LIBRARIAN\n    mind: default\n") + "minds: {models: {default: {}}}\n"
	t.Chdir(t.TempDir())
	if err := os.WriteFile("one.yaml", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ scenario, cycles string }{{"epoch0-llm", "3"}, {"one.yaml", "12"}} {
		withServer(t, &fakellm.Server{Seed: 1, Key: plantedKey, Forget: true})
		sum := summaryOf(t, must(t, in(t, "run", tt.scenario, "--cycles", tt.cycles, "--json", "--out", tt.scenario+".run")))
		if m := sum.Spend.Models; len(m) != 1 || m[0].Calls < 100 || m[0].Unusable != 0 {
			t.Errorf("%s: got %+v, want no unusable answer of 100 or more", tt.scenario, m)
		}
	}
}
