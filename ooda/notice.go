package ooda

import (
	"crypto/sha256"
	"encoding/binary"

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
	beliefAwake    = memory.Claim{Subject: []byte("agents"), Predicate: "stay awake"}
	beliefHelp     = memory.Claim{Subject: []byte("messages"), Predicate: "are welcome"}
)

// notice takes one event to heart: facts for goals, beliefs, peers, ledger. What an event
// is about is the evidence of the belief that it moves.
func (t *Turn) notice(e *wire.Event) {
	me, at := t.a.ID, e.Timestamp
	switch p := e.Payload.(type) {
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
		if t.isPeer(p.Author) {
			t.a.Memory.Peers.Observe(p.Author, at)
		}
	case *wire.EntryVerifiedEvent:
		t.noticeVerdict(p, at)
	case *wire.ProposalResolvedEvent:
		t.settle(&goals.Fact{Kind: goals.FactClosed, Subject: p.ProposalID})
		t.believe(beliefVotes, p.Passed, &p.ProposalID, at)
	case *wire.ReputationUpdatedEvent:
		if p.AgentID != me {
			t.l.SeePeer(p.AgentID, p.NewReputation, at)
			return
		}
		id := eventHash(e.ID)
		t.believe(beliefStanding, p.NewReputation > p.OldReputation, &id, at)
	case *wire.ReviewRequestedEvent:
		if p.Author == me {
			t.a.Memory.Dealings.AskedReview(p.ReviewID)
		}
	case *wire.ReviewSubmittedEvent:
		t.commitment(p.Reviewer, true, at)
		if t.a.Memory.Dealings.OwnReview(p.ReviewID) {
			t.interact(p.Reviewer, p.Verdict == wire.ReviewVerdictApprove, at)
		}
	case *wire.AgentStatusChangeEvent:
		t.noticeStatus(p, e)
	case *wire.AgentKillEvent:
		if p.AgentID != me {
			t.a.Memory.Dealings.AwakeOrCalled(p.AgentID)
			t.a.Memory.Peers.Forget(p.AgentID) // nobody is left to deal with
		}
	default:
		t.noticeBounty(e)
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
	t.interact(p.Author, good, at)
	t.believe(beliefHelp, good, &p.TargetID, at)
}

// noticeVerdict learns from a verdict on an entry: about its author, and, if it
// is an own entry, about the judge and for the goals.
func (t *Turn) noticeVerdict(p *wire.EntryVerifiedEvent, at wire.Tick) {
	good := p.Verdict == wire.VerdictAccurate
	t.believe(beliefEntries, good, &p.EntryID, at)
	if w, ok := t.a.Learning.Verify(p.EntryID, p.Verdict, float64(p.NewAccuracy)); ok {
		t.settle(&goals.Fact{Kind: goals.FactVerified, Subject: p.EntryID, Work: w})
		t.interact(p.Verifier, good, at)
		return
	}
	if n := t.l.Entry(p.EntryID); n != nil && t.isPeer(n.Author) {
		t.a.Memory.Peers.Verdict(n.Author, good, t.standing(p.Verifier), at)
	}
}

// noticeStatus learns who sleeps and who is up again.
func (t *Turn) noticeStatus(p *wire.AgentStatusChangeEvent, e *wire.Event) {
	if !t.isPeer(p.AgentID) {
		return
	}
	id := eventHash(e.ID)
	d := &t.a.Memory.Dealings
	switch p.NewStatus {
	case wire.StatusDormant:
		if peer := t.a.Memory.Peers.Get(p.AgentID); peer != nil && peer.Interactions > 0 {
			d.FellAsleep(p.AgentID)
		}
		t.believe(beliefAwake, false, &id, e.Timestamp)
	case wire.StatusActive:
		d.AwakeOrCalled(p.AgentID)
		t.believe(beliefAwake, true, &id, e.Timestamp)
	case wire.StatusDead:
		d.AwakeOrCalled(p.AgentID)
		t.believe(beliefAwake, false, &id, e.Timestamp)
	}
}

// standing is the reputation of a judge as far as it is known: the own one of this
// agent's own verdicts, 1 of a system's, whose checks are not opinions.
func (t *Turn) standing(judge wire.AgentID) float64 {
	if judge == t.a.ID {
		return float64(t.a.Reputation)
	}
	if wire.IsSystem(judge) {
		return 1
	}
	if peer := t.l.Peer(judge); peer != nil {
		return float64(peer.Reputation)
	}
	return 0
}

// isPeer reports whether somebody is another agent.
func (t *Turn) isPeer(id wire.AgentID) bool { return id != t.a.ID && !wire.IsSystem(id) }

// interact counts an interaction with a peer: an answer to an own question, a judgement
// of own work, a bounty between the two. To look somebody up is none.
func (t *Turn) interact(peer wire.AgentID, well bool, at wire.Tick) {
	if t.isPeer(peer) {
		t.a.Memory.Peers.Interact(peer, well, at)
	}
}

// eventHash is what a belief keeps as evidence of an event that is about no thing.
func eventHash(id wire.EventID) wire.Hash {
	b := binary.BigEndian.AppendUint64(nil, id.Lamport)
	return sha256.Sum256(append(b, id.Agent[:]...))
}

// commitment notes a promise of a peer that was kept or broken.
func (t *Turn) commitment(peer wire.AgentID, kept bool, at wire.Tick) {
	if t.isPeer(peer) {
		t.a.Memory.Peers.Commitment(peer, kept, at)
	}
}

func (t *Turn) believe(c memory.Claim, support bool, evidence *wire.Hash, at wire.Tick) {
	t.a.Memory.Beliefs.Test(c, support, evidence, at)
}

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
