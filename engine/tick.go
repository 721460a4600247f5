package engine

import (
	"context"
	"errors"

	"kingdom/wire"
)

// tick executes one tick: open, then view to act for all agents in parallel, the barrier, prepare, commit, publish. The
// record step is deferred until the agent's next slot. If tick fails before the commit, the world is unchanged.
func (e *Engine) tick(ctx context.Context, t wire.Tick) error {
	e.now = t
	sc := &e.seats
	if err := e.openTick(ctx, t); err != nil {
		return err
	}
	sc.setOrder(&e.clock, e.realm.Order, e.agents, t)
	if err := e.agents.do(sc.live, job{ctx: ctx, phase: "slot", do: e.slot, waits: !e.thinker.recomputable, cycle: e.open, tick: t}); err != nil {
		return err
	}
	sc.collect()
	if err := e.prepare.run(ctx, sc, e.open, t); err != nil {
		return e.prepareError(sc, t, err)
	}
	if err := e.commit(ctx, sc, t); err != nil {
		return err
	}
	if err := e.frames.tick(sc, e.events); err != nil {
		return err
	}
	e.calls = sc.calls(e.calls, e.open, t)
	e.wakes.wakeMentioned(sc)
	r := sc.fingerprint(t, e.journal.thoughts, e.realm.Chain())
	r.Refused = e.inputs.refused()
	if !e.thinker.recomputable { // else the journal has no thoughts
		r.Unusable = sc.unusable()
	}
	if err := e.journal.tick(e.open, r, sc.live); err != nil {
		return err
	}
	events, err := e.handleEvents(ctx)
	if err != nil {
		return err
	}
	e.reporter.tick(e.open, t, sc, append(e.opening, events...), e.inputs.takeReports())
	e.agents.deferJob(sc.live, &job{ctx: context.WithoutCancel(ctx), phase: "record", do: e.recordReply, cycle: e.open, tick: t})
	return nil
}

// prepareError returns what to report of an error of the stage prepare. A request to the outside that the recorded run
// did not make usually follows from a decision of this tick: then the first agent that decided differently is named, as
// for any other request.
func (e *Engine) prepareError(sc *tickSeats, t wire.Tick, err error) error {
	if d, ok := errors.AsType[*DivergenceError](err); ok && d.Component == purposeFetch {
		if first := e.journal.compareSeats(e.open, sc.fingerprint(t, wire.Hash{}, wire.Hash{}), sc.live); first != nil {
			return first
		}
	}
	return err
}

// openTick opens tick t: it advances the clock and applies inputs.
func (e *Engine) openTick(ctx context.Context, t wire.Tick) error {
	e.clock.pass(t)
	e.control.runPending()
	e.realm.OpenTick(t)
	if err := e.inputs.applyAt(e.open, t); err != nil {
		return err
	}
	var err error
	if e.opening, err = e.handleEvents(ctx); err != nil {
		return err
	}
	return e.journal.openTick(t)
}

// recordReply is the record step of one agent, which gets the reply to its action. Texts of the reply that are only in
// the store are read first.
func (e *Engine) recordReply(s *seat, j *job) error {
	if err := e.contents.fill(j.ctx, s.reply.Missing); err != nil {
		return err
	}
	s.turn.Record(s.reply)
	if w := e.tracers.get(s); w != nil {
		w.Recorded(s.a, &s.reply)
	}
	return nil
}
