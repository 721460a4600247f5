package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// between makes a bounty that a peer created and this agent holds, or the other way.
func (s *solo) between(creator, claimer wire.AgentID) *wire.Event {
	s.view.Claims = []wire.BountyView{{ID: deal, Creator: creator, Claimer: &claimer, Status: wire.BountyStatusClaimed}}
	return event(wire.KindBountyClaimed, 256, claimer, &wire.BountyClaimedEvent{BountyID: deal, Claimer: claimer})
}

func TestNotice_EndOfBountyCountsAsInteraction(t *testing.T) {
	completed := func(claimer wire.AgentID) *wire.Event {
		return event(wire.KindBountyCompleted, 260, peerB, &wire.BountyCompletedEvent{BountyID: deal, Claimer: claimer, Reward: 5})
	}
	rejected := event(wire.KindBountyRejected, 260, peerB, &wire.BountyRejectedEvent{BountyID: deal, Reason: []byte("reviewers")})
	reopened := func(reason string) *wire.Event {
		return event(wire.KindBountyReopened, 264, peerA, &wire.BountyReopenedEvent{BountyID: deal, Reason: []byte(reason)})
	}
	for _, c := range []struct {
		name            string
		mine            bool // this agent created it; else it claimed it
		end             func(claimer wire.AgentID) []*wire.Event
		well, all       uint32
		reliability     float64 // of peer A
		stillKnowsClaim bool
	}{
		{"completed for me", true, func(c wire.AgentID) []*wire.Event { return []*wire.Event{completed(c)} }, 1, 1, 0.6, false},
		{"completed by me", false, func(c wire.AgentID) []*wire.Event { return []*wire.Event{completed(c)} }, 1, 1, 0.5, false},
		{"rejected", false, func(wire.AgentID) []*wire.Event { return []*wire.Event{rejected} }, 0, 1, 0.5, true},
		{"given back", true, func(wire.AgentID) []*wire.Event { return []*wire.Event{reopened("released")} }, 0, 1, 0.4, false},
		{"rejected, then reopened: one failure", true, func(wire.AgentID) []*wire.Event {
			return []*wire.Event{rejected, reopened("rejected")}
		}, 0, 1, 0.4, false},
		{"a rejection that a dispute overturned", false, func(c wire.AgentID) []*wire.Event {
			return []*wire.Event{rejected, completed(c)}
		}, 1, 2, 0.5, false},
	} {
		s := newSolo(t, genomes[6])
		creator, claimer := s.a.ID, peerA
		if !c.mine {
			creator, claimer = peerA, s.a.ID
		}
		s.see(s.between(creator, claimer))
		s.view.Claims = nil // the view forgets it before its end is noticed
		s.see(c.end(claimer)...)
		p := s.peer(peerA)
		if p.Successes != c.well || p.Interactions != c.all {
			t.Errorf("%s: %d of %d went well, want %d of %d", c.name, p.Successes, p.Interactions, c.well, c.all)
		}
		if d := float64(s.peer(peerA).Reliability) - c.reliability; d > 1e-6 || d < -1e-6 {
			t.Errorf("%s: reliability %v, want %v", c.name, p.Reliability, c.reliability)
		}
		if _, ok := s.t.notes.Claimer(deal); ok != c.stillKnowsClaim {
			t.Errorf("%s: claim still noted: %v", c.name, ok)
		}
	}
}

func TestNotice_AMissedDeadlineBreaksACommitment(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.see(event(wire.KindBountySubmitted, 256, peerA, &wire.BountySubmittedEvent{BountyID: deal, Claimer: peerA}))
	s.see(event(wire.KindBountyExpired, 260, wire.SystemID(wire.SystemAgora), &wire.BountyExpiredEvent{BountyID: deal}))
	if p := s.peer(peerA); p.Reliability >= 0.41 || p.Reliability < 0.39 {
		t.Errorf("reliability %v, want 0.4", p.Reliability)
	}
	if _, ok := s.t.notes.Claimer(deal); ok {
		t.Error("the claim is still noted")
	}
}

func TestNotice_RejectionIsAVerdict(t *testing.T) {
	for _, c := range []struct {
		name       string
		origin     wire.AgentID
		competence float64
	}{
		{"by a reviewer of reputation 0.5", peerB, 0.45},
		{"by a check of the world", peerA, 0.4},
	} {
		s := newSolo(t, genomes[6])
		s.t.notes.SeePeer(peerB, 0.5, 1)
		s.see(
			event(wire.KindBountyClaimed, 256, peerA, &wire.BountyClaimedEvent{BountyID: deal, Claimer: peerA}),
			event(wire.KindBountyRejected, 256, c.origin, &wire.BountyRejectedEvent{BountyID: deal}),
		)
		if d := float64(s.peer(peerA).Competence) - c.competence; d > 1e-6 || d < -1e-6 {
			t.Errorf("%s: competence %v, want %v", c.name, s.peer(peerA).Competence, c.competence)
		}
	}
	s := newSolo(t, genomes[6])
	s.see(s.between(peerA, s.a.ID), event(wire.KindBountyRejected, 256, peerB, &wire.BountyRejectedEvent{BountyID: deal}))
	if b := s.a.Memory.Beliefs.Get(beliefOwnWork); b == nil || b.Confidence >= 0.5 || b.EvidenceCount() != 1 || s.a.Memory.Beliefs.Evidence(b)[0] != deal {
		t.Errorf("own rejection: %+v", b)
	}
}

