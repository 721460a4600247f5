package engine

import (
	"context"
	"time"

	"kingdom/llm"
	"kingdom/wire"
)

// Mind turns a prompt into a thought. Think is called from many goroutines at
// once, never twice at once for one agent. It must return soon after its context
// ends. A provider that does not answer is a Thought with that outcome; an error
// means that the mind itself is broken and stops the run.
//
// Unless the mind also is a Recomputer that says yes, every thought is journaled
// before it is used and never asked for again.
type Mind interface {
	Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error)
}

// Patient is a Mind that keeps the time of its thoughts itself, since it has to wait for
// leave before it may ask: behind limits that all agents share a thousand of them may wait
// for minutes, which is nobody's time-out. rest is what the slot has left for its thoughts
// ([SlotTimeout]); used is what the thought took of it, waiting for leave not counted.
type Patient interface {
	Mind
	ThinkWithin(ctx context.Context, p *llm.Prompt, rest time.Duration) (th llm.Thought, used time.Duration, err error)
}

// Recomputer is a Mind that may declare its thoughts of a cycle to be a pure function of
// the prompt; then replay and resume ask it again instead of reading a journal.
type Recomputer interface {
	Recomputable(cycle wire.Cycle) bool
}

func recomputable(m Mind, cycle wire.Cycle) bool {
	r, ok := m.(Recomputer)
	return ok && r.Recomputable(cycle)
}
