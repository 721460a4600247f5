package engine

// Driving one agent alone changes who has a slot, so it is an input: journaled,
// and applied to the clock where the world stood, before the next tick is chosen.

// clockInput reports whether an input is about slots, not about the world.
func clockInput(k InputKind) bool { return k == InputTick || k == InputCycle }

// solo journals a clock input and applies it.
func (e *Engine) solo(s *seat, kind InputKind, slots uint64) error {
	r := inputRecord{Seq: e.inputSeq + 1, Tick: e.clock.at(), Kind: uint8(kind), Agent: s.id, Slots: slots}
	if err := e.record(recordInput, true, func(b []byte) []byte { return inputCodec.Append(b, &r) }); err != nil {
		return err
	}
	e.turnClock(&r)
	return nil
}

// replayClock applies the recorded clock input at the front of history.
func (e *Engine) replayClock() error {
	r, err := e.past.takeInput()
	if err != nil {
		return err
	}
	e.turnClock(&r)
	return nil
}

func (e *Engine) turnClock(r *inputRecord) {
	e.inputSeq = r.Seq
	s := e.index[r.Agent]
	if InputKind(r.Kind) == InputTick {
		e.clock.skipTo(s)
	} else {
		e.clock.only(s, r.Slots)
	}
}
