package ooda

import (
	"kingdom/memory"
	"kingdom/wire"
)

// complainer notes the grievances of the agent and those that it causes to others.
type complainer struct{ *self }

// cycleStart counts what the agent waited for in vain: questions without an answer for a cycle, and entries without
// enough verdicts for longer than the agent waits before it writes more.
func (c complainer) cycleStart(at wire.Tick, cycle wire.Cycle) {
	mem := c.agent.Memory
	tpc := wire.Tick(c.rules.Calendar.TicksPerCycle)
	mem.Grievances.CycleStart(cycle)
	for i := range mem.Market.Wants {
		w := &mem.Market.Wants[i]
		if w.Answers == memory.AnswersNone && passed(w.Since, at, 1, tpc) && c.notes.Message(w.Subject) != nil {
			mem.Grievances.Suffer(memory.ComplaintUnanswered, nil)
		}
	}
	for i := range c.agent.Learning.Works {
		if w := &c.agent.Learning.Works[i]; w.Verdicts < trusted && passed(w.At, at, unjudgedCycles, tpc) {
			mem.Grievances.Suffer(memory.ComplaintUnjudged, nil)
		}
	}
	if c.notes.Published > 0 && c.notes.Judged == 0 { // of the cycle that ended
		mem.Grievances.Cause(memory.ComplaintUnjudged)
	}
}

// shared is how many programs have to build on another one for its changes to concern everybody; if there are fewer,
// their owners talk to its owner.
const shared = 3

// trusted is how many verdicts the world wants before it trusts an entry, and pays for it.
const trusted = 2

// passed reports whether so many cycles since a tick ended with the cycle that ended now.
func passed(since, now wire.Tick, cycles uint64, tpc wire.Tick) bool {
	due := since + wire.Tick(cycles)*tpc
	return due <= now && due+tpc > now
}

// event counts what an event does to the agent, or shows that it did.
func (c complainer) event(e *wire.Event) {
	me, l := c.agent.ID, &c.agent.Memory.Grievances
	switch p := e.Payload.(type) {
	case *wire.BountyExpiredEvent:
		if c.agent.Memory.Market.WantOf(p.BountyID) != nil {
			l.Suffer(memory.ComplaintUndelivered, nil)
		}
	case *wire.BountyReopenedEvent:
		switch claimer, known := c.notes.Claimer(p.BountyID); {
		case known && claimer == me:
			l.Cause(memory.ComplaintUndelivered)
		case c.agent.Memory.Market.WantOf(p.BountyID) != nil:
			l.Suffer(memory.ComplaintUndelivered, nil)
		}
	case *wire.AgentStatusChangeEvent:
		if p.NewStatus == wire.StatusDormant && p.AgentID == me {
			l.Cause(memory.ComplaintAsleep)
		} else if p.NewStatus == wire.StatusDormant {
			if peer := c.peer(p.AgentID); peer != nil && peer.Interactions > 0 {
				l.Suffer(memory.ComplaintAsleep, nil)
			}
		}
	case *wire.TransferFailedEvent:
		if p.To == me && string(p.Reason) == "reward_cap" {
			l.Suffer(memory.ComplaintForfeited, nil)
		}
	case *wire.DuplicateFlaggedEvent:
		if n := c.notes.Entry(p.ExistingEntryID); n != nil && n.Own {
			l.Suffer(memory.ComplaintCopied, nil)
		}
		if n := c.notes.Entry(p.NewEntryID); n != nil && n.Own {
			l.Cause(memory.ComplaintCopied)
		}
	case *wire.EntryUpdateRejectedEvent:
		switch n := c.notes.Entry(p.EntryID); {
		case p.RejectedBy == me:
			l.Cause(memory.ComplaintRebuffed)
		case n != nil && n.Corrected:
			l.Suffer(memory.ComplaintRebuffed, nil)
		}
	case *wire.DependencyUpdatedEvent:
		for i := range c.notes.Works {
			if p.DependentCount < shared {
				break
			}
			switch w := &c.notes.Works[i]; p.RepoID {
			case w.Repo:
				l.Cause(memory.ComplaintChanged)
			case w.Uses:
				l.Suffer(memory.ComplaintChanged, nil)
			}
		}
	case *wire.ProposalCreatedEvent:
		if v := c.seen.proposal(p.ProposalID); v != nil {
			if what, subject, ok := demandOf(v.Kind, v.Description); ok {
				l.NoteProposal(what, subject, c.seen.cycle)
			}
		}
	}
}

// refused counts a refusal by a rule that limits or forbids something. It does not count if the agent lacks something
// itself, or if another agent was first.
func (c complainer) refused(err *wire.ErrorBody) {
	const funds = "funds"
	switch reason := string(err.Message); {
	case reason == "barred" || reason == "claim_limit" || reason == "pair_used" || reason == "too_soon":
	case err.Category == wire.CategoryQuotaExceeded.String() && reason != funds:
	case err.Category == wire.CategoryUnauthorized.String():
	default:
		return
	}
	c.agent.Memory.Grievances.Suffer(memory.ComplaintRefused, err.Message)
}

// demandOf is the complaint that a proposal is about; ok is false if it is about none.
func demandOf(k wire.ProposalKind, description []byte) (c memory.Complaint, subject []byte, ok bool) {
	switch k {
	case wire.ProposalKindCustom:
		var said wire.Content
		if wire.ContentCodec.Decode(description, &said) == nil && said.Text != nil {
			return memory.ParseProposalText([]byte(*said.Text))
		}
	case wire.ProposalKindSpawnAgent: // it is about one more agent that answers
		return memory.ComplaintUnanswered, nil, true
	case wire.ProposalKindChangeParam:
		subject = quotaOf(description)
		return memory.ComplaintRefused, subject, subject != nil
	default: // the others are about no complaint
	}
	return 0, nil, false
}
