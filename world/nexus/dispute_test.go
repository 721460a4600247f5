package nexus

import (
	"testing"

	"kingdom/wire"
)

// dispute opens a proposal of Agora's on which agents 0 and 1 have no vote.
func (l *lab) dispute() wire.Hash {
	id := wire.Hash{0xD1}
	l.Propose(l.c, id, l.ids[0], custom, text(20), 600, l.ids[0], l.ids[1])
	return id
}

// Two of four agents have no vote on a dispute between them. The votes of the two others are enough.
func TestTally_PartiesBelongToNoQuorum(t *testing.T) {
	l := newLab(t, 4)
	l.repute(1, 1, 0.25, 0.25)
	id := l.dispute()
	for i, want := range []string{"party", "party", "", ""} {
		if got := l.ballot(i, id, true); got != want {
			t.Errorf("vote of agent %d: %q, want %q", i, got, want)
		}
	}
	l.end(2)
	if s, _ := l.ProposalStatus(id); s != wire.ProposalStatusPassed {
		t.Errorf("all who have a vote are for it: %v", s)
	}
	for i, want := range []Merit{{}, {}, {Votes: 1, Ballots: 1}, {Votes: 1, Ballots: 1}} {
		if got := l.Agent(l.ids[i]).Merit; got.Votes != want.Votes || got.Ballots != want.Ballots {
			t.Errorf("agent %d: %d votes of %d, want %d of %d", i, got.Votes, got.Ballots, want.Votes, want.Ballots)
		}
	}
}
