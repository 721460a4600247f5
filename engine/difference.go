package engine

import (
	"context"
	"errors"
	"fmt"

	"kingdom/wire"
)

// Recorded is a run as it was recorded.
type Recorded struct {
	Config Config
	Dir    string
	Store  Store
	Mind   Mind // for [At]
	Warn   func(msg string)
}

// Difference finds where two runs begin to differ, in the cycles that both have: the first agent
// that thought or sent something else in a tick, or what else differs first. Want is what the
// first run says, got what the second does. It is nil if all those cycles are the same. One cycle
// of the second run is executed again; nothing is written.
func Difference(ctx context.Context, a, b *Recorded) (*DivergenceError, error) {
	found, err := differentCycle(ctx, a.Store, b.Store)
	if err != nil || found == nil || found.Cycle == 0 {
		return found, err
	}
	rival, err := openHistory(journalOf(a.Dir), a.digest())
	if err != nil {
		return nil, fmt.Errorf("find difference: %w", err)
	}
	defer rival.close()
	if _, err := rival.skip(found.Cycle - 1); err != nil {
		return nil, fmt.Errorf("find difference: %w", err)
	}
	e, err := At(ctx, b.Config, Options{Dir: b.Dir, Store: b.Store, Mind: b.Mind, Warn: b.Warn}, found.Cycle-1)
	if err != nil {
		return nil, err
	}
	e.journal.rival, e.check = rival, nil
	err = errors.Join(e.runCycle(ctx), e.Close())
	var d *DivergenceError
	switch {
	case errors.As(err, &d):
		return d, nil
	case err != nil:
		return nil, fmt.Errorf("find difference: %w", err)
	}
	return found, nil
}

func (r *Recorded) digest() wire.Hash {
	run := r.Config.Identity()
	return run.digest()
}

// differentCycle compares the cycles of two stores; nil if those that both have are the same.
func differentCycle(ctx context.Context, a, b Store) (*DivergenceError, error) {
	first, second := &stored{db: a}, &stored{db: b}
	for {
		for _, rows := range []*stored{first, second} {
			if more, err := rows.more(ctx); err != nil || !more {
				return nil, err
			}
		}
		want, err := first.next(ctx)
		if err != nil {
			return nil, err
		}
		got, err := second.next(ctx)
		if err != nil {
			return nil, err
		}
		var d *DivergenceError
		if err := compareCycle(*want, *got); errors.As(err, &d) {
			return d, nil
		} else if err != nil {
			return nil, err
		}
	}
}

// compareRival compares a tick with the one that another run has in its place.
func (j *runJournal) compareRival(c wire.Cycle, got *tickRecord, live []*seat) error {
	if j.rival == nil {
		return nil
	}
	for !j.rival.over() && j.rival.front.kind != recordTick && j.rival.front.kind != recordCycle {
		if err := j.rival.advance(); err != nil {
			return err
		}
	}
	want, ok, err := j.rival.takeTick(got.Tick)
	switch {
	case err != nil:
		return err
	case !ok:
		return &DivergenceError{Cycle: c, Tick: got.Tick, Component: "stepped tick", Want: fmt.Sprint(j.rival.front.at()), Got: fmt.Sprint(got.Tick)}
	}
	want.Thoughts = got.Thoughts // of all that went before: the seats say which thought differs
	return compareTick(c, &want, got, live)
}
