package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/internal/fakellm"
)

// Errors on the way to a run with models say what to do, and no files are left.
func TestModels_ErrorsSayWhatToDo(t *testing.T) {
	dir, _ := recordLLM(t, &fakellm.Server{Seed: 3})
	tape := filepath.Join(t.TempDir(), "whole.thoughts")
	must(t, in(t, "journal", "export", dir, "--thoughts", tape))
	whole, err := os.ReadFile(tape)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	changed := append([]byte(nil), whole...)
	changed[len(changed)/2] ^= 0xFF
	write := func(name string, b []byte) {
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("cut", whole[:len(whole)/2])
	write("changed", changed)
	withServer(t, &fakellm.Server{})
	llm := "run epoch0-llm --cycles 1 --out made "
	for _, tt := range []struct{ command, says string }{
		{"journal import cut --out made", "make it anew with kingdom journal export"},
		{"journal import changed --out made", "make it anew with kingdom journal export"},
		{"journal import nosuch --out made", "there is no cassette nosuch; kingdom journal export"},
		{llm + "--minds recorded:cut", "make it anew with kingdom journal export"},
		{llm + "--minds recorded:changed", "make it anew with kingdom journal export"},
		{llm + "--minds recorded:nosuch", "want the directory of a run, or a cassette that kingdom journal export"},
		{"journal verify " + dir, "is a directory; want a file of kingdom journal export RUN --frames FILE (kingdom replay RUN"},
		{"journal verify nosuch", "there is no file nosuch; kingdom journal export"},
		{llm + "--budget -1", "--budget is -1; want a number of US dollars from 0"},
		{llm + "--budget NaN", "--budget is NaN; want a number of US dollars from 0"},
		{"fork " + dir + " --at 1 --out made --budget -1", "--budget is -1; want a number of US dollars from 0"},
		{llm + "--set minds.models.default.key_file=nosuch", "key file nosuch: no such file or directory; create it with the key as its only content and run: chmod 600 nosuch"},
		{llm + "--set prompts.memory=nosuch.tmpl", "names nosuch.tmpl, which does not exist; want the path of a template in the working directory"},
	} {
		r := in(t, strings.Fields(tt.command)...)
		if r.code != exitInput || !strings.Contains(r.err, tt.says) {
			t.Errorf("%s: exit %d: %s\nwant %d and %q", tt.command, r.code, r.err, exitInput, tt.says)
		}
		if _, err := os.Stat("made"); err == nil {
			t.Fatalf("%s made a run", tt.command)
		}
	}
}

// A run that waits for its provider names the command that says what to change, which takes the run itself.
func TestModels_PausedRunNamesDoctorCommand(t *testing.T) {
	t.Chdir(t.TempDir())
	server := &fakellm.Server{Script: fakellm.Always(fakellm.Status(429, `{"error":{"message":"no credit","code":"insufficient_quota"}}`))}
	withServer(t, server)
	r := in(t, "run", "epoch0-llm", "--cycles", "1", "--out", "paused")
	if r.code != exitOutage || !strings.Contains(r.err, "kingdom doctor paused says what to change; when the provider is back: kingdom resume paused") {
		t.Errorf("exit %d: %s", r.code, r.err)
	}
	if r := in(t, "doctor", "paused"); r.code != exitFailure || !strings.Contains(r.out, "quota: no credit; add credit at the provider") {
		t.Errorf("exit %d: %s%s", r.code, r.out, r.err)
	}
}

// A run whose models never answered says so in its summary.
func TestModels_SummarySaysThatNoCallWasAnswered(t *testing.T) {
	t.Chdir(t.TempDir())
	const long = `{"error":{"message":"This model's maximum context length is 4096 tokens.","code":"context_length_exceeded"}}`
	args := []string{"run", "epoch0-llm", "--cycles", "1", "--set", "time.base_budget=2", "--set", "think.on_outage=idle", "--out"}
	withServer(t, &fakellm.Server{Script: fakellm.Always(fakellm.Status(400, long))})
	if r := must(t, in(t, append(args, "mute")...)); !strings.Contains(r.out, "no call to default brought an answer; kingdom doctor mute says what to change\n") {
		t.Errorf("%s", r.out)
	}
	if r := in(t, "doctor", "mute"); r.code != exitFailure || !strings.Contains(r.out, "set minds.models.default.context to what the message says") {
		t.Errorf("exit %d: %s", r.code, r.out)
	}
	withServer(t, &fakellm.Server{Script: func(n int, _ *fakellm.Request) fakellm.Act {
		if n < 3 {
			return nil
		}
		return fakellm.Status(400, `{"error":{"message":"bad request"}}`)
	}})
	if r := must(t, in(t, append(args, "curt")...)); !strings.Contains(r.out, " calls to default brought no answer; kingdom doctor curt says what to change\n") {
		t.Errorf("%s", r.out)
	}
	withServer(t, &fakellm.Server{})
	if r := must(t, in(t, append(args, "well")...)); strings.Contains(r.out, "unanswered") || strings.Contains(r.out, "asleep") {
		t.Errorf("%s", r.out)
	}
}

// Answers of Ollama 0.13.5 with random weights: other JSON than was asked for, JSON of the schema with numbers that no
// schema bounds, or no JSON at all.
func TestModels_SummarySaysThatAllAgentsSleep(t *testing.T) {
	for name, says := range map[string][]string{
		"json_schema": {
			`{"reasoning":"}iseoreDocuick","act":{"agent_status":{"agent_id":"< title sort"}},"memory_update":null}`,
			`{"reasoning":":{","act":{"nop":{}},"memory_update":{"note":{"set":[],"drop":[]},"beliefs":[{"claim":"tSTHAR","confidence":-71.4e5}],"knowledge":[],"goals":[],"plan":[],"lesson":""}}`,
			`{"reasoning":"geise","act":{"entry_get":{"entry_id":"<"}},"memory_update":{"note":{"set":[],"drop":[]},"beliefs":[{"claim":"#","confidence":4e9999}],"knowledge":[],"goals":[],"plan":[],"lesson":"#"}}`,
		},
		"json_object": {`{"{":"RIzhash"}`, `{"\"":[]}`, `{":[":[{"":["#","keeping WORLD"]}],":[":"<"}`},
		"prompt":      {"", `";""}EGEND",`, " designlP_vers\x01 patter trcessw5 MmatterlinQaf> new ACTIONSzV"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			withServer(t, &fakellm.Server{Script: func(n int, _ *fakellm.Request) fakellm.Act { return fakellm.Content(says[n%len(says)], "stop") }})
			r := must(t, in(t, "run", "epoch0-llm", "--cycles", "2", "--set", "time.base_budget=12", "--set", "minds.models.default.output="+name, "--out", "babbled"))
			if !strings.Contains(r.out, "0 active, 8 dormant") || !strings.Contains(r.out, "100.0 % of slots; 8 warnings") ||
				!strings.Contains(r.out, "no mind is asked; kingdom tail babbled --nop --dormancy says why") {
				t.Errorf("%s", r.out)
			}
			noEndpoint(t)
			must(t, in(t, "replay", "babbled"))
		})
	}
}

