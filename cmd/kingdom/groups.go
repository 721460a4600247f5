package main

import (
	"slices"
	"strconv"
	"strings"

	"kingdom/scenarios"
	"kingdom/society"
	"kingdom/wire"
)

// Ways to group the agents of a run.
const (
	byGroup = "group"
	byRole  = "role"
	byMind  = "mind"
)

// newcomersGroup is the group of the agents that were spawned later.
const newcomersGroup = "newcomers"

// agentGroup is some of the agents of a run.
type agentGroup struct {
	name    string
	members []int // indexes in Agents of society.Run
}

// groupAgents divides the agents of a run by the items of population, by role, or by what thinks for them at the beginning. A
// group without agents is left out.
//
// Agents that were spawned later form groups by the names of the inputs that spawned them; named has their own names.
func groupAgents(sc *scenarios.Scenario, by string, agents []society.Agent, named map[wire.AgentID]string) (out []agentGroup) {
	var names []string // of the initial population
	items, minds, spawned := itemNames(sc), mindNames(sc), namingInputs(sc)
	for i := range sc.Population {
		name := items[i]
		if by == byMind {
			name = minds[i]
		}
		names = append(names, slices.Repeat([]string{name}, int(sc.Population[i].Count))...)
	}
	for i := range agents {
		var name string
		switch from := spawned[named[agents[i].ID]]; {
		case by == byRole:
			name = agents[i].Role.String()
		case i < len(names):
			name = names[i]
		case by == byMind:
			name = minds[len(sc.Population)]
			if from != nil && from.Mind != "" {
				name = from.Mind
			}
		case from != nil:
			name = from.Name
		default:
			name = newcomersGroup
		}
		at := slices.IndexFunc(out, func(g agentGroup) bool { return g.name == name })
		if at < 0 {
			at = len(out)
			out = append(out, agentGroup{name: name})
		}
		out[at].members = append(out[at].members, i)
	}
	return out
}

// namingInputs returns the inputs that give names to the agents that they spawn, by each of these names.
func namingInputs(sc *scenarios.Scenario) map[string]*scenarios.Input {
	out := map[string]*scenarios.Input{}
	for i := range sc.Inputs {
		in := &sc.Inputs[i]
		for n := uint64(0); in.Name != "" && n < in.Count; n++ {
			out[in.NameOf(n+1)] = in
		}
	}
	return out
}

// itemNames returns a name for each item of population: its own, else its role, with a number if several items without a name
// have that role.
func itemNames(sc *scenarios.Scenario) []string {
	unnamed := map[string]int{}
	for i := range sc.Population {
		if g := &sc.Population[i]; g.Name == "" {
			unnamed[g.Role.String()]++
		}
	}
	before := map[string]int{}
	out := make([]string, len(sc.Population))
	for i := range sc.Population {
		g := &sc.Population[i]
		role := g.Role.String()
		switch {
		case g.Name != "":
			out[i] = g.Name
		case unnamed[role] == 1:
			out[i] = role
		default:
			before[role]++
			out[i] = role + "-" + strconv.Itoa(before[role])
		}
	}
	return out
}

// mindNames returns what thinks for each item of population, and last for newcomers: scripted, the strategy of an adversary, or
// the names of models.
func mindNames(sc *scenarios.Scenario) (out []string) {
	for i, models := range sc.AllModels() {
		var names []string
		for _, tier := range models {
			for _, name := range tier {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
		name := strings.Join(names, "+")
		if name == "" {
			name = scenarios.MindScripted
		}
		if i < len(sc.Population) && sc.Population[i].Adversary != "" {
			name = sc.Population[i].Adversary
		}
		out = append(out, name)
	}
	return out
}
