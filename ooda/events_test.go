package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

var (
	peerA = wire.AgentID{0xA1}
	peerB = wire.AgentID{0xB2}
	deal  = wire.Hash{0xD0}
)

// meet gives the agent a peer it has dealt with once, well.
func (s *solo) meet(id wire.AgentID) { s.a.Memory.Peers.Interact(id, memory.DealAnswer, true, 250) }

// see runs one slot that shows events.
func (s *solo) see(events ...*wire.Event) {
	s.Helper()
	s.slot(getEntry, refused, events...)
}

func (s *solo) peer(id wire.AgentID) memory.Peer {
	if p := s.a.Memory.Peers.Get(id); p != nil {
		return *p
	}
	return memory.Peer{}
}

func TestNotice_OwnVerdictIsWeightedByOwnReputation(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.view.Reputation = 0.8
	entry := wire.Hash{7}
	s.see(
		event(wire.KindEntryPublished, 256, peerA, &wire.EntryPublishedEvent{EntryID: entry, Kind: wire.EntryKindPattern, Author: peerA}),
		event(wire.KindEntryVerified, 256, s.a.ID, &wire.EntryVerifiedEvent{EntryID: entry, Verifier: s.a.ID, Verdict: wire.VerdictAccurate}),
	)
	if d := float64(s.peer(peerA).Competence) - 0.58; d > 1e-5 || d < -1e-5 { // 0.5 + 0.2·0.8·0.5
		t.Errorf("competence %v, want 0.58", s.peer(peerA).Competence)
	}
}

func TestNotice_JudgementsOfOwnWorkAreInteractions(t *testing.T) {
	s := newSolo(t, genomes[6])
	review := wire.Hash{8}
	submit := func(by wire.AgentID, v wire.ReviewVerdict) *wire.Event {
		return event(wire.KindReviewSubmitted, 256, by, &wire.ReviewSubmittedEvent{ReviewID: review, Reviewer: by, Verdict: v})
	}
	s.see(submit(peerA, wire.ReviewVerdictApprove)) // somebody else's
	s.see(
		event(wire.KindReviewRequested, 256, s.a.ID, &wire.ReviewRequestedEvent{ReviewID: review, Author: s.a.ID}),
		submit(peerA, wire.ReviewVerdictApprove), submit(peerB, wire.ReviewVerdictRequestChanges),
	)
	if a, b := s.peer(peerA), s.peer(peerB); a.Successes != 1 || a.Interactions != 1 || b.Successes != 0 || b.Interactions != 1 {
		t.Errorf("A %+v, B %+v", a, b)
	}
}

func TestNotice_BeliefsKeepNewestEvidence(t *testing.T) {
	s := newSolo(t, genomes[6])
	for i := range byte(10) {
		s.see(event(wire.KindProposalResolved, 256, peerA, &wire.ProposalResolvedEvent{ProposalID: wire.Hash{i}, Passed: true}))
	}
	b := s.a.Memory.Beliefs.Get(beliefVotes)
	if b == nil || b.EvidenceCount() != memory.EvidenceMax || s.a.Memory.Beliefs.Evidence(b)[0] != (wire.Hash{6}) {
		t.Errorf("%+v", b)
	}
}

func TestNotice_Status(t *testing.T) {
	status := func(who wire.AgentID, to wire.AgentStatus) *wire.Event {
		return event(wire.KindAgentStatusChange, 256, who, &wire.AgentStatusChangeEvent{AgentID: who, NewStatus: to})
	}
	s := newSolo(t, genomes[6])
	s.meet(peerA)
	s.a.Memory.Peers.Observe(peerB, 250) // known, but never dealt with
	s.see(status(peerA, wire.StatusDormant), status(peerB, wire.StatusDormant))
	sleepers := func() []wire.AgentID { return s.a.Memory.Dealings.Sleepers }
	if len(sleepers()) != 1 || sleepers()[0] != peerA {
		t.Fatalf("sleepers %v: only those it dealt with count", sleepers())
	}
	s.see(status(peerA, wire.StatusActive))
	if len(sleepers()) != 0 {
		t.Error("one that woke is still to be called")
	}
	s.see(status(peerA, wire.StatusDormant), event(wire.KindAgentKill, 260, peerA, &wire.AgentKillEvent{AgentID: peerA}))
	if len(sleepers()) != 0 || s.a.Memory.Peers.Get(peerA) != nil {
		t.Error("a dead peer is still kept in mind")
	}
}

