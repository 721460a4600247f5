//go:build !race

package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/internal/fakellm"
)

// An operator chooses name, mind and persona of newcomers. They are part of the newcomers' state, so a resumed run knows them.
func TestNewcomers_NameMindPersona(t *testing.T) {
	server := &fakellm.Server{}
	withServer(t, server)
	t.Chdir(t.TempDir())
	const scenario = `name: guests
seed: 5
cycles: 3
time: {base_budget: 4}
spawn: {cap: 12}
population:
  - {role: LIBRARIAN, count: 3}
minds: {models: {m: {endpoint: ENDPOINT, model: fake}}}
inputs:
  - {cycle: 1, do: spawn, role: EXPLORER, name: zoe, mind: m, persona: You doubt what you read.}
  - {cycle: 1, do: spawn, name: twins, count: 2, mind: scripted}
`
	if err := os.WriteFile("guests.yaml", []byte(strings.ReplaceAll(scenario, "ENDPOINT", os.Getenv(envEndpoint))), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, in(t, "run", "guests.yaml", "--out", "r"))
	first := server.Counts().Requests
	must(t, in(t, "resume", "r", "--cycles", "4"))
	if n := server.Counts().Requests; first == 0 || n <= first || n > 8 {
		t.Errorf("the server saw %d requests of one newcomer with 4 slots in two cycles, %d before the run went on", n, first)
	}
	for _, r := range server.Requests() {
		if !bytes.Contains(r.Body, []byte("Persona: You doubt what you read.")) {
			t.Errorf("a prompt without the persona: %s", r.Body)
		}
	}
	must(t, in(t, "replay", "r"))
	for args, want := range map[string]string{
		"inspect|r":                                    "zoe      ",
		"inspect|r|--agent|twins":                      "goals of twins-2",
		"inspect|r|--agent|zoe":                        "4    zoe   ",
		"tail|r|--think|--agent|zoe":                   " zoe ",
		"explain|r|--agent|twins-1":                    "cycle 4 tick ",
		"interview|r|--agent|zoe|--ask|Why?|--cycle|4": "zoe, agent 4",
		"society|r|--by|group":                         "twins      2",
		"society|r|--by|mind":                          "m         1",
		"prompt|guests.yaml|--agent|4|--cycle|3":       "Persona: You doubt what you read.",
		"scenario|show|guests.yaml":                    "name: zoe",
	} {
		if r := must(t, in(t, strings.Split(args, "|")...)); !strings.Contains(r.out, want) {
			t.Errorf("%s lacks %q:\n%s", args, want, r.out)
		}
	}
	if r := must(t, in(t, "run", "guests.yaml", "--estimate", "--json")); !strings.Contains(r.out, `"model":"m"`) {
		t.Errorf("the estimate knows no call of the newcomer: %s", r.out)
	}
	says(t, "inspect|r|--agent|zoo", exitInput, "did you mean zoe?")
}

// A mind that an input gives counts whether or not it gives a name, and who has neither is thought for like all newcomers.
func TestNewcomers_GroupedByMind(t *testing.T) {
	withServer(t, &fakellm.Server{})
	t.Chdir(t.TempDir())
	const scenario = `name: guests
cycles: 2
time: {base_budget: 2}
spawn: {cap: 12}
population:
  - {role: LIBRARIAN, count: 3}
minds: {models: {m: {endpoint: ENDPOINT, model: fake}}}
inputs:
  - {cycle: 1, do: spawn, mind: m, count: 2}
  - {cycle: 1, do: spawn, mind: scripted, name: zoe}
  - {cycle: 1, do: spawn}
`
	if err := os.WriteFile("guests.yaml", []byte(strings.ReplaceAll(scenario, "ENDPOINT", os.Getenv(envEndpoint))), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, in(t, "run", "guests.yaml", "--out", "r"))
	var out groupedJSON
	decode(t, must(t, in(t, "society", "r", "--by", "mind", "--json")).out, &out)
	groups := map[string]float64{}
	for _, f := range out.Figures {
		groups[f.Group] = f.Agents
	}
	if d := cmp.Diff(map[string]float64{"scripted": 5, "m": 2}, groups); d != "" {
		t.Errorf("minds (-want +got):\n%s", d)
	}
}
