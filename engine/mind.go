package engine

import (
	"context"
	"time"

	"kingdom/llm"
	"kingdom/wire"
)

// Mind turns a prompt into a thought. Think is called from many goroutines at once, but never twice at once for one
// agent. It must return soon after its context ends. If a provider does not answer, Think returns a Thought with that
// outcome; an error means that the mind itself is broken, and stops the run.
//
// Every thought is journaled before it is used and never asked for again, unless the mind is a [Recomputer] that
// declares its thoughts recomputable.
type Mind interface {
	Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error)
}

// SelfTimedMind is a [Mind] that measures the time of its thoughts itself, because it may have to wait for a rate limit
// before it can ask. Among many agents this wait can take minutes and does not count as time of the thought. rest is
// the time that the slot has left for its thoughts ([SlotTimeout]); used is how much of it the thought took.
type SelfTimedMind interface {
	Mind
	ThinkWithin(ctx context.Context, p *llm.Prompt, rest time.Duration) (th llm.Thought, used time.Duration, err error)
}

// Recomputer is a [Mind] that may declare its thoughts in a cycle to be a pure function of the prompt. Replay and
// resume then ask it again instead of reading the journal.
type Recomputer interface {
	Recomputable(cycle wire.Cycle) bool
}

func recomputable(m Mind, cycle wire.Cycle) bool {
	r, ok := m.(Recomputer)
	return ok && r.Recomputable(cycle)
}
