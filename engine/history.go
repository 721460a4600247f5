package engine

import (
	"errors"
	"fmt"
	"io"

	"kingdom/engine/journal"
	"kingdom/wire"
)

// history reads a journal in the order in which the world happened. Ticks ascend
// in it, and what belongs to one stepped tick comes as: inputs at its boundary,
// thoughts, tick record. After the last tick of a cycle comes the cycle record.
// The end may lack the later parts: that is where the run stopped.
type history struct {
	dir     string
	r       *journal.Reader
	planned uint64 // highest place of a planned input that was skipped
	front   record // kind 0 when there is none left
}

// openHistory reads the segments that exist now; later ones are not seen.
func openHistory(dir string, run wire.Hash) (*history, error) {
	r, err := journal.NewReader(dir, run)
	if err != nil {
		return nil, err
	}
	h := &history{dir: dir, r: r}
	return h, h.advance()
}

// ended reports whether all that was recorded has been read; nil is over.
func (h *history) ended() bool { return h == nil || h.front.kind == 0 }

// nextInput tells the boundary of the input at the front.
func (h *history) nextInput() (wire.Tick, bool) {
	if h.ended() || h.front.kind != recordInput {
		return 0, false
	}
	return h.front.input.Tick, true
}

// takeInput removes the input at the front.
func (h *history) takeInput() (inputRecord, error) {
	in := h.front.input
	return in, h.advance()
}

// readThoughts removes the thoughts of tick t.
func (h *history) readThoughts(t wire.Tick, into map[thoughtKey]thoughtRecord) error {
	for !h.ended() && h.front.kind == recordThought && h.front.thought.Tick == t {
		into[h.front.thought.key()] = h.front.thought
		if err := h.advance(); err != nil {
			return err
		}
	}
	return nil
}

// takeTick removes the tick record of t; ok is false when history ends here.
func (h *history) takeTick(t wire.Tick) (r tickRecord, ok bool, err error) {
	if h.ended() || h.front.kind != recordTick || h.front.tick.Tick != t {
		return tickRecord{}, false, nil
	}
	r = h.front.tick
	return r, true, h.advance()
}

// takeCycle removes the record of cycle c; ok is false when history ends here.
func (h *history) takeCycle(c wire.Cycle) (r cycleRecord, ok bool, err error) {
	if h.ended() || h.front.kind != recordCycle || h.front.cycle.Cycle != c {
		return cycleRecord{}, false, nil
	}
	r = h.front.cycle
	return r, true, h.advance()
}

// skipCycle reads on behind the record of cycle c and returns it.
func (h *history) skipCycle(c wire.Cycle) (cycleRecord, error) {
	for !h.ended() {
		if h.front.kind == recordCycle && h.front.cycle.Cycle == c {
			r := h.front.cycle
			return r, h.advance()
		}
		if h.front.kind == recordInput {
			h.planned = max(h.planned, h.front.input.Plan)
		}
		if err := h.advance(); err != nil {
			return cycleRecord{}, err
		}
	}
	return cycleRecord{}, fmt.Errorf("read journal %s: it ends before cycle %d, which the store holds; journal and store are not of one run, or a segment was lost: restore %s from a copy", h.dir, c, h.dir)
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
