package main

import (
	"cmp"
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"kingdom/internal/fakellm"
	"kingdom/llm/openai"
)

// What a server refused is written down before the next request, and a resume begins without it. At another endpoint the
// settings of the scenario hold again.
func TestResume_BeginsWithoutWhatWasRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	kept := func() string {
		text, _ := os.ReadFile(filepath.Join(dir, refusalsFile)) // no file is an empty one
		return string(text)
	}
	var refused, answered atomic.Int64
	var down atomic.Bool
	script := func(_ int, r *fakellm.Request) fakellm.Act {
		body := string(r.Body)
		for _, x := range []struct{ sent, answer string }{
			{`"seed":`, `{"error":{"message":"Unsupported parameter: 'seed'","code":"unsupported_parameter","param":"seed"}}`},
			{`"max_tokens":`, `{"error":{"message":"Unsupported parameter: 'max_tokens'","code":"unsupported_parameter","param":"max_tokens"}}`},
			{`"act":{`, `{"error":{"message":"Invalid schema for response_format 'answer'"}}`},
		} {
			if strings.Contains(body, x.sent) {
				refused.Add(1)
				return fakellm.Status(400, x.answer)
			}
		}
		for _, want := range []string{`"output": "small_schema"`, `"cap": "max_completion_tokens"`, `"seed"`} {
			if !strings.Contains(kept(), want) {
				t.Errorf("a request is made without what was refused, and %s does not hold %s:\n%s", refusalsFile, want, kept())
			}
		}
		if down.Load() && answered.Load() >= 10 {
			return fakellm.Status(401, `{"error":{"message":"closed"}}`)
		}
		answered.Add(1)
		return nil
	}
	withServer(t, &fakellm.Server{Seed: 3, Key: plantedKey, Script: script})
	down.Store(true)
	args := []string{"run", "epoch0-llm", "--cycles", "1", "--set", "time.base_budget=6", "--set", "minds.models.default.seed=7", "--set", "minds.models.default.concurrency=1", "--out", dir}
	if r := in(t, args...); r.code != exitOutage || refused.Load() < 3 {
		t.Fatalf("exit %d after %d refusals, want %d after 3 or more: %s", r.code, refused.Load(), exitOutage, r.err)
	}
	first, before := kept(), refused.Load()
	down.Store(false)
	r := must(t, in(t, "resume", dir))
	if n := refused.Load() - before; n != 0 {
		t.Errorf("the resume was refused %d requests", n)
	}
	if want := `the server of model "default" refused what the scenario sets, so it is asked with output small_schema; the limit of answers in max_completion_tokens; no seed (`; !strings.Contains(r.err, want) {
		t.Errorf("resume says %q\nwant %q", r.err, want)
	}
	if kept() != first {
		t.Errorf("after the resume %s is\n%s\nand was\n%s", refusalsFile, kept(), first)
	}
	must(t, in(t, "replay", dir))

	ts := httptest.NewServer(&fakellm.Server{Seed: 3, Key: plantedKey, Script: script})
	defer ts.Close()
	must(t, in(t, "resume", dir, "--cycles", "2", "--set", "minds.models.default.endpoint="+ts.URL+"/v1"))
	if n := refused.Load() - before; n < 3 {
		t.Errorf("another endpoint refused %d requests, want 3 at least: what one refuses says nothing of another", n)
	}
	if n := strings.Count(kept(), `"endpoint"`); n != 2 {
		t.Errorf("%s holds %d endpoints, want both:\n%s", refusalsFile, n, kept())
	}
	if err := os.WriteFile(filepath.Join(dir, refusalsFile), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := in(t, "resume", dir, "--cycles", "3"); r.code == 0 || !strings.Contains(r.err, "is damaged") || !strings.Contains(r.err, "remove it, so that") {
		t.Errorf("with a damaged %s: exit %d: %s", refusalsFile, r.code, r.err)
	}
}

// A run whose server takes less than any prompt needs pauses and says what to change; nothing of it is kept. What a server
// said before of its context is shown by doctor, keeps a run from sending prompts without their half, and is forgotten when
// the context is set.
func TestResume_ContextThatNoPromptFits(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	var small atomic.Bool
	small.Store(true)
	server := &fakellm.Server{Seed: 3, Key: plantedKey, Script: func(int, *fakellm.Request) fakellm.Act {
		if small.Load() {
			return fakellm.Status(400, `{"error":{"message":"This model's maximum context length is 4096 tokens.","code":"context_length_exceeded"}}`)
		}
		return nil
	}}
	withServer(t, server)
	r := in(t, "run", "epoch0-llm", "--cycles", "1", "--set", "time.base_budget=6", "--out", dir)
	if r.code != exitOutage {
		t.Fatalf("exit %d, want %d: %s", r.code, exitOutage, r.err)
	}
	for _, want := range []string{`the server of model "default" takes 4096 tokens at most; a prompt with its answer needs `, "minds.models.default.context", "resume RUN --set"} {
		if !strings.Contains(r.err, want) {
			t.Errorf("the pause does not say %q:\n%s", want, r.err)
		}
	}
	if n := server.Counts().Requests; n > 8 { // four were under way, and each may let another go before it is known
		t.Errorf("%d requests", n)
	}
	if text, err := os.ReadFile(filepath.Join(dir, refusalsFile)); err == nil {
		t.Errorf("%s is kept: %s", refusalsFile, text)
	}

	small.Store(false)
	kept := refusals{Models: []openai.Refused{{Model: "default", Endpoint: os.Getenv(envEndpoint), ID: "fake", Context: 1}}}
	if err := writeJSON(filepath.Join(dir, refusalsFile), &kept); err != nil {
		t.Fatal(err)
	}
	if r := in(t, "doctor", dir); r.code != exitFailure || !strings.Contains(r.out, "FAIL  refused    the server refused what the scenario sets, so the run asks with at most 1 tokens") || !strings.Contains(r.out, "--set minds.models.default.context=TOKENS") {
		t.Errorf("doctor: exit %d: %s%s", r.code, r.out, r.err)
	}
	before := server.Counts().Requests
	if r := in(t, "resume", dir); r.code != exitOutage || server.Counts().Requests != before {
		t.Errorf("resume with a context of 1: exit %d after %d requests: %s", r.code, server.Counts().Requests-before, r.err)
	}
	must(t, in(t, "resume", dir, "--set", "minds.models.default.context=20000"))
	if text, err := os.ReadFile(filepath.Join(dir, refusalsFile)); err != nil || strings.Contains(string(text), "context") {
		t.Errorf("%s is not forgotten (%v): %s", refusalsFile, err, text)
	}
	if r := must(t, in(t, "doctor", dir)); strings.Contains(r.out, "refused") {
		t.Errorf("doctor still tells what is forgotten: %s", r.out)
	}
	must(t, in(t, "replay", dir))
}

