package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/internal/fakellm"
)

func TestDoctor_ExitCodesAndLines(t *testing.T) {
	server := &fakellm.Server{Key: plantedKey, Model: "fake"}
	withServer(t, server)
	r := must(t, in(t, "doctor", "epoch0-llm"))
	for _, check := range []string{"reachable", "key", "model", "context", "call", "output", "cap", "usage", "reasoning", "price"} {
		if !strings.Contains(r.out, "  ok    "+check+" ") {
			t.Errorf("no ok for %s:\n%s", check, r.out)
		}
	}
	if n := server.Counts().Requests; n != 1 {
		t.Errorf("the doctor made %d calls, want 1", n)
	}
	r = must(t, in(t, "doctor", "epoch0-llm", "--json"))
	if lines := strings.Split(strings.TrimSpace(r.out), "\n"); len(lines) != 10 || !strings.Contains(lines[1], `"check":"key"`) || !strings.Contains(lines[1], `"state":"ok"`) {
		t.Errorf("--json:\n%s", r.out)
	}
	t.Setenv(envKey, plantedKey+"x")
	r = in(t, "doctor", "epoch0-llm")
	if r.code != exitFailure || !strings.Contains(r.out, "  FAIL  key ") || traceOf([]byte(r.out+r.err)) != "" {
		t.Errorf("exit %d\n%s%s", r.code, r.out, r.err)
	}
	if r := in(t, "doctor", "nosuch"); r.code != exitInput {
		t.Errorf("exit %d for a scenario that does not exist", r.code)
	}
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("hurt", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("hurt/run.json", []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := in(t, "doctor", "hurt"); r.code != exitFailure || !strings.Contains(r.err, "hurt/run.json is damaged: ") {
		t.Errorf("exit %d, %s", r.code, r.err)
	}
	if r := must(t, in(t, "doctor", "epoch0")); !strings.Contains(r.out, "no language model thinks in epoch0") {
		t.Errorf("%s", r.out)
	}
}

// A run that could not ask its models leaves no files, spends nothing and says what to do.
func TestRun_ChecksModelsBeforeStarting(t *testing.T) {
	t.Chdir(t.TempDir())
	server := &fakellm.Server{Key: plantedKey, Model: "fake"}
	withServer(t, server)
	gone := httptest.NewServer(server)
	gone.Close()
	run := func(more ...string) result {
		return in(t, append([]string{"run", "epoch0-llm", "--cycles", "1", "--set", "time.base_budget=1"}, more...)...)
	}
	for _, tt := range []struct {
		env, value string
		code       int
		says       string
	}{
		{envKey, "sk-another-key-9876543210", exitInput, "refuses the key"},
		{envKey, "", exitInput, "set KINGDOM_API_KEY"},
		{envModel, "fakes", exitInput, "does not list fakes; it has fake"},
		{envEndpoint, gone.URL + "/v1", exitOutage, "connection refused; start the server"},
	} {
		t.Run(tt.env, func(t *testing.T) {
			t.Setenv(tt.env, tt.value)
			r := run()
			if r.code != tt.code || !strings.Contains(r.err, tt.says) || !strings.Contains(r.err, "nothing was made") {
				t.Errorf("exit %d: %s\nwant %d and %q", r.code, r.err, tt.code, tt.says)
			}
			if _, err := os.Stat("runs"); err == nil || server.Counts().Requests > 0 {
				t.Error("something was made or asked")
			}
		})
	}
	t.Setenv(envModel, "fakes")
	if r := run("--no-preflight", "--out", "ahead"); r.code != exitOutage || server.Counts().Requests == 0 {
		t.Errorf("--no-preflight: exit %d: %s", r.code, r.err)
	}
	t.Setenv(envModel, "fake")
	other := []string{
		"--set", `minds.models.first={"endpoint":"` + gone.URL + `/v1","model":"x"}`, "--set", "minds.tiers.1=[first, default]",
		"--set", "minds.tiers.2=[first, default]", "--set", "minds.tiers.3=[first, default]", "--out", filepath.Join(t.TempDir(), "run"),
	}
	if r := run(other...); r.code != exitOK || !strings.Contains(r.err, "its tier uses the next model") {
		t.Errorf("with a second model: exit %d: %s", r.code, r.err)
	}
}