// TestNotice_Signals: what a signal to an own message says of its sender.
func TestNotice_Signals(t *testing.T) {
	for _, c := range []struct {
		kind   wire.SignalKind
		author wire.AgentID // of the message; zero: the agent
		well   uint32
		all    uint32
	}{
		{wire.SignalKindAgree, wire.AgentID{}, 1, 1},
		{wire.SignalKindHelpful, wire.AgentID{}, 1, 1},
		{wire.SignalKindActionable, wire.AgentID{}, 1, 1},
		{wire.SignalKindDisagree, wire.AgentID{}, 0, 1},
		{wire.SignalKindAgree, peerB, 0, 0},
	} {
		s := newSolo(t, genomes[6])
		if c.author.IsZero() {
			c.author = s.a.ID
		}
		s.a.Notebook.SeeMessage(memory.MessageNote{ID: wire.Hash{1}, Author: c.author, Kind: wire.MessageKindStatement})
		s.t.events.notice(event(wire.KindSignalSent, 256, peerA, &wire.SignalSentEvent{TargetID: wire.Hash{1}, Author: peerA, Kind: c.kind, Weight: 0.4}))
		if p := s.peer(peerA); p.Successes != c.well || p.Interactions != c.all {
			t.Errorf("%v: %+v", c.kind, p)
		}
		if n := s.a.Notebook.Peer(peerA); n == nil || n.Reputation != 0.4 {
			t.Errorf("%v: standing %+v", c.kind, n)
		}
	}
	s := newSolo(t, genomes[6])
	s.t.events.notice(event(wire.KindSignalSent, 256, s.a.ID, &wire.SignalSentEvent{Author: s.a.ID, Weight: 0.4}))
	if s.a.Notebook.Peer(s.a.ID) != nil {
		t.Error("an own signal tells of a peer")
	}
}

func TestNotice_Verdicts(t *testing.T) {
	for _, c := range []struct {
		name       string
		author     wire.AgentID // zero: the agent
		verdict    wire.Verdict
		judge      wire.AgentID
		competence float32 // of peer A
		well, all  uint32  // interactions with peer B
	}{
		{"own entry found right", wire.AgentID{}, wire.VerdictAccurate, peerB, 0, 1, 1},
		{"own entry found wrong", wire.AgentID{}, wire.VerdictInaccurate, peerB, 0, 0, 1},
		{"a peer's, by a judge of 0.5", peerA, wire.VerdictAccurate, peerB, 0.55, 0, 0},
		{"a peer's, half right", peerA, wire.VerdictPartiallyAccurate, peerB, 0.45, 0, 0},
		{"a peer's, by somebody unknown, who counts a little", peerA, wire.VerdictAccurate, wire.AgentID{0xCC}, 0.51, 0, 0},
		{"a peer's, by a system", peerA, wire.VerdictAccurate, wire.SystemID(wire.SystemOracle), 0.6, 0, 0},
		{"a system's", wire.SystemID(wire.SystemOracle), wire.VerdictAccurate, peerB, 0, 0, 0},
	} {
		s := newSolo(t, genomes[6])
		id := wire.Hash{7}
		if c.author.IsZero() {
			c.author = s.a.ID
			s.a.Learning.Publish(id, wire.EntryKindPattern, 1)
		}
		s.a.Notebook.SeePeer(peerB, 0.5, 1)
		s.a.Notebook.SeeEntry(memory.EntryNote{ID: id, Author: c.author})
		s.t.events.notice(event(wire.KindEntryVerified, 256, c.judge, &wire.EntryVerifiedEvent{EntryID: id, Verifier: c.judge, Verdict: c.verdict}))
		if d := s.peer(peerA).Competence - c.competence; d > 1e-6 || d < -1e-6 {
			t.Errorf("%s: competence %v, want %v", c.name, s.peer(peerA).Competence, c.competence)
		}
		if p := s.peer(peerB); p.Successes != c.well || p.Interactions != c.all {
			t.Errorf("%s: judge %+v", c.name, p)
		}
	}
}