// explain --prompt shows what was sent: cut to the context that the server stated during the run.
func TestExplain_PromptAsCutToTheServersContext(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	refused, cut := false, ""
	withServer(t, &fakellm.Server{Seed: 3, Key: plantedKey, Script: func(_ int, r *fakellm.Request) fakellm.Act { // one at a time
		if size := len(r.Messages[0].Content) + len(r.Messages[1].Content); size > 20_100 {
			refused = true
			return fakellm.Status(400, `{"error":{"message":"This model's maximum context length is 7700 tokens."}}`)
		}
		if refused && cut == "" {
			cut = r.Messages[1].Content
		}
		return nil
	}})
	must(t, in(t, "run", "epoch0-llm", "--cycles", "2", "--set", "time.base_budget=12", "--set", "minds.models.default.max_output=1024", "--set", "minds.models.default.concurrency=1", "--out", dir))
	if cut == "" {
		t.Fatal("no prompt was refused")
	}
	found := false
	for line := range strings.Lines(must(t, in(t, "tail", dir, "--think", "--json")).out) {
		var l struct {
			Agent struct{ Alias string }
			Tick  uint64
		}
		if json.Unmarshal([]byte(line), &l) != nil || l.Tick == 0 || found || !strings.Contains(cut, "You are agent "+l.Agent.Alias) {
			continue
		}
		r := in(t, "explain", dir, "--agent", l.Agent.Alias, "--tick", strconv.FormatUint(l.Tick, 10), "--prompt")
		if found = strings.Contains(r.out, cut); found && !strings.Contains(r.err, "at most 7700 tokens") {
			t.Errorf("it does not say why: %s", r.err)
		}
	}
	if !found {
		t.Error("no prompt is shown as the cut one was sent")
	}
}

// explain --prompt shows what was sent also where resume --set changed the model's limits, and says that it does.
func TestExplain_PromptAsCutByResume(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	server := &fakellm.Server{Seed: 3, Key: plantedKey}
	withServer(t, server)
	must(t, in(t, "run", "epoch0-llm", "--cycles", "1", "--set", "time.base_budget=12", "--set", "minds.models.default.max_output=1024", "--out", dir))
	if r := must(t, in(t, "resume", dir, "--cycles", "2", "--set", "minds.models.default.context=8290")); !strings.Contains(r.err, "prompts do not fit") {
		t.Fatalf("no prompt was cut: %s", r.err)
	}
	sent := map[string]bool{}
	for _, r := range server.Requests() {
		if len(r.Messages) == 2 {
			sent[r.Messages[1].Content] = true
		}
	}
	type thought struct {
		Agent  struct{ Alias string }
		Tick   uint64
		Tokens uint64 `json:"prompt_tokens"`
	}
	var after []thought
	for line := range strings.Lines(must(t, in(t, "tail", dir, "--think", "--json")).out) {
		var l thought
		if json.Unmarshal([]byte(line), &l) == nil && l.Tick >= 512 {
			after = append(after, l)
		}
	}
	slices.SortFunc(after, func(a, b thought) int { return cmp.Compare(b.Tokens, a.Tokens) })
	for _, l := range after[:4] { // the longest, which are those that were cut and those that just fit
		r := must(t, in(t, "explain", dir, "--agent", l.Agent.Alias, "--tick", strconv.FormatUint(l.Tick, 10), "--prompt", "--json"))
		var shown shownPrompt
		if err := json.Unmarshal([]byte(r.out), &shown); err != nil {
			t.Fatal(err)
		}
		if !sent[shown.Messages[1].Content] {
			t.Errorf("the prompt of %s at tick %d is shown otherwise than it was sent: %d tokens", l.Agent.Alias, l.Tick, shown.Tokens)
		}
		if want := "since resume --set: with context 8290 and max_output 1024 (models.json), in place of 32768 and 1024; a thought before that may"; !strings.Contains(r.err, want) {
			t.Errorf("it does not say %q: %s", want, r.err)
		}
	}
}
