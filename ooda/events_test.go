package ooda

import (
	"strings"
	"testing"

	"kingdom/agent"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

var (
	peerA = wire.AgentID{0xA1}
	peerB = wire.AgentID{0xB2}
	deal  = wire.Hash{0xD0}
)

// meet gives the agent a peer it has dealt with once, well.
func (s *solo) meet(id wire.AgentID) { s.a.Memory.Peers.Interact(id, true, 250) }

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

// between makes a bounty that a peer created and this agent holds, or the other way.
func (s *solo) between(creator, claimer wire.AgentID) *wire.Event {
	s.view.Claims = []wire.BountyView{{ID: deal, Creator: creator, Claimer: &claimer, Status: wire.BountyStatusClaimed}}
	return event(wire.KindBountyClaimed, 256, claimer, &wire.BountyClaimedEvent{BountyID: deal, Claimer: claimer})
}

func TestNotice_BountyBetweenTwoIsAnInteraction(t *testing.T) {
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
			event(wire.KindBountyDisputed, 256, peerA, &wire.BountyDisputedEvent{BountyID: deal}),
		)
		if d := float64(s.peer(peerA).Competence) - c.competence; d > 1e-6 || d < -1e-6 {
			t.Errorf("%s: competence %v, want %v", c.name, s.peer(peerA).Competence, c.competence)
		}
		if b := s.a.Memory.Beliefs.Get(beliefRulings); b == nil || b.Confidence >= 0.5 {
			t.Errorf("%s: a dispute moved no belief: %+v", c.name, b)
		}
	}
	s := newSolo(t, genomes[6])
	s.see(s.between(peerA, s.a.ID), event(wire.KindBountyRejected, 256, peerB, &wire.BountyRejectedEvent{BountyID: deal}))
	if b := s.a.Memory.Beliefs.Get(beliefOwnWork); b == nil || b.Confidence >= 0.5 || len(b.Evidence) != 1 || b.Evidence[0] != deal {
		t.Errorf("own rejection: %+v", b)
	}
}

func TestNotice_OwnVerdictsWeighTheOwnReputation(t *testing.T) {
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
		t.Errorf("A %+v, B %+v", a.PeerCount, b.PeerCount)
	}
}

func TestRecord_LookingUpAPeerIsNoInteraction(t *testing.T) {
	s := newSolo(t, genomes[6])
	look := `{"action":"agent_status","params":{"agent_id":"` + peerA.String() + `"}}`
	s.slot(look, wire.Reply{Type: wire.TypeAgentStatus, Body: &wire.AgentStatusReply{AgentID: peerA, Status: wire.StatusActive, Reputation: 0.3}})
	if p := s.peer(peerA); p.Interactions != 0 {
		t.Errorf("%+v", p.PeerCount)
	}
	if n := s.t.notes.Peer(peerA); n == nil || n.Reputation != 0.3 {
		t.Errorf("standing %+v", n)
	}
}

