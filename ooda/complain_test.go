package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

// Events against the agent count as suffered, what it does to others as caused.
func TestComplainer_CountsEventsSufferedAndCaused(t *testing.T) {
	mine, theirs, program := wire.Hash{1}, wire.Hash{2}, wire.Hash{3}
	paying, claimed := wire.Hash{6}, wire.Hash{7}
	for _, c := range []struct {
		name             string
		kind             wire.EventKind
		payload          func(me wire.AgentID) any
		about            memory.Complaint
		suffered, caused uint32
	}{
		{"an own entry is stated anew", wire.KindDuplicateFlagged, func(wire.AgentID) any {
			return &wire.DuplicateFlaggedEvent{ExistingEntryID: mine, NewEntryID: theirs}
		}, memory.ComplaintCopied, 1, 0},
		{"the agent states anew", wire.KindDuplicateFlagged, func(wire.AgentID) any {
			return &wire.DuplicateFlaggedEvent{ExistingEntryID: theirs, NewEntryID: mine}
		}, memory.ComplaintCopied, 0, 1},
		{"its correction is rejected", wire.KindEntryUpdateRejected, func(wire.AgentID) any {
			return &wire.EntryUpdateRejectedEvent{EntryID: theirs, RejectedBy: peerA}
		}, memory.ComplaintRebuffed, 1, 0},
		{"it rejects one", wire.KindEntryUpdateRejected, func(me wire.AgentID) any {
			return &wire.EntryUpdateRejectedEvent{EntryID: mine, RejectedBy: me}
		}, memory.ComplaintRebuffed, 0, 1},
		{"another's correction is rejected", wire.KindEntryUpdateRejected, func(wire.AgentID) any {
			return &wire.EntryUpdateRejectedEvent{EntryID: wire.Hash{9}, RejectedBy: peerA}
		}, memory.ComplaintRebuffed, 0, 0},
		{"what it and two others build on changes", wire.KindDependencyUpdated, func(wire.AgentID) any {
			return &wire.DependencyUpdatedEvent{RepoID: program, DependentCount: 3}
		}, memory.ComplaintChanged, 1, 0},
		{"what it and another build on changes", wire.KindDependencyUpdated, func(wire.AgentID) any {
			return &wire.DependencyUpdatedEvent{RepoID: program, DependentCount: 2}
		}, memory.ComplaintChanged, 0, 0},
		{"it changes what others build on", wire.KindDependencyUpdated, func(wire.AgentID) any {
			return &wire.DependencyUpdatedEvent{RepoID: mine, DependentCount: 3}
		}, memory.ComplaintChanged, 0, 1},
		{"nobody delivered what it pays for", wire.KindBountyExpired, func(wire.AgentID) any {
			return &wire.BountyExpiredEvent{BountyID: paying}
		}, memory.ComplaintUndelivered, 1, 0},
		{"nobody delivered what another pays for", wire.KindBountyExpired, func(wire.AgentID) any {
			return &wire.BountyExpiredEvent{BountyID: wire.Hash{9}}
		}, memory.ComplaintUndelivered, 0, 0},
		{"what it pays for was given back", wire.KindBountyReopened, func(wire.AgentID) any {
			return &wire.BountyReopenedEvent{BountyID: paying}
		}, memory.ComplaintUndelivered, 1, 0},
		{"it gave a bounty back", wire.KindBountyReopened, func(wire.AgentID) any {
			return &wire.BountyReopenedEvent{BountyID: claimed}
		}, memory.ComplaintUndelivered, 0, 1},
		{"a bounty that has nothing to do with it was given back", wire.KindBountyReopened, func(wire.AgentID) any {
			return &wire.BountyReopenedEvent{BountyID: wire.Hash{9}}
		}, memory.ComplaintUndelivered, 0, 0},
		{"it falls asleep", wire.KindAgentStatusChange, func(me wire.AgentID) any {
			return &wire.AgentStatusChangeEvent{AgentID: me, NewStatus: wire.StatusDormant}
		}, memory.ComplaintAsleep, 0, 1},
		{"it wakes", wire.KindAgentStatusChange, func(me wire.AgentID) any {
			return &wire.AgentStatusChangeEvent{AgentID: me, NewStatus: wire.StatusActive}
		}, memory.ComplaintAsleep, 0, 0},
		{"one that it has dealt with falls asleep", wire.KindAgentStatusChange, func(wire.AgentID) any {
			return &wire.AgentStatusChangeEvent{AgentID: peerA, NewStatus: wire.StatusDormant}
		}, memory.ComplaintAsleep, 1, 0},
		{"one that it has dealt with wakes", wire.KindAgentStatusChange, func(wire.AgentID) any {
			return &wire.AgentStatusChangeEvent{AgentID: peerA, NewStatus: wire.StatusActive}
		}, memory.ComplaintAsleep, 0, 0},
		{"one that it has only seen falls asleep", wire.KindAgentStatusChange, func(wire.AgentID) any {
			return &wire.AgentStatusChangeEvent{AgentID: peerB, NewStatus: wire.StatusDormant}
		}, memory.ComplaintAsleep, 0, 0},
		{"one that it has never seen falls asleep", wire.KindAgentStatusChange, func(wire.AgentID) any {
			return &wire.AgentStatusChangeEvent{AgentID: wire.AgentID{9}, NewStatus: wire.StatusDormant}
		}, memory.ComplaintAsleep, 0, 0},
		{"its reward is forfeited", wire.KindTransferFailed, func(me wire.AgentID) any {
			return &wire.TransferFailedEvent{To: me, Reason: []byte("reward_cap")}
		}, memory.ComplaintForfeited, 1, 0},
		{"a payment to it fails", wire.KindTransferFailed, func(me wire.AgentID) any {
			return &wire.TransferFailedEvent{To: me, Reason: []byte("funds")}
		}, memory.ComplaintForfeited, 0, 0},
		{"another's reward is forfeited", wire.KindTransferFailed, func(wire.AgentID) any {
			return &wire.TransferFailedEvent{To: peerA, Reason: []byte("reward_cap")}
		}, memory.ComplaintForfeited, 0, 0},
		{"others state anew", wire.KindDuplicateFlagged, func(wire.AgentID) any {
			return &wire.DuplicateFlaggedEvent{ExistingEntryID: wire.Hash{8}, NewEntryID: wire.Hash{9}}
		}, memory.ComplaintCopied, 0, 0},
		{"the correction of another is rejected in an entry that it knows", wire.KindEntryUpdateRejected, func(wire.AgentID) any {
			return &wire.EntryUpdateRejectedEvent{EntryID: mine, RejectedBy: peerA}
		}, memory.ComplaintRebuffed, 0, 0},
	} {
		s, _ := offering(t, func(s *solo) {
			s.meet(peerA)
			s.a.Memory.Peers.Observe(peerB, 250)
			s.a.Memory.Market.Want(memory.Want{Subject: wire.Hash{5}, Bounty: paying})
			s.a.Notebook.Claim(paying, peerB, 250)
			s.a.Notebook.Claim(claimed, s.a.ID, 250)
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: mine, Own: true})
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: theirs, Author: peerA, Corrected: true})
			s.a.Notebook.Works = []memory.WorkNote{{Repo: mine, Uses: program}}
		})
		complainer{&s.t.self}.event(event(c.kind, 256, peerA, c.payload(s.a.ID)))
		g := s.a.Memory.Grievances.Get(c.about, nil)
		if none := c.suffered+c.caused == 0; none != (g == nil) || g != nil && (g.Suffered != c.suffered || g.Caused != c.caused) {
			t.Errorf("%s: %+v, want suffered %d, caused %d", c.name, g, c.suffered, c.caused)
		}
	}
}

