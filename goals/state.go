package goals

import (
	"fmt"

	"kingdom/wire"
)

// State is the part of goals and learning that the goals table does not have. It is stored in the agent's state.
type State struct {
	Refused  uint64        `kdom:"refused"` // goals refused because their layer was full
	Records  []RecordState `kdom:"records"` // of living goals, by age
	Learning Learning      `kdom:"learning"`
}

// RecordState is the record of one living goal.
type RecordState struct {
	Goal   wire.Hash `kdom:"goal"`
	Record Record    `kdom:"record"`
}

// Tuple makes the stored form a list.
func (RecordState) Tuple() {}

// State returns the stored form of the records of living goals, and of l.
func (s *Stack) State(l *Learning) State {
	st := State{Refused: s.refused, Records: make([]RecordState, len(s.living)), Learning: *l}
	for i, g := range s.living {
		st.Records[i] = RecordState{g.ID, g.Record}
	}
	return st
}

// RestoreLearning rebuilds learning from its stored form.
func RestoreLearning(l Learning) (*Learning, error) {
	if l.Head >= noveltyCycles {
		return nil, fmt.Errorf("restore learning: ring head %d is out of range; want less than %d", l.Head, noveltyCycles)
	}
	for i := range l.Entries {
		e := &l.Entries[i]
		if l.find(e.Domain, e.Kind) != nil {
			return nil, fmt.Errorf("restore learning: two entries of %s in %s", e.Kind, e.Domain)
		}
		l.index[entryIndex(e.Domain, e.Kind)] = uint16(i + 1)
		e.sum = 0
		for _, n := range e.Ring {
			e.sum += uint32(n)
		}
	}
	return &l, nil
}
