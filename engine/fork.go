package engine

import (
	"errors"
	"fmt"
	"io"

	"kingdom/engine/journal"
	"kingdom/wire"
)

// Fork creates the journal of a new run, in directory to, from the journal of a run in directory from. The new
// journal has everything up to the end of cycle at: thoughts, answers from outside and inputs. [Start] with
// Options.Forked executes these cycles again, so that nothing is paid for twice. parent and fork identify the two
// runs, which must have the same physics and seed. The directory to must exist and contain no journal.
func Fork(from string, parent RunRow, to string, fork RunRow, at wire.Cycle) (err error) {
	want := fork
	want.Digest = parent.Digest // only the scenario digest may differ
	if err := sameRun(want, parent); err != nil {
		return err
	}
	had, err := journal.Segments(journalOf(to))
	switch {
	case err != nil:
		return err
	case len(had) > 0:
		return &MismatchError{What: "run directory " + to, Want: "new", Got: "one with a journal", Hint: "take another directory"}
	}
	r, err := journal.NewReader(journalOf(from), parent.digest())
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := journal.Open(journalOf(to), fork.digest(), 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	for {
		kind, body, err := r.Next()
		if errors.Is(err, io.EOF) {
			return fmt.Errorf("fork run: the journal of %s ends before the end of cycle %d; choose an earlier cycle, or restore the journal from a copy", from, at)
		}
		if err != nil {
			return err
		}
		if err := w.Put(kind, func(b []byte) []byte { return append(b, body...) }); err != nil {
			return err
		}
		if kind != recordCycle {
			continue
		}
		var rec record
		if err := rec.decode(kind, body); err != nil {
			return r.Corrupt(err.Error())
		}
		if rec.cycle.Cycle >= at {
			return w.Sync()
		}
	}
}
