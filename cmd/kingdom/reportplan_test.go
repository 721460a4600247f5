//go:build !race

package main

import (
	"html"
	"os"
	"strings"
	"testing"
)

// A page tells of the treatment: what the scenario is for, what it plans and when, and what a fork is a fork of.
func TestReport_TellsOfTheTreatment(t *testing.T) {
	const scenario = `name: treated
description: Who gets <money> and who sleeps.
cycles: 2
time: {base_budget: 8}
spawn: {cap: 5}
population:
  - {role: EXPLORER, name: anna}
  - {role: LIBRARIAN, count: 3}
inputs:
  - {cycle: 2, agent: 3, do: goal, text: 'read, "a lot"', predicate: entry_get >= 4}
  - {cycle: 1, agent: anna, do: grant, amount: 30}
  - {cycle: 1, do: param, param: mint.reward.review, value: 0}
  - {cycle: 2, do: spawn, traits: {collaboration: 0.9, risk_tolerance: {dist: uniform, max: 0.4}}}
`
	t.Chdir(t.TempDir())
	if err := os.WriteFile("treated.yaml", []byte(scenario), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, in(t, "run", "treated.yaml", "--out", "r"))
	must(t, in(t, "fork", "r", "--at", "1", "--out", "f", "--cycles", "2", "--set", "minds.blind=[peers]", "--input", "{cycle: 2, do: kill, agent: 4}"))
	const grant, kill, set = "{do: grant, agent: anna, amount: 30}", "{do: kill, agent: 4}", "set minds.blind=[peers]"
	const goal, spawn = `{do: goal, agent: 3, text: "read, \"a lot\"", predicate: "entry_get >= 4"}`, "{do: spawn, traits: {risk_tolerance: {dist: uniform, max: 0.4}, collaboration: 0.9}}"
	row := func(cycle, what string) string {
		return `<td class="n">` + cycle + `</td><td class="free"><code>` + what + "</code></td>"
	}
	for dir, wants := range map[string][]string{
		"r": {
			"<h1>treated</h1>\n<p class=\"soft\">Who gets <money> and who sleeps.</p>\n<p>", "<h2>What was planned</h2>", row("1", grant), row("1", "{do: param, param: mint.reward.review, value: 0}"), row("2", goal), row("2", spawn),
			"<title>cycle 1: " + grant + "; {do: param, param: mint.reward.review, value: 0}</title>", "<title>cycle 2: " + goal + "; " + spawn + "</title>",
		},
		"f": {
			"This run is a fork of <b>r</b>: up to the end of cycle 1 both are the same. Its scenario plans after that: in cycle 2 <code>" + set + "</code>;", row("2", set), row("2", kill),
			"<title>cycle 1: the last in common with r; " + grant + "; {do: param, param: mint.reward.review, value: 0}</title>",
		},
	} {
		page := html.UnescapeString(readPage(t, dir+"/report.html"))
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("the page of %s lacks %q", dir, want)
			}
		}
	}
	if page := readPage(t, "f/report.html"); strings.Index(page, "is a fork of") > strings.Index(page, "agents lived through") {
		t.Error("that it is a fork does not stand at the top")
	}
	if page := readPage(t, "r/report.html"); strings.Contains(page, "fork") {
		t.Error("a run that is no fork speaks of one")
	}
}
