package ooda

import (
	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

// Claims of the beliefs that the fate of bounties moves.
var (
	beliefDelivered = memory.Claim{Subject: []byte("claims"), Predicate: "get delivered"}
	beliefRulings   = memory.Claim{Subject: []byte("rejections"), Predicate: "are accepted"}
	beliefOwnWork   = memory.Claim{Subject: []byte("own submissions"), Predicate: "are accepted"}
)

// noticeBounty follows a bounty through its life: what it says of its claimer, of the
// other side when it is a matter between a peer and this agent, and of bounties.
func (t *Turn) noticeBounty(e *wire.Event) {
	at := e.Timestamp
	switch p := e.Payload.(type) {
	case *wire.BountyClaimedEvent:
		t.noticeClaim(p)
	case *wire.BountySubmittedEvent:
		t.l.Claim(p.BountyID, p.Claimer)
		t.believe(beliefDelivered, true, &p.BountyID, at)
	case *wire.BountyCompletedEvent:
		t.noticeCompleted(p, e)
	case *wire.BountyRejectedEvent:
		if claimer, ok := t.l.Claimer(p.BountyID); ok {
			t.judged(claimer, false, &p.BountyID, e)
		}
		t.dealt(p.BountyID, false, at)
	case *wire.BountyDisputedEvent:
		t.believe(beliefRulings, false, &p.BountyID, at)
	case *wire.BountyExpiredEvent:
		t.settle(&goals.Fact{Kind: goals.FactBountyLost, Subject: p.BountyID})
		t.believe(beliefBounties, false, &p.BountyID, at)
		t.broken(p.BountyID, true, at)
	case *wire.BountyReopenedEvent:
		t.believe(beliefBounties, false, &p.BountyID, at)
		switch string(p.Reason) {
		case "rejected": // nobody disputed
			t.believe(beliefRulings, true, &p.BountyID, at)
			t.broken(p.BountyID, false, at)
		case "dispute_lost":
			t.broken(p.BountyID, false, at)
		default:
			t.believe(beliefDelivered, false, &p.BountyID, at)
			t.broken(p.BountyID, true, at)
		}
	}
}

// noticeClaim notes the claimer and, of a bounty between a peer and this agent, the
// other side: later the view may not show the bounty any more.
func (t *Turn) noticeClaim(p *wire.BountyClaimedEvent) {
	me := t.a.ID
	t.l.Claim(p.BountyID, p.Claimer)
	if p.Claimer != me {
		t.settle(&goals.Fact{Kind: goals.FactBountyLost, Subject: p.BountyID})
	}
	b := t.seen.claim(p.BountyID)
	if b == nil {
		return
	}
	switch {
	case b.Creator == me && t.isPeer(p.Claimer):
		t.a.Memory.Dealings.Deal(p.BountyID, p.Claimer)
	case p.Claimer == me && t.isPeer(b.Creator):
		t.a.Memory.Dealings.Deal(p.BountyID, b.Creator)
	}
}

func (t *Turn) noticeCompleted(p *wire.BountyCompletedEvent, e *wire.Event) {
	fact := goals.Fact{Kind: goals.FactBountyCompleted, Subject: p.BountyID, Agent: p.Claimer}
	if p.Claimer == t.a.ID {
		fact.Reward = p.Reward
	}
	t.settle(&fact)
	t.believe(beliefBounties, true, &p.BountyID, e.Timestamp)
	t.commitment(p.Claimer, true, e.Timestamp)
	t.judged(p.Claimer, true, &p.BountyID, e)
	t.dealt(p.BountyID, true, e.Timestamp)
	t.over(p.BountyID)
}

// judged takes the fate of a submission as a verdict on its author's work. An event that
// the author itself caused tells of a check by the world, which weighs like a system's.
func (t *Turn) judged(claimer wire.AgentID, good bool, bounty *wire.Hash, e *wire.Event) {
	if claimer == t.a.ID {
		t.believe(beliefOwnWork, good, bounty, e.Timestamp)
		return
	}
	if !t.isPeer(claimer) {
		return
	}
	weight := 1.0
	if e.Origin != claimer {
		weight = t.standing(e.Origin)
	}
	t.a.Memory.Peers.Verdict(claimer, good, weight, e.Timestamp)
}

// broken notes a claim that ended without payment. fresh is false when a rejection has
// told so between the two sides before.
func (t *Turn) broken(bounty wire.Hash, fresh bool, at wire.Tick) {
	if claimer, ok := t.l.Claimer(bounty); ok {
		t.commitment(claimer, false, at)
	}
	if fresh {
		t.dealt(bounty, false, at)
	}
	t.over(bounty)
}

// dealt counts the outcome of a bounty between a peer and this agent.
func (t *Turn) dealt(bounty wire.Hash, well bool, at wire.Tick) {
	if peer, ok := t.a.Memory.Dealings.Other(bounty); ok {
		t.interact(peer, well, at)
	}
}

// over forgets who had claimed a bounty.
func (t *Turn) over(bounty wire.Hash) {
	t.l.Unclaim(bounty)
	t.a.Memory.Dealings.EndDeal(bounty)
}
