package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"kingdom/internal/fakellm"
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
