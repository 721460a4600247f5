package agora

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
)

// indexes describes all that the daemon derives from its tables and that nobody can read directly.
func (l *lab) indexes() string {
	var s strings.Builder
	list := func(name string, v any) { fmt.Fprintf(&s, "%s %v\n", name, v) } // maps are printed in the order of their keys
	d := l.d
	list("names", d.channels.names)
	list("closing", d.channels.autoClosing)
	list("discussions", d.channels.discussions)
	list("used", d.counters.used)
	list("ready", d.archive.ready)
	list("wanted", d.archive.wantedQuestions)
	list("private", d.archive.private)
	logs := slices.SortedFunc(slices.Values(d.archive.logs), func(a, b *channelLog) int { return a.id.Compare(b.id) }) // numbered in another order
	for _, t := range logs {
		fmt.Fprintf(&s, "log %v: %d messages, early %d, vote called %t, helpful %d", t.id, len(t.messages), len(t.early), t.voteCalled, t.helpful)
		if t.proposal != nil {
			fmt.Fprintf(&s, ", about %v", t.proposal.id)
		}
		fmt.Fprintln(&s)
	}
	for _, e := range slices.Collect(d.archive.all.All()) {
		r := d.archive.reactions.get(e)
		_, closed := d.archive.closed(e)
		fmt.Fprintf(&s, "message %v: %d of weight %d, closed %t\n", e.id, r.positive, r.weight, closed)
	}
	list("live", d.board.live)
	list("claimed", d.board.claimedBy)
	list("created", d.board.createdBy)
	list("barred", d.board.bars.barred)
	for _, b := range d.board.open {
		list("open", b.ID)
	}
	for _, b := range d.board.openByID {
		list("by id", b.ID)
	}
	list("completed", d.board.completed)
	ballots := map[wire.Hash][]string{}
	for id, votes := range d.board.verdicts.ballots {
		for _, v := range votes {
			ballots[id] = append(ballots[id], fmt.Sprint(v))
		}
		slices.Sort(ballots[id])
	}
	list("ballots", ballots)
	list("to judge", d.board.verdicts.asked)
	r := d.reviews
	list("to review", r.asked)
	list("open", r.open)
	list("counted", r.counted)
	list("posts", r.byPost)
	heads := map[wire.Hash][]wire.Hash{}
	for id, ids := range r.byHead {
		heads[id] = slices.SortedFunc(slices.Values(ids), wire.Hash.Compare)
	}
	list("heads", heads)
	due := map[wire.Cycle][]wire.Hash{}
	for cycle, ids := range r.due {
		for _, id := range ids {
			if !r.Get(id).Closed { // a closed one is only removed with its cycle
				due[cycle] = append(due[cycle], id)
			}
		}
		slices.SortFunc(due[cycle], wire.Hash.Compare)
	}
	list("due", due)
	for _, j := range []*juries{d.board.verdicts.juries, r.juries} {
		list("draws", j.draws)
		list("juries", j.juryOf)
		list("assigned", j.assigned)
	}
	return s.String()
}

// wantSameIndexes restores the lab and compares what was derived from the tables.
func (l *lab) wantSameIndexes(what string) {
	l.t.Helper()
	l.d.Post(l.c.Tick)
	if diff := cmp.Diff(strings.Split(l.indexes(), "\n"), strings.Split(l.restored().indexes(), "\n")); diff != "" {
		l.t.Errorf("%s (-running +restored):\n%s", what, diff)
	}
}

// What is derived from the tables is the same after a restore, in every state of a bounty.
func TestRestored_IndexesOfBounties(t *testing.T) {
	for _, s := range []wire.BountyStatus{
		wire.BountyStatusOpen, wire.BountyStatusClaimed, wire.BountyStatusReviewing, wire.BountyStatusRejected,
		wire.BountyStatusDisputed, wire.BountyStatusCompleted, wire.BountyStatusExpired,
	} {
		l := newLab(t)
		l.inState(s)
		l.wantSameIndexes(s.String())
	}
	l := newLab(t)
	two := offerOf()
	two.Reviewers = []wire.AgentID{judge, other}
	id := l.must(creator, two)
	l.must(claimer, claimOf(id))
	l.must(claimer, submitOf(id))
	l.must(judge, verdictOf(id, reject))
	l.wantSameIndexes("one of two judges has answered")
	for _, a := range two.Reviewers {
		l.crowd.status[a] = wire.StatusDead
		l.d.AgentLeft(l.c, a, wire.StatusDead)
	}
	if n := len(l.d.board.verdicts.asked[other]); n != 0 {
		t.Errorf("%d submissions wait for a dead agent", n)
	}
	l.wantSameIndexes("both are dead")
	l.endCycle()
	l.status(id, wire.BountyStatusRejected)
	l.wantSameIndexes("rejected")

	alone := l.must(creator, offerOf())
	l.must(claimer, claimOf(alone))
	l.must(claimer, submitOf(alone))
	l.crowd.status[creator] = wire.StatusDead
	l.d.AgentLeft(l.c, creator, wire.StatusDead)
	if len(l.d.board.verdicts.juries.draws) != 1 || len(l.d.board.verdicts.asked) != 0 {
		t.Error("no jury judges in place of the dead creator")
	}
	l.wantSameIndexes("a jury judges")
	l.endCycle()
	l.wantSameIndexes("a jury judges in its second cycle")
}