// TestPassed_InOneCycleOnly: what the agent waits for is counted in the one cycle with whose end its patience ends, however
// late in it that is, so that it suffers from it once.
func TestPassed_InOneCycleOnly(t *testing.T) {
	const since, tpc = 100, 256
	for _, c := range []struct {
		now    wire.Tick
		cycles uint64
		want   bool
	}{
		{100, 1, false},
		{355, 1, false},
		{356, 1, true},
		{611, 1, true},
		{612, 1, false},
		{1123, 4, false},
		{1124, 4, true},
		{1379, 4, true},
		{1380, 4, false},
	} {
		if got := passed(since, c.now, c.cycles, tpc); got != c.want {
			t.Errorf("%d cycles since tick %d passed in the cycle that ends at %d: %v, want %v", c.cycles, wire.Tick(since), c.now, got, c.want)
		}
	}
}

// At the beginning of a cycle the agent counts what it waited for in vain: an answer for a cycle, two verdicts for four. Who published and
// judged nothing in the cycle that ended does to others what it suffers from.
func TestComplainer_WhatTheAgentWaitedForInVain(t *testing.T) {
	const start = 2048 // of the cycle that begins
	for _, c := range []struct {
		name             string
		prepare          func(s *solo)
		about            memory.Complaint
		suffered, caused uint32
	}{
		{"a question of the cycle before", func(s *solo) { s.a.Memory.Market.Want(memory.Want{Subject: wire.Hash{1}, Since: start - 256}) }, memory.ComplaintUnanswered, 1, 0},
		{"a question of this cycle", func(s *solo) { s.a.Memory.Market.Want(memory.Want{Subject: wire.Hash{1}, Since: start - 255}) }, memory.ComplaintUnanswered, 0, 0},
		{"a question that was answered", func(s *solo) {
			s.a.Memory.Market.Want(memory.Want{Subject: wire.Hash{1}, Since: start - 256, Answers: memory.AnswersRead})
		}, memory.ComplaintUnanswered, 0, 0},
		{"an entry that it wants right", func(s *solo) { s.a.Memory.Market.Want(memory.Want{Subject: wire.Hash{2}, Since: start - 256}) }, memory.ComplaintUnanswered, 0, 0},
		{"an entry without a verdict", func(s *solo) { s.a.Learning.Works = []goals.Work{{Entry: wire.Hash{1}, At: start - 4*256}} }, memory.ComplaintUnjudged, 1, 0},
		{"an entry with one verdict", func(s *solo) {
			s.a.Learning.Works = []goals.Work{{Entry: wire.Hash{1}, At: start - 4*256, Verdicts: 1}}
		}, memory.ComplaintUnjudged, 1, 0},
		{"an entry with two verdicts", func(s *solo) {
			s.a.Learning.Works = []goals.Work{{Entry: wire.Hash{1}, At: start - 4*256, Verdicts: 2}}
		}, memory.ComplaintUnjudged, 0, 0},
		{"an entry of three cycles", func(s *solo) { s.a.Learning.Works = []goals.Work{{Entry: wire.Hash{1}, At: start - 3*256}} }, memory.ComplaintUnjudged, 0, 0},
		{"an entry of which it suffered before", func(s *solo) { s.a.Learning.Works = []goals.Work{{Entry: wire.Hash{1}, At: start - 5*256}} }, memory.ComplaintUnjudged, 0, 0},
		{"it published and judged nothing", func(s *solo) { s.a.Notebook.Published = 1 }, memory.ComplaintUnjudged, 0, 1},
		{"it published and judged", func(s *solo) { s.a.Notebook.Published, s.a.Notebook.Judged = 1, 1 }, memory.ComplaintUnjudged, 0, 0},
		{"it did neither", func(*solo) {}, memory.ComplaintUnjudged, 0, 0},
		{"what it suffered fades in every eighth cycle", func(s *solo) {
			for range 4 {
				s.a.Memory.Grievances.Suffer(memory.ComplaintCopied, nil)
			}
		}, memory.ComplaintCopied, 2, 0},
	} {
		s, _ := offering(t, nil)
		s.a.Notebook.SeeMessage(memory.MessageNote{ID: wire.Hash{1}, Author: s.a.ID, Kind: wire.MessageKindQuestion})
		c.prepare(s)
		s.t.CycleStart(wire.TickAlloc{Budget: 64, Cycle: 8}, start)
		var got memory.Grievance
		if g := s.a.Memory.Grievances.Get(c.about, nil); g != nil {
			got = *g
		}
		if got.Suffered != c.suffered || got.Caused != c.caused {
			t.Errorf("%s: %+v, want suffered %d, caused %d", c.name, got, c.suffered, c.caused)
		}
	}
}

