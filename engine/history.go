package engine

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"kingdom/wire"
)

// history reads a journal in the order in which the world happened. Ticks ascend
// in it, and what belongs to one stepped tick comes as: inputs at its boundary,
// thoughts, tick record. After the last tick of a cycle comes the cycle record.
// The end may lack the later parts: that is where the run stopped.
type history struct {
	dir      string
	run      wire.Hash
	segments []uint32
	cur      *segment
	planned  uint64 // highest place of a planned input that was skipped

	// The record at the front; kind 0 when there is none left.
	kind    recordKind
	thought thoughtRecord
	input   inputRecord
	tick    tickRecord
	cycle   cycleRecord
}

// openHistory reads the segments that exist now; later ones are not seen.
func openHistory(dir string, run wire.Hash) (*history, error) {
	list, err := segments(dir)
	if err != nil {
		return nil, err
	}
	h := &history{dir: dir, run: run, segments: list}
	return h, h.advance()
}

// over reports whether all that was recorded has been read; nil is over.
func (h *history) over() bool { return h == nil || h.kind == 0 }

// at is the tick of the record at the front.
func (h *history) at() wire.Tick {
	switch h.kind {
	case recordThought:
		return h.thought.Tick
	case recordInput:
		return h.input.Tick
	case recordTick:
		return h.tick.Tick
	case recordCycle:
		return h.cycle.Tick
	}
	panic("engine: read past the end of history")
}

// due tells the boundary of the input at the front.
func (h *history) due() (wire.Tick, bool) {
	if h.over() || h.kind != recordInput {
		return 0, false
	}
	return h.input.Tick, true
}

// takeInput removes the input at the front.
func (h *history) takeInput() (inputRecord, error) {
	in := h.input
	return in, h.advance()
}

// readThoughts removes the thoughts of tick t.
func (h *history) readThoughts(t wire.Tick, into map[thoughtKey]thoughtRecord) error {
	for !h.over() && h.kind == recordThought && h.thought.Tick == t {
		into[h.thought.key()] = h.thought
		if err := h.advance(); err != nil {
			return err
		}
	}
	return nil
}

// takeTick removes the tick record of t; ok is false when history ends here.
func (h *history) takeTick(t wire.Tick) (r tickRecord, ok bool, err error) {
	if h.over() || h.kind != recordTick || h.tick.Tick != t {
		return tickRecord{}, false, nil
	}
	r = h.tick
	return r, true, h.advance()
}

// takeCycle removes the record of cycle c; ok is false when history ends here.
func (h *history) takeCycle(c wire.Cycle) (r cycleRecord, ok bool, err error) {
	if h.over() || h.kind != recordCycle || h.cycle.Cycle != c {
		return cycleRecord{}, false, nil
	}
	r = h.cycle
	return r, true, h.advance()
}

// skip reads on behind the record of cycle c and returns it.
func (h *history) skip(c wire.Cycle) (cycleRecord, error) {
	for !h.over() {
		if h.kind == recordCycle && h.cycle.Cycle == c {
			r := h.cycle
			return r, h.advance()
		}
		if h.kind == recordInput {
			h.planned = max(h.planned, h.input.Plan)
		}
		if err := h.advance(); err != nil {
			return cycleRecord{}, err
		}
	}
	return cycleRecord{}, fmt.Errorf("read journal %s: it ends before cycle %d, which the store holds; journal and store are not of one run, or a segment was lost", h.dir, c)
}

// advance moves to the next record.
func (h *history) advance() error {
	for {
		if h.cur == nil {
			if len(h.segments) == 0 {
				h.kind = 0
				return nil
			}
			s, err := openSegment(filepath.Join(h.dir, segmentName(h.segments[0])), h.segments[0], h.run)
			if err != nil {
				return err
			}
			h.cur, h.segments = s, h.segments[1:]
		}
		body, err := h.cur.next()
		if errors.Is(err, io.EOF) || (errors.Is(err, errTorn) && len(h.segments) == 0) {
			h.cur.close()
			h.cur = nil
			continue
		}
		if errors.Is(err, errTorn) {
			return h.cur.corrupt("the file ends inside it, and later segments exist")
		}
		if err != nil {
			return err
		}
		return h.decode(body)
	}
}

func (h *history) decode(body []byte) (err error) {
	h.kind = recordKind(body[0])
	switch b := body[1:]; h.kind {
	case recordThought:
		h.thought = thoughtRecord{}
		err = thoughtCodec.DecodeCanonical(b, &h.thought)
	case recordInput:
		h.input = inputRecord{}
		err = inputCodec.DecodeCanonical(b, &h.input)
	case recordTick:
		h.tick = tickRecord{}
		err = tickCodec.DecodeCanonical(b, &h.tick)
	case recordCycle:
		h.cycle = cycleRecord{}
		err = cycleCodec.DecodeCanonical(b, &h.cycle)
	default:
		err = fmt.Errorf("unknown kind %d", body[0])
	}
	if err != nil {
		return h.cur.corrupt(err.Error())
	}
	return nil
}

func (h *history) close() {
	if h != nil && h.cur != nil {
		h.cur.close()
		h.cur = nil
	}
}
