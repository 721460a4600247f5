package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// try runs a command.
func try(t *testing.T, args ...string) (out, errw string, code int) {
	t.Helper()
	r := in(t, args...)
	return r.out, r.err, r.code
}

// The rehearsal shows what a run of the same scenario would ask, the templates and personas of
// the scenario in it, and a run whose templates were changed is refused.
func TestPrompt_TemplatesAndPersonas(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "own.yaml")
	for name, text := range map[string]string{
		"own.yaml": "name: own\nseed: 7\ncycles: 1\npopulation:\n- {role: EXPLORER}\n- {role: LIBRARIAN, count: 2, persona: \"You doubt what has no source.\"}\n- {role: EXPLORER}\nprompts: {state: now.tmpl}\n",
		"now.tmpl": "It is tick {{.State.Tick}}.\n{{range .State.Bounties}}{{.Ref}} pays {{.Reward}}\n{{end}}",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for agent, persona := range map[string]bool{"1": false, "2": true, "3": true, "4": false} {
		out, _, code := try(t, "prompt", file, "--agent", agent)
		if code != 0 || strings.Contains(out, "Persona: You doubt what has no source.") != persona {
			t.Errorf("agent %s, code %d:\n%s", agent, code, out)
		}
		if !strings.Contains(out, "## CURRENT STATE\nIt is tick 256.\nb") {
			t.Errorf("agent %s does not see the scenario's wording:\n%s", agent, out)
		}
	}

	run := filepath.Join(dir, "run")
	if _, errw, code := try(t, "run", file, "--out", run); code != 0 {
		t.Fatal(errw)
	}
	var rf struct {
		Prompts string `json:"prompts_digest"`
	}
	b, err := os.ReadFile(filepath.Join(run, "run.json"))
	if err == nil {
		err = json.Unmarshal(b, &rf)
	}
	if err != nil || len(rf.Prompts) != 64 {
		t.Errorf("run.json has the digest %q, %v", rf.Prompts, err)
	}
	if err := os.Remove(filepath.Join(dir, "now.tmpl")); err != nil { // the run has its own
		t.Fatal(err)
	}
	if _, errw, code := try(t, "replay", run); code != 0 {
		t.Errorf("replay: %s", errw)
	}
	scenario := filepath.Join(run, "scenario.yaml")
	if b, err = os.ReadFile(scenario); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(scenario, []byte(strings.Replace(string(b), "It is tick", "The tick is", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"replay", "resume"} {
		if _, errw, code := try(t, command, run); code != 2 || !strings.Contains(errw, "was changed") {
			t.Errorf("%s with a changed template: code %d, %s", command, code, errw)
		}
	}
}

func TestPrompt_Views(t *testing.T) {
	out, _, code := try(t, "prompt", "epoch0", "--agent", "6", "--section", "identity")
	if code != 0 || !strings.HasPrefix(out, "## YOUR IDENTITY\nYou are agent ") || strings.Contains(out, "YOUR MEMORY") {
		t.Errorf("code %d:\n%s", code, out)
	}
	out, _, _ = try(t, "prompt", "epoch0", "--agent", "6", "--json")
	var p shownPrompt
	if err := json.Unmarshal([]byte(out), &p); err != nil || len(p.Messages) != 2 || len(p.Sections) != 8 || p.Agent != 6 || p.Role != "EXPLORER" {
		t.Errorf("%v: %.200s", err, out)
	}
	sum := 0
	for _, s := range p.Sections {
		sum += s.Bytes
	}
	if sum != len(p.Messages[0].Content)+len(p.Messages[1].Content) {
		t.Errorf("the sections have %d bytes, the messages %d", sum, len(p.Messages[0].Content)+len(p.Messages[1].Content))
	}
	if out, _, _ = try(t, "prompt", "epoch0", "--tokens"); !strings.Contains(out, "affordances") || !strings.Contains(out, "all") {
		t.Error(out)
	}
	for _, bad := range [][]string{{"--agent", "9"}, {"--agent", "nobody"}, {"--section", "laws"}} {
		if _, errw, code := try(t, append([]string{"prompt", "epoch0"}, bad...)...); code != 2 || !strings.Contains(errw, "want ") {
			t.Errorf("%v: code %d, %s", bad, code, errw)
		}
	}
	if out, _, code = try(t, "prompt", "fields"); code != 0 || !strings.Contains(out, ".Memory.Goals[].Priority") {
		t.Errorf("code %d:\n%s", code, out)
	}
}

// A prompt of a later cycle than the one that was asked for is told as such, whatever is shown of it.
func TestPrompt_TellsOfALaterCycle(t *testing.T) {
	t.Chdir(t.TempDir())
	const scenario = "name: late\nseed: 3\ncycles: 9\npopulation:\n  - {role: LIBRARIAN, count: 4, name: clerk}\ninputs:\n  - {cycle: 2, do: spawn, role: EXPLORER}\n"
	if err := os.WriteFile("late.yaml", []byte(scenario), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, view := range [][]string{nil, {"--section", "state"}, {"--tokens"}, {"--json"}} {
		r := must(t, in(t, append([]string{"prompt", "late.yaml", "--agent", "5"}, view...)...))
		if !strings.Contains(r.err, "kingdom: agent 5 (") || !strings.Contains(r.err, ") does not think in cycle 1; this is its first thought after it, in cycle 4\n") {
			t.Errorf("%v: standard error has %q", view, r.err)
		}
		if r := must(t, in(t, append([]string{"prompt", "late.yaml", "--agent", "5", "--cycle", "4"}, view...)...)); r.err != "" {
			t.Errorf("%v: in a cycle with a thought standard error has %q", view, r.err)
		}
	}
}

// A message about an agent without a thought names only cycles that the scenario has.
func TestPrompt_NoThought(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("dead.yaml", []byte("name: dead\ncycles: 12\npopulation: [{role: EXPLORER, count: 4}]\ninputs: [{cycle: 2, do: kill, agent: 3}]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	says(t, "prompt|dead.yaml|--agent|3|--cycle|7", exitInput, "agent 3 has no thought in the cycles 7 to 12: it sleeps, or is dead")
	says(t, "prompt|dead.yaml|--agent|3|--cycle|12", exitInput, "agent 3 has no thought in cycle 12, the last one: it sleeps, or is dead")
	says(t, "prompt|dead.yaml|--agent|3|--cycle|7|--set|cycles=40", exitInput, "agent 3 has no thought in the cycles 7 to 23: ")
}

// A template that fails with what an agent knows is not replaced without a word.
func TestPrompt_TellsOfAFailingTemplate(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("f.tmpl", []byte("{{if gt (len .Memory.Goals) 2}}{{index .Memory.Goals 9}}{{end}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	says(t, "prompt|epoch0|--section|memory|--set|prompts.memory=f.tmpl", exitOK, "kingdom: the template prompts.memory failed, so the prompt has the built-in section instead: line 1: ")
}

// An agent that an input of the scenario spawns can be looked at like any other.
func TestPrompt_OfNewcomer(t *testing.T) {
	file := filepath.Join(t.TempDir(), "grows.yaml")
	if err := os.WriteFile(file, []byte("name: grows\nseed: 3\ncycles: 6\npopulation:\n  - {role: LIBRARIAN, count: 4}\ninputs:\n  - {cycle: 2, do: spawn, role: EXPLORER, count: 2}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := must(t, in(t, "prompt", file, "--agent", "6", "--cycle", "5", "--json"))
	var p shownPrompt
	if err := json.Unmarshal([]byte(r.out), &p); err != nil || p.Agent != 6 || p.Role != "EXPLORER" || p.Cycle < 5 {
		t.Errorf("%v: %.200s", err, r.out)
	}
	says(t, "prompt|"+file+"|--agent|7", exitInput, "has no agent 7; want a number from 1 to 6")
}
