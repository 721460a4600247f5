package memory

import (
	"slices"

	"kingdom/wire"
)

// Bounds of [Reasonings].
const (
	// ReasoningsMax is how many of the newest reasonings are kept.
	ReasoningsMax = 4
	// ReasoningText is how many bytes of each are kept.
	ReasoningText = 512
)

// Reasoning is why an agent did what it did, in its own words. It is private: no other agent
// ever sees it.
type Reasoning struct {
	Experience uint64    `kdom:"x"` // row id of the act; 0: it chose to do nothing
	At         wire.Tick `kdom:"t"`
	Text       string    `kdom:"w"`
}

// Tuple makes the stored form a list.
func (Reasoning) Tuple() {}

// Reasonings are the newest reasonings, oldest first. They are stored in the agent's state.
type Reasonings []Reasoning

// Add adds a reasoning, cut to its limit; an empty one is ignored.
func (l *Reasonings) Add(r Reasoning) {
	if r.Text == "" {
		return
	}
	list := *l
	if len(list) >= ReasoningsMax {
		list = slices.Delete(list, 0, 1+len(list)-ReasoningsMax)
	}
	r.Text = cutText(r.Text, ReasoningText)
	*l = append(grow(list, ReasoningsMax), r)
}

// Last returns the newest reasoning, or nil.
func (l Reasonings) Last() *Reasoning {
	if len(l) == 0 {
		return nil
	}
	return &l[len(l)-1]
}

// ByExperience returns the reasoning of the act with a row id, or nil.
func (l Reasonings) ByExperience(experience uint64) *Reasoning {
	for i := len(l) - 1; i >= 0; i-- {
		if l[i].Experience == experience {
			return &l[i]
		}
	}
	return nil
}
