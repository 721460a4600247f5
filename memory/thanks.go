package memory

import (
	"slices"

	"kingdom/wire"
)

// thanksMax is how many useful answers are kept.
const thanksMax = 4

// Thank is a useful answer for which the agent may pay.
type Thank struct {
	Author wire.AgentID `kdom:"a"`
	At     wire.Tick    `kdom:"t"`
	Paid   bool         `kdom:"p"` // it is kept so that its author is not paid again soon
	Escrow wire.Hash    `kdom:"e"` // in which its pay is locked; zero: in none
}

// Tuple makes the stored form a list.
func (Thank) Tuple() {}

// Thanks are useful answers that the agent has read, oldest first: what it may owe for them, and whether it has paid.
type Thanks []Thank

// Add notes a useful answer, for a tip. Its author gets no other tip within the pause, so that answering one agent
// all day does not pay. What is locked in escrow for the answer is paid in any case.
func (l *Thanks) Add(escrow wire.Hash, author wire.AgentID, at, pause wire.Tick) {
	list := *l
	if escrow.IsZero() && slices.ContainsFunc(list, func(t Thank) bool { return t.Author == author && t.At+pause > at }) {
		return
	}
	if len(list) >= thanksMax {
		least := max(slices.IndexFunc(list, func(t Thank) bool { return t.Paid }), 0) // if none is paid, the oldest
		list = slices.Delete(list, least, least+1)
	}
	*l = append(list, Thank{Author: author, At: at, Escrow: escrow})
}

// NextUnpaid returns the newest useful answer that was not paid for, or nil.
func (l Thanks) NextUnpaid() *Thank {
	for i := len(l) - 1; i >= 0; i-- {
		if !l[i].Paid {
			return &l[i]
		}
	}
	return nil
}

// MarkPaid notes that the author of an answer was tipped, or cannot be. Answers for which money is locked are paid by
// MarkReleased.
func (l Thanks) MarkPaid(author wire.AgentID) {
	for i := range l {
		if t := &l[i]; t.Author == author && t.Escrow.IsZero() {
			t.Paid = true
		}
	}
}

// MarkReleased notes that the escrow for an answer was paid out, or cannot be.
func (l Thanks) MarkReleased(escrow wire.Hash) {
	for i := range l {
		if l[i].Escrow == escrow {
			l[i].Paid = true
		}
	}
}
