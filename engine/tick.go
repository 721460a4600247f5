package engine

import (
	"context"

	"kingdom/wire"
)

// tick steps one tick: open, then view to act in every agent's goroutine, the
// barrier, commit, record, publish. If it fails before commit, nothing of it has
// happened to the world.
func (e *Engine) tick(ctx context.Context, t wire.Tick) error {
	e.now = t
	if err := e.boundary(t); err != nil {
		return err
	}
	if err := e.past.readThoughts(t, e.recorded); err != nil {
		return err
	}
	sc := &e.scope
	e.arrange(sc, t)
	j := job{ctx: ctx, phase: "slot", do: (*Engine).slot, cycle: e.open, tick: t}
	if err := e.all(sc.live, j); err != nil {
		return err
	}
	e.settle()
	if err := firstError(sc.live); err != nil {
		return err
	}
	e.commit(sc, t)
	e.heard(sc)
	if err := e.journalTick(sc, t); err != nil {
		return err
	}
	events := append(e.opening, e.absorb()...)
	e.publish(sc, t, events)
	if len(sc.live) > 0 {
		e.recording = true
		send(sc.live, &job{ctx: context.WithoutCancel(ctx), phase: "record", do: (*Engine).remember, done: e.recorder, cycle: e.open, tick: t})
	}
	clear(e.recorded)
	return nil
}

// journalTick compares the tick with its record, or records it.
func (e *Engine) journalTick(sc *scope, t wire.Tick) error {
	got := e.fingerprint(sc, t)
	want, ok, err := e.past.takeTick(t)
	if err != nil {
		return err
	}
	if ok {
		return compareTick(e.open, &want, &got, sc.live)
	}
	if !e.past.over() {
		return e.offBeat(t)
	}
	return e.record(recordTick, false, func(b []byte) []byte { return tickCodec.Append(b, &got) })
}