// TestCountLost_EachFailureCountsOnce: a bounty for an entry that ends without one makes the agent believe less that such entries get
// done: when a claim of it fails, or when nobody ever claimed it, but not again when it expires after a claim has failed.
func TestCountLost_EachFailureCountsOnce(t *testing.T) {
	expired := func(at wire.Tick) *wire.Event {
		return event(wire.KindBountyExpired, at, peerA, &wire.BountyExpiredEvent{BountyID: deal, Tick: at})
	}
	reopened := func(at wire.Tick) *wire.Event {
		return event(wire.KindBountyReopened, at, peerA, &wire.BountyReopenedEvent{BountyID: deal, Tick: at})
	}
	claimed := func(at wire.Tick) *wire.Event {
		return event(wire.KindBountyClaimed, at, peerB, &wire.BountyClaimedEvent{BountyID: deal, Claimer: peerB, Tick: at})
	}
	for _, c := range []struct {
		name   string
		events []*wire.Event
		want   int // failures
	}{
		{"it is still open", nil, 0},
		{"nobody claimed it", []*wire.Event{expired(300)}, 1},
		{"the claim failed", []*wire.Event{claimed(260), reopened(280)}, 1},
		{"the claim failed, and nobody claimed it again", []*wire.Event{claimed(260), reopened(280), expired(300)}, 1},
		{"two claims failed", []*wire.Event{claimed(260), reopened(280), claimed(285), reopened(290)}, 2},
		{"it expired while the second one held it", []*wire.Event{claimed(260), reopened(280), claimed(285), expired(300)}, 2},
	} {
		s, plain := newSolo(t, genomes[6]), newSolo(t, genomes[6])
		note := memory.OfferNote{Bounty: deal, Measure: memory.MeasureKeeps, At: 256}
		s.a.Notebook.Offer(note)
		for _, e := range c.events {
			s.t.events.countBounty(e)
		}
		for range c.want {
			plain.t.believer().believeAgreed(&note, false, 256)
		}
		confidence := func(s *solo) float32 {
			if b := s.a.Memory.Beliefs.Get(agreedClaims[memory.MeasureKeeps]); b != nil {
				return b.Confidence
			}
			return -1 // it believes nothing yet
		}
		if got, want := confidence(s), confidence(plain); got != want {
			t.Errorf("%s: believes that such bounties get done with %v, after %d failures it would with %v", c.name, got, c.want, want)
		}
	}
}

// An agent attempts a bounty if the difficulty (0.1 for TRIVIAL to 0.8 for LEGENDARY) is at most what it knows. The daring go beyond
// that, the careful stay below it.
func TestAttempts_DifficultyKnowledgeAndDaring(t *testing.T) {
	for _, c := range []struct {
		risk       float32
		difficulty wire.Difficulty
		least      float64 // knowledge that it takes
	}{
		{.5, wire.DifficultyTrivial, .1},
		{.5, wire.DifficultyEasy, .25},
		{.5, wire.DifficultyModerate, .45},
		{.5, wire.DifficultyHard, .65},
		{.5, wire.DifficultyLegendary, .8},
		{.7, wire.DifficultyLegendary, .8 - 14*.04},
		{.3, wire.DifficultyTrivial, .1 + 14*.04},
		{.6, wire.DifficultyModerate, .45 - 14*.01},
	} {
		s := newSolo(t, genomes[6])
		s.a.Genome.Traits.RiskTolerance = c.risk
		if !s.t.goals.attempts(c.difficulty, c.least+1e-3) || s.t.goals.attempts(c.difficulty, c.least-1e-3) {
			t.Errorf("risk tolerance %v, %v: does not take knowledge of %v", c.risk, c.difficulty, c.least)
		}
	}
}

