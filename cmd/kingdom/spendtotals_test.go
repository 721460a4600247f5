//go:build !race

package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kingdom/internal/fakellm"
	"kingdom/llm"
	"kingdom/llm/spend"
	"kingdom/observe"
)

// bill is what a run took, by one who counted.
type bill struct{ Calls, Failed, Prompt, Cached, Output, Reasoning, Cost uint64 }

func billOf(t *totalJSON) bill {
	return bill{t.Calls, t.Failed, t.Prompt, t.Cached, t.Output, t.Reasoning, t.Cost}
}

// Server, think log, metrics, store, ledger and summary agree to the token and the micro-dollar. Every seventh request
// fails with a usage, and every fifth answer reports cached and reasoning tokens.
func TestSpend_AllCountersAgree(t *testing.T) {
	const failing = `{"error":{"message":"busy"},"usage":{"prompt_tokens":100,"completion_tokens":0}}`
	odd := fakellm.Reported(`{"prompt_tokens":4000,"completion_tokens":80,"prompt_tokens_details":{"cached_tokens":3000},"completion_tokens_details":{"reasoning_tokens":50}}`)
	var served bill
	server := &fakellm.Server{Seed: 3}
	server.Script = func(n int, _ *fakellm.Request) fakellm.Act { // called for one request at a time
		switch {
		case n%7 == 3:
			served.Failed++
			return fakellm.Status(503, failing, "retry-after-ms", "1")
		case n%5 == 0:
			served.Cached, served.Reasoning = served.Cached+3000, served.Reasoning+50
			return odd
		}
		return nil
	}
	withServer(t, server)
	dir := filepath.Join(t.TempDir(), "run")
	r := must(t, in(t, priced(dir, "--cycles", "3", "--set", "time.base_budget=3", "--set", "minds.models.default.price_cached=0.015", "--set", "minds.models.default.concurrency=1")...))
	sum := summaryOf(t, r)
	got := billOf(&sum.Spend.totalJSON)

	counts := server.Counts()
	served.Calls = counts.Requests
	served.Prompt, served.Output = counts.PromptTokens, counts.OutputTokens
	served.Cost = ((served.Prompt-served.Cached)*150 + served.Cached*15 + served.Output*600) / 1000
	if rounded := got.Cost; rounded < served.Cost || rounded > served.Cost+counts.Answers {
		t.Errorf("the run cost %d micro-dollars, the server's count makes %d", rounded, served.Cost)
	}
	served.Cost = got.Cost // each call is rounded up
	if got != served || got.Failed == 0 || got.Cached == 0 || got.Reasoning == 0 {
		t.Errorf("the summary says\n%+v, the server\n%+v", got, served)
	}
	var dearest struct {
		Spend spendJSON `json:"spend"`
	}
	if err := json.Unmarshal([]byte(must(t, in(t, "inspect", dir, "--json")).out), &dearest); err != nil {
		t.Fatal(err)
	}
	if b := billOf(&dearest.Spend.totalJSON); b != got {
		t.Errorf("inspect says\n%+v, the summary\n%+v", b, got)
	}
	if b := billOf(&dearest.Spend.Models[0].totalJSON); b != got || len(dearest.Spend.Agents) != 5 || dearest.Spend.Agents[0].Cost < dearest.Spend.Agents[4].Cost {
		t.Errorf("by model %+v, the dearest %+v", b, dearest.Spend.Agents)
	}
	ledger, err := spend.Read(filepath.Join(dir, spend.FileName))
	if err != nil {
		t.Fatal(err)
	}
	total := toTotal(&ledger.Run)
	if b := billOf(&total); b != got {
		t.Errorf("the ledger says\n%+v, the summary\n%+v", b, got)
	}
	if b := thinkBill(t, dir); b != (bill{Calls: got.Calls, Prompt: got.Prompt, Cached: got.Cached, Output: got.Output, Reasoning: got.Reasoning, Cost: got.Cost}) {
		t.Errorf("the think log says\n%+v, the summary\n%+v", b, got)
	}
	if b := metricsBill(t, dir); b != (bill{Calls: got.Calls, Failed: got.Failed, Prompt: got.Prompt, Output: got.Output, Cost: got.Cost}) {
		t.Errorf("the metrics say\n%+v, the summary\n%+v", b, got)
	}
	text := must(t, in(t, "inspect", dir)).out
	for _, says := range []string{"spent on models", "default: " + llm.Count(got.Calls, "call") + " (" + strconv.FormatUint(got.Failed, 10) + " failed)", "  agent       "} {
		if !strings.Contains(text, says) {
			t.Errorf("inspect does not say %q:\n%s", says, text)
		}
	}
}

