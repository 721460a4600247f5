package engine

// Running one agent alone changes which agents have slots, so it is an input: it is journaled, and applied to the clock
// before the next tick is chosen.

// isClockInput reports whether an input changes the slots of the cycle and not the world.
func isClockInput(k InputKind) bool { return k == InputTick || k == InputCycle }

// recordSolo journals a clock input and applies it.
func (p *inputs) recordSolo(s *seat, kind InputKind, slots uint64) error {
	r := inputRecord{Seq: *p.seq + 1, Tick: p.clock.position(), Kind: uint8(kind), Agent: s.id, Slots: slots}
	if err := p.journal.input(&r); err != nil {
		return err
	}
	p.applyClockInput(&r)
	return nil
}

// replayClock applies the recorded clock input at the front of history.
func (p *inputs) replayClock() error {
	r, err := p.journal.history.takeInput()
	if err != nil {
		return err
	}
	p.applyClockInput(&r)
	return nil
}

// applyClockInput gives the next slot, or the rest of the cycle, to one agent alone.
func (p *inputs) applyClockInput(r *inputRecord) {
	*p.seq = r.Seq
	s := p.agents.seat(r.Agent)
	if InputKind(r.Kind) == InputTick {
		p.clock.skipTo(s)
	} else {
		p.clock.restrictTo(s, r.Slots)
	}
}