// The more often bounties of a sort fail, the more difficult the agent calls the next one.
func TestRates_ByShareThatFails(t *testing.T) {
	for fails, want := range map[float64]wire.Difficulty{ //house:sorted each is looked at by itself
		0: wire.DifficultyTrivial, .24: wire.DifficultyTrivial, .25: wire.DifficultyEasy, .44: wire.DifficultyEasy, .45: wire.DifficultyModerate, .64: wire.DifficultyModerate,
		.65: wire.DifficultyHard, .79: wire.DifficultyHard, .8: wire.DifficultyLegendary, 1: wire.DifficultyLegendary,
	} {
		if got := rates(fails); got != want {
			t.Errorf("%v fail: %v, want %v", fails, got, want)
		}
	}
}

// How probable payment is depends on the work: for an entry about something that agents count on how such entries ended and on how the
// dealings with the creator went, for a program on the agent's results in LANGUAGE, for other work on those in DOCUMENTATION.
func TestProspects_ByWorkAndCreator(t *testing.T) {
	code := []wire.BountyRequirement{{Kind: wire.RequirementKindMustCompile}}
	for _, c := range []struct {
		name  string
		title string
		needs []wire.BountyRequirement
		with  func(s *solo)
		more  bool // payment is more probable than without
		less  bool
	}{
		{"an entry, deals with the creator failed", "Set right: How fast #help answers", nil, func(s *solo) { s.a.Memory.Peers.AddInitial(peerA, 1, 3, 256) }, false, true},
		{"an entry, such entries were agreed on", "Set right: How fast #help answers", nil, func(s *solo) { s.t.believer().believe(agreedClaims[memory.MeasureChannel], true, nil, 256) }, true, false},
		{"an entry, work of another domain was good", "Set right: How fast #help answers", nil, func(s *solo) { s.a.Learning.Credit(action.DomainLanguage, true) }, false, false},
		{"a program, and others were good", "x", code, func(s *solo) { s.a.Learning.Credit(action.DomainLanguage, true) }, true, false},
		{"a program, and entries were good", "x", code, func(s *solo) { s.a.Learning.Credit(action.DomainDocumentation, true) }, false, false},
		{"other work, and entries were good", "x", nil, func(s *solo) { s.a.Learning.Credit(action.DomainDocumentation, true) }, true, false},
		{"other work, and programs were good", "x", nil, func(s *solo) { s.a.Learning.Credit(action.DomainLanguage, true) }, false, false},
	} {
		s, _ := offering(t, func(s *solo) {
			for range 9 {
				s.a.Memory.Findings.Observe(memory.MeasureChannel, []byte("help"), 10, 1)
			}
		})
		v := wire.BountyView{ID: wire.Hash{7}, Creator: peerA, Title: []byte(c.title), Difficulty: wire.DifficultyTrivial, Requirements: c.needs, Status: wire.BountyStatusOpen}
		s.t.slotView.bounties = []wire.BountyView{v}
		e := &wire.BountyCreatedEvent{BountyID: v.ID, Creator: v.Creator, Title: v.Title, Difficulty: v.Difficulty}
		before, _ := s.t.goals.prospects(e)
		c.with(s)
		if got, _ := s.t.goals.prospects(e); (got > before) != c.more || (got < before) != c.less {
			t.Errorf("%s: from %v to %v", c.name, before, got)
		}
	}
}

// What the end of a bounty teaches: whether bounties get done and, if it was the agent's own delivery, whether its work is good. A
// bounty that expired is no goal any more.
func TestNoticeBounty_WhatItsEndTeaches(t *testing.T) {
	me := newSolo(t, genomes[6]).a.ID
	for _, c := range []struct {
		name      string
		claimer   wire.AgentID
		end       *wire.Event
		done, own int // whether the beliefs rise or fall
		goal      bool
	}{
		{"nobody delivered", wire.AgentID{}, event(wire.KindBountyExpired, 300, peerB, &wire.BountyExpiredEvent{BountyID: deal, Tick: 300}), -1, 0, false},
		{"given back", peerA, event(wire.KindBountyReopened, 300, peerA, &wire.BountyReopenedEvent{BountyID: deal, Reason: []byte("released"), Tick: 300}), -1, 0, true},
		{"paid to another", peerA, event(wire.KindBountyCompleted, 300, peerB, &wire.BountyCompletedEvent{BountyID: deal, Claimer: peerA, Reward: 5, Tick: 300}), 1, 0, false},
		{"paid to the agent", me, event(wire.KindBountyCompleted, 300, peerB, &wire.BountyCompletedEvent{BountyID: deal, Claimer: me, Reward: 5, Tick: 300}), 1, 1, false},
		{"rejected", me, event(wire.KindBountyRejected, 300, peerB, &wire.BountyRejectedEvent{BountyID: deal}), 0, -1, true},
	} {
		s := newSolo(t, genomes[6])
		s.slot(idle, wire.Reply{})
		if err := s.a.Goals.Add(*s.about(goals.KindClaimBounty, deal), &s.t.goals.situation.Appraisal); err != nil {
			t.Fatal(err)
		}
		if !c.claimer.IsZero() {
			s.t.notes.Claim(deal, c.claimer, 256)
		}
		rate := s.a.Learning.Rate(goals.KindClaimBounty.Domain())
		s.see(c.end)
		sign := func(claim memory.Claim) int {
			switch b := s.a.Memory.Beliefs.Get(claim); {
			case b == nil:
				return 0
			case b.Confidence > 0.5:
				return 1
			default:
				return -1
			}
		}
		if got := sign(beliefBounties); got != c.done {
			t.Errorf("%s: the belief that bounties get done moves by %d, want %d", c.name, got, c.done)
		}
		now := s.a.Learning.Rate(goals.KindClaimBounty.Domain())
		if got := sign(beliefOwnWork); got != c.own || c.own > 0 && now <= rate || c.own < 0 && now >= rate || c.own == 0 && c.goal && now != rate {
			t.Errorf("%s: the belief in its own work moves by %d, want %d; its success rate from %v to %v", c.name, got, c.own, rate, now)
		}
		if got := s.t.goals.living(goals.KindClaimBounty, deal); got != c.goal {
			t.Errorf("%s: still a goal %v", c.name, got)
		}
	}
}

