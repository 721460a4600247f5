package main

import (
	"os"
	"strings"
	"testing"
)

// What run and doctor refuse of a model, validate warns of; not of what the environment may give.
func TestValidate_WarnsOfModelsThatCannotBeAsked(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(envEndpoint, "")
	for models, want := range map[string]string{
		"m: {endpoint: 'http://127.0.0.1:8089/v1'}": "warning: s.yaml:3:21: minds.models.m.model: is missing; give the name the server knows the model by",
		"m: {endpoint: '127.0.0.1:8089', model: x}": "minds.models.m.endpoint: is no URL; give one such as http://127.0.0.1:11434/v1",
		"m: {model: x}": "minds.models.m.endpoint: is missing; give the base URL",
		"m: {endpoint: 'http://127.0.0.1:8089/v1', model: x}": "",
	} {
		if err := os.WriteFile("s.yaml", []byte("name: x\npopulation: [{role: EXPLORER, mind: m}]\nminds: {models: {"+models+"}}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		r := must(t, in(t, "scenario", "validate", "s.yaml"))
		if !strings.Contains(r.err, want) || (r.err == "") != (want == "") {
			t.Errorf("of %s it says %q, want %q", models, r.err, want)
		}
		if j := must(t, in(t, "scenario", "validate", "s.yaml", "--json")); strings.Contains(j.out, `"wrong"`) != (want != "") {
			t.Errorf("of %s --json says %s", models, j.out)
		}
	}
	if r := must(t, in(t, "scenario", "validate", "epoch0-llm")); r.err != "" {
		t.Errorf("of a model that the environment gives it says %s", r.err)
	}
}
