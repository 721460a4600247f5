package main

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kingdom/internal/fakellm"
	"kingdom/llm/spend"
)

// crowd counts how many requests a server has at once.
type crowd struct {
	http.Handler
	now, most atomic.Int64
}

func (c *crowd) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if n := c.now.Add(1); n > c.most.Load() {
		c.most.Store(n)
	}
	defer c.now.Add(-1)
	time.Sleep(2 * time.Millisecond) // long enough for two to meet, if two may
	c.Handler.ServeHTTP(w, r)
}

// Runs of a sweep that ask one server keep to its limits together, not each for itself.
func TestSweep_SharesEndpoints(t *testing.T) {
	server := &fakellm.Server{Seed: 3}
	watched := &crowd{Handler: server}
	withServer(t, server)
	ts := httptest.NewServer(watched)
	t.Cleanup(ts.Close)
	t.Setenv(envEndpoint, ts.URL+"/v1")
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0-llm", "--seeds", "1..3", "--jobs", "3", "--cycles", "1", "--no-preflight", "--set", "time.base_budget=3", "--set", "minds.models.default.concurrency=2"))
	if n := watched.most.Load(); n != 2 {
		t.Errorf("the server had %d requests at once, 2 are declared", n)
	}
	if rows := results(t, "runs/epoch0-llm-sweep"); len(rows) != 3 || rows["2"]["prompt_tokens"] == "0" {
		t.Errorf("rows %v", rows["2"])
	}
}

// A budget bounds what all runs of a sweep spend together; a higher one lets them go on.
func TestSweep_BudgetBoundsAllRunsTogether(t *testing.T) {
	server := &fakellm.Server{Seed: 3}
	withServer(t, server)
	t.Chdir(t.TempDir())
	sweep := priced("s", "--seeds", "1..3")
	r := in(t, append(sweep, "--budget", "0.03")...)
	spent := func() (all uint64) {
		for _, dir := range []string{"seed-1", "seed-2", "seed-3"} {
			totals, err := spend.Read(filepath.Join("s", dir, spend.FileName))
			if err != nil {
				t.Fatal(err)
			}
			all += totals.Run.CostMicroUSD
		}
		return all
	}
	if n := spent(); r.code != exitCap || n > 30_000 || n < 15_000 || charged(server) > 30_000 {
		t.Fatalf("exit %d after %d micro-dollars of 30000, the server says %d: %s", r.code, n, charged(server), r.err)
	}
	if !strings.Contains(r.err, "3 of 3 seeds did not finish, such as 1, which is capped: its cap is reached; continue with: kingdom resume s --budget USD (of the whole sweep)\n") {
		t.Errorf("says %s", r.err)
	}
	r = in(t, "resume", "s")
	if all := r.out + r.err; r.code != exitCap || strings.Count(all, "--budget") != 1 || strings.Count(r.out, "its cap is reached") != 3 {
		t.Errorf("the remedy is not told once, and the reason for each seed:\n%s", all)
	}
	r = in(t, priced("each", "--seeds", "1..2", "--set", "minds.caps.run_usd=0.003")...)
	if r.code != exitCap || strings.Count(r.err, "--budget USD") != 1 || !strings.Contains(r.err, "minds.caps.run_usd holds for each run; raise that of one with: kingdom resume each/seed-1 --budget USD\n") {
		t.Errorf("with a cap of each run: exit %d, says %s", r.code, r.err)
	}
	const holds = "minds.caps.run_usd holds for each run, of which there are "
	if one := in(t, priced("one", "--seeds", "1", "--set", "minds.caps.run_usd=0.003")...); !strings.Contains(r.err, holds+"2;") || strings.Contains(one.err, holds) {
		t.Errorf("of two runs: %s\nof one: %s", r.err, one.err)
	}
	must(t, in(t, "resume", "each/seed-1", "--budget", "5"))
	for seed, row := range results(t, "s") {
		if row["status"] != "capped" || row["total_cost_micro_usd"] == "0" {
			t.Errorf("seed %s: %s after %s", seed, row["status"], row["total_cost_micro_usd"])
		}
	}
	if r := in(t, "resume", "s", "--budget", "0.001"); r.code != exitInput || !strings.Contains(r.err, "it bounds the whole sweep") {
		t.Errorf("less than is spent: exit %d: %s", r.code, r.err)
	}
	must(t, in(t, "resume", "s", "--budget", "5"))
	free := summaryOf(t, must(t, in(t, priced("free", "--seed", "2")...)))
	if rows := results(t, "s"); rows["2"]["world_hash"] == "" || free.WorldHash == "" || rows["2"]["status"] != "finished" {
		t.Errorf("seed 2 %s with %s, alone %s", rows["2"]["status"], rows["2"]["world_hash"], free.WorldHash)
	}
	says(t, "run|epoch0-llm|--seeds|1..2|--budget|1|--set|minds.models.default.endpoint=https://api.example.com/v1", exitInput, "has no price")
	says(t, "run|epoch0-llm|--seeds|1..2|--budget|-3", exitInput, "want a number of US dollars")
}
