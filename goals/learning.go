package goals

import (
	"cmp"
	"slices"
	"strings"

	"kingdom/det"
	"kingdom/wire/action"
)

// emaRate is the weight of the newest observation in moving averages.
const emaRate = 0.2

// noveltyCycles is how many cycles, the running one included, novelty looks back.
const noveltyCycles = 16

// routineCount is how often an action succeeds within a cycle to be routine.
const routineCount = 3

// Learning is what an agent has learned about its own doing: success per domain and
// per action, pay and novelty per (domain, goal kind), which triples it knows, which
// entries it wrote, and how long nothing was new.
type Learning struct {
	domains   [domains]tally
	index     [domains * kinds]uint16 // position in entries plus one; 0 = none
	entries   []entry                 // in order of first use
	head      uint8                   // running slot of the rings
	actions   []actionTally           // by name
	triples   []Triple                // sorted
	works     []Work                  // oldest first
	sinceNew  uint64                  // cycles since the last new experience
	newInThis bool                    // something was new in the running cycle
}

type tally struct{ attempts, successes uint32 }

// entry is what is known about one (domain, kind).
type entry struct {
	domain   action.Domain
	kind     Kind
	expected float64 // ⚡, quantised
	ring     [noveltyCycles]uint16
	sum      uint32 // of the ring
}

type actionTally struct {
	name string
	tally
	now, last uint32 // successes in the running and the previous cycle
}

// Triple is a sort of experience: what was done, in which domain, to what kind of thing.
type Triple struct {
	Domain  action.Domain `kdom:"domain"`
	Action  string        `kdom:"action"`
	Subject Subject       `kdom:"subject"`
}

// Tuple makes the stored form a list.
func (Triple) Tuple() {}

func (t Triple) compare(o Triple) int {
	if c := cmp.Compare(t.Domain, o.Domain); c != 0 {
		return c
	}
	if c := strings.Compare(t.Action, o.Action); c != 0 {
		return c
	}
	return cmp.Compare(t.Subject, o.Subject)
}

// Act notes the outcome of an action made for a goal of a kind, and reports whether
// it was the first of its (domain, action, subject kind), in which case curiosity is
// stilled. The triple's domain is the action's. Success counts in that domain and in
// the goal's, since both a trade and its tools are learned by doing; novelty counts
// in the goal's. k is 0 for an act that served no goal.
func (l *Learning) Act(t Triple, k Kind, success bool) (first bool) {
	l.domains[t.Domain-1].note(success)
	l.action(t.Action).note(success)
	if k != 0 {
		l.pursue(t.Domain, k, success)
	}
	i, known := slices.BinarySearchFunc(l.triples, t, Triple.compare)
	if known {
		return false
	}
	l.triples = slices.Insert(l.triples, i, t)
	l.sinceNew, l.newInThis = 0, true
	return true
}

// pursue counts an act for the goal kind that it served.
func (l *Learning) pursue(acted action.Domain, k Kind, success bool) {
	if d := k.Domain(); d != acted {
		l.domains[d-1].note(success)
	}
	e := l.entry(k.Domain(), k)
	if e.ring[l.head] < 1<<16-1 {
		e.ring[l.head]++
		e.sum++
	}
}

func (t *tally) note(success bool) {
	t.attempts++
	if success {
		t.successes++
	}
}

func (t *tally) rate() float64 { return float64(t.successes+1) / float64(t.attempts+2) }

func (a *actionTally) note(success bool) {
	a.tally.note(success)
	if success {
		a.now++
	}
}

// CycleEnd closes the running cycle: rings and per-cycle counters move on, and
// curiosity grows unless something was new.
func (l *Learning) CycleEnd() {
	l.head = (l.head + 1) % noveltyCycles
	for i := range l.entries {
		e := &l.entries[i]
		e.sum -= uint32(e.ring[l.head])
		e.ring[l.head] = 0
	}
	for i := range l.actions {
		a := &l.actions[i]
		a.last, a.now = a.now, 0
	}
	if !l.newInThis {
		l.sinceNew++
	}
	l.newInThis = false
}

// Rate estimates the chance to succeed in a domain: (successes + 1)/(attempts + 2).
func (l *Learning) Rate(d action.Domain) float64 { return l.domains[d-1].rate() }

// ActionRate estimates the chance that an action succeeds, in the same way.
func (l *Learning) ActionRate(name string) float64 {
	if i, ok := l.findAction(name); ok {
		return l.actions[i].rate()
	}
	return 0.5
}

// Routine reports whether an action succeeded at least three times within the running
// or the previous cycle.
func (l *Learning) Routine(name string) bool {
	i, ok := l.findAction(name)
	return ok && max(l.actions[i].now, l.actions[i].last) >= routineCount
}

// Expected returns the learned ⚡ of goals of a kind in a domain; 0 before the first.
func (l *Learning) Expected(d action.Domain, k Kind) float64 {
	if e := l.find(d, k); e != nil {
		return e.expected
	}
	return 0
}

// Novelty is 1/(1 + own experiences of the domain and kind in the last 16 cycles).
func (l *Learning) Novelty(d action.Domain, k Kind) float64 {
	if e := l.find(d, k); e != nil {
		return det.Quantise(1 / float64(1+e.sum))
	}
	return 1
}

// Pressure is curiosity: cycles since the last new experience over the threshold;
// above 1 it injects a goal.
func (l *Learning) Pressure(threshold float64) float64 {
	return det.Quantise(float64(l.sinceNew) / threshold)
}

// Knows reports whether a triple was experienced.
func (l *Learning) Knows(t Triple) bool {
	_, ok := slices.BinarySearchFunc(l.triples, t, Triple.compare)
	return ok
}

func slot(d action.Domain, k Kind) int { return (int(d)-1)*kinds + int(k) - 1 }

func (l *Learning) find(d action.Domain, k Kind) *entry {
	if i := l.index[slot(d, k)]; i != 0 {
		return &l.entries[i-1]
	}
	return nil
}

// entry finds or makes the entry of a domain and kind.
func (l *Learning) entry(d action.Domain, k Kind) *entry {
	if e := l.find(d, k); e != nil {
		return e
	}
	l.entries = append(l.entries, entry{domain: d, kind: k})
	l.index[slot(d, k)] = uint16(len(l.entries))
	return &l.entries[len(l.entries)-1]
}

func (l *Learning) findAction(name string) (int, bool) {
	return slices.BinarySearchFunc(l.actions, name, func(a actionTally, n string) int { return strings.Compare(a.name, n) })
}

func (l *Learning) action(name string) *actionTally {
	i, ok := l.findAction(name)
	if !ok {
		l.actions = slices.Insert(l.actions, i, actionTally{name: name})
	}
	return &l.actions[i]
}
