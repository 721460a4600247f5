package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/internal/fakellm"
)

// A run whose server is gone continues at another one, ends as the undisturbed run, and keeps the new endpoint.
func TestResume_WithAnotherEndpoint(t *testing.T) {
	withServer(t, &fakellm.Server{Seed: 3, Key: plantedKey})
	run := func(dir string) []string {
		return []string{"run", "epoch0-llm", "--cycles", "1", "--set", "time.base_budget=6", "--json", "--out", dir}
	}
	want := summaryOf(t, must(t, in(t, run(filepath.Join(t.TempDir(), "whole"))...)))

	withServer(t, &fakellm.Server{Seed: 3, Key: plantedKey, Script: func(n int, _ *fakellm.Request) fakellm.Act {
		if n < 10 {
			return nil
		}
		return fakellm.Status(401, `{"error":{"message":"moved away"}}`)
	}})
	dir := filepath.Join(t.TempDir(), "run")
	if r := in(t, run(dir)...); r.code != exitOutage {
		t.Fatalf("exit %d: %s", r.code, r.err)
	}
	began, err := os.ReadFile(filepath.Join(dir, scenarioFile))
	if err != nil {
		t.Fatal(err)
	}
	moved := &fakellm.Server{Seed: 3, Key: "sk-the-key-of-another-server"}
	at := httptest.NewServer(moved)
	defer at.Close()
	t.Setenv("OTHER_KEY", moved.Key)
	for _, tt := range []struct{ set, says string }{
		{"minds.models.default.model=other", "cannot change in a run that has begun"},
		{"mint.initial_balance=3", "cannot change in a run that has begun"},
		{"minds.models.nosuch.endpoint=" + at.URL, "names a model that the run does not use; want one of default"},
		{"minds.models.default.concurrency=0", "want a whole number from 1"},
	} {
		if r := in(t, "resume", dir, "--set", tt.set); r.code != exitInput || !strings.Contains(r.err, tt.says) {
			t.Errorf("--set %s: exit %d: %s", tt.set, r.code, r.err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, modelSettingsFile)); err == nil {
		t.Error("what was refused is kept")
	}
	got := summaryOf(t, must(t, in(t, "resume", dir, "--json",
		"--set", "minds.models.default.endpoint="+at.URL+"/v1", "--set", "minds.models.default.key_env=OTHER_KEY")))
	if got.Status != "finished" || got.WorldHash != want.WorldHash || moved.Counts().Requests == 0 {
		t.Errorf("%s with %s after %d requests elsewhere, want %s", got.Status, got.WorldHash, moved.Counts().Requests, want.WorldHash)
	}
	if now, err := os.ReadFile(filepath.Join(dir, scenarioFile)); err != nil || string(now) != string(began) {
		t.Errorf("the scenario of the run was changed: %v", err)
	}
	if r := must(t, in(t, "replay", dir)); !strings.Contains(r.out, want.WorldHash) {
		t.Errorf("replay: %s", r.out)
	}

	if r := must(t, in(t, "doctor", dir)); !strings.Contains(r.out, at.URL) {
		t.Errorf("the doctor looks elsewhere: %s", r.out)
	}
	before := moved.Counts().Requests
	must(t, in(t, "resume", dir, "--cycles", "2"))
	if moved.Counts().Requests == before {
		t.Error("the second resume asks elsewhere than the first")
	}
}

// Calls to a model on the same machine count as free, so that caps do not bind; the run warns of that before it starts.
func TestSpend_WarnsThatCapsDoNotBindFreeModels(t *testing.T) {
	t.Chdir(t.TempDir())
	withServer(t, &fakellm.Server{Seed: 3})
	run := []string{"run", "epoch0-llm", "--cycles", "1", "--set", "time.base_budget=2", "--out", "made"}
	says := `no cap stops calls to the model "default"`
	give := "give minds.models.default.price_input and price_output"
	for _, args := range [][]string{
		append(run, "--budget", "1", "--estimate"),
		append(run, "--budget", "1"),
		{"resume", "made", "--cycles", "2", "--budget", "2"},
	} {
		if r := must(t, in(t, args...)); strings.Count(r.err, says) != 1 || !strings.Contains(r.err, give) {
			t.Errorf("%v says %s", args, r.err)
		}
	}
	if r := must(t, in(t, "resume", "made", "--cycles", "3", "--budget", "2",
		"--set", "minds.models.default.price_input=0.1", "--set", "minds.models.default.price_output=0.1")); strings.Contains(r.err, says) {
		t.Errorf("with prices: %s", r.err)
	}
}
