package engine

import (
	"errors"
	"fmt"
	"io"

	"kingdom/engine/journal"
	"kingdom/wire"
)

// history reads the records of a journal in order. Ticks ascend; the records of one executed tick are the inputs at
// its boundary, the thoughts, and the tick record. The cycle record follows the last tick of a cycle. At the end of
// the journal the later records of a tick or cycle may be missing: the run stopped there.
type history struct {
	dir     string
	r       *journal.Reader
	planned uint64            // highest Input.plan that was skipped
	items   map[string]uint64 // highest Input.item that was skipped, by file of the inbox
	front   record            // next record; kind 0 at the end
}

// openHistory opens the segments that exist now; later ones are not read.
func openHistory(dir string, run wire.Hash) (*history, error) {
	r, err := journal.NewReader(dir, run)
	if err != nil {
		return nil, err
	}
	h := &history{dir: dir, r: r, items: map[string]uint64{}}
	if err := h.advance(); err != nil {
		h.close()
		return nil, err
	}
	return h, nil
}

// eachRecord calls do with the records of a run's journal up to the end of a cycle, in order. A record is valid during the
// call.
func eachRecord(runDir string, cfg *Config, to wire.Cycle, do func(r *record)) error {
	run := cfg.Identity()
	h, err := openHistory(journalOf(runDir), run.digest())
	if err != nil {
		return err
	}
	defer h.close()
	for !h.ended() && cfg.Rules.Calendar.Cycle(h.front.tickOf()) <= to {
		do(&h.front)
		if err := h.advance(); err != nil {
			return err
		}
	}
	return nil
}

// LastBegun returns the last cycle of which the journal of a run has ticks or thoughts; stored, the last cycle of the store, if it
// has none behind it. An input that arrives while such a cycle is not finished waits for the next one, also if the run was
// stopped in between. A journal without the stored cycle is an error: no run goes on with it.
func LastBegun(runDir string, cfg *Config, stored wire.Cycle) (last wire.Cycle, err error) {
	run := cfg.Identity()
	h, err := openHistory(journalOf(runDir), run.digest())
	if err != nil {
		return 0, err
	}
	defer h.close()
	if _, err := h.skipCycle(stored); err != nil {
		return 0, err
	}
	last = stored
	for !h.ended() {
		if h.front.kind != recordInput { // behind inputs alone, more of them are applied at the same boundary
			last = max(last, cfg.Rules.Calendar.Cycle(h.front.tickOf()))
		}
		if err := h.advance(); err != nil {
			return 0, err
		}
	}
	return last, nil
}

// ended reports whether all records were read. A nil history has ended.
func (h *history) ended() bool { return h == nil || h.front.kind == 0 }

// nextInput returns the boundary of the next record, if it is an input.
func (h *history) nextInput() (wire.Tick, bool) {
	if h.ended() || h.front.kind != recordInput {
		return 0, false
	}
	return h.front.input.Tick, true
}

// takeInput returns the input at the front and advances.
func (h *history) takeInput() (inputRecord, error) {
	in := h.front.input
	return in, h.advance()
}

// readThoughts reads the thoughts of tick t, if they are next, into a map.
func (h *history) readThoughts(t wire.Tick, into map[thoughtKey]thoughtRecord) error {
	for !h.ended() && h.front.kind == recordThought && h.front.thought.Tick == t {
		into[h.front.thought.key()] = h.front.thought
		if err := h.advance(); err != nil {
			return err
		}
	}
	return nil
}

// takeTick returns the tick record of t and advances; ok is false if it is not the next record.
func (h *history) takeTick(t wire.Tick) (r tickRecord, ok bool, err error) {
	if h.ended() || h.front.kind != recordTick || h.front.tick.Tick != t {
		return tickRecord{}, false, nil
	}
	r = h.front.tick
	return r, true, h.advance()
}

// takeCycle returns the record of cycle c and advances; ok is false if it is not the next record.
func (h *history) takeCycle(c wire.Cycle) (r cycleRecord, ok bool, err error) {
	if h.ended() || h.front.kind != recordCycle || h.front.cycle.Cycle != c {
		return cycleRecord{}, false, nil
	}
	r = h.front.cycle
	return r, true, h.advance()
}

// skipCycle reads up to and including the record of cycle c, and returns it.
func (h *history) skipCycle(c wire.Cycle) (cycleRecord, error) {
	for !h.ended() {
		if h.front.kind == recordCycle && h.front.cycle.Cycle == c {
			r := h.front.cycle
			return r, h.advance()
		}
		if h.front.kind == recordInput {
			in := &h.front.input
			h.planned = max(h.planned, in.Plan)
			if in.File != "" {
				h.items[in.File] = max(h.items[in.File], in.Item)
			}
		}
		if err := h.advance(); err != nil {
			return cycleRecord{}, err
		}
	}
	return cycleRecord{}, fmt.Errorf("read journal %s: it ends before cycle %d, which the store holds; journal and store are not of one run, or its end was cut off or a segment lost: restore %s from a copy", h.dir, c, h.dir)
}

// advance moves to the next record.
func (h *history) advance() error {
	kind, body, err := h.r.Next()
	if errors.Is(err, io.EOF) {
		h.front = record{}
		return nil
	}
	if err != nil {
		return err
	}
	if err := h.front.decode(kind, body); err != nil {
		return h.r.Corrupt(err.Error())
	}
	return nil
}

func (h *history) close() {
	if h != nil {
		h.r.Close()
	}
}
