package ooda

import (
	"strings"
	"testing"

	"kingdom/memory"
	"kingdom/wire"
)

// reward is a reward that an agent gets at a tick.
func reward(at wire.Tick, to wire.AgentID, amount uint64) *wire.Event {
	return event(wire.KindTransferCompleted, at, to, &wire.TransferCompletedEvent{To: to, From: wire.SystemID(wire.SystemMint), Amount: amount, Kind: wire.TransferKindGrant})
}

// Of too many events those about the agent stay, and of the others the newest.
func TestRecent_KeepsWhatIsAboutTheAgent(t *testing.T) {
	for _, batches := range [][]int{{24}, {25}, {30}, {10, 15}, {24, 1}, {3, 40, 2}} {
		s := newSolo(t, genomes[6])
		s.ask(reward(200, s.a.ID, 7))
		at := wire.Tick(256)
		for _, n := range batches {
			var events []*wire.Event
			for range n {
				at++
				events = append(events, event(wire.KindProposalCreated, at, peerA, &wire.ProposalCreatedEvent{ProposalID: wire.Hash{byte(at)}, Author: peerA}))
			}
			keepEvents(s.t.items(), events)
		}
		got := s.t.seen.recent.list
		if len(got) != recentMax || !got[0].mine || got[0].Timestamp != 200 || got[len(got)-1].Timestamp != at || got[1].Timestamp != at-recentMax+2 {
			t.Errorf("%v: %d events, the first of tick %d, the second of %d, the last of %d", batches, len(got), got[0].Timestamp, got[1].Timestamp, got[len(got)-1].Timestamp)
		}
	}
	s := newSolo(t, genomes[6])
	for i := range 2 * recentMax { // all are about the agent
		keepEvents(s.t.items(), []*wire.Event{reward(wire.Tick(i), s.a.ID, 1)})
	}
	if got := s.t.seen.recent.list; len(got) != recentMax || got[0].Timestamp != recentMax {
		t.Errorf("%d events, the first of tick %d", len(got), got[0].Timestamp)
	}
}

// What happens to an agent while it rests to the end of a cycle is told in the next one, and once.
func TestRecent_GoesOverTheEndOfACycle(t *testing.T) {
	s := newSolo(t, genomes[6])
	review := wire.Hash{6}
	s.a.Memory.Dealings.AskedReview(review)
	s.slot(restFor(30), wire.Reply{}, reward(255, s.a.ID, 5)) // told before it rested
	s.pass(event(wire.KindReviewSubmitted, 260, peerB, &wire.ReviewSubmittedEvent{ReviewID: review, Reviewer: peerB, Verdict: wire.ReviewVerdictApprove}),
		event(wire.KindProposalCreated, 260, peerA, &wire.ProposalCreatedEvent{ProposalID: wire.Hash{9}, Author: peerA})) // not about it
	s.t.CycleEnd(511)
	if n := s.a.Notebook.News; len(n) != 1 || n[0].At != 260 {
		t.Fatalf("noted at the end of the cycle: %+v", n)
	}
	s.t.CycleEnd(767) // a cycle in which it has no slot, such as asleep
	if len(s.a.Notebook.News) != 1 {
		t.Fatal("a cycle without slots forgets it")
	}
	begin := func(cycle wire.Cycle) {
		s.next = wire.Tick(cycle) * 256
		s.t.CycleStart(wire.TickAlloc{Budget: 64, Cycle: cycle}, s.next)
	}
	begin(3)
	if s.pass(); strings.Contains(string(s.t.prompt.Render(nil)), "of rewards") {
		t.Error("what was told is told again")
	}
	s.ask(reward(767, s.a.ID, 10), reward(767, s.a.ID, 3), event(wire.KindTransferFailed, 767, s.a.ID, &wire.TransferFailedEvent{To: s.a.ID, Amount: 30, Reason: []byte("reward_cap")}))
	s.wantNews("b2000000 reviewed r1: APPROVE", "you got 13 Spark of rewards", "30 Spark of your rewards were not paid: "+rewardsEnd)
	s.t.Act(answered(idle))
	s.t.Record(wire.Reply{})
	s.t.CycleEnd(1023)
	if n := s.a.Notebook.News; len(n) != 0 {
		t.Errorf("told and noted: %+v", n)
	}
}

func TestRecent_NotesTheNewest(t *testing.T) {
	s := newSolo(t, genomes[6])
	review := wire.Hash{6}
	s.a.Memory.Dealings.AskedReview(review)
	s.slot(restFor(60), wire.Reply{})
	for i := range memory.NewsMax + 2 {
		s.pass(event(wire.KindReviewSubmitted, wire.Tick(257+i), peerB, &wire.ReviewSubmittedEvent{ReviewID: review, Reviewer: peerB, Verdict: wire.ReviewVerdictApprove}))
	}
	s.t.CycleEnd(511)
	n := s.a.Notebook.News
	if len(n) != memory.NewsMax || n[0].At != 259 {
		t.Fatalf("noted: %+v", n)
	}
	s.t.CycleStart(wire.TickAlloc{Budget: 64, Cycle: 2}, 512)
	if got := s.t.seen.recent.list; len(got) != memory.NewsMax || got[0].Timestamp != 259 || s.a.Notebook.News != nil {
		t.Errorf("in the next cycle: %+v, and still noted %+v", got, s.a.Notebook.News)
	}
}

// Payments between others, or that another event tells, are no news.
func TestRecent_LeavesOutPlainPayments(t *testing.T) {
	s := newSolo(t, genomes[6])
	pay := func(from, to wire.AgentID, k wire.TransferKind) *wire.Event {
		return event(wire.KindTransferCompleted, 255, to, &wire.TransferCompletedEvent{From: from, To: to, Amount: 1, Kind: k})
	}
	mint := wire.SystemID(wire.SystemMint)
	s.ask(pay(mint, peerA, wire.TransferKindGrant), pay(peerA, s.a.ID, wire.TransferKindBountyReward), pay(s.a.ID, mint, wire.TransferKindGrant))
	if got := s.t.seen.recent.list; len(got) != 0 {
		t.Errorf("kept: %+v", got)
	}
}
