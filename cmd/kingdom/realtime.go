package main

import (
	"context"
	"time"

	"kingdom/engine"
	"kingdom/llm"
	"kingdom/wire"
)

// realTimeMind waits for the latency of each thought of a scripted mind, so that a run can be watched. It changes no
// result.
type realTimeMind struct{ engine.Mind }

// Think waits for the latency of the thought, or for the end of the context.
func (m realTimeMind) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
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

// Recomputable returns what the wrapped mind returns.
func (m realTimeMind) Recomputable(c wire.Cycle) bool {
	r, ok := m.Mind.(engine.Recomputer)
	return ok && r.Recomputable(c)
}