// Events of the agent's own acts are noted as its own, and it gets no peer model of itself.
func TestNotice_OwnEventsTeachNothingAboutPeers(t *testing.T) {
	s := newSolo(t, genomes[6])
	me := s.a.ID
	s.t.events.notice(event(wire.KindMessagePosted, 256, me, &wire.MessagePostedEvent{MessageID: wire.Hash{1}, Author: me, Kind: wire.MessageKindQuestion}))
	s.t.events.notice(event(wire.KindMessagePosted, 256, peerA, &wire.MessagePostedEvent{MessageID: wire.Hash{2}, Author: peerA}))
	s.t.events.notice(event(wire.KindEntryPublished, 256, me, &wire.EntryPublishedEvent{EntryID: wire.Hash{3}, Author: me}))
	s.t.events.notice(event(wire.KindEntryPublished, 256, peerA, &wire.EntryPublishedEvent{EntryID: wire.Hash{4}, Author: peerA}))
	for id, own := range map[byte]bool{1: true, 2: false} {
		if m := s.a.Notebook.Message(wire.Hash{id}); m.Signed != own || m.Answered != own {
			t.Errorf("message %d: %+v", id, m)
		}
	}
	for id, own := range map[byte]bool{3: true, 4: false} {
		if e := s.a.Notebook.Entry(wire.Hash{id}); e.Own != own || e.Judged != own {
			t.Errorf("entry %d: %+v", id, e)
		}
	}
	if s.a.Memory.Peers.Get(peerA) == nil || s.a.Memory.Peers.Get(me) != nil {
		t.Error("peers are those who publish, but for the agent itself")
	}
	for _, who := range []wire.AgentID{me, peerB} {
		s.t.events.notice(event(wire.KindReputationUpdated, 256, who, &wire.ReputationUpdatedEvent{AgentID: who, NewReputation: 0.3}))
	}
	if n := s.a.Notebook.Peer(peerB); s.a.Notebook.Peer(me) != nil || n == nil || n.Reputation != 0.3 {
		t.Errorf("reputation of itself %+v, of a peer %+v", s.a.Notebook.Peer(me), n)
	}
	s.t.events.notice(event(wire.KindAgentKill, 256, me, &wire.AgentKillEvent{AgentID: me}))
	if s.a.Memory.Peers.Get(peerA) == nil {
		t.Error("an own death made a peer forgotten")
	}
}

// Review requests of other agents are not noted as its own.
func TestNotice_OnlyOwnReviewRequestsAreNoted(t *testing.T) {
	s := newSolo(t, genomes[6])
	for id, author := range map[byte]wire.AgentID{1: s.a.ID, 2: peerA} {
		s.t.events.notice(event(wire.KindReviewRequested, 256, author, &wire.ReviewRequestedEvent{ReviewID: wire.Hash{id}, Author: author}))
	}
	if d := s.a.Memory.Dealings; !d.OwnReview(wire.Hash{1}) || d.OwnReview(wire.Hash{2}) {
		t.Errorf("%v", d.Reviews)
	}
}

// The end of a proposal ends the goal to vote on it, and changes the belief whether proposals pass.
func TestNotice_ResolvedProposalEndsVoteGoalAndTeaches(t *testing.T) {
	for _, passed := range []bool{true, false} {
		s := newSolo(t, genomes[6])
		g := s.about(goals.KindVote, wire.Hash{1})
		if err := s.a.Goals.Add(*g, &s.t.goals.situation.Appraisal); err != nil {
			t.Fatal(err)
		}
		s.t.events.notice(event(wire.KindProposalResolved, 256, peerA, &wire.ProposalResolvedEvent{ProposalID: wire.Hash{1}, Passed: passed}))
		if b := s.a.Memory.Beliefs.Get(beliefVotes); s.a.Goals.Get(g.ID) != nil && s.a.Goals.Get(g.ID).Alive() || b == nil || (b.Confidence > 0.5) != passed {
			t.Errorf("passed %v: belief %+v", passed, b)
		}
	}
}
