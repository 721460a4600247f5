package engine

import (
	"bytes"
	"fmt"

	"kingdom/ooda"
	"kingdom/wire"
	"kingdom/wire/action"
)

// compareTick compares a tick with its record; the error names the first seat that differs.
func compareTick(c wire.Cycle, want, got *tickRecord, live []*seat) error {
	d, at := differingTick(c, want, got)
	if d == nil {
		return nil
	}
	if at >= 0 {
		s := live[at]
		d.Agent, d.Chose, d.Reasoning = s.id, chose(&s.step), s.reasoning()
	}
	return d
}

// differingTick compares two records of a tick, and returns nil if they are the same. at is the place of the first seat
// that differs in commit order, -1 if the difference is not one of a seat: the records have no names of agents.
func differingTick(c wire.Cycle, want, got *tickRecord) (d *DivergenceError, at int) {
	d = &DivergenceError{Cycle: c, Tick: want.Tick}
	if len(want.Seats) != len(got.Seats) {
		d.Component, d.Want, d.Got = "seats", fmt.Sprint(len(want.Seats)/seatFingerprint), fmt.Sprint(len(got.Seats)/seatFingerprint)
		return d, -1
	}
	for i := range len(want.Seats) / seatFingerprint {
		w, g := want.Seats[i*seatFingerprint:][:seatFingerprint], got.Seats[i*seatFingerprint:][:seatFingerprint]
		if bytes.Equal(w, g) {
			continue
		}
		d.Component, d.Want, d.Got = "thought", fmt.Sprintf("%x…", w[4:]), fmt.Sprintf("%x…", g[4:])
		if bytes.Equal(w[4:], g[4:]) {
			d.Component, d.Want, d.Got = "envelope", fmt.Sprintf("%x…", w[:4]), fmt.Sprintf("%x…", g[:4])
		}
		return d, i
	}
	switch {
	case want.Chain != got.Chain:
		d.Component, d.Want, d.Got = "envelopes", want.Chain.String(), got.Chain.String()
	case want.Thoughts != got.Thoughts:
		d.Component, d.Want, d.Got = "thoughts", want.Thoughts.String(), got.Thoughts.String()
	default:
		return nil, -1
	}
	return d, -1
}

// reasoning returns why the agent did what it did in its last slot; empty if it says nothing.
func (s *seat) reasoning() string {
	if len(s.thinks) == 0 {
		return ""
	}
	return s.thinks[len(s.thinks)-1].Reasoning
}

// chose returns the name of the action that a slot sent, or the reason why it sent none; empty if it was not to send one, because an
// action of more than one tick was running.
func chose(s *ooda.Step) string {
	switch {
	case s.NOP != nil && s.NOP.Reason == ooda.NOPChosen:
		return "nop" // as the mind called it
	case s.NOP != nil:
		return s.NOP.Reason.String()
	case s.Resting: // since an earlier slot
		return ooda.NOPRest.String()
	case s.Kind == ooda.StepSend:
		if row, ok := action.ByType(s.Envelope.Type); ok {
			return row.Name
		}
		return s.Envelope.Type.String()
	}
	return ""
}

// components are the parts of a world hash, in its order.
var components = [7]string{"nexus", "vault", "agora", "oracle", "forge", "mint", "portal"}

// compareCycle compares two cycle rows; the error names the first component that differs. The bus hash is not compared
// if the recorded row has none, as rows of early versions.
func compareCycle(want, got CycleRow) error {
	if want.BusHash.IsZero() {
		got.BusHash = wire.Hash{}
	}
	if want == got {
		return nil
	}
	d := &DivergenceError{Cycle: want.Cycle}
	differs := func(name string, w, g fmt.Stringer) bool {
		if d.Component == "" && w.String() != g.String() {
			d.Component, d.Want, d.Got = name, w.String(), g.String()
		}
		return d.Component != ""
	}
	differs("envelopes", want.Envelopes, got.Envelopes)
	for i, name := range components {
		differs(name, want.Components[i], got.Components[i])
	}
	differs("agents_hash", want.AgentsHash, got.AgentsHash)
	differs("world_hash", want.WorldHash, got.WorldHash)
	differs("bus_hash", want.BusHash, got.BusHash)
	differs("thoughts", want.Thoughts, got.Thoughts)
	differs("session", want.Session, got.Session)
	if !differs("registry", want.Registry, got.Registry) {
		d.Component, d.Want, d.Got = "counters", countersOf(&want), countersOf(&got)
	}
	return d
}

// countersOf formats the fields of a cycle row that are not hashes.
func countersOf(r *CycleRow) string {
	return fmt.Sprintf("cycle %d, tick %d, epoch %d, %d active, %d dormant, %d dead, %v", r.Cycle, r.Tick, r.Epoch, r.Active, r.Dormant, r.Dead, r.counters())
}
