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
			if s.t.deferral().leavesEntry(&n) {
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
		age, wait, leaves := s.t.deferral().leavesReview(r.ID)
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
		if got := s.t.shelf().readsNow(); got != c.want {
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
		if got := s.t.rest.waitsForMore(); got != left {
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

// Each thing is left to others for a random share of a time that grows with their number and with the slots that the thing takes:
// five for a review, two or more for an answer, one for a claim. The time is shorter with practice in the topic, for a higher
// reward, and for the question of a peer that the agent trusts; collaboration and reputation change it as well. Before these, it
// is at most eight cycles.
func TestDeferral_TimeByOthersSlotsPracticeRewardAndPeer(t *testing.T) {
	id, subject := wire.Hash{0x5A, 1}, []byte("HARD")
	review := func(s *solo) float64 {
		s.t.slotView.reviews = []wire.ReviewView{{ID: id, Author: peerA, Since: 200}}
		_, wait, _ := s.t.deferral().leavesReview(id)
		return wait
	}
	question := func(s *solo) float64 {
		s.a.Notebook.SeeMessage(memory.MessageNote{ID: id, Author: peerA, Kind: wire.MessageKindQuestion, At: 200})
		_, wait, _ := s.t.deferral().waitsToAnswer(id)
		return wait
	}
	bounty := func(reward uint64, title string, needs ...wire.BountyRequirement) func(s *solo) float64 {
		return func(s *solo) float64 {
			b := wire.BountyView{ID: id, Creator: peerA, Reward: reward, Title: []byte(title), Requirements: needs, Status: wire.BountyStatusOpen}
			s.t.slotView.bounties = []wire.BountyView{b}
			return s.t.deferral().leavesBounty(&b)
		}
	}
	practised := func(topic memory.Topic) func(s *solo) {
		return func(s *solo) { s.a.Memory.Topics[topic-1].Bar = 0.5 }
	}
	stands := func(own float32) func(s *solo) {
		return func(s *solo) {
			s.t.notes.SeePeer(peerB, 0.5, 200)
			s.a.Reputation = own
		}
	}
	about := titleDocument + memory.MeasureReward.Question(subject)
	code := wire.BountyRequirement{Kind: wire.RequirementKindMustCompile}
	for _, c := range []struct {
		name   string
		others uint32
		with   func(s *solo)
		wait   func(s *solo) float64
		want   float64 // ticks; a slot has four
	}{
		{"a review, ten others", 10, nil, review, 10 * 5 * 4},
		{"a review, twenty others", 20, nil, review, 20 * 5 * 4},
		{"a review, very many others", 10_000, nil, review, 8 * 256},
		{"a review, by an unsociable agent", 10, func(s *solo) { s.a.Genome.Traits.Collaboration = 0.25 }, review, 300},
		{"a review, with practice", 10, practised(memory.TopicReviews), review, 100},
		{"a review, with practice in another topic", 10, practised(memory.TopicTalk), review, 200},
		{"a review that was looked at already", 10, func(s *solo) { s.a.Notebook.BeginWork(memory.WorkReview, id, 200) }, review, 200},
		{"a question: all answer within the cycle that its asker waits", 10, nil, question, 256},
		{"a question, many others: two slots each", 50, nil, question, 50 * 2 * 4},
		{"a question, with practice", 10, practised(memory.TopicTalk), question, 128},
		{"a question of a trusted peer", 10, func(s *solo) { s.meet(peerA) }, question, 0.4 * 256},
		{"a question, if the agent has the lowest reputation", 10, stands(0.1), question, 4 * 256},
		{"a question, if it has the highest", 10, stands(0.9), question, 0},
		{"a bounty of 30 ⚡", 10, nil, bounty(30, "x"), 10 * 4},
		{"a bounty that pays nothing", 10, nil, bounty(0, "x"), 80},
		{"a bounty of 90 ⚡", 10, nil, bounty(90, "x"), 20},
		{"a bounty for an entry, with practice in its topic", 10, practised(memory.MeasureReward.Topic(subject)), bounty(30, about), 20},
		{"a bounty for an entry, with practice in programs", 10, practised(memory.TopicPrograms), bounty(30, about), 40},
		{"a bounty for a program, with practice in programs", 10, practised(memory.TopicPrograms), bounty(30, "x", code), 20},
		{"a bounty for other work, with practice in programs", 10, practised(memory.TopicPrograms), bounty(30, "x"), 40},
	} {
		s := newSolo(t, genomes[6])
		s.ask()
		s.t.slotView.tick, s.a.Notebook.Active = 250, c.others+1
		for i := range s.a.Memory.Topics {
			s.a.Memory.Topics[i].Bar = 1
		}
		if c.with != nil {
			c.with(s)
		}
		if got := c.wait(s) / s.t.deferral().hashDraw(id); !near(got, c.want) {
			t.Errorf("%s: it is left to others for a share of %v ticks, want of %v", c.name, got, c.want)
		}
	}
}

// Of its questions an agent addresses a share of 0.4 + 0.6 · collaboration to one peer. Of what it may do for one peer by name, it
// does a share of its collaboration.
func TestDeferral_SharesAddressedToOnePeer(t *testing.T) {
	for _, c := range []struct {
		collaboration   float32
		asked, turnedTo float64
	}{{0, 0.4, 0}, {0.5, 0.7, 0.5}, {1, 1, 1}} {
		s := newSolo(t, genomes[6])
		s.a.Genome.Traits.Collaboration = c.collaboration
		const of = 4000
		asked, turnedTo := 0, 0
		for i := range of {
			id := wire.Hash(sha256.Sum256([]byte{byte(i), byte(i >> 8)}))
			if s.t.deferral().asksByName(id) {
				asked++
			}
			if s.t.deferral().sociable(id) {
				turnedTo++
			}
		}
		for _, x := range []struct {
			what string
			got  int
			want float64
		}{{"questions", asked, c.asked}, {"other things", turnedTo, c.turnedTo}} {
			if share := float64(x.got) / of; share < x.want-0.03 || share > x.want+0.03 {
				t.Errorf("collaboration %v: a share of %v of its %s names a peer, want %v", c.collaboration, share, x.what, x.want)
			}
		}
	}
}

// A claim can wait for a quarter of a cycle after the agent left the bounty to others. Work on a bounty that it has claimed and what
// it does to survive cannot wait; other long goals can.
func TestCanWait_ClaimsLongGoalsAndSurvival(t *testing.T) {
	id, deadline := wire.Hash{7}, wire.Tick(5000)
	for _, c := range []struct {
		name   string
		kind   goals.Kind
		source goals.Source
		status wire.BountyStatus
		age    wire.Tick
		want   bool
	}{
		{"a claim", goals.KindClaimBounty, goals.SourceOpportunity, wire.BountyStatusOpen, 0, true},
		{"a claim, just before the end", goals.KindClaimBounty, goals.SourceOpportunity, wire.BountyStatusOpen, 63, true},
		{"a claim, a quarter of a cycle later", goals.KindClaimBounty, goals.SourceOpportunity, wire.BountyStatusOpen, 64, false},
		{"a bounty that is claimed", goals.KindClaimBounty, goals.SourceOpportunity, wire.BountyStatusClaimed, 0, false},
		{"a long goal", goals.KindBuildLibrary, goals.SourceRole, 0, 900, true},
		{"to earn, for want of money", goals.KindEarn, goals.SourceSurvival, 0, 0, false},
	} {
		s := newSolo(t, genomes[6])
		s.ask()
		s.t.slotView.bounties = []wire.BountyView{{ID: id, Status: c.status}}
		g := goals.New(s.a.ID, goals.LayerObjective, c.source, goals.Description{Kind: c.kind, Subject: &id}, s.t.seen.tick)
		if c.kind == goals.KindClaimBounty {
			g.Deadline = &deadline
		}
		s.t.seen.tick += c.age
		if got := s.t.deferral().canWait(&g); got != c.want {
			t.Errorf("%s: can wait %v", c.name, got)
		}
	}
}

// The deadline of a vote ends a rest shortly before; that of another goal does not.
func TestWaitEnded_DeadlineOfVoteOnly(t *testing.T) {
	for kind, before := range map[goals.Kind]wire.Tick{goals.KindVote: 64, goals.KindExplore: 0} { //house:sorted each is looked at by itself
		s := newSolo(t, genomes[6])
		s.slot(idle, wire.Reply{})
		deadline := wire.Tick(4000)
		for i := range 2 { // two votes do not wait for each other
			g := s.about(kind, wire.Hash{0xB1, byte(i)})
			g.Deadline = &deadline
			if err := s.a.Goals.Add(*g, &s.t.goals.situation.Appraisal); err != nil {
				t.Fatal(err)
			}
		}
		ended := wire.Tick(0)
		for s.t.seen.tick = 3000; s.t.seen.tick < deadline; s.t.seen.tick += 4 {
			if s.t.deferral().waitEnded() {
				ended = deadline - s.t.seen.tick
			}
		}
		if ended != before {
			t.Errorf("%v: a rest ends %d ticks before the deadline, want %d", kind, ended, before)
		}
	}
}
