package agora

import (
	"fmt"
	"testing"

	"kingdom/wire"
)

// closedTo describes what a view says of a thing that agent a holds on to at tick now.
func (l *lab) closedTo(id wire.Hash, a wire.AgentID, now wire.Tick) string {
	s, closed := l.d.Closed(id, a, now)
	if !closed {
		return "open"
	}
	if s.ID != id {
		l.t.Errorf("asked about %v, told about %v", id, s.ID)
	}
	return s.Kind + " " + s.Status
}

// An open bounty is closed to those who cannot claim it any more before its deadline.
func TestClosed_OpenBounty(t *testing.T) {
	const deadline, last = 12*256 - 1, 11 // its last tick and cycle
	for _, tc := range []struct {
		name  string
		by    wire.AgentID
		edit  func(l *lab, b *Bounty)
		after wire.Tick
		want  string
	}{
		{"anybody", claimer, nil, 0, "open"},
		{"after the deadline", claimer, nil, 1, "bounty EXPIRED"},
		{"its creator", creator, nil, 0, "bounty BARRED"},
		{"its reviewer", judge, nil, 0, "bounty BARRED"},
		{"barred until its last cycle", claimer, func(l *lab, b *Bounty) { l.d.board.bars.set(b.ID, claimer, last) }, 0, "open"},
		{"barred for longer", claimer, func(l *lab, b *Bounty) { l.d.board.bars.set(b.ID, claimer, last+1) }, 0, "bounty BARRED"},
		{"barred from all until its last cycle", claimer, func(l *lab, _ *Bounty) { l.d.counters.forUpdate(claimer).BarredUntil = last }, 0, "open"},
		{"barred from all for longer", claimer, func(l *lab, _ *Bounty) { l.d.counters.forUpdate(claimer).BarredUntil = last + 1 }, 0, "bounty BARRED"},
		{"a documentation bounty, after another", claimer, func(l *lab, b *Bounty) {
			l.d.counters.forUpdate(claimer).GapUntil = last
			b.Asker = ptr(agent(8))
		}, 0, "open"},
		{"a documentation bounty, too soon after another", claimer, func(l *lab, b *Bounty) {
			l.d.counters.forUpdate(claimer).GapUntil = last + 1
			b.Asker = ptr(agent(8))
		}, 0, "bounty BARRED"},
		{"another bounty after a documentation bounty", claimer, func(l *lab, _ *Bounty) { l.d.counters.forUpdate(claimer).GapUntil = last + 1 }, 0, "open"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab(t)
			q := judgedOffer()
			q.Deadline = deadline
			id := l.must(creator, q)
			if tc.edit != nil {
				tc.edit(l, l.d.board.bounties.Edit(id))
			}
			if got := l.closedTo(id, tc.by, deadline+tc.after); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

// A bounty that somebody holds is open to its claimer, and to those who have to judge it.
func TestClosed_BountyInEachState(t *testing.T) {
	for _, tc := range []struct {
		state wire.BountyStatus
		want  [3]string // to the claimer, the judge, another
	}{
		{wire.BountyStatusClaimed, [3]string{"open", "bounty CLAIMED", "bounty CLAIMED"}},
		{wire.BountyStatusReviewing, [3]string{"open", "open", "bounty REVIEWING"}},
		{wire.BountyStatusRejected, [3]string{"open", "bounty REJECTED", "bounty REJECTED"}},
		{wire.BountyStatusDisputed, [3]string{"open", "bounty DISPUTED", "bounty DISPUTED"}},
		{wire.BountyStatusCompleted, [3]string{"bounty COMPLETED", "bounty COMPLETED", "bounty COMPLETED"}},
		{wire.BountyStatusExpired, [3]string{"bounty EXPIRED", "bounty EXPIRED", "bounty EXPIRED"}},
	} {
		l := newLab(t)
		id := l.inState(tc.state)
		for i, a := range []wire.AgentID{claimer, judge, other} {
			if got := l.closedTo(id, a, l.c.Tick); got != tc.want[i] {
				t.Errorf("%v, agent %d: %s, want %s", tc.state, a[0], got, tc.want[i])
			}
		}
	}
}

// A request for a review is closed to who has answered it, and to all once it takes no more.
func TestClosed_Review(t *testing.T) {
	l, id := withReview(t)
	for n := range byte(2) {
		if got := l.closedTo(id, agent(4), l.c.Tick); got != "open" {
			t.Errorf("after %d reviews: %s", n, got)
		}
		l.must(agent(2+n), &wire.ReviewSubmit{Request: id, Verdict: wire.ReviewVerdictApprove})
		if got := l.closedTo(id, agent(2+n), l.c.Tick); got != "review ANSWERED" {
			t.Errorf("to its reviewer: %s", got)
		}
	}
	if got := l.closedTo(id, agent(4), l.c.Tick); got != "review CLOSED" {
		t.Errorf("after two reviews: %s", got)
	}
}

// A question is closed once three agents have answered it and its asker has supported an answer of another, or once eight
// have answered it. Answers to something else, or to nothing that is there, close nothing.
func TestClosed_Question(t *testing.T) {
	help := wire.ChannelID("help")
	for _, tc := range []struct {
		name    string
		answers byte // by agents 2 and following
		signal  func(l *lab, first wire.Hash)
		want    string
	}{
		{"two answers, one supported", 2, func(l *lab, first wire.Hash) { l.must(agent(1), signalOf(first, wire.SignalKindHelpful)) }, "open"},
		{"three answers", 3, nil, "open"},
		{"three answers, one supported by the asker", 3, func(l *lab, first wire.Hash) { l.must(agent(1), signalOf(first, wire.SignalKindHelpful)) }, "question ANSWERED"},
		{"three answers, one of no use to the asker", 3, func(l *lab, first wire.Hash) { l.must(agent(1), signalOf(first, wire.SignalKindDisagree)) }, "open"},
		{"three answers, supported by friends", 3, func(l *lab, first wire.Hash) {
			l.must(agent(3), signalOf(first, wire.SignalKindHelpful))
			l.must(agent(4), signalOf(first, wire.SignalKindAgree))
		}, "open"},
		{"seven answers", 7, nil, "open"},
		{"eight answers", 8, nil, "question ANSWERED"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab(t)
			asked := l.say(1, help, wire.MessageKindQuestion, "why?")
			said := l.say(1, help, wire.MessageKindStatement, "because")
			l.must(agent(1), &wire.MsgPost{Channel: help, Kind: wire.MessageKindAnswer, Content: wire.TextContent("I know"), References: []wire.Hash{said}, Confidence: 1})
			var first wire.Hash
			for n := range tc.answers {
				for i := range 2 { // twice by each, which counts once
					q := post("help", wire.MessageKindAnswer, fmt.Sprint("answer ", n, i))
					q.References = []wire.Hash{{1}, said, asked}
					if id := l.must(agent(2+n), q); n == 0 {
						first = id
					}
				}
			}
			if tc.signal != nil {
				tc.signal(l, first)
			}
			for range 2 {
				if got := l.closedTo(asked, agent(9), l.c.Tick); got != tc.want {
					t.Errorf("%s, want %s", got, tc.want)
				}
				for _, id := range []wire.Hash{said, first, {1}} {
					if got := l.closedTo(id, agent(9), l.c.Tick); got != "open" {
						t.Errorf("what is no question is %s", got)
					}
				}
				l = l.restored()
			}
		})
	}
}
