package engine

import (
	"context"
	"errors"
	"fmt"

	"kingdom/agent"
	"kingdom/llm"
	"kingdom/ooda"
	"kingdom/wire"
)

// Tracer is told what an agent does in its slots while a recorded cycle is executed again. Its methods are called one
// after the other by the worker that runs the agent. Their arguments are read-only and valid only during the call.
type Tracer interface {
	// Asked is called after the turn has made its prompt, which is nil if no thought is needed.
	Asked(t *ooda.Turn, p *llm.Prompt)
	// Thought is called after each answer of the mind, with the record of how it was used.
	Thought(th llm.Thought, r *ooda.ThinkRecord)
	// Acted is called when the turn has chosen what to send.
	Acted(s *ooda.Step)
	// Recorded is called after the agent has processed the reply to its action.
	Recorded(a *agent.Agent, reply *wire.Reply)
}

// Explain executes a stored cycle of a run again, from the nearest snapshot, and reports the slots of one agent to w. It
// fails with a [*DivergenceError] if the cycle does not agree with its stored hashes. It writes nothing. A mind is
// asked only for thoughts that can be recomputed.
func Explain(ctx context.Context, cfg Config, opt Options, id wire.AgentID, cycle wire.Cycle, w Tracer) error {
	if cycle == 0 {
		return errors.New("explain cycle 0: it is the bootstrap, in which no agent acts")
	}
	e, err := OpenAt(ctx, cfg, opt, cycle-1)
	if err != nil {
		return err
	}
	only := func(s *seat) Tracer {
		if s.id != id {
			return nil
		}
		return w
	}
	return errors.Join(explain(ctx, e, only, cycle), e.Close())
}

func explain(ctx context.Context, e *Engine, l tracerFunc, cycle wire.Cycle) error {
	rows, err := e.db.Cycles(ctx, cycle, cycle)
	if err != nil {
		return fmt.Errorf("explain cycle %d: %w", cycle, err)
	}
	if len(rows) == 0 {
		return fmt.Errorf("explain cycle %d: it is not in the store yet; kingdom inspect says how far the run is", cycle)
	}
	e.check = func(got CycleRow) error { return compareCycle(rows[0], got) }
	e.tracers = l
	return e.runCycle(ctx)
}

// tracerFunc returns the tracer of a seat, or nil. A nil tracerFunc traces no seat.
type tracerFunc func(s *seat) Tracer

// get returns the tracer of a seat, nil if there is none.
func (l tracerFunc) get(s *seat) Tracer {
	if l == nil {
		return nil
	}
	return l(s)
}
