package main

import (
	"context"
	"time"

	"kingdom/engine"
	"kingdom/llm"
	"kingdom/scenarios"
	"kingdom/wire"
)

// phases is the mind of a scenario with changes: each phase has a mind that thinks from its first cycle until the next
// phase begins.
type phases []phase

type phase struct {
	from wire.Cycle
	mind engine.Mind
}

// buildPhases calls build for each phase of a scenario and returns the mind of all phases.
func buildPhases(sc *scenarios.Scenario, build func(*scenarios.Scenario) (engine.Mind, error)) (engine.Mind, error) {
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

// changes returns the settings of thinking that later phases of a scenario change.
func changes(sc *scenarios.Scenario) []engine.Change {
	var out []engine.Change
	for _, ph := range sc.Phases()[1:] {
		out = append(out, engine.Change{
			From: wire.Cycle(ph.From), Blind: llm.LayersOf(ph.Scenario.Minds.Blind), Templates: ph.Scenario.Templates(), Personas: personas(ph.Scenario),
		})
	}
	return out
}

// mindAt returns the mind of a cycle.
func (p phases) mindAt(c wire.Cycle) engine.Mind {
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
	m, ok := p.mindAt(c).(engine.Recomputer)
	return ok && m.Recomputable(c)
}

// Think implements engine.Mind.
func (p phases) Think(ctx context.Context, prompt *llm.Prompt) (llm.Thought, error) {
	return p.mindAt(prompt.Cycle).Think(ctx, prompt)
}

// ThinkWithin implements engine.SelfTimedMind.
func (p phases) ThinkWithin(ctx context.Context, prompt *llm.Prompt, rest time.Duration) (llm.Thought, time.Duration, error) {
	return thinkWithin(ctx, p.mindAt(prompt.Cycle), prompt, rest)
}
