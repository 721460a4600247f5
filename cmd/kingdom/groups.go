package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kingdom/agent"
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

// newcomersGroup is the group of the agents that were spawned later without a name.
const newcomersGroup = scenarios.NewcomersGroup

// agentGroup is some of the agents of a run.
type agentGroup struct {
	name    string
	members []int // indexes in Agents of society.Run
}

// groupAgents divides the agents of a run by the items of population, by role, or by what thinks for them at the beginning. A
// group without agents is left out.
//
// Agents that were spawned later form groups by the names of the inputs that spawned them, or by the minds that these gave
// them; named has their own names, and given the minds.
func groupAgents(sc *scenarios.Scenario, by string, agents []society.Agent, named, given map[wire.AgentID]string) (out []agentGroup) {
	var names []string // of the initial population
	items, spawned := itemNames(sc), namingInputs(sc)
	minds, newcomers := mindNames(sc)
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
			name = cmp.Or(given[agents[i].ID], newcomers)
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

// givenMinds reads the minds that inputs gave to the agents that they spawned; those without one are left out. An agent has
// its mind from its birth, whether or not it has a name.
func givenMinds(ctx context.Context, run *openedRun, agents []society.Agent) (map[wire.AgentID]string, error) {
	out := map[wire.AgentID]string{}
	if !slices.ContainsFunc(run.scenario.Inputs, func(in scenarios.Input) bool { return in.Mind != "" }) {
		return out, nil
	}
	for _, who := range agents[min(run.scenario.Agents(), uint64(len(agents))):] {
		rows, err := run.store.LoadAgent(ctx, who.ID)
		if err != nil {
			return nil, fmt.Errorf("read the mind of agent %s: %w", who.ID.Alias(), err)
		}
		birth, err := agent.BirthOf(rows.State)
		if err != nil {
			return nil, err
		}
		if birth.Mind != "" {
			out[who.ID] = birth.Mind
		}
	}
	return out, nil
}

// mindNames returns what thinks for each item of population: scripted, the strategy of an adversary, or the names of models;
// and what thinks for newcomers to whom no input gave a mind.
func mindNames(sc *scenarios.Scenario) (items []string, newcomers string) {
	for i := range sc.Population {
		g := &sc.Population[i]
		items = append(items, cmp.Or(g.Adversary, modelNames(sc.ModelsOf(g))))
	}
	return items, modelNames(sc.Minds.Tiers.All())
}

// modelNames joins the names of models, each once; the mind is scripted if there are none.
func modelNames(models scenarios.TierModels) string {
	var names []string
	for _, tier := range models {
		for _, name := range tier {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return cmp.Or(strings.Join(names, "+"), scenarios.MindScripted)
}