func thinkBill(t *testing.T, dir string) (b bill) {
	t.Helper()
	for line := range bytes.Lines(thinkLines(t, dir)) {
		var l totalJSON
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		b = bill{b.Calls + l.Calls, 0, b.Prompt + l.Prompt, b.Cached + l.Cached, b.Output + l.Output, b.Reasoning + l.Reasoning, b.Cost + l.Cost}
	}
	return b
}

func metricsBill(t *testing.T, dir string) (b bill) {
	t.Helper()
	raw, err := os.ReadFile(observe.MetricsPath(dir))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(raw)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	add := map[string]*uint64{"calls": &b.Calls, "failed_calls": &b.Failed, "prompt_tokens": &b.Prompt, "output_tokens": &b.Output, "cost_micro_usd": &b.Cost}
	for _, row := range rows[1:] {
		for i, name := range rows[0] {
			if p := add[name]; p != nil {
				n, err := strconv.ParseUint(row[i], 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				*p += n
			}
		}
	}
	return b
}

// What --estimate says before a run is what the run then costs, within a factor of 1.5, and
// nothing was asked or written for it.
func TestSpend_EstimateIsNear(t *testing.T) {
	t.Chdir(t.TempDir())
	server := &fakellm.Server{Seed: 3}
	withServer(t, server)
	args := priced("run1", "--cycles", "3", "--set", "time.base_budget=16")
	r := must(t, in(t, append(args, "--estimate")...))
	var e estimateJSON
	if err := json.Unmarshal([]byte(r.out), &e); err != nil {
		t.Fatalf("%v: %s", err, r.out)
	}
	if e.Exceeds {
		t.Error("an estimate without a budget exceeds it")
	}
	small := []string{"run", "epoch0-llm", "--cycles", "1", "--set", "time.base_budget=6", "--set", "minds.models.default.price_input=0.15", "--set", "minds.models.default.price_output=0.6", "--estimate", "--budget"}
	if r := must(t, in(t, append(small, "0.0001")...)); strings.Count(r.out, "is more than the budget of the run, ") != 1 {
		t.Errorf("a budget below the expected cost: %s", r.out)
	}
	if r := must(t, in(t, append(small, "0.0001", "--json")...)); !strings.Contains(r.out, `"exceeds_budget":true`) {
		t.Errorf("a budget below the expected cost: %s", r.out)
	}
	if r := must(t, in(t, append(small, "1000")...)); strings.Contains(r.out, "is more than the budget") {
		t.Errorf("a budget above the expected cost: %s", r.out)
	}
	if r := must(t, in(t, append(small, "0.002", "--seeds", "1..100")...)); !strings.Contains(r.out, "is more than the budget of the run, ") {
		t.Errorf("a budget below the expected cost of a sweep: %s", r.out)
	}
	entries, err := os.ReadDir(".")
	if err != nil || len(entries) > 0 || server.Counts().Requests > 0 {
		t.Errorf("an estimate left %v, %v and asked the server %d times", entries, err, server.Counts().Requests)
	}
	got := summaryOf(t, must(t, in(t, args...))).Spend
	ratio := float64(e.Cost) / float64(got.Cost)
	t.Logf("estimated %+v, spent %+v: %.2f", e.expectedJSON, got.totalJSON, ratio)
	if ratio < 1/1.5 || ratio > 1.5 || e.Most < got.Cost || e.Slots < e.Calls {
		t.Errorf("estimated %d micro-dollars and at most %d, spent %d", e.Cost, e.Most, got.Cost)
	}
	sum := uint64(0)
	for _, x := range e.Tiers {
		if sum += x.Cost; x.Model != "default" || x.Calls == 0 || x.Tier < 1 || x.Tier > 3 {
			t.Errorf("a tier of the estimate: %+v", x)
		}
	}
	if sum != e.Cost || len(e.Tiers) == 0 {
		t.Errorf("the tiers make %d, all %d", sum, e.Cost)
	}
	text := must(t, in(t, "run", "epoch0", "--cycles", "1", "--estimate"))
	if !strings.Contains(text.out, "it costs nothing") {
		t.Errorf("a scripted scenario: %s", text.out)
	}
}