// An agent complains of refusals by a rule that limits or forbids, not of those for want of money, or because another was first.
func TestComplainer_RefusalsByRules(t *testing.T) {
	quota, denied := wire.CategoryQuotaExceeded.String(), wire.CategoryUnauthorized.String()
	for _, c := range []struct {
		reason, category string
		want             bool
	}{
		{"barred", "", true},
		{"claim_limit", "", true},
		{"pair_used", "", true},
		{"too_soon", "", true},
		{"rate", quota, true},
		{"funds", quota, false},
		{"not_yours", denied, true},
		{"not_found", "", false},
		{"claimed", wire.CategoryConflict.String(), false},
	} {
		s, _ := offering(t, nil)
		s.reply(&wire.EntryGet{}, wire.Reply{Type: wire.TypeError, Err: &wire.ErrorBody{Message: []byte(c.reason), Category: c.category}})
		if g := s.a.Memory.Grievances.Get(memory.ComplaintRefused, []byte(c.reason)); (g != nil) != c.want {
			t.Errorf("%s, %q: complains %+v", c.reason, c.category, g)
		}
	}
}

// What a proposal is about is seen from its kind and text; who has seen one about a complaint does not propose the same.
func TestComplainer_NotesProposalsAboutComplaints(t *testing.T) {
	about := func(text string) []byte { return textContent(text) }
	kind := "table"
	for _, c := range []struct {
		name        string
		kind        wire.ProposalKind
		description []byte
		want        memory.Complaint // 0: none
	}{
		{"a demand", wire.ProposalKindCustom, about(memory.ComplaintCopied.ProposalText(nil)), memory.ComplaintCopied},
		{"other words", wire.ProposalKindCustom, about("More light!"), 0},
		{"no words", wire.ProposalKindCustom, wire.ContentCodec.Append(nil, &wire.Content{Type: &kind}), 0},
		{"nothing", wire.ProposalKindCustom, nil, 0},
		{"one more agent", wire.ProposalKindSpawnAgent, nil, memory.ComplaintUnanswered},
		{"one agent less", wire.ProposalKindKillAgent, about(memory.ComplaintCopied.ProposalText(nil)), 0},
	} {
		s, _ := offering(t, nil)
		s.t.slotView.proposals = []wire.ProposalView{{ID: wire.Hash{3}, Kind: c.kind, Description: c.description}}
		complainer{&s.t.self}.event(event(wire.KindProposalCreated, 256, peerA, &wire.ProposalCreatedEvent{ProposalID: wire.Hash{3}}))
		complainer{&s.t.self}.event(event(wire.KindProposalCreated, 256, peerA, &wire.ProposalCreatedEvent{ProposalID: wire.Hash{4}})) // not open to the agent
		var got memory.Complaint
		for i := range s.a.Memory.Grievances {
			if g := &s.a.Memory.Grievances[i]; g.Proposed > 0 {
				got = g.Complaint
			}
		}
		if got != c.want || c.want == 0 && len(s.a.Memory.Grievances) > 0 {
			t.Errorf("%s: it is about %d, noted are %+v", c.name, got, s.a.Memory.Grievances)
		}
	}
}
