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

// Explain executes the stored cycles from first to last of a run again, from the nearest snapshot, and reports the slots of
// each agent to the tracer that tracers returns for it, unless that is nil. It fails with a [*DivergenceError] if a cycle does
// not agree with its stored hashes. It writes nothing. A mind is asked only for thoughts that can be recomputed.
func Explain(ctx context.Context, cfg Config, opt Options, first, last wire.Cycle, tracers func(wire.AgentID) Tracer) error {
	if first == 0 {
		return errors.New("explain cycle 0: it is the bootstrap, in which no agent acts")
	}
	e, err := OpenAt(ctx, cfg, opt, first-1)
	if err != nil {
		return err
	}
	e.tracers = func(s *seat) Tracer { return tracers(s.id) }
	for c := first; c <= last && err == nil; c++ {
		err = explain(ctx, e, c)
	}
	return errors.Join(e.cfg.withBuilds(e.dir, err), e.Close())
}

// explain executes one stored cycle.
func explain(ctx context.Context, e *Engine, cycle wire.Cycle) error {
	rows, err := e.db.Cycles(ctx, cycle, cycle)
	if err != nil {
		return fmt.Errorf("explain cycle %d: %w", cycle, err)
	}
	if len(rows) == 0 {
		return fmt.Errorf("explain cycle %d: it is not in the store yet; kingdom inspect says how far the run is", cycle)
	}
	e.check = func(_ context.Context, got *CycleRow, recorded bool) error {
		return compareStored(&rows[0], got, recorded)
	}
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