// What a bounty teaches its creator and its claimer: how long bounties take, that a bounty which was claimed at once paid too much, and
// practice in the topic. When it is paid, nothing of it remains to be done.
func TestNoticeBounty_CreatorAndClaimer(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.a.Memory.Market.Want(memory.Want{Subject: wire.Hash{0xA7}, Author: s.a.ID, Since: 200})
	s.a.Memory.Market.BountyCreated(wire.Hash{0xA7}, deal, 252)
	s.between(s.a.ID, peerA)
	s.see(event(wire.KindBountyClaimed, 256, peerA, &wire.BountyClaimedEvent{BountyID: deal, Claimer: peerA, Tick: 256}))
	if got := s.a.Memory.Market.Margin; got != -5 {
		t.Errorf("after a claim within eight ticks the margin is %d %%", got)
	}
	s.see(event(wire.KindBountyCompleted, 300, peerB, &wire.BountyCompletedEvent{BountyID: deal, Claimer: peerA, Reward: 5, Tick: 300}))
	if got := s.a.Memory.Market.Duration; got != 44 {
		t.Errorf("from claim to payment it took %v ticks, want 44", got)
	}
	if s.a.Memory.Market.HasWant(wire.Hash{0xA7}) {
		t.Error("what was delivered is still wanted")
	}
	if p := s.peer(peerA); p.Competence <= 0.5 {
		t.Errorf("the author of what was paid has competence %v", p.Competence)
	}
	if _, ok := s.a.Memory.Dealings.Other(deal); ok {
		t.Error("the deal goes on")
	}

	s = newSolo(t, genomes[6])
	s.slot(idle, wire.Reply{})
	topic := memory.MeasureReward.Topic([]byte("HARD"))
	for i := range s.a.Memory.Topics {
		s.a.Memory.Topics[i].Bar = 1
	}
	s.see(s.between(peerA, s.a.ID))
	s.view.Claims[0].Title = []byte(titleDocument + memory.MeasureReward.Question([]byte("HARD")))
	s.t.regs.promise(deal, peerA)
	s.see(event(wire.KindBountyCompleted, 300, peerB, &wire.BountyCompletedEvent{BountyID: deal, Claimer: s.a.ID, Reward: 5, Tick: 300}))
	if s.t.expert().bar(topic) >= 1 || s.t.expert().bar(memory.TopicTalk) != 1 {
		t.Errorf("after its entry was paid its threshold in the topic is %v, in another %v", s.t.expert().bar(topic), s.t.expert().bar(memory.TopicTalk))
	}
	if s.t.regs.has(notePromised) {
		t.Error("it is still promised")
	}
}

// An agent whose review counted when the bounty was paid has practice in reviews; one that has only begun a review has not.
func TestNoticeBounty_PractiseInReviews(t *testing.T) {
	for stage, want := range map[memory.WorkStage]bool{memory.WorkDone: true, memory.WorkTreeSeen: false} { //house:sorted each is looked at by itself
		s := newSolo(t, genomes[6])
		s.slot(idle, wire.Reply{})
		s.a.Memory.Topics[memory.TopicReviews-1].Bar = 1
		s.a.Notebook.BeginWork(memory.WorkReview, deal, 256).Stage = stage
		s.see(event(wire.KindBountyCompleted, 300, peerB, &wire.BountyCompletedEvent{BountyID: deal, Claimer: peerA, Reward: 5, Tick: 300}))
		if got := s.t.expert().bar(memory.TopicReviews) < 1; got != want {
			t.Errorf("review at stage %v: practised %v", stage, got)
		}
	}
}
