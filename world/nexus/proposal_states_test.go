package nexus

import (
	"testing"

	"kingdom/wire"
)

// A vote decides a proposal once, either way or not at all, and votes on a decided proposal are refused. A refusal
// changes nothing (lab.ask).
func TestProposal_EndsInEachStatusOnce(t *testing.T) {
	for _, tc := range []struct {
		want  wire.ProposalStatus
		votes []bool // of agents 1, 2, …
		again string // voting once more afterwards
	}{
		{wire.ProposalStatusOpen, nil, ""},
		{wire.ProposalStatusPassed, []bool{true, true, true}, "closed"},
		{wire.ProposalStatusFailed, []bool{true, false, true}, "closed"}, // two thirds by heads, half by weight
		{wire.ProposalStatusFailed, []bool{false, false, false}, "closed"},
		{wire.ProposalStatusExpired, []bool{true, true}, "closed"},
	} {
		t.Run(tc.want.String(), func(t *testing.T) {
			l := newLab(t, 4)
			l.repute(0.5, 0.25, 0.5, 0.25)
			id, no := l.propose(0, custom, text(20), 512)
			if no != "" {
				t.Fatal(no)
			}
			for i, v := range tc.votes {
				if no := l.ballot(i+1, id, v); no != "" {
					t.Fatal(no)
				}
			}
			if tc.want != wire.ProposalStatusOpen {
				l.end(2)
			}
			for range 2 { // the second cycle end decides nothing any more
				if s, _ := l.ProposalStatus(id); s != tc.want {
					t.Errorf("%v, want %v", s, tc.want)
				}
				if tc.want != wire.ProposalStatusOpen {
					l.end(3)
				}
			}
			if no := l.ballot(0, id, true); no != tc.again {
				t.Errorf("one more vote: %q, want %q", no, tc.again)
			}
			if open := l.opened[l.ids[0]] == 1; open != (tc.want == wire.ProposalStatusOpen) {
				t.Errorf("takes one of its author's two places: %v", open)
			}
		})
	}
}

// TestProposal_ExecutesWhatPassed: every kind does what it asks for when it passed, and nothing
// when it failed.
func TestProposal_ExecutesWhatPassed(t *testing.T) {
	for _, passed := range []bool{true, false} {
		l := newLab(t, 4)
		l.repute(0.5, 0.5, 0.5, 0.5)
		k := l.clock.edit()
		k.Epoch = 5
		l.rules.PopulationCap = 8
		victim := l.ids[3]
		asked := map[wire.ProposalKind][]byte{
			sponsor: spawn(50, newcomer()), end: kill(victim), change: param("agora.channel_fee", 9),
			wire.ProposalKindEpochAdvance: advance(6),
		}
		l.clock.edit().Changed = 0
		l.at(17 * 256) // the rest after the last change of epoch is over
		author := 0
		for _, kind := range []wire.ProposalKind{sponsor, end, change, wire.ProposalKindEpochAdvance} {
			id, no := l.propose(author/2, kind, asked[kind], 0)
			if no != "" {
				t.Fatalf("%v: %s", kind, no)
			}
			author++
			for i := range l.ids {
				if no := l.ballot(i, id, passed); no != "" {
					t.Fatalf("%v: %s", kind, no)
				}
			}
		}
		l.end(19)
		for what, done := range map[string]bool{
			"a newcomer": len(l.Agents()) == 5, "a death": l.statusOf(3) == wire.StatusDead,
			"a fee of 9": l.Param("agora.channel_fee", 5) == 9, "epoch 6": l.Reached(advanceName(6)),
		} {
			if done != passed {
				t.Errorf("passed %v, but %s: %v", passed, what, done)
			}
		}
	}
}
