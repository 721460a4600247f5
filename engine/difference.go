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

// Difference finds where two runs begin to differ, in the cycles that both have: the first input from outside that
// only one of them had, the first agent that thought or sent something else in a tick, or the part of the world that
// differs at the end of a cycle. Want is the value of the first run, Got that of the second. The result is nil if all
// common cycles are equal. One cycle of the second run is executed again; nothing is written.
func Difference(ctx context.Context, a, b *Recorded) (*DivergenceError, error) {
	found, err := differentCycle(ctx, a.Store, b.Store)
	if err != nil || found == nil || found.Cycle == 0 {
		return found, err
	}
	first, err := openHistory(journalOf(a.Dir), a.digest())
	if err != nil {
		return nil, fmt.Errorf("find difference: %w", err)
	}
	defer first.close()
	if _, err := first.skipCycle(found.Cycle - 1); err != nil {
		return nil, fmt.Errorf("find difference: %w", err)
	}
	e, err := OpenAt(ctx, b.Config, Options{Dir: b.Dir, Store: b.Store, Mind: b.Mind, Warn: b.Warn}, found.Cycle-1)
	if err != nil {
		return nil, err
	}
	e.journal.other, e.check = &otherRun{history: first}, nil
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
	first, second := &cycleReader{db: a}, &cycleReader{db: b}
	for {
		for _, rows := range []*cycleReader{first, second} {
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