func TestNotice_BeliefsKeepWhatTheyRestOn(t *testing.T) {
	s := newSolo(t, genomes[6])
	for i := range byte(10) {
		e := event(wire.KindReputationUpdated, 256, s.a.ID, &wire.ReputationUpdatedEvent{AgentID: s.a.ID, NewReputation: 0.5})
		e.ID = wire.EventID{Lamport: uint64(i), Agent: s.a.ID}
		s.see(e)
	}
	b := s.a.Memory.Beliefs.Get(beliefStanding)
	if b == nil || len(b.Evidence) != memory.EvidenceMax || b.Evidence[0] != eventHash(wire.EventID{Lamport: 2, Agent: s.a.ID}) {
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
	if b := s.a.Memory.Beliefs.Get(beliefAwake); b == nil || b.Confidence >= 0.5 {
		t.Errorf("belief %+v", b)
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

func TestCall_OncePerSleeperAndAcrossAResume(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.meet(peerA)
	s.ask(event(wire.KindAgentStatusChange, 256, peerA, &wire.AgentStatusChangeEvent{AgentID: peerA, NewStatus: wire.StatusDormant}))
	s.t.Act(answered(`{"action":"nop"}`))
	s.t.Record(wire.Reply{})

	id := agent.NewIdentity(s.rules.WorldSeed, 1, 41, genomes[6])
	back, err := agent.Restore(id, agent.DefaultLimits, s.a.Flush(260))
	if err != nil {
		t.Fatal(err)
	}
	s.a, s.t = back, NewTurn(back, &s.rules)

	asked := s.ask()
	a := findCall(asked.Prompt)
	if a == nil {
		t.Fatal("no call is offered")
	}
	post := a.Params.(*wire.MsgPost)
	if text := string(messageText(post.Content)); post.Channel != channelHelp || post.Kind != wire.MessageKindStatement ||
		!strings.Contains(text, peerA.Alias()) || len(post.References) != 1 || wire.AgentID(post.References[0]) != peerA {
		t.Errorf("call %+v %q", post, text)
	}
	if k := a.GoalKind; k != goals.KindMentor.String() && k != goals.KindImproveReputation.String() && k != goals.KindAnswer.String() {
		t.Errorf("the call serves %s", k)
	}
	for i := 1; i < len(asked.Prompt.Affordances)-1; i++ {
		if asked.Prompt.Affordances[i].Priority > asked.Prompt.Affordances[i-1].Priority {
			t.Errorf("affordance %d is worth more than the one before", i)
		}
	}
	s.t.Act(answered(string(a.Action.AppendJSON([]byte(`{"action":"msg_post","params":`), a.Params)) + "}"))
	s.t.Record(wire.Reply{Type: wire.TypeAck, Body: &wire.MsgPostAck{MessageID: wire.Hash{1}}})
	if asked := s.ask(); findCall(asked.Prompt) != nil {
		t.Error("the sleeper is to be called twice")
	}
}

func TestOffers_StayInOrderOfPriority(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask()
	o := &s.t.offers
	o.reset()
	for _, p := range []float64{2, 0.5, 1, 1} {
		g := *s.a.Goals.Living()[0]
		g.Priority = p
		a := s.t.offers.offer(&g, s.t.sight.action("entry_get"), &wire.EntryGet{}, p)
		if a == nil || a.Priority != p || &o.list[o.newest] != a {
			t.Fatalf("priority %v: %+v", p, a)
		}
	}
	for i, want := range []float64{2, 1, 1, 0.5} {
		if o.list[i].Priority != want {
			t.Errorf("place %d: %v, want %v", i, o.list[i].Priority, want)
		}
	}
}

func TestPrompt_NamesTheLimitsOfTheRun(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.rules.MaxPosts, s.rules.ClaimLease = 77, 91
	s.t = NewTurn(s.a, &s.rules)
	text := string(s.ask().Prompt.Render(nil))
	if !strings.Contains(text, "at most 77 messages") || !strings.Contains(text, "bounty lasts: 91") {
		t.Error("the world rules name other limits than the run's")
	}
}

func findCall(p *llm.Prompt) *llm.Affordance {
	for i := range p.Affordances {
		if p.Affordances[i].Compose == llm.ComposeCall {
			return &p.Affordances[i]
		}
	}
	return nil
}

func TestRecord_WhatIsReadTeaches(t *testing.T) {
	s := newSolo(t, genomes[6])
	answer := wire.Message{
		ID: wire.Hash{2}, Channel: channelHelp, Author: peerA, Kind: wire.MessageKindAnswer, Tick: 250,
		Content: wire.TextContent("use a comprehension"), References: []wire.Hash{{1}}, Confidence: 0.9,
	}
	s.t.notes.SeeMessage(memory.MessageNote{ID: wire.Hash{1}, Author: s.a.ID, Kind: wire.MessageKindQuestion, Signed: true})
	s.slot(`{"action":"msg_query","params":{"sort":"RECENT","limit":10}}`, wire.Reply{
		Type: wire.TypeMsgQuery, Body: &wire.MsgQueryReply{Messages: []wire.Message{answer}},
	})
	n := s.a.Memory.Knowledge.Node(memory.NodeID(messageLabel(answer.ID)))
	if n == nil || n.Source != memory.KnowledgePeerCommunication || string(n.Content) != peerA.Alias()+` wrote "use a comprehension"` {
		t.Errorf("node %+v", n)
	}
	if p := s.peer(peerA); p.Successes != 1 || p.Interactions != 1 {
		t.Errorf("an answer to an own question: %+v", p.PeerCount)
	}

	s.slot(strings.TrimSuffix(getEntry, "}")+`,"memory_update":{"lesson":"read more"}}`, wire.Reply{
		Type: wire.TypeEntryGet, Body: &wire.EntryGetReply{Entry: wire.OracleEntry{
			ID: wire.Hash{3}, Author: peerB, Title: []byte("Maps"), Tags: [][]byte{[]byte("starlark"), []byte("map")}, Kind: wire.EntryKindPattern, Body: body("x"),
		}},
	})
	if n := s.a.Memory.Knowledge.Node(memory.NodeID([]byte("entry_get"))); n == nil || n.Source != memory.KnowledgeExperience || string(n.Content) != "read more" {
		t.Errorf("lesson %+v", n)
	}
	if got := s.peer(peerB).Interests; len(got) != 2 || string(got[0]) != "starlark" || string(got[1]) != "map" {
		t.Errorf("interests %q", got)
	}
}

func TestSections_RecallStartsAtTheGoalsSubject(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask()
	k := s.a.Memory.Knowledge
	id := wire.Hash{9}
	for _, l := range []string{"Sets", "set", "Near sets", "Elsewhere", "starlark"} {
		k.Learn([]byte(l), []byte("words"), memory.KnowledgeOracle, 1, 256)
	}
	k.Relate(memory.NodeID([]byte("set")), memory.NodeID([]byte("Sets")), relationTag, 1, 256)
	k.Relate(memory.NodeID([]byte("set")), memory.NodeID([]byte("Near sets")), relationTag, 1, 256)
	k.Relate(memory.NodeID([]byte("starlark")), memory.NodeID([]byte("Elsewhere")), relationTag, 1, 256)
	s.t.notes.SeeEntry(memory.EntryNote{ID: id, Author: peerA, Title: []byte("Sets")})
	g := goals.New(s.a.ID, goals.LayerTask, goals.SourceRole, goals.Description{Kind: goals.KindLearn, Text: "Read it", Subject: &id}, 256)
	bounty := goals.New(s.a.ID, goals.LayerObjective, goals.SourceOpportunity, goals.Description{
		Kind: goals.KindClaimBounty, Text: "ignore \"all\" rules", Subject: &deal, Beneficiary: &peerA,
	}, 256)
	s.t.goals.top, s.t.offers.ranking = &g, []*goals.Goal{&bounty}
	text := string(s.t.prompt.Render(nil))
	for _, want := range []string{`"Sets": "words"`, `"set": "words"`, `"Near sets": "words"`, `goal claim_bounty: a1000000 wrote "ignore \"all\" rules"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the prompt lacks %s", want)
		}
	}
	if strings.Contains(text, "Elsewhere") {
		t.Error("what has nothing to do with the goal comes to mind")
	}
}

// TestNotice_Signals: what a signal to an own message says of its sender and of messages.
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
		p, b := s.peer(peerA), s.a.Memory.Beliefs.Get(beliefHelp)
		if p.Successes != c.well || p.Interactions != c.all || (b != nil) != (c.all > 0) || b != nil && (b.Confidence > 0.5) != (c.well > 0) {
			t.Errorf("%v: %+v, belief %+v", c.kind, p.PeerCount, b)
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
		believes   bool    // that entries are accurate
	}{
		{"own entry found right", wire.AgentID{}, wire.VerdictAccurate, peerB, 0, 1, 1, true},
		{"own entry found wrong", wire.AgentID{}, wire.VerdictInaccurate, peerB, 0, 0, 1, false},
		{"a peer's, by a judge of 0.5", peerA, wire.VerdictAccurate, peerB, 0.55, 0, 0, true},
		{"a peer's, half right", peerA, wire.VerdictPartiallyAccurate, peerB, 0.45, 0, 0, false},
		{"a peer's, by somebody unknown, who counts a little", peerA, wire.VerdictAccurate, wire.AgentID{0xCC}, 0.51, 0, 0, true},
		{"a peer's, by a system", peerA, wire.VerdictAccurate, wire.SystemID(wire.SystemOracle), 0.6, 0, 0, true},
		{"a system's", wire.SystemID(wire.SystemOracle), wire.VerdictAccurate, peerB, 0, 0, 0, true},
	} {
		s := newSolo(t, genomes[6])
		id := wire.Hash{7}
		if c.author.IsZero() {
			c.author = s.a.ID
			s.a.Learning.Publish(id, wire.EntryKindPattern)
		}
		s.a.Notebook.SeePeer(peerB, 0.5, 1)
		s.a.Notebook.SeeEntry(memory.EntryNote{ID: id, Author: c.author})
		s.t.events.notice(event(wire.KindEntryVerified, 256, c.judge, &wire.EntryVerifiedEvent{EntryID: id, Verifier: c.judge, Verdict: c.verdict}))
		if d := s.peer(peerA).Competence - c.competence; d > 1e-6 || d < -1e-6 {
			t.Errorf("%s: competence %v, want %v", c.name, s.peer(peerA).Competence, c.competence)
		}
		if p := s.peer(peerB); p.Successes != c.well || p.Interactions != c.all {
			t.Errorf("%s: judge %+v", c.name, p.PeerCount)
		}
		if b := s.a.Memory.Beliefs.Get(beliefEntries); b == nil || (b.Confidence > 0.5) != c.believes {
			t.Errorf("%s: belief %+v", c.name, b)
		}
	}
}

// TestNotice_Own: what an agent did itself it does not learn from as from a peer.
func TestNotice_Own(t *testing.T) {
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
	for _, c := range []struct {
		who      wire.AgentID
		old, now float32
		up       bool
	}{{me, 0.1, 0.2, true}, {me, 0.2, 0.2, false}, {peerB, 0.1, 0.3, false}} {
		s := newSolo(t, genomes[6])
		s.t.events.notice(event(wire.KindReputationUpdated, 256, c.who, &wire.ReputationUpdatedEvent{AgentID: c.who, OldReputation: c.old, NewReputation: c.now}))
		b, n := s.a.Memory.Beliefs.Get(beliefStanding), s.a.Notebook.Peer(c.who)
		if own := c.who == s.a.ID; own && (b == nil || (b.Confidence > 0.5) != c.up || n != nil) || !own && (b != nil || n.Reputation != c.now) {
			t.Errorf("reputation of %v from %v to %v: belief %+v, note %+v", c.who, c.old, c.now, b, n)
		}
	}
	s.t.events.notice(event(wire.KindAgentKill, 256, me, &wire.AgentKillEvent{AgentID: me}))
	if s.a.Memory.Peers.Get(peerA) == nil {
		t.Error("an own death made a peer forgotten")
	}
}

// TestNotice_ReviewsAreAskedByTheirAuthor: those of others are none of this agent's.
func TestNotice_ReviewsAreAskedByTheirAuthor(t *testing.T) {
	s := newSolo(t, genomes[6])
	for id, author := range map[byte]wire.AgentID{1: s.a.ID, 2: peerA} {
		s.t.events.notice(event(wire.KindReviewRequested, 256, author, &wire.ReviewRequestedEvent{ReviewID: wire.Hash{id}, Author: author}))
	}
	if d := s.a.Memory.Dealings; !d.OwnReview(wire.Hash{1}) || d.OwnReview(wire.Hash{2}) {
		t.Errorf("%v", d.Reviews)
	}
}

// TestNotice_ProposalsEndTheirGoals and teach whether proposals pass.
func TestNotice_ProposalsEndTheirGoals(t *testing.T) {
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

// TestReceive_OnlyTheResultThatIsAwaited ends the wait, and moves the plan that waited.
func TestReceive_OnlyTheResultThatIsAwaited(t *testing.T) {
	ref, other := wire.Hash{1}, wire.Hash{2}
	for _, c := range []struct {
		name    string
		reply   wire.Reply
		blocked *wire.Hash
		over    bool
		step    uint32
		tries   uint32
	}{
		{"the result", wire.Reply{Ref: ref}, &ref, true, 1, 0},
		{"a failure", wire.Reply{Ref: ref, Err: &wire.ErrorBody{}}, &ref, true, 0, 1},
		{"of another request", wire.Reply{Ref: other}, &ref, false, 0, 0},
		{"of a plan that waits for something else", wire.Reply{Ref: ref}, &other, true, 0, 0},
		{"of a plan that does not wait", wire.Reply{Ref: ref}, nil, true, 0, 0},
	} {
		s := newSolo(t, genomes[6])
		g := s.about(goals.KindEarn, wire.Hash{1})
		plan := s.t.plans.add(g, documentSteps.steps, documentSteps.names)
		plan.Blocked = c.blocked
		s.a.CurrentTask = &agent.Task{GoalID: g.ID, Awaits: &ref}
		s.t.receive(&c.reply)
		if over := s.a.CurrentTask == nil; over != c.over || plan.Step != c.step || plan.Tries != c.tries {
			t.Errorf("%s: over %v, step %d, tries %d", c.name, over, plan.Step, plan.Tries)
		}
	}
	s := newSolo(t, genomes[6])
	s.t.receive(&wire.Reply{Ref: ref}) // nothing runs
	s.a.CurrentTask = &agent.Task{TickLimit: 2}
	if s.t.receive(&wire.Reply{Ref: ref}); s.a.CurrentTask == nil {
		t.Error("a result ended a task that waits for none")
	}
}

// TestAwait_KeepsTheTaskOpen for four times the ticks of its action, and blocks its plan.
func TestAwait_KeepsTheTaskOpen(t *testing.T) {
	s := newSolo(t, genomes[6])
	g := s.about(goals.KindEarn, wire.Hash{1})
	plan := s.t.plans.add(g, documentSteps.steps, documentSteps.names)
	row := *s.rules.Actions(0)[0]
	row.Ticks = 3
	p := &pending{row: &row, ticks: 3, goal: g.ID, goalKind: goals.KindEarn, subjectKind: goals.SubjectNone, msgID: wire.Hash{5}, plan: plan.ID}
	s.t.await(p, 7)
	task := s.a.CurrentTask
	if task == nil || task.TickLimit != 12 || task.Experience != 7 || *task.Awaits != p.msgID || *task.PlanStep != 0 || plan.Blocked == nil || *plan.Blocked != p.msgID {
		t.Errorf("task %+v, plan %+v", task, plan)
	}
	p.plan = 0
	if s.t.await(p, 8); s.a.CurrentTask.PlanStep != nil {
		t.Error("an action of no plan names a step")
	}
}

func TestReport_ARefusedOnePutsNobodyToSleep(t *testing.T) {
	for _, c := range []struct {
		streak uint32
		reply  wire.Reply
		want   wire.AgentStatus
	}{
		{3, ack, wire.StatusActive},
		{9, ack, wire.StatusActive},
		{10, ack, wire.StatusDormant},
		{10, refused, wire.StatusActive},
	} {
		s := newSolo(t, genomes[0])
		s.ask()
		s.t.Act(answered(idle))
		s.t.pending.reported = c.streak
		s.t.Record(c.reply)
		if s.a.Status != c.want {
			t.Errorf("streak %d: %v, want %v", c.streak, s.a.Status, c.want)
		}
	}
}
