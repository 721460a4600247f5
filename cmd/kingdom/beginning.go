package main

import (
	"kingdom/engine"
	"kingdom/goals"
	"kingdom/memory"
	"kingdom/scenarios"
	"kingdom/wire"
	"kingdom/world"
)

// beginnings returns the knowledge, goals and relations with which the agents of the initial population start, in
// spawn order; nil if no agent has any.
func beginnings(sc *scenarios.Scenario, rules *world.Rules) []engine.Beginning {
	var out []engine.Beginning
	number := uint64(0) // in spawn order, from 1
	for i := range sc.Population {
		g := &sc.Population[i]
		common := engine.Beginning{Facts: facts(g)}
		for k := range g.Goals {
			common.Goals = append(common.Goals, givenGoal(&g.Goals[k], rules))
		}
		trusted := sc.Trusted(g)
		for range g.Count {
			number++
			one := common
			for _, r := range trusted {
				if other := sc.AgentsNamed(r.Agent)[0]; other != number {
					one.Relations = append(one.Relations, engine.Relation{
						Peer: wire.AgentIDAt(rules.Seed, other), Successes: uint32(r.Successes()), Interactions: uint32(r.Interactions),
					})
				}
			}
			if len(g.Knowledge) > 0 || len(g.Goals) > 0 || len(one.Relations) > 0 {
				for uint64(len(out)) < number-1 {
					out = append(out, engine.Beginning{})
				}
				out = append(out, one)
			}
		}
	}
	return out
}

func facts(g *scenarios.Group) []engine.Fact {
	var out []engine.Fact
	for i := range g.Knowledge {
		k := &g.Knowledge[i]
		out = append(out, engine.Fact{
			Label: k.Label, Content: k.Content, Source: memory.KnowledgeSource(k.Source), Confidence: k.Confidence, RelatesTo: k.RelatesTo,
		})
	}
	return out
}

// givenGoal converts a goal of a scenario; its agent and creation tick are not set.
func givenGoal(g *scenarios.StartGoal, rules *world.Rules) goals.Goal {
	out := goals.Goal{Layer: goals.Layer(g.Layer), Source: goals.SourceSocial, Description: g.Description()}
	if g.Deadline != 0 {
		end := rules.Calendar.First(wire.Cycle(g.Deadline))
		out.Deadline = &end
	}
	return out
}
