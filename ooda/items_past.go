package ooda

import (
	"iter"

	"kingdom/memory"
	"kingdom/wire"
)

// actItem is an act of the agent, or a run of equal ones.
type actItem struct {
	Act       memory.Act
	At        wire.Tick // of the newest of the run
	Outcome   memory.Outcome
	Lesson    string
	Effect    memory.Effect   // of the run: sums, the newest object and refusal
	Reading   *memory.Reading // what the newest showed; nil: nothing, or forgotten
	Reasoning string          // the agent's own, of the newest; "": none, or forgotten
	Times     int             // acts of the run
}

// lastAct returns the newest act; ok is false before the first.
func (x items) lastAct() (a actItem, ok bool) { return x.act(0) }

// act returns the i-th newest act, 0 being the last.
func (x items) act(i int) (a actItem, ok bool) {
	m := x.agent.Memory
	act, e, ok := m.Experiences.RecentAct(i)
	if !ok {
		return a, false
	}
	a.Act = act
	a.At, a.Outcome, a.Lesson, a.Times = e.Tick, e.Outcome, string(e.Lesson), 1
	if f := m.Effects.ByExperience(e.ID); f != nil {
		a.Effect = *f
	}
	a.Reading = m.Readings.ByExperience(e.ID)
	if r := m.Reasonings.ByExperience(e.ID); r != nil {
		a.Reasoning = r.Text
	}
	return a, true
}

// acts yields the n newest acts and runs before the last skip ones, newest first. A run is the same action on the same
// subject with the same outcome, one after the other. It reads no more acts than the caller asks for.
func (x items) acts(skip, n int) iter.Seq[*actItem] {
	return func(yield func(*actItem) bool) {
		run, ok := x.act(skip)
		for i := skip + 1; ok && n > 0; n-- {
			next, more := x.act(i)
			for more && run.joins(&next) {
				run.join(&next)
				i++
				next, more = x.act(i)
			}
			if !yield(&run) {
				return
			}
			run, ok = next, more
			i++
		}
	}
}

// failures lists what failed among the acts that are still remembered, newest first, each pair of action and subject
// once.
func (x items) failures(n int) []actItem {
	var out []actItem
	for i := 0; len(out) <= n; i++ {
		outcome, ok := x.agent.Memory.Experiences.RecentOutcome(i)
		if !ok {
			break
		}
		if outcome != memory.OutcomeFailure && outcome != memory.OutcomePartial {
			continue // most are not, and need not be looked at
		}
		a, ok := x.act(i)
		if !ok {
			break
		}
		known := false
		for j := range out {
			if known = out[j].joins(&a); known {
				out[j].join(&a)
				break
			}
		}
		if !known {
			out = append(out, a)
		}
	}
	return out[:min(n, len(out))]
}

// joins reports whether an act belongs to the run.
func (a *actItem) joins(o *actItem) bool {
	same := a.Act.Action == o.Act.Action && a.Outcome == o.Outcome && (a.Act.Subject == nil) == (o.Act.Subject == nil)
	return same && (a.Act.Subject == nil || *a.Act.Subject == *o.Act.Subject)
}

// join adds an older act to the run.
func (a *actItem) join(o *actItem) {
	a.Times++
	f, g := &a.Effect, &o.Effect
	f.Spark += g.Spark
	f.Fresh += g.Fresh
	f.Answers += g.Answers
	f.Approved += g.Approved
	f.Disputed += g.Disputed
	f.Reward += g.Reward
}

// lastReasoning returns the agent's newest reasoning, also that of a slot in which it chose
// to do nothing; "" before the first.
func (x items) lastReasoning() (text string, at wire.Tick) {
	if r := x.agent.Memory.Reasonings.Last(); r != nil {
		return r.Text, r.At
	}
	return "", 0
}
