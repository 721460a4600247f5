package engine

import (
	"context"
	"errors"
	"fmt"

	"kingdom/wire"
)

// Recorded is a recorded run: its configuration, directory and store.
type Recorded struct {
	Config Config
	Dir    string
	Store  Store
	Mind   Mind // for [OpenAt]
	Warn   func(msg string)
}

func (r *Recorded) digest() wire.Hash {
	run := r.Config.Identity()
	return run.digest()
}

func (r *Recorded) warn(format string, args ...any) {
	(&Options{Warn: r.Warn}).warn(fmt.Sprintf(format, args...))
}

// RunDifference is where two runs begin to differ.
type RunDifference struct {
	First *DivergenceError // Want is the value of the first run, Got that of the second

	// Foreign says for each run where this build differs from it: it was written by another build. It is nil if this build
	// repeats the run up to the difference, or if that was not tried.
	Foreign [2]*DivergenceError

	// Chose is what the agent that acts differently did in each run, as this build repeats it: an action, or why it sent none.
	// It is empty if that is not known.
	Chose [2]string
}

// Difference finds where two runs begin to differ, in the cycles that both have: the first input from outside that
// only one of them had, the first agent that thought or sent something else in a tick, or the part of the world that
// differs at the end of a cycle. The result is nil if all common cycles are equal. What both runs have recorded is read
// and compared. Then the cycle of the difference is executed again in both, to learn the name of the agent and whether
// this build repeats the runs. Nothing is written.
func Difference(ctx context.Context, a, b *Recorded) (*RunDifference, error) {
	w := &comparison{runs: [2]*Recorded{a, b}}
	defer w.close()
	d, at, err := w.find(ctx)
	if err != nil || d == nil {
		return nil, err
	}
	found := &RunDifference{First: d}
	acts := d // where an agent acts differently
	if d.Tick == 0 && d.After != nil && d.After.Act != nil {
		acts = d.After.Act
	}
	if d.Cycle == 0 && acts == d || acts.Component == "input" {
		return found, nil
	}
	return found, w.execute(ctx, found, acts, at)
}

// comparison reads two recorded runs beside each other.
type comparison struct {
	runs   [2]*Recorded
	trails [2]*trail // nil: the journals cannot be compared any further
}

func (w *comparison) close() {
	for _, t := range w.trails {
		t.close()
	}
}

// find returns the first difference of the records of the runs; at is the place of its seat as in [differingTick]. If it
// is one at the end of a cycle, its After says where an agent first acted differently.
func (w *comparison) find(ctx context.Context) (d *DivergenceError, at int, err error) {
	w.open()
	var rows [2]cycleReader
	for i, r := range w.runs {
		rows[i].db = r.Store
	}
	for c := wire.Cycle(0); ; c++ {
		for i := range rows {
			if more, err := rows[i].more(ctx); err != nil || !more {
				return d, -1, err
			}
		}
		act, at := w.ticks(c)
		switch {
		case act != nil && d != nil:
			d.After.Act = act
			return d, at, nil
		case act != nil:
			return act, at, nil
		}
		want, err := rows[0].next(ctx)
		if err != nil {
			return nil, -1, err
		}
		got, err := rows[1].next(ctx)
		if err != nil {
			return nil, -1, err
		}
		if err := w.checkRows(want, got); err != nil {
			return nil, -1, err
		}
		if d == nil {
			if err := compareCycle(*want, *got); err != nil && !errors.As(err, &d) {
				return nil, -1, err
			}
			if d != nil {
				d.After = &Aftermath{}
			}
		}
		if d != nil {
			if w.trails[0] == nil {
				if d.Cycle == c {
					d.After = nil
				}
				return d, -1, nil
			}
			d.After.Until = c
		}
	}
}

// open opens the journals of both runs.
func (w *comparison) open() {
	for i, r := range w.runs {
		var err error
		if w.trails[i], err = openTrail(r); err != nil {
			w.stop("the journal of %s could not be read (%v)", r.Dir, err)
			return
		}
	}
}

