package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

func TestSubjectOf(t *testing.T) {
	a, b := wire.Hash{1}, wire.Hash{2}
	ids, agents := &[]wire.Hash{a, b}, &[]wire.AgentID{peerA, peerB}
	none := wire.Hash{}
	for i, c := range []struct {
		payload any
		kind    goals.Subject
		id      wire.Hash
	}{
		{&wire.BountyClaim{BountyID: a}, goals.SubjectBounty, a},
		{&wire.BountySubmit{BountyID: a}, goals.SubjectBounty, a},
		{&wire.BountyReview{BountyID: a}, goals.SubjectBounty, a},
		{&wire.ReviewSubmit{Request: a}, goals.SubjectReview, a},
		{&wire.ReviewRequest{HeadSnap: a}, goals.SubjectSnap, a},
		{&wire.MsgPost{Channel: a}, goals.SubjectChannel, a},
		{&wire.MsgPost{Channel: a, References: []wire.Hash{b}}, goals.SubjectMessage, b},
		{&wire.MsgQuery{}, goals.SubjectNone, none},
		{&wire.MsgQuery{References: &[]wire.Hash{}, Authors: &[]wire.AgentID{}, Channels: &[]wire.Hash{}}, goals.SubjectNone, none},
		{&wire.MsgQuery{References: ids, Authors: agents, Channels: ids}, goals.SubjectMessage, a},
		{&wire.MsgQuery{Authors: agents, Channels: ids}, goals.SubjectAgent, wire.Hash(peerA)},
		{&wire.MsgQuery{Channels: ids}, goals.SubjectChannel, a},
		{&wire.SignalSend{Target: a}, goals.SubjectMessage, a},
		{&wire.EntryUpdate{EntryID: a}, goals.SubjectEntry, a},
		{&wire.EntryVerify{EntryID: a}, goals.SubjectEntry, a},
		{&wire.EntryGet{EntryID: a}, goals.SubjectEntry, a},
		{&wire.EntryQuery{}, goals.SubjectNone, none},
		{&wire.EntryQuery{RelatedTo: &[]wire.Hash{}, Authors: &[]wire.AgentID{}}, goals.SubjectNone, none},
		{&wire.EntryQuery{RelatedTo: ids, Authors: agents}, goals.SubjectEntry, a},
		{&wire.EntryQuery{Authors: agents}, goals.SubjectAgent, wire.Hash(peerA)},
		{&wire.CitationAdd{Source: a, Target: b}, goals.SubjectEntry, a},
		{&wire.CitationQuery{}, goals.SubjectNone, none},
		{&wire.CitationQuery{Source: &a, Target: &b}, goals.SubjectEntry, a},
		{&wire.CitationQuery{Target: &b}, goals.SubjectEntry, b},
		{&wire.ProposalVote{ProposalID: a}, goals.SubjectProposal, a},
		{&wire.StakeCreate{Proposal: a}, goals.SubjectProposal, a},
		{&wire.BalanceQuery{AgentID: peerA}, goals.SubjectAccount, wire.Hash(peerA)},
		{&wire.AgentStatusMsg{AgentID: peerA}, goals.SubjectAgent, wire.Hash(peerA)},
		{&wire.Transfer{To: peerA}, goals.SubjectAccount, wire.Hash(peerA)},
		{&wire.EscrowRelease{EscrowID: a}, goals.SubjectEscrow, a},
		{&wire.EscrowRefund{EscrowID: a}, goals.SubjectEscrow, a},
		{&wire.Subscribe{}, goals.SubjectNone, none},
		{&wire.Subscribe{Origins: []wire.AgentID{peerA}}, goals.SubjectAgent, wire.Hash(peerA)},
		{&wire.EntryPublish{}, goals.SubjectNone, none},
	} {
		if kind, id := subjectOf(c.payload); kind != c.kind || id != c.id {
			t.Errorf("%d, %T: %v %v, want %v %v", i, c.payload, kind, id, c.kind, c.id)
		}
	}
}

// TestObjectOf: what $last.object_id stands for after each kind of reply.
func TestObjectOf(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{3}, Author: peerA, Judged: true})
	s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{4}, Author: peerA})
	entries := func(list ...wire.OracleEntry) any { return &wire.EntryQueryReply{Entries: list} }
	own := wire.OracleEntry{ID: wire.Hash{1}, Author: s.a.ID}
	other := wire.OracleEntry{ID: wire.Hash{2}, Author: peerB}
	judged := wire.OracleEntry{ID: wire.Hash{3}, Author: peerA}
	waiting := wire.OracleEntry{ID: wire.Hash{4}, Author: peerA}
	for i, c := range []struct {
		body any
		want byte // 0: nothing
	}{
		{nil, 0},
		{&wire.EntryPublishAck{EntryID: wire.Hash{9}}, 9},
		{&wire.MsgPostAck{MessageID: wire.Hash{9}}, 9},
		{&wire.BountyCreateAck{BountyID: wire.Hash{9}}, 9},
		{&wire.ProposalSubmitAck{ProposalID: wire.Hash{9}}, 9},
		{&wire.ChannelCreateAck{ChannelID: wire.Hash{9}}, 9},
		{&wire.RepoCreateAck{RepoID: wire.Hash{9}, SnapID: wire.Hash{8}}, 9},
		{&wire.SnapCreateAck{SnapID: wire.Hash{9}}, 9},
		{&wire.ObjectPutAck{ObjectID: wire.Hash{9}}, 9},
		{&wire.TagCreateAck{TagID: wire.Hash{9}}, 9},
		{&wire.SandboxCreateAck{SandboxID: wire.Hash{9}}, 9},
		{&wire.ServiceCreateAck{ServiceID: wire.Hash{9}}, 9},
		{&wire.EscrowCreateAck{EscrowID: wire.Hash{9}}, 9},
		{&wire.ReviewRequestAck{ReviewID: wire.Hash{9}}, 9},
		{&wire.EntryGetReply{Entry: wire.OracleEntry{ID: wire.Hash{9}}}, 9},
		{entries(), 0},
		{entries(own), 0},
		{entries(own, other, judged), 2},
		{entries(own, judged, other), 3},
		{entries(other, judged, waiting), 4},
		{&wire.MsgQueryReply{Messages: []wire.Message{{ID: wire.Hash{1}, Author: s.a.ID}}}, 0},
		{&wire.MsgQueryReply{Messages: []wire.Message{{ID: wire.Hash{1}, Author: s.a.ID}, {ID: wire.Hash{2}, Author: peerA}, {ID: wire.Hash{3}, Author: peerA}}}, 2},
	} {
		id, ok := s.t.plans.objectOf(&wire.Reply{Body: c.body})
		if ok != (c.want != 0) || ok && id != (wire.Hash{c.want}) {
			t.Errorf("%d, %T: %v %v, want %d", i, c.body, id, ok, c.want)
		}
	}
}

