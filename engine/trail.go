package engine

import (
	"bytes"
	"cmp"
	"fmt"

	"kingdom/wire"
)

// trail reads the journal of a recorded run one tick after the other, to compare it with that of another run. Nothing is
// executed. Thoughts are passed over: the record of a tick says which of them differ.
type trail struct {
	history *history
	inputs  []inputRecord // that took effect before the record at the front
}

// openTrail opens the journal of a run.
func openTrail(r *Recorded) (*trail, error) {
	h, err := openHistory(journalOf(r.Dir), r.digest())
	return &trail{history: h}, err
}

// advance moves to the next record of a tick or a cycle, and collects the inputs before it.
func (t *trail) advance() error {
	t.inputs = nil
	for !t.history.ended() {
		switch r := &t.history.front; r.kind {
		case recordTick, recordCycle:
			return nil
		case recordInput:
			t.inputs = append(t.inputs, r.input)
		}
		if err := t.history.advance(); err != nil {
			return err
		}
	}
	return nil
}

// tick returns the record at the front if it is that of a tick.
func (t *trail) tick() *tickRecord {
	if t.history.ended() || t.history.front.kind != recordTick {
		return nil
	}
	return &t.history.front.tick
}

// closes reports whether the record at the front is that of cycle c.
func (t *trail) closes(c wire.Cycle) bool {
	return !t.history.ended() && t.history.front.kind == recordCycle && t.history.front.cycle.Cycle == c
}

// stepped returns the tick at the front for a message.
func (t *trail) stepped() string {
	if r := t.tick(); r != nil {
		return fmt.Sprint(r.Tick)
	}
	return none
}

// compareTrails compares the ticks of cycle c of two runs, and moves both trails to its record. It returns the first
// difference; at is as in [differingTick]. ok is false if one of the journals ends before.
func compareTrails(c wire.Cycle, a, b *trail) (d *DivergenceError, at int, ok bool, err error) {
	for {
		if err := cmp.Or(a.advance(), b.advance()); err != nil {
			return nil, -1, false, err
		}
		if a.history.ended() || b.history.ended() {
			return nil, -1, false, nil
		}
		first := min(a.history.front.tickOf(), b.history.front.tickOf())
		if d := differingInput(c, first, a.inputs, b.inputs); d != nil {
			return d, -1, true, nil
		}
		want, got := a.tick(), b.tick()
		switch {
		case a.closes(c) && b.closes(c):
			return nil, -1, true, nil
		case want == nil || got == nil || want.Tick != got.Tick:
			return &DivergenceError{Cycle: c, Tick: first, Component: "stepped tick", Want: a.stepped(), Got: b.stepped()}, -1, true, nil
		}
		if d, at := differingTick(c, want, got); d != nil {
			return d, at, true, nil
		}
		if err := cmp.Or(a.history.advance(), b.history.advance()); err != nil {
			return nil, -1, false, err
		}
	}
}

// differingInput compares the inputs of two runs up to a tick, one by one in the order in which they took effect.
func differingInput(c wire.Cycle, until wire.Tick, a, b []inputRecord) *DivergenceError {
	for len(a) > 0 || len(b) > 0 {
		var want, got *inputRecord
		if len(a) > 0 && a[0].Tick <= until {
			want = &a[0]
		}
		if len(b) > 0 && b[0].Tick <= until {
			got = &b[0]
		}
		switch {
		case want == nil && got == nil:
			return nil
		case want == nil || got == nil || !want.sameRequest(got):
			return inputDivergence(c, want, got)
		}
		a, b = a[1:], b[1:]
	}
	return nil
}

func (t *trail) close() {
	if t != nil {
		t.history.close()
	}
}

// none is the value of a difference for the run that has no such record.
const none = "none"

// inputDivergence names an input that only one of two runs has, or that is another one in the second. Of
// two inputs at different ticks the earlier one is the difference.
func inputDivergence(c wire.Cycle, want, got *inputRecord) *DivergenceError {
	switch {
	case want == nil || got == nil:
	case want.Tick < got.Tick:
		got = nil
	case got.Tick < want.Tick:
		want = nil
	}
	d := &DivergenceError{Cycle: c, Component: "input", Want: none, Got: none}
	if want != nil {
		d.Tick, d.Agent, d.Want = want.Tick, want.Agent, want.describe()
	}
	if got != nil {
		d.Tick, d.Got = got.Tick, got.describe()
		if want == nil {
			d.Agent = got.Agent
		} else if d.Agent != got.Agent {
			d.Agent = wire.AgentID{}
		}
	}
	if d.Want == d.Got { // they differ in a field that describe leaves out
		d.Want, d.Got = fmt.Sprintf("%s (record %x)", d.Want, want.content()), fmt.Sprintf("%s (record %x)", d.Got, got.content())
	}
	return d
}

// sameRequest reports whether two inputs ask for the same at the same boundary. Their input_seq and where they came from
// may differ.
func (r *inputRecord) sameRequest(x *inputRecord) bool {
	return r.Tick == x.Tick && bytes.Equal(r.content(), x.content())
}

// content returns the first 8 bytes of a hash of everything that an input asks for.
func (r *inputRecord) content() []byte {
	x := *r
	x.Seq, x.Plan, x.File, x.Item, x.Source = 0, 0, "", 0, ""
	h := sha256Of("input", inputCodec.Append(nil, &x))
	return h[:8]
}

// describe describes an input: what it does, the agent, and what it asks for.
func (r *inputRecord) describe() string {
	s := r.do()
	if !r.Agent.IsZero() {
		s += " " + r.Agent.Alias()
	}
	if what := r.description(); what != "" {
		s += ": " + what
	}
	return s
}
