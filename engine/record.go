package engine

import (
	"fmt"

	"kingdom/wire"
)

// record is one journal record; kind says which of the parts holds it.
type record struct {
	kind    recordKind
	thought thoughtRecord
	input   inputRecord
	tick    tickRecord
	cycle   cycleRecord
}

func (r *record) decode(kind recordKind, b []byte) error {
	r.kind = kind
	switch kind {
	case recordThought:
		r.thought = thoughtRecord{}
		return thoughtCodec.DecodeCanonical(b, &r.thought)
	case recordInput:
		r.input = inputRecord{}
		return inputCodec.DecodeCanonical(b, &r.input)
	case recordTick:
		r.tick = tickRecord{}
		return tickCodec.DecodeCanonical(b, &r.tick)
	case recordCycle:
		r.cycle = cycleRecord{}
		return cycleCodec.DecodeCanonical(b, &r.cycle)
	}
	return fmt.Errorf("unknown kind %d", kind)
}

// tickOf returns the tick that a record belongs to.
func (r *record) tickOf() wire.Tick {
	switch r.kind {
	case recordThought:
		return r.thought.Tick
	case recordInput:
		return r.input.Tick
	case recordTick:
		return r.tick.Tick
	case recordCycle:
		return r.cycle.Tick
	}
	panic("engine: no record")
}
