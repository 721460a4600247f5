package ooda

import (
	"crypto/sha256"
	"testing"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

// Most agents leave a new entry to others for a while, since a few verdicts are enough, and longer in a topic in which
// they are not practised. An entry that somebody pays for is not left to others.
func TestDeferral_NewEntryIsLeftToOthersAtFirst(t *testing.T) {
	title := []byte(memory.MeasureKeeps.Title([]byte("a1b2c3d4")))
	leaves := func(age wire.Tick, paid bool, bar float32) (left int) {
		for i := range 40 {
			s := newSolo(t, genomes[6])
			s.ask()
			s.t.Act(answered(idle))
			s.t.Record(wire.Reply{})
			s.a.Notebook.Active = 100
			for j := range s.a.Memory.Topics {
				s.a.Memory.Topics[j].Bar = bar
			}
			n := memory.EntryNote{ID: sha256.Sum256([]byte{byte(i)}), Author: peerA, At: 300, Title: title, Paid: paid}
			s.t.slotView.tick = n.At + age
			if (deferral{&s.t.self}).leavesEntry(&n) {
				left++
			}
		}
		return left
	}
	mine, another, late := leaves(8, false, memory.BarLeast), leaves(8, false, memory.BarMost), leaves(8*256, false, memory.BarMost)
	if mine >= another || another < 30 || late != 0 {
		t.Errorf("of 40 entries %d of the own field are left to others, %d of another's, and %d in the end", mine, another, late)
	}
	if n := leaves(8, true, memory.BarMost); n != 0 {
		t.Errorf("%d of 40 entries that somebody pays for are left to others", n)
	}
}

// Fewer agents leave a bounty to others the more it pays.
func TestDeferral_HighRewardBountyIsDeferredLeast(t *testing.T) {
	leaves := func(reward uint64) (left int) {
		for i := range 40 {
			s := newSolo(t, genomes[6])
			s.ask()
			s.t.Act(answered(idle))
			s.t.Record(wire.Reply{})
			s.a.Notebook.Active = 100
			b := wire.BountyView{ID: sha256.Sum256([]byte{byte(i)}), Creator: peerA, Reward: reward, Status: wire.BountyStatusOpen, Title: []byte("work"), Deadline: 10_000}
			s.t.slotView.tick, s.t.slotView.bounties = 300+32, []wire.BountyView{b}
			s.a.Notebook.Offer(memory.OfferNote{Bounty: b.ID, At: 300})
			s.t.goals.situation.Bounties = s.t.slotView.bounties
			if s.t.goals.weighOffers(); len(s.t.goals.proposed) == 0 { // to want it would be too early
				left++
			}
		}
		return left
	}
	if cheap, dear := leaves(2), leaves(500); cheap <= dear || dear > 20 || cheap < 30 {
		t.Errorf("of 40 bounties %d cheap ones are left to others, and %d dear ones", cheap, dear)
	}
}

// A reopened bounty is deferred like a new one, also if the agent had forgotten it, so that not all who hear of it in
// one tick claim it at once.
func TestDeferral_ReopenedBountyIsLeftToOthersAtFirst(t *testing.T) {
	for _, noted := range []bool{true, false} {
		left := 0
		for i := range 40 {
			s := newSolo(t, genomes[6])
			s.ask()
			s.t.Act(answered(idle))
			s.t.Record(wire.Reply{})
			s.a.Notebook.Active = 100
			b := wire.BountyView{ID: sha256.Sum256([]byte{byte(i)}), Creator: peerA, Reward: 2, Deadline: 9000, Status: wire.BountyStatusOpen, Title: []byte("work")}
			if noted {
				s.a.Notebook.Offer(memory.OfferNote{Bounty: b.ID, At: 10, Claimed: 20})
			}
			s.view.Bounties = []wire.BountyView{b}
			s.ask(event(wire.KindBountyReopened, s.next, peerA, &wire.BountyReopenedEvent{BountyID: b.ID, Reason: []byte("rejected"), Tick: s.next}))
			if n := s.a.Notebook.Offered(b.ID); n == nil || n.Claimed != 0 || !n.Tried || n.At < 256 {
				t.Fatalf("noted before %v: the note is %+v", noted, n)
			}
			if !s.t.goals.living(goals.KindClaimBounty, b.ID) {
				left++
			}
		}
		if left < 30 {
			t.Errorf("noted before %v: of 40 bounties that come back %d are left to others", noted, left)
		}
	}
}

// Neither the event of a new bounty nor that of a review that the view shows becomes a goal at once, even if the review is asked
// of the agent by name: first it leaves both to others. After the longest wait both are goals.
func TestDeferral_NewBountyAndReviewBecomeGoalsLater(t *testing.T) {
	for _, c := range []struct {
		kind  goals.Kind
		event func(s *solo, id wire.Hash) *wire.Event
	}{
		{goals.KindClaimBounty, func(s *solo, id wire.Hash) *wire.Event {
			s.view.Bounties = []wire.BountyView{{ID: id, Creator: peerA, Reward: 20, Deadline: 9000, Status: wire.BountyStatusOpen, Title: []byte("work"), Difficulty: wire.DifficultyTrivial}}
			return s.created(&s.view.Bounties[0])
		}},
		{goals.KindDoReview, func(s *solo, id wire.Hash) *wire.Event {
			s.view.Reviews = []wire.ReviewView{{ID: id, Author: peerA, Since: s.next, Asked: true}}
			return event(wire.KindReviewRequested, s.next, peerA, &wire.ReviewRequestedEvent{ReviewID: id, Author: peerA, Reviewers: []wire.AgentID{s.a.ID}})
		}},
	} {
		left, late := 0, 0
		for i := range 40 {
			s := newSolo(t, genomes[6])
			s.slot(idle, wire.Reply{})
			s.a.Notebook.Active = 100
			id := wire.Hash(sha256.Sum256([]byte{byte(i)}))
			s.slot(idle, wire.Reply{}, c.event(s, id))
			if !s.t.goals.living(c.kind, id) {
				left++
			}
			s.next += maxCrowdWaitCycles * 256
			s.ask()
			if s.t.goals.living(c.kind, id) {
				late++
			}
		}
		if left < 30 || late != 40 {
			t.Errorf("of 40 of %s %d are left to others at first, and %d are goals in the end", c.kind, left, late)
		}
	}
}

// After a review, further requests of the same author that are open to anybody are left to others for some cycles.
// Requests that name the agent are not.
func TestDeferral_ReviewOfRecentlyReviewedAuthorWaits(t *testing.T) {
	for _, c := range []struct {
		name  string
		by    wire.AgentID
		after wire.Tick // the last review
		asked bool
		want  bool
	}{
		{"soon", peerA, 6 * 256, false, true},
		{"asked by name", peerA, 6 * 256, true, false},
		{"another author", peerB, 6 * 256, false, false},
		{"after a rest", peerA, reviewRest * 256, false, false},
	} {
		s := newSolo(t, genomes[6])
		s.a.Memory.Peers.Review(peerA, 256)
		r := wire.ReviewView{ID: wire.Hash{1}, Author: c.by, Since: 256, Asked: c.asked}
		s.t.slotView.tick, s.t.slotView.reviews = 256+c.after, []wire.ReviewView{r}
		age, wait, leaves := (deferral{&s.t.self}).leavesReview(r.ID)
		if got := leaves && age < wait; got != c.want {
			t.Errorf("%s: left to others %v", c.name, got)
		}
	}
}

// Unread entries are worth a thought if there are three of them, if one is old, or if one is paid for.
func TestReadsNow_EnoughOldOrPaidEntries(t *testing.T) {
	for _, c := range []struct {
		entries byte
		age     wire.Tick
		paid    bool
		want    bool
	}{
		{0, 0, false, false},
		{2, maxWaitCycles*256 - 1, false, false},
		{1, maxWaitCycles * 256, false, true},
		{3, maxWaitCycles*256 - 1, false, true},
		{1, 0, true, true},
	} {
		s := newSolo(t, genomes[6])
		s.t.slotView.tick = 1000
		s.noteEntries(c.entries, memory.EntryNote{Author: peerA, At: 1000 - c.age, Title: []byte("Starlark pattern: words"), Paid: c.paid})
		if got := s.t.readsNow(); got != c.want {
			t.Errorf("%+v: reads now %v", c, got)
		}
	}
}

// An agent that can do nothing but what it deferred rests instead of sending NOPs.
func TestWaitsForMore_OnlyDeferredWorkIsLeft(t *testing.T) {
	for _, left := range []bool{false, true} {
		s := newSolo(t, genomes[6])
		s.slot(idle, wire.Reply{})
		if left {
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{0xE1}, Author: peerA, At: 260, Title: []byte("Starlark pattern: words")})
		}
		if got := waitsForMore(&s.t.self); got != left {
			t.Errorf("with something left for later %v: waits %v", left, got)
		}
	}
}

// After an errand the agent returns to the goal before it. A goal that is no errand replaces that goal.
func TestRegisters_AfterErrandReturnsToGoalBefore(t *testing.T) {
	s, one, two := registered(t)
	s.t.regs.doing = nil
	s.t.regs.begin(one)
	answer := s.about(goals.KindAnswer, wire.Hash{0x51})
	s.t.regs.begin(answer)
	if s.t.regs.doing != answer || s.t.regs.noted(noteAfter) != one {
		t.Fatalf("about %v, after it %v", s.t.regs.doing, s.t.regs.noted(noteAfter))
	}
	s.t.goals.abandon(answer.ID, goals.ReasonPlans)
	if s.t.regs.findCurrentGoal(&s.view, one); s.t.regs.doing != one || s.t.regs.noted(noteAfter) != nil {
		t.Errorf("after the errand the agent is about %v", s.t.regs.doing)
	}
	if s.t.regs.begin(two); s.t.regs.doing != two || s.t.regs.noted(noteAfter) != nil {
		t.Errorf("about %v, and going back to %v", s.t.regs.doing, s.t.regs.noted(noteAfter))
	}
}