// Calls without a price cost nothing, also at most.
func TestEstimate_WithoutPrices(t *testing.T) {
	t.Chdir(t.TempDir())
	withServer(t, &fakellm.Server{})
	args := []string{"run", "epoch0-llm", "--cycles", "1", "--set", "time.base_budget=4", "--estimate"}
	r := must(t, in(t, args...))
	if strings.Contains(r.out, "0.0000") || strings.Contains(r.out, "they would cost") || !strings.Contains(r.out, `the model "default" has no price, so that calls to it count as free`) {
		t.Errorf("%s", r.out)
	}
	var e estimateJSON
	r = must(t, in(t, append(args, "--json")...))
	if err := json.Unmarshal([]byte(r.out), &e); err != nil || e.Calls == 0 || e.Cost != 0 || e.Most != 0 {
		t.Errorf("%v: %s", err, r.out)
	}
}

// The test server answers where others do, and refuses another key than its own.
func TestFakeLLM_RefusesAsOthersDo(t *testing.T) {
	t.Chdir(t.TempDir())
	server := &fakellm.Server{Key: plantedKey}
	withServer(t, server)
	t.Setenv(envEndpoint, strings.TrimSuffix(os.Getenv(envEndpoint), "/v1"))
	r := in(t, "run", "epoch0-llm", "--cycles", "1", "--out", "made")
	if r.code != exitInput || !strings.Contains(r.err, "/v1") || server.Counts().Requests > 0 {
		t.Errorf("exit %d: %s", r.code, r.err)
	}
}