// stop ends the comparison of ticks, and says why.
func (w *comparison) stop(format string, args ...any) {
	w.close()
	w.trails = [2]*trail{}
	w.runs[0].warn(format+"; from there on only the cycles of the runs are compared, not what agents did in them", args...)
}

// ticks compares the ticks of a cycle, as far as both journals have them.
func (w *comparison) ticks(c wire.Cycle) (*DivergenceError, int) {
	a, b := w.trails[0], w.trails[1]
	if a == nil {
		return nil, -1
	}
	d, at, ok, err := compareTrails(c, a, b)
	switch {
	case err != nil:
		w.stop("%v", err)
	case !ok:
		which := w.runs[0]
		if !a.history.ended() {
			which = w.runs[1]
		}
		w.stop("the journal of %s ends before the end of cycle %d", which.Dir, c)
	}
	return d, at
}

// checkRows compares the rows of a cycle with what the journals have recorded of it, and moves behind these records. A run
// whose store was changed cannot be compared.
func (w *comparison) checkRows(rows ...*CycleRow) error {
	if w.trails[0] == nil {
		return nil
	}
	for i, t := range w.trails {
		rec := t.history.front.cycle
		if err := compareCycle(rec.row(), *rows[i]); err != nil {
			if d, ok := errors.AsType[*DivergenceError](err); ok {
				d.Run = w.runs[i].Dir
				return d.ofStore()
			}
			return err
		}
	}
	for _, t := range w.trails {
		if err := t.history.advance(); err != nil {
			w.stop("%v", err)
			break
		}
	}
	return nil
}

// execute executes the cycle of a difference again in both runs. acts is the difference itself, or what an agent did after
// it; at is the place of that agent.
func (w *comparison) execute(ctx context.Context, found *RunDifference, acts *DivergenceError, at int) error {
	var seen [2]*watchedTick
	for i, r := range w.runs {
		seen[i] = &watchedTick{tick: acts.Tick}
		foreign, err := r.executeUntil(ctx, acts.Cycle, seen[i])
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			r.warn("cycle %d of %s could not be executed again: %v", acts.Cycle, r.Dir, err)
		}
		found.Foreign[i] = foreign
	}
	acts.Agent = w.agentAt(seen, at)
	if acts.Agent.IsZero() {
		return nil
	}
	for i := range w.runs {
		if found.Foreign[i] == nil {
			found.Chose[i] = seen[i].choice(at)
		}
	}
	acts.Chose = found.Chose[1]
	return nil
}

// agentAt returns the agent at a place of the watched tick; zero if the runs do not have the same one there, since it is named
// for both. A run that could not be executed up to the tick does not say, but with the seed of the other it has its agents.
func (w *comparison) agentAt(seen [2]*watchedTick, at int) wire.AgentID {
	a, b := seen[0].agent(at), seen[1].agent(at)
	oneSeed := w.runs[0].Config.Rules.Seed == w.runs[1].Config.Rules.Seed
	switch {
	case a == b || b.IsZero() && oneSeed:
		return a
	case a.IsZero() && oneSeed:
		return b
	default:
		return wire.AgentID{}
	}
}

// executeUntil executes a cycle of a recorded run again up to a tick, or to its end if the cycle does not have the tick. It
// returns where this build differs from the run, nil if it does not.
func (r *Recorded) executeUntil(ctx context.Context, c wire.Cycle, seen *watchedTick) (foreign *DivergenceError, err error) {
	if c == 0 {
		return nil, nil
	}
	e, err := OpenAt(ctx, r.Config, Options{Dir: r.Dir, Store: r.Store, Mind: r.Mind, Warn: r.Warn}, c-1)
	if err == nil {
		e.journal.watched = seen
		err = e.cfg.withBuilds(e.dir, e.recoverPanics(func() error { return e.runCycle(ctx) }))
		err = errors.Join(err, e.Close())
	}
	switch {
	case errors.As(err, &foreign):
		return foreign, nil
	case errors.Is(err, errReached):
		return nil, nil
	}
	return nil, err
}
