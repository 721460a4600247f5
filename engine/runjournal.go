package engine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"

	"kingdom/engine/journal"
	"kingdom/wire"
)

const journalDir = "journal"

func journalOf(runDir string) string { return filepath.Join(runDir, journalDir) }

// runJournal is the journal of a run. Records of ticks that the world has not reached yet are executed again and
// compared; new records are appended.
type runJournal struct {
	w        *journal.Writer              // nil: nothing is written
	history  *history                     // records after the world's present tick; nil: none
	watched  *watchedTick                 // at which the execution ends; nil: it goes on
	answers  map[thoughtKey]thoughtRecord // recorded for the open tick
	compared uint64                       // cycles that were compared with their record
	thoughts wire.Hash                    // running hash over all thoughts since genesis
}

// digest identifies the run in the headers of its journal and snapshots.
func (r *RunRow) digest() wire.Hash {
	return sha256Of("kingdom-journal", r.Digest[:], []byte(r.Seed), binary.BigEndian.AppendUint32(nil, r.Physics))
}

// openNew creates the journal of a new run.
func (j *runJournal) openNew(runDir string, run wire.Hash, warn func(string)) (err error) {
	dir := journalOf(runDir)
	last, err := journal.Check(dir, run, warn)
	if err != nil {
		return err
	}
	if last != 0 {
		return &MismatchError{What: "run directory " + runDir, Want: "new", Got: "one with a journal", Hint: "resume it, or take another directory"}
	}
	j.w, err = journal.Open(dir, run, 1)
	return err
}

// openForked opens the journal of a fork, which is executed again before anything is appended.
func (j *runJournal) openForked(runDir string, run wire.Hash, warn func(string)) error {
	dir := journalOf(runDir)
	if _, err := journal.Check(dir, run, func(string) {}); err != nil { // extend reports a torn record
		return err
	}
	var err error
	if j.history, err = openHistory(dir, run); err != nil {
		return err
	}
	return j.extend(runDir, run, warn)
}

// reopen checks a journal and opens history behind the cycle that the store holds. It changes nothing.
func (j *runJournal) reopen(runDir string, run wire.Hash, row *CycleRow) error {
	if _, err := journal.Check(journalOf(runDir), run, func(string) {}); err != nil { // extend reports a torn record
		return err
	}
	return j.openAfter(runDir, run, row)
}

// extend removes a torn record at the end of a journal and begins a new segment.
func (j *runJournal) extend(runDir string, run wire.Hash, warn func(string)) error {
	dir := journalOf(runDir)
	last, err := journal.RemoveTorn(dir, run, warn)
	if err != nil {
		return err
	}
	j.w, err = journal.Open(dir, run, last+1)
	return err
}

// openAfter opens history behind the record of a cycle, which must agree with row.
func (j *runJournal) openAfter(runDir string, run wire.Hash, row *CycleRow) (err error) {
	if j.history, err = openHistory(journalOf(runDir), run); err != nil {
		return err
	}
	rec, err := j.history.skipCycle(row.Cycle)
	if err != nil {
		return err
	}
	err = compareCycle(rec.row(), *row)
	if d, ok := errors.AsType[*DivergenceError](err); ok {
		return fmt.Errorf("store and journal disagree: %w", d.ofStore())
	}
	if err != nil {
		return err
	}
	j.thoughts = rec.Thoughts
	return nil
}

// openAll checks a journal and opens history at its beginning.
func (j *runJournal) openAll(runDir string, run wire.Hash, warn func(string)) (err error) {
	dir := journalOf(runDir)
	if _, err := journal.Check(dir, run, warn); err != nil {
		return err
	}
	j.history, err = openHistory(dir, run)
	return err
}

// openTick reads the thoughts that were recorded for tick t.
func (j *runJournal) openTick(t wire.Tick) error {
	clear(j.answers)
	return j.history.readThoughts(t, j.answers)
}

// put appends a record; with sync it returns when the record is on disk.
func (j *runJournal) put(kind recordKind, sync bool, body func([]byte) []byte) error {
	switch {
	case j.w == nil:
		return nil
	case sync:
		return j.w.PutSync(kind, body)
	}
	return j.w.Put(kind, body)
}

// thought records a thought before it is used. Several goroutines may call it at the same time.
func (j *runJournal) thought(r *thoughtRecord) error {
	return j.put(recordThought, true, func(b []byte) []byte { return thoughtCodec.Append(b, r) })
}

// input records an input before it takes effect.
func (j *runJournal) input(r *inputRecord) error {
	return j.put(recordInput, true, func(b []byte) []byte { return inputCodec.Append(b, r) })
}

// tick compares a tick with its record, or records it.
func (j *runJournal) tick(c wire.Cycle, got *tickRecord, live []*seat) error {
	j.thoughts = got.Thoughts
	j.watched.see(got.Tick, live)
	want, ok, err := j.history.takeTick(got.Tick)
	switch {
	case err != nil:
		return err
	case ok:
		if err := compareTick(c, &want, got, live); err != nil {
			return err
		}
		return j.watched.reached(got.Tick)
	case !j.history.ended():
		return j.tickMismatch(c, got.Tick)
	}
	return j.put(recordTick, false, func(b []byte) []byte { return tickCodec.Append(b, got) })
}

// compareSeats compares the seats of a tick that is not committed with their record, if that is the next one.
func (j *runJournal) compareSeats(c wire.Cycle, got *tickRecord, live []*seat) error {
	want, ok, err := j.history.takeTick(got.Tick)
	if err != nil || !ok {
		return err
	}
	want.Thoughts, want.Chain = got.Thoughts, got.Chain // not known before the commit
	return compareTick(c, &want, got, live)
}

// cycle compares a cycle with its record, or records it. recorded says that there was a record.
func (j *runJournal) cycle(row *CycleRow) (recorded bool, err error) {
	want, ok, err := j.history.takeCycle(row.Cycle)
	switch {
	case err != nil:
		return false, err
	case ok:
		j.compared++
		return true, compareCycle(want.row(), *row)
	case !j.history.ended():
		return false, j.tickMismatch(row.Cycle, row.Tick)
	}
	r := newCycleRecord(row, j.thoughts)
	return false, j.put(recordCycle, false, func(b []byte) []byte { return cycleCodec.Append(b, &r) })
}

// tickMismatch is the error of a run that executes another tick than the recorded one.
func (j *runJournal) tickMismatch(c wire.Cycle, t wire.Tick) error {
	return &DivergenceError{Cycle: c, Tick: t, Component: "stepped tick", Want: fmt.Sprint(j.history.front.tickOf()), Got: fmt.Sprint(t)}
}

// nextSegment makes the following record the first of a new segment.
func (j *runJournal) nextSegment() {
	if j.w != nil {
		j.w.Next()
	}
}

// sync returns when all that was appended is on disk.
func (j *runJournal) sync() error {
	if j.w == nil {
		return nil
	}
	return j.w.Sync()
}

// close writes what is pending; nothing is written after it.
func (j *runJournal) close() error {
	j.history.close()
	if j.w == nil {
		return nil
	}
	w := j.w
	j.w = nil
	return w.Close()
}
