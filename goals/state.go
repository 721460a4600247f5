package goals

import (
	"fmt"

	"kingdom/wire"
	"kingdom/wire/action"
)

// State is what of goals and learning the goals table cannot hold; it is part of the
// agent's state blob.
type State struct {
	Refused  uint64        `kdom:"refused"` // goals that found their layer full
	Records  []RecordState `kdom:"records"` // of living goals, by age
	Learning LearningState `kdom:"learning"`
}

// RecordState is the record of one living goal.
type RecordState struct {
	Goal   wire.Hash `kdom:"goal"`
	Record Record    `kdom:"record"`
}

// Tuple makes the stored form a list.
func (RecordState) Tuple() {}

// LearningState is the stored form of [Learning].
type LearningState struct {
	Domains  []TallyState  `kdom:"domains"` // by domain, all of them
	Entries  []EntryState  `kdom:"entries"` // in order of first use
	Head     uint8         `kdom:"head"`
	Actions  []ActionState `kdom:"actions"` // by name
	Triples  []Triple      `kdom:"triples"` // sorted
	Works    []Work        `kdom:"works"`   // oldest first
	SinceNew uint64        `kdom:"since_new"`
	NewNow   bool          `kdom:"new_now"`
}

// TallyState counts attempts and those that succeeded.
type TallyState struct {
	Attempts  uint32 `kdom:"attempts"`
	Successes uint32 `kdom:"successes"`
}

// Tuple makes the stored form a list.
func (TallyState) Tuple() {}

// EntryState is what is known about one domain and goal kind.
type EntryState struct {
	Domain   action.Domain `kdom:"domain"`
	Kind     Kind          `kdom:"kind"`
	Expected float64       `kdom:"expected"` // ⚡
	Ring     []uint16      `kdom:"ring"`     // experiences per cycle
}

// Tuple makes the stored form a list.
func (EntryState) Tuple() {}

// ActionState is what is known about one action.
type ActionState struct {
	Name      string `kdom:"name"`
	Attempts  uint32 `kdom:"attempts"`
	Successes uint32 `kdom:"successes"`
	Now       uint32 `kdom:"now"`  // successes in the running cycle
	Last      uint32 `kdom:"last"` // successes in the previous one
}

// Tuple makes the stored form a list.
func (ActionState) Tuple() {}

// State returns the stored form of a stack's records and of learning.
func (s *Stack) State(l *Learning) State {
	st := State{Refused: s.refused, Records: make([]RecordState, len(s.living)), Learning: l.state()}
	for i, g := range s.living {
		st.Records[i] = RecordState{g.ID, g.Record}
	}
	return st
}

func (l *Learning) state() LearningState {
	st := LearningState{
		Domains: make([]TallyState, domains),
		Entries: make([]EntryState, len(l.entries)),
		Head:    l.head,
		Actions: make([]ActionState, len(l.actions)),
		Triples: l.triples, Works: l.works,
		SinceNew: l.sinceNew, NewNow: l.newInThis,
	}
	for i, t := range l.domains {
		st.Domains[i] = TallyState{t.attempts, t.successes}
	}
	for i := range l.entries {
		e := &l.entries[i]
		st.Entries[i] = EntryState{e.domain, e.kind, e.expected, e.ring[:]}
	}
	for i := range l.actions {
		a := &l.actions[i]
		st.Actions[i] = ActionState{a.name, a.attempts, a.successes, a.now, a.last}
	}
	return st
}

// RestoreLearning rebuilds learning from its stored form, which it keeps nothing of.
func RestoreLearning(st *LearningState) (*Learning, error) {
	l := &Learning{
		head: st.Head, triples: append([]Triple(nil), st.Triples...), works: append([]Work(nil), st.Works...),
		sinceNew: st.SinceNew, newInThis: st.NewNow,
	}
	if len(st.Domains) != domains || st.Head >= noveltyCycles {
		return nil, fmt.Errorf("restore learning: %d domains and ring head %d", len(st.Domains), st.Head)
	}
	for i, t := range st.Domains {
		l.domains[i] = tally{t.Attempts, t.Successes}
	}
	for i := range st.Entries {
		e := &st.Entries[i]
		if len(e.Ring) != noveltyCycles || l.find(e.Domain, e.Kind) != nil {
			return nil, fmt.Errorf("restore learning: bad entry of %s in %s", e.Kind, e.Domain)
		}
		n := l.entry(e.Domain, e.Kind)
		n.expected = e.Expected
		for j, c := range e.Ring {
			n.ring[j] = c
			n.sum += uint32(c)
		}
	}
	for _, a := range st.Actions {
		l.actions = append(l.actions, actionTally{a.Name, tally{a.Attempts, a.Successes}, a.Now, a.Last})
	}
	return l, nil
}
