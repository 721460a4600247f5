package memory

import (
	"slices"

	"kingdom/wire"
)

// EndedMax is how many goals are kept that ended since the last thought.
const EndedMax = 3

// endedText is how many bytes are kept of what an ended goal said.
const endedText = 80

// EndedNote is a goal that ended since the mind was asked last. It is kept until the next prompt has told the mind.
type EndedNote struct {
	Kind    uint8        `kdom:"k"` // ordinal of the goal's kind
	Subject wire.Hash    `kdom:"s"`
	Text    string       `kdom:"x"` // what the goal said; only of one in words of its own
	Reached bool         `kdom:"d"` // else it was given up or lost
	Reason  string       `kdom:"r"` // why
	By      wire.AgentID `kdom:"a"` // the agent that has its subject now; zero: none
}

// Tuple makes the stored form a list.
func (EndedNote) Tuple() {}

// RestNote is the last rest that the mind chose.
type RestNote struct {
	At     wire.Tick `kdom:"t"`
	Slots  uint64    `kdom:"n"` // that it was to let pass
	Passed uint64    `kdom:"p"` // of them
	Why    string    `kdom:"w"` // what ended it early; empty: nothing
}

// Tuple makes the stored form a list.
func (RestNote) Tuple() {}

// NewsMax is how many events are kept for an agent that was not asked after them when a cycle ended.
const NewsMax = 8

// NewsNote is an event about an agent that ended a cycle, such as in a rest, before it was asked again.
type NewsNote struct {
	Kind    uint16       `kdom:"k"` // a [wire.EventKind]
	At      wire.Tick    `kdom:"t"`
	Origin  wire.AgentID `kdom:"o"`
	Payload []byte       `kdom:"p"`
}

// Tuple makes the stored form a list.
func (NewsNote) Tuple() {}

// NoteEnded keeps a goal that ended, in place of the oldest if there are too many.
func (l *Notebook) NoteEnded(n EndedNote) {
	if len(l.Ended) >= EndedMax {
		l.Ended = slices.Delete(l.Ended, 0, 1)
	}
	n.Text = cutText(n.Text, endedText)
	l.Ended = append(l.Ended, n)
}

// BeginRest begins a rest that the mind chose.
func (l *Notebook) BeginRest(at wire.Tick, slots uint64) {
	l.Rest, l.Rested = slots, RestNote{At: at, Slots: slots}
}

// StopRest ends a rest for a reason.
func (l *Notebook) StopRest(why string) {
	if l.chosenRest() {
		l.Rested.Why = why
	}
	l.Rest = 0
}

// PassRest lets a slot of a rest pass.
func (l *Notebook) PassRest() {
	if l.chosenRest() {
		l.Rested.Passed++
	}
	l.Rest--
}

// chosenRest reports whether the rest that goes on is the last one that the mind chose: all of its slots have passed or are to
// come. Others begin when there is nothing to do.
func (l *Notebook) chosenRest() bool {
	return l.Rested.Why == "" && l.Rested.Passed+l.Rest == l.Rested.Slots && l.Rest > 0
}
