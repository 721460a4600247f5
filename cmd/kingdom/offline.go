package main

import (
	"maps"
	"slices"

	"kingdom/engine"
	"kingdom/llm/adversary"
	"kingdom/scenarios"
	"kingdom/wire"
)

// sponsorsFarm is the strategy whose newcomers work for their sponsor.
const sponsorsFarm = "sponsors-farm"

// offlineMind builds the mind that needs no model: the minds of the adversaries, and the scripted mind for all other
// agents.
func offlineMind(sc *scenarios.Scenario) engine.Mind {
	m, _ := buildPhases(sc, func(sc *scenarios.Scenario) (engine.Mind, error) { return offlinePhaseMind(sc).simplest(), nil })
	return m
}

// offlinePhaseMind builds the offline minds of one phase of a scenario.
func offlinePhaseMind(sc *scenarios.Scenario) minds {
	rest := scriptedMind(sc)
	m := minds{byAgent: adversaries(sc), newcomers: rest, named: map[string]engine.Mind{scenarios.MindScripted: rest}, scripted: rest, initial: sc.Agents(), offline: true}
	if farm := farmers(sc); len(farm) > 0 {
		m.farm = adversary.NewNewcomers(farm)
	}
	return m
}

// adversaries returns the minds of the agents that play against the rules.
func adversaries(sc *scenarios.Scenario) map[wire.AgentID]engine.Mind {
	out := map[wire.AgentID]engine.Mind{}
	index := uint64(1) // spawn index of the group's first agent
	for i, coalition := range sc.Coalitions() {
		g := &sc.Population[i]
		if g.Adversary != "" {
			m, err := adversary.New(g.Adversary, agentIDsOf(sc, coalition))
			if err != nil {
				panic(err) // the scenario was checked when it was read
			}
			for n := range g.Count {
				out[agentID(sc, index+n)] = m
			}
		}
		index += g.Count
	}
	return out
}

// strategists returns the ids of the agents that play against the rules.
func strategists(sc *scenarios.Scenario) []wire.AgentID {
	return slices.SortedFunc(maps.Keys(adversaries(sc)), wire.AgentID.Compare)
}

// farmers returns the ids of the agents with the strategy sponsors-farm.
func farmers(sc *scenarios.Scenario) []wire.AgentID {
	var out []wire.AgentID
	index := uint64(1)
	for i := range sc.Population {
		g := &sc.Population[i]
		if g.Adversary == sponsorsFarm {
			for n := range g.Count {
				out = append(out, agentID(sc, index+n))
			}
		}
		index += g.Count
	}
	return out
}

func agentIDsOf(sc *scenarios.Scenario, spawned []uint64) []wire.AgentID {
	out := make([]wire.AgentID, len(spawned))
	for i, n := range spawned {
		out[i] = agentID(sc, n)
	}
	return out
}

// weigherOf returns the mind that scores an agent's offers; nil for an adversary,
// which does not look at offers.
func weigherOf(sc *scenarios.Scenario, id wire.AgentID) weigher {
	if adversaries(sc)[id] != nil {
		return nil
	}
	m := scriptedMind(sc)
	if p, ok := m.(realTimeMind); ok {
		m = p.Mind
	}
	w, _ := m.(weigher)
	return w
}
