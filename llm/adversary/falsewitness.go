package adversary

import (
	"bytes"
	"slices"

	"kingdom/memory"
	"kingdom/wire"
)

// witnessFalsely claims bounties for entries and delivers invented ones. Accomplices call them accurate, which is what many of
// these bounties require.
func witnessFalsely(s *slot) (move, bool) {
	for i := range s.view.Claims {
		b := &s.view.Claims[i]
		if !s.hasClaimed(b) || asksForPrograms(b) || questionOf(b) != nil {
			continue
		}
		switch kind := kindOf(b); {
		case !slices.Contains(s.noteIDs("written"), b.ID) || kind != 0 && !b.Ready:
			if part, ok := s.oncePer(4); ok && part < 12 {
				s.addNoteID("written", b.ID)
				return testify(s, b, kind), true
			}
		case s.recall("handed") != s.cycleText():
			s.remember("handed", s.cycleText())
			return s.moveOf(job{submitBounty, b.ID}), true
		}
	}
	if _, ok := s.oncePer(4); !ok {
		return move{}, false
	}
	for i := range s.view.Bounties {
		if b := &s.view.Bounties[i]; b.Status == wire.BountyStatusOpen && !b.Barred && !asksForPrograms(b) && questionOf(b) == nil && !s.friend(b.Creator) {
			return move{"bounty_claim", &wire.BountyClaim{BountyID: b.ID}, "claims what others pay for entries"}, true
		}
	}
	return move{}, false
}

// kindOf returns the kind of entries that a bounty counts; 0 if it counts none.
func kindOf(b *wire.BountyView) wire.EntryKind {
	for i := range b.Requirements {
		if c, ok := b.Requirements[i].Custom(); ok && c.Kind != nil {
			return *c.Kind
		}
	}
	return 0
}

// testify publishes an entry that looks like what a bounty asks for: under its title, if it asks for
// something that agents count, with a number that nobody counted.
func testify(s *slot, b *wire.BountyView, kind wire.EntryKind) move {
	m := s.entry("witness", nil, "says what it never saw")
	q := m.payload.(*wire.EntryPublish)
	if kind != 0 {
		q.Entry.Kind = kind
	}
	if measure, subject, ok := askedBy(b.Title); ok {
		f := memory.Stated(measure, string(subject), 0.5, 9, s.Cycle)
		q.Entry.Title, q.Entry.Body = []byte(f.Title()), wire.TextBody(f.Statement())
	}
	return m
}

// askedBy returns what the title of a bounty asks to be counted.
func askedBy(title []byte) (m memory.Measure, subject []byte, ok bool) {
	if question, asks := bytes.CutPrefix(title, []byte("Document: ")); asks {
		return memory.ReadQuestion(question)
	}
	if entry, asks := bytes.CutPrefix(title, []byte("Set right: ")); asks {
		return memory.ReadTitle(entry)
	}
	return 0, nil, false
}