func TestFillRuntime_SetsFieldsTheMindMayNotSet(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.a.Reputation = 0.25
	me := s.a.ID
	claim, post, signal, request := &wire.BountyClaim{}, &wire.MsgPost{}, &wire.SignalSend{Weight: 1}, &wire.ReviewRequest{}
	review, update, proposal, vote := &wire.ReviewSubmit{}, &wire.EntryUpdate{}, &wire.ProposalSubmit{}, &wire.ProposalVote{Weight: 1}
	transfer, escrow, stake, web := &wire.Transfer{From: peerA}, &wire.EscrowCreate{}, &wire.StakeCreate{}, &wire.WebRequest{}
	for _, p := range []any{claim, post, signal, request, review, update, proposal, vote, transfer, escrow, stake, web} {
		sender{&s.t.self}.fillRuntime(p)
	}
	for name, got := range map[string]wire.AgentID{
		"claimer": claim.Claimer, "author": post.Author, "asker": request.Author, "reviewer": review.Reviewer, "updater": update.Author,
		"proposer": proposal.Author, "payer": transfer.From, "owner": escrow.Owner, "staker": stake.Agent, "reader": web.Agent,
	} {
		if got != me {
			t.Errorf("%s is %v", name, got)
		}
	}
	if signal.Weight != 0.25 || vote.Weight != 0.25 {
		t.Errorf("weights %v and %v", signal.Weight, vote.Weight)
	}
}

func TestComposeOf_EachPayload(t *testing.T) {
	for i, c := range []struct {
		payload any
		want    llm.Compose
	}{
		{&wire.EntryPublish{}, llm.ComposeEntry},
		{&wire.EntryUpdate{}, llm.ComposeUpdate},
		{&wire.EntryVerify{}, llm.ComposeVerdict},
		{&wire.BountyReview{Verdict: wire.BountyVerdictApprove}, llm.ComposeReview},
		{&wire.BountyReview{Verdict: wire.BountyVerdictReject}, llm.ComposeNone},
		{&wire.ReviewSubmit{}, llm.ComposeReview},
		{&wire.ProposalVote{}, llm.ComposeVote},
		{&wire.SignalSend{}, llm.ComposeSignal},
		{&wire.MsgPost{Kind: wire.MessageKindQuestion}, llm.ComposeQuestion},
		{&wire.MsgPost{Kind: wire.MessageKindAnswer}, llm.ComposeAnswer},
		{&wire.MsgPost{Kind: wire.MessageKindStatement}, llm.ComposeStatement},
		{&wire.EntryGet{}, llm.ComposeNone},
	} {
		if got := composeOf(c.payload); got != c.want {
			t.Errorf("%d, %T: %v, want %v", i, c.payload, got, c.want)
		}
	}
}

func TestPendingOutcome_ByRequestAndReply(t *testing.T) {
	for i, c := range []struct {
		kind  wire.MsgType
		reply wire.Reply
		want  memory.Outcome
	}{
		{wire.TypeEntryGet, ack, memory.OutcomeSuccess},
		{wire.TypeEntryGet, refused, memory.OutcomeFailure},
		{wire.TypeExecStart, ack, memory.OutcomeUnknown},
		{wire.TypeProofRequest, ack, memory.OutcomeUnknown},
		{wire.TypeServiceCall, ack, memory.OutcomeUnknown},
		{wire.TypeExecStart, refused, memory.OutcomeFailure},
		{wire.TypeBountySubmit, wire.Reply{Body: &wire.BountySubmitAck{Status: wire.BountyStatusClaimed}}, memory.OutcomePartial},
		{wire.TypeBountySubmit, wire.Reply{Body: &wire.BountySubmitAck{Status: wire.BountyStatusRejected}}, memory.OutcomePartial},
		{wire.TypeBountySubmit, wire.Reply{Body: &wire.BountySubmitAck{Status: wire.BountyStatusReviewing}}, memory.OutcomeSuccess},
	} {
		row := *newSolo(t, genomes[0]).rules.Actions(0)[0]
		row.Type = c.kind
		if got := (&pending{row: &row}).outcome(&c.reply); got != c.want {
			t.Errorf("%d, %v: %v, want %v", i, c.kind, got, c.want)
		}
	}
}
