package ooda

import (
	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

// Claims of the beliefs that events move. Subject and predicate are shared and
// never changed.
var (
	beliefBounties = memory.Claim{Subject: []byte("bounties"), Predicate: "get done"}
	beliefEntries  = memory.Claim{Subject: []byte("entries"), Predicate: "are accurate"}
	beliefStanding = memory.Claim{Subject: []byte("reputation"), Predicate: "rises with work"}
	beliefVotes    = memory.Claim{Subject: []byte("proposals"), Predicate: "pass"}
	beliefHelp     = memory.Claim{Subject: []byte("messages"), Predicate: "are welcome"}
)

// notice takes one event to heart: facts for goals, beliefs, peers, ledger.
func (t *Turn) notice(e *wire.Event) {
	me, at := t.a.ID, e.Timestamp
	switch p := e.Payload.(type) {
	case *wire.BountyClaimedEvent:
		t.l.Claim(p.BountyID, p.Claimer)
		if p.Claimer != me {
			t.settle(&goals.Fact{Kind: goals.FactBountyLost, Subject: p.BountyID})
		}
	case *wire.BountyCompletedEvent:
		fact := goals.Fact{Kind: goals.FactBountyCompleted, Subject: p.BountyID, Agent: p.Claimer}
		if p.Claimer == me {
			fact.Reward = p.Reward
		}
		t.settle(&fact)
		t.believe(beliefBounties, true, nil, at)
		t.commitment(p.Claimer, true, at)
	case *wire.BountyReopenedEvent:
		if claimer, ok := t.l.Claimer(p.BountyID); ok {
			t.commitment(claimer, false, at)
		}
		t.believe(beliefBounties, false, nil, at)
	case *wire.BountyExpiredEvent:
		t.settle(&goals.Fact{Kind: goals.FactBountyLost, Subject: p.BountyID})
		t.believe(beliefBounties, false, nil, at)
	case *wire.MessagePostedEvent:
		own := p.Author == me
		t.l.SeeMessage(memory.MessageNote{
			ID: p.MessageID, Channel: p.ChannelID, Author: p.Author, Kind: p.Kind, At: p.Tick, Signed: own, Answered: own,
		})
	case *wire.SignalSentEvent:
		t.noticeSignal(p, at)
	case *wire.EntryPublishedEvent:
		own := p.Author == me
		t.l.SeeEntry(memory.EntryNote{
			ID: p.EntryID, Author: p.Author, Kind: p.Kind, At: p.Tick, Title: memory.Clip(p.Title), Judged: own, Own: own,
		})
		if !own && !wire.IsSystem(p.Author) {
			t.a.Memory.Peers.Interest(p.Author, interestOf(p.Kind), at)
		}
	case *wire.EntryVerifiedEvent:
		t.noticeVerdict(p, at)
	case *wire.ProposalResolvedEvent:
		t.settle(&goals.Fact{Kind: goals.FactClosed, Subject: p.ProposalID})
		t.believe(beliefVotes, p.Passed, nil, at)
	case *wire.ReputationUpdatedEvent:
		if p.AgentID != me {
			t.l.SeePeer(p.AgentID, p.NewReputation, at)
			return
		}
		t.believe(beliefStanding, p.NewReputation > p.OldReputation, nil, at)
	case *wire.ReviewSubmittedEvent:
		t.commitment(p.Reviewer, true, at)
	}
}

// noticeSignal learns from a signal: who sent it stands by its weight, and what
// others think of an own message.
func (t *Turn) noticeSignal(p *wire.SignalSentEvent, at wire.Tick) {
	if p.Author == t.a.ID {
		return
	}
	t.l.SeePeer(p.Author, p.Weight, at)
	m := t.l.Message(p.TargetID)
	if m == nil || m.Author != t.a.ID {
		return
	}
	good := p.Kind == wire.SignalKindAgree || p.Kind == wire.SignalKindHelpful || p.Kind == wire.SignalKindActionable
	t.a.Memory.Peers.Interact(p.Author, good, at)
	t.believe(beliefHelp, good, nil, at)
}

// noticeVerdict learns from a verdict on an entry: about its author, and, if it
// is an own entry, about the judge and for the goals.
func (t *Turn) noticeVerdict(p *wire.EntryVerifiedEvent, at wire.Tick) {
	good := p.Verdict == wire.VerdictAccurate
	t.believe(beliefEntries, good, nil, at)
	if w, ok := t.a.Learning.Verify(p.EntryID, p.Verdict, float64(p.NewAccuracy)); ok {
		t.settle(&goals.Fact{Kind: goals.FactVerified, Subject: p.EntryID, Work: w})
		if p.Verifier != t.a.ID {
			t.a.Memory.Peers.Interact(p.Verifier, good, at)
		}
		return
	}
	if n := t.l.Entry(p.EntryID); n != nil && n.Author != t.a.ID && !wire.IsSystem(n.Author) {
		judge := 0.0
		if peer := t.l.Peer(p.Verifier); peer != nil {
			judge = float64(peer.Reputation)
		}
		t.a.Memory.Peers.Verdict(n.Author, good, judge, at)
	}
}

// commitment notes a promise of a peer that was kept or broken.
func (t *Turn) commitment(peer wire.AgentID, kept bool, at wire.Tick) {
	if peer != t.a.ID && !wire.IsSystem(peer) {
		t.a.Memory.Peers.Commitment(peer, kept, at)
	}
}

func (t *Turn) believe(c memory.Claim, support bool, evidence *wire.Hash, at wire.Tick) {
	t.a.Memory.Beliefs.Test(c, support, evidence, at)
}

// interests are the tags under which peers' fields of work are kept.
var interests = makeInterests()

func makeInterests() [][]byte {
	names := wire.EntryKind(0).EnumNames()
	out := make([][]byte, len(names))
	for i, n := range names {
		out[i] = []byte(n)
	}
	return out
}

func interestOf(k wire.EntryKind) []byte { return interests[k-1] }

// receive takes the result of an asynchronous request: it completes the
// experience and unblocks the plan that waited for it.
func (t *Turn) receive(r *wire.Reply) {
	task := t.a.CurrentTask
	if task == nil || task.Awaits == nil || *task.Awaits != r.Ref {
		return
	}
	outcome := memory.OutcomeSuccess
	if r.Err != nil {
		outcome = memory.OutcomeFailure
	}
	t.a.Memory.Experiences.Resolve(task.Experience, outcome, []byte("result: "+outcome.String()))
	t.a.CurrentTask = nil
	if p := t.a.Memory.Plans.Of(task.GoalID); p != nil && p.Blocked != nil && *p.Blocked == r.Ref {
		t.stepEnded(p, outcome == memory.OutcomeSuccess)
	}
}
