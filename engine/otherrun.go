package engine

import (
	"bytes"
	"fmt"

	"kingdom/wire"
)

// otherRun is the journal of another run, with which a cycle of this run is compared while it is executed again, to
// find the first difference. A nil otherRun compares nothing.
type otherRun struct {
	history *history
	inputs  []inputRecord // inputs of this run that took effect since its last stepped tick
}

// addInput adds an input of this run that took effect.
func (o *otherRun) addInput(r *inputRecord) {
	if o != nil {
		o.inputs = append(o.inputs, *r)
	}
}

// compareTick compares the inputs up to a tick of this run, and then the tick.
func (o *otherRun) compareTick(c wire.Cycle, got *tickRecord, live []*seat) error {
	if o == nil {
		return nil
	}
	if err := o.compareInputs(c, got.Tick); err != nil {
		return err
	}
	if err := o.skipThoughts(); err != nil {
		return err
	}
	want, ok, err := o.history.takeTick(got.Tick)
	switch {
	case err != nil:
		return err
	case !ok:
		return &DivergenceError{Cycle: c, Tick: got.Tick, Component: "stepped tick", Want: o.next(), Got: fmt.Sprint(got.Tick)}
	}
	want.Thoughts = got.Thoughts // covers all earlier ticks too; the seats show which thought differs
	return compareTick(c, &want, got, live)
}

// compareEnd reports inputs and ticks that the other run still has in a cycle that this run has finished.
func (o *otherRun) compareEnd(c wire.Cycle, last wire.Tick) error {
	if o == nil {
		return nil
	}
	if err := o.compareInputs(c, last); err != nil {
		return err
	}
	if err := o.skipThoughts(); err != nil {
		return err
	}
	if !o.history.ended() && o.history.front.kind == recordTick {
		return &DivergenceError{Cycle: c, Tick: o.history.front.tickOf(), Component: "stepped tick", Want: o.next(), Got: none}
	}
	return nil
}

// compareInputs compares the inputs that both runs had up to a tick, one by one in the order in which
// they took effect.
func (o *otherRun) compareInputs(c wire.Cycle, until wire.Tick) error {
	here := o.inputs
	o.inputs = nil
	for {
		var want, got *inputRecord
		if due, ok := o.history.nextInput(); ok && due <= until {
			r, err := o.history.takeInput()
			if err != nil {
				return err
			}
			want = &r
		}
		if len(here) > 0 {
			got, here = &here[0], here[1:]
		}
		switch {
		case want == nil && got == nil:
			return nil
		case want == nil || got == nil || !want.sameRequest(got):
			return inputDivergence(c, want, got)
		}
	}
}

// skipThoughts passes over thoughts: the fingerprint of a tick says which of them differ.
func (o *otherRun) skipThoughts() error {
	for !o.history.ended() && o.history.front.kind == recordThought {
		if err := o.history.advance(); err != nil {
			return err
		}
	}
	return nil
}

// next returns the tick of the other run's next record.
func (o *otherRun) next() string {
	if o.history.ended() {
		return none
	}
	return fmt.Sprint(o.history.front.tickOf())
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
