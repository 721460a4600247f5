package main

import (
	"context"
	"time"

	"kingdom/engine"
	"kingdom/llm"
	"kingdom/scenarios"
	"kingdom/wire"
)

// phases think as a scenario with changes says: each mind from its cycle on, until the next.
type phases []phase

type phase struct {
	from wire.Cycle
	mind engine.Mind
}

// byPhase builds the mind of a scenario from those of its phases.
func byPhase(sc *scenarios.Scenario, build func(*scenarios.Scenario) (engine.Mind, error)) (engine.Mind, error) {
	var all phases
	for _, ph := range sc.Phases() {
		m, err := build(ph.Scenario)
		if err != nil {
			return nil, err
		}
		all = append(all, phase{wire.Cycle(ph.From), m})
	}
	if len(all) == 1 {
		return all[0].mind, nil
	}
	return all, nil
}

// changes are what agents think with in the later phases of a scenario.
func changes(sc *scenarios.Scenario) []engine.Change {
	var out []engine.Change
	for _, ph := range sc.Phases()[1:] {
		out = append(out, engine.Change{
			From: wire.Cycle(ph.From), Blind: llm.LayersOf(ph.Scenario.Minds.Blind), Templates: ph.Scenario.Templates(), Personas: personas(ph.Scenario),
		})
	}
	return out
}

// asksModels says whether a model thinks for somebody in one phase of a scenario.
func asksModels(sc *scenarios.Scenario) bool {
	for i := range sc.Population {
		if names := sc.ModelsOf(&sc.Population[i]); len(names[0]) > 0 {
			return true
		}
	}
	return false
}

// at is the mind of a cycle.
func (p phases) at(c wire.Cycle) engine.Mind {
	now := p[0].mind
	for _, ph := range p[1:] {
		if ph.from <= c {
			now = ph.mind
		}
	}
	return now
}

// Recomputable implements engine.Recomputer.
func (p phases) Recomputable(c wire.Cycle) bool {
	m, ok := p.at(c).(engine.Recomputer)
	return ok && m.Recomputable(c)
}

// Think implements engine.Mind.
func (p phases) Think(ctx context.Context, prompt *llm.Prompt) (llm.Thought, error) {
	return p.at(prompt.Cycle).Think(ctx, prompt)
}

// ThinkWithin implements engine.SelfTimedMind.
func (p phases) ThinkWithin(ctx context.Context, prompt *llm.Prompt, rest time.Duration) (llm.Thought, time.Duration, error) {
	return thinkWithin(ctx, p.at(prompt.Cycle), prompt, rest)
}