// The same for channels, messages, signals, questions, reviews and the counters of agents.
func TestRestored_IndexesOfMessagesAndReviews(t *testing.T) {
	l, open := withReview(t)
	named := l.must(agent(1), &wire.ReviewRequest{
		Repo: wire.Hash{7}, BaseSnap: wire.Hash{7}, HeadSnap: wire.Hash{7}, Reviewers: []wire.AgentID{judge, other}, Urgency: wire.UrgencyLow,
	})
	l.must(judge, &wire.ReviewSubmit{Request: named, Verdict: wire.ReviewVerdictApprove})
	l.wantSameIndexes("one of two reviewers has answered")
	if x := l.d.reviews.asked; len(x[judge]) != 0 || len(x[other]) != 1 {
		t.Errorf("to review: %v", x)
	}
	l.must(claimer, &wire.ReviewSubmit{Request: open, Verdict: wire.ReviewVerdictRequestChanges})
	l.must(agent(5), &wire.ReviewSubmit{Request: open, Verdict: wire.ReviewVerdictApprove})
	l.wantSameIndexes("a closed request")

	den := l.must(agent(1), &wire.ChannelCreate{
		Kind: wire.ChannelKindRFC, Name: []byte("den"), Access: wire.Access{InviteOnly: &[]wire.AgentID{other}}, AutoClose: ptr(uint64(2)),
	})
	ch := rfc(l)
	for _, c := range []wire.Hash{den, ch} {
		l.say(1, c, wire.MessageKindProposal, "Use tabs")
		l.say(1, c, wire.MessageKindQuestion, "why?")
	}
	asked := l.say(2, wire.ChannelID("help"), wire.MessageKindQuestion, "why not?")
	for n := range byte(3) {
		l.must(agent(3+n), signalOf(asked, wire.SignalKindHelpful))
	}
	l.wantSameIndexes("channels")
	for range 4 {
		l.endCycle()
		l.wantSameIndexes(fmt.Sprint("cycle ", l.c.Cycle))
	}
	if !l.d.Channel(den).Archived {
		t.Error("the idle channel is open")
	}
	decided := l.must(agent(1), &wire.ChannelCreate{Kind: wire.ChannelKindRFC, Name: []byte("decided"), Access: wire.Access{Public: true}})
	proposal := l.say(1, decided, wire.MessageKindProposal, "Use spaces")
	l.say(2, decided, wire.MessageKindStatement, "hm")
	l.say(3, decided, wire.MessageKindStatement, "ok")
	for n := range byte(3) {
		l.must(agent(4+n), signalOf(proposal, wire.SignalKindAgree))
	}
	for range 16 {
		l.endCycle()
	}
	l.phase(decided, wire.DiscussionPhaseDecision)
	l.wantSameIndexes("a discussion is decided, and all requests are closed")
	if x := l.d.reviews; len(x.asked)+len(x.open)+len(x.due) != 0 {
		t.Errorf("closed requests are still indexed: %v %v %v", x.asked, x.open, x.due)
	}
}

// The proposer's call for the vote holds after a restore, in which messages may come before their channels.
func TestRestored_CalledVote(t *testing.T) {
	l := newLab(t)
	ch := rfc(l)
	l.say(1, ch, wire.MessageKindProposal, "Use tabs")
	l.say(2, ch, wire.MessageKindStatement, "hm")
	l.say(3, ch, wire.MessageKindStatement, "ok")
	l.endCycle()
	l.phase(ch, wire.DiscussionPhaseRefinement)
	call := wire.ContentCallVote
	l.must(agent(1), &wire.MsgPost{
		Channel: ch, Kind: wire.MessageKindStatement, Confidence: 1, Content: contentOf(wire.Content{Type: &call, Text: ptr("now")}),
	})
	if !l.restored().d.archive.log(ch).voteCalled {
		t.Error("the call is forgotten")
	}
}

// Signals are indexed in the order in which they were sent, also if some come before their messages in a restore.
func TestArchive_PendingSignalsKeepTheirOrder(t *testing.T) {
	l := newLab(t)
	x := l.d.archive
	m := l.say(1, wire.ChannelID("help"), wire.MessageKindQuestion, "why?")
	x.indexSignal(0, &Signal{Target: wire.Hash{9}, Author: agent(2), Kind: wire.SignalKindAgree})
	x.indexSignal(1, &Signal{Target: m, Author: agent(3), Kind: wire.SignalKindAgree})
	if len(x.pendingSignals) != 2 {
		t.Fatalf("%d signals wait, want 2: the second after the first", len(x.pendingSignals))
	}
	defer func() {
		if recover() == nil {
			t.Error("a signal on a message that is nowhere was accepted")
		}
	}()
	x.restored()
}
