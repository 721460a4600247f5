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

// Learning is what an agent has learned from its own acts: results per domain, recent successes per action, rewards
// and novelty per domain and kind of goal, which sorts of experiences it knows, which entries it wrote, and how long
// nothing was new. Its fields are also its stored form; only this package changes them.
type Learning struct {
	Domains  [domains]Tally `kdom:"domains"`
	Entries  []Entry        `kdom:"entries"` // in order of first use
	Head     uint8          `kdom:"head"`    // index of the running cycle in the rings
	Actions  []ActionTally  `kdom:"actions"` // by name
	Triples  []Triple       `kdom:"triples"` // sorted
	Works    []Work         `kdom:"works"`   // oldest first
	SinceNew uint64         `kdom:"since_new"`
	NewNow   bool           `kdom:"new_now"` // something was new in the running cycle

	index [domains * kinds]uint16 `kdom:"-"` // position in Entries plus one; 0 = none
}

// Tally counts attempts and those that succeeded.
type Tally struct {
	Attempts  uint32 `kdom:"attempts"`
	Successes uint32 `kdom:"successes"`
}

// Tuple makes the stored form a list.
func (Tally) Tuple() {}

// Entry is what an agent has learned about goals of one domain and kind.
type Entry struct {
	Domain   action.Domain         `kdom:"domain"`
	Kind     Kind                  `kdom:"kind"`
	Expected float64               `kdom:"expected"` // ⚡, quantised
	Ring     [noveltyCycles]uint16 `kdom:"ring"`     // experiences per cycle
	sum      uint32                `kdom:"-"`        // of the ring
}

// Tuple marks the stored form as a list.
func (Entry) Tuple() {}

// ActionTally counts the recent successes of one action that the agent has taken.
type ActionTally struct {
	Name string `kdom:"name"`
	Now  uint32 `kdom:"now"`  // successes in the running cycle
	Last uint32 `kdom:"last"` // successes in the previous one
}

// Tuple marks the stored form as a list.
func (ActionTally) Tuple() {}

// Triple is a kind of experience: the action, its domain and the kind of its subject.
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

// Act notes the outcome of an action for a goal of kind k (0: for no goal) and reports whether it was the first of
// its domain, action and kind of subject; then the pressure of curiosity is reset. The triple has the domain of the action,
// novelty counts in d, the domain of the goal. No domain is credited, because acceptance by the world says nothing about the
// value of an act; see [Learning.Credit].
func (l *Learning) Act(t Triple, d action.Domain, k Kind, success bool) (first bool) {
	if tally := l.action(t.Action); success {
		tally.Now++
	}
	if k != 0 {
		l.countAct(d, k)
	}
	i, known := slices.BinarySearchFunc(l.Triples, t, Triple.compare)
	if known {
		return false
	}
	l.Triples = slices.Insert(l.Triples, i, t)
	l.SinceNew, l.NewNow = 0, true
	return true
}

// countAct counts an act for the domain and the kind of the goal that it served.
func (l *Learning) countAct(d action.Domain, k Kind) {
	e := l.entry(d, k)
	if e.Ring[l.Head] < 1<<16-1 {
		e.Ring[l.Head]++
		e.sum++
	}
}

// Credit counts a result of the agent's work in a domain: a verdict, a payment, or a goal completed or abandoned.
func (l *Learning) Credit(d action.Domain, good bool) { l.Domains[d-1].note(good) }

func (t *Tally) note(success bool) {
	t.Attempts++
	if success {
		t.Successes++
	}
}

// rate estimates the chance to succeed: (successes + 1)/(attempts + 2).
func rate(successes, attempts uint32) float64 { return float64(successes+1) / float64(attempts+2) }

// CycleEnd ends a cycle: it moves on to the next counters, and increases curiosity unless something was new.
func (l *Learning) CycleEnd() {
	l.Head = (l.Head + 1) % noveltyCycles
	for i := range l.Entries {
		e := &l.Entries[i]
		e.sum -= uint32(e.Ring[l.Head])
		e.Ring[l.Head] = 0
	}
	for i := range l.Actions {
		a := &l.Actions[i]
		a.Last, a.Now = a.Now, 0
	}
	if !l.NewNow {
		l.SinceNew++
	}
	l.NewNow = false
}

// Rate estimates the chance that work in a domain is found good, from the credited results.
func (l *Learning) Rate(d action.Domain) float64 {
	return rate(l.Domains[d-1].Successes, l.Domains[d-1].Attempts)
}

// Did reports whether the agent ever took an action.
func (l *Learning) Did(name string) bool {
	_, ok := l.findAction(name)
	return ok
}

// Routine reports whether an action succeeded at least three times within the running
// or the previous cycle.
func (l *Learning) Routine(name string) bool {
	i, ok := l.findAction(name)
	return ok && max(l.Actions[i].Now, l.Actions[i].Last) >= routineCount
}

// Expected returns the learned ⚡ of goals of a kind in a domain; 0 before the first.
func (l *Learning) Expected(d action.Domain, k Kind) float64 {
	if e := l.find(d, k); e != nil {
		return e.Expected
	}
	return 0
}

// Novelty is 1/(1 + the agent's experiences of the domain and kind in the last 16 cycles).
func (l *Learning) Novelty(d action.Domain, k Kind) float64 {
	if e := l.find(d, k); e != nil {
		return det.Quantise(1 / float64(1+e.sum))
	}
	return 1
}

// CuriosityPressure is the number of cycles since the last new experience, divided by the threshold. Above 1 the agent gets a
// goal to explore.
func (l *Learning) CuriosityPressure(threshold float64) float64 {
	return det.Quantise(float64(l.SinceNew) / threshold)
}

// ResetCuriosity resets curiosity as a new experience would, because nothing is left to try.
func (l *Learning) ResetCuriosity() { l.SinceNew, l.NewNow = 0, true }

// Knows reports whether a triple was experienced.
func (l *Learning) Knows(t Triple) bool {
	_, ok := slices.BinarySearchFunc(l.Triples, t, Triple.compare)
	return ok
}

func entryIndex(d action.Domain, k Kind) int { return (int(d)-1)*kinds + int(k) - 1 }

func (l *Learning) find(d action.Domain, k Kind) *Entry {
	if i := l.index[entryIndex(d, k)]; i != 0 {
		return &l.Entries[i-1]
	}
	return nil
}

// entry finds or makes the entry of a domain and kind.
func (l *Learning) entry(d action.Domain, k Kind) *Entry {
	if e := l.find(d, k); e != nil {
		return e
	}
	l.Entries = append(l.Entries, Entry{Domain: d, Kind: k})
	l.index[entryIndex(d, k)] = uint16(len(l.Entries))
	return &l.Entries[len(l.Entries)-1]
}

func (l *Learning) findAction(name string) (int, bool) {
	return slices.BinarySearchFunc(l.Actions, name, func(a ActionTally, n string) int { return strings.Compare(a.Name, n) })
}

func (l *Learning) action(name string) *ActionTally {
	i, ok := l.findAction(name)
	if !ok {
		l.Actions = slices.Insert(l.Actions, i, ActionTally{Name: name})
	}
	return &l.Actions[i]
}
