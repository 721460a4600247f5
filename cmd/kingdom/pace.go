package main

import (
	"context"
	"time"

	"kingdom/engine"
	"kingdom/llm"
	"kingdom/wire"
)

// paced makes a scripted mind take the time it says it took, so that a run can be
// watched. Nothing but the wall clock differs.
type paced struct{ engine.Mind }

// Think waits for the latency of the thought, or for the end of the context.
func (m paced) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	th, err := m.Mind.Think(ctx, p)
	if err != nil {
		return th, err
	}
	timer := time.NewTimer(time.Duration(th.LatencyMS) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return th, nil
	case <-ctx.Done():
		return th, ctx.Err()
	}
}

// Recomputable says what the mind within says.
func (m paced) Recomputable(c wire.Cycle) bool {
	r, ok := m.Mind.(engine.Recomputer)
	return ok && r.Recomputable(c)
}
