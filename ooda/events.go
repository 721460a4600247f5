package ooda

import (
	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// Claims of the beliefs that events move. Subject and predicate are shared and
// never changed.
var (
	beliefBounties = memory.Claim{Subject: []byte("bounties"), Predicate: "get done"}
	beliefQuorum   = memory.Claim{Subject: []byte("votes"), Predicate: "have a quorum"}
	beliefVotes    = memory.Claim{Subject: []byte("proposals"), Predicate: "pass"}
)

// eventReader learns from the events of a view: facts for goals, beliefs, the reputation of peers, notes. It stores
// what it learns in the agent.
type eventReader struct {
	self
	goals *goalTracker
	regs  *registers
	prize uint64 // ⚡ of bounties that the events of this slot say were paid to the agent
}

// notice learns from one event: facts for goals, beliefs, peers, notes. The subject of an event is the evidence of the
// belief that it moves.
func (er *eventReader) notice(e *wire.Event) {
	me, at := er.agent.ID, e.Timestamp
	er.countEvent(e)
	complainer{&er.self}.event(e)
	er.praise(e)
	switch p := e.Payload.(type) {
	case *wire.MessagePostedEvent:
		own := p.Author == me
		if p.Kind == wire.MessageKindAnswer && p.Reference != nil && !own && er.notes.Message(p.MessageID) == nil {
			er.relations().countAnswer(*p.Reference, p.Author)
		}
		er.notes.SeeMessage(memory.MessageNote{
			ID: p.MessageID, Channel: p.ChannelID, Author: p.Author, Kind: p.Kind, At: p.Tick, Signed: own, Answered: own, Addressee: er.named(p),
		})
	case *wire.TransferCompletedEvent:
		if p.To == me && p.Kind == wire.TransferKindDirect && er.isPeer(p.From) {
			er.expert().practised(memory.TopicTalk) // what agents pay for by hand are answers
			er.agent.Memory.Peers.Serve(p.From, at)
		}
	case *wire.EscrowCreatedEvent:
		er.noticePledge(p)
	case *wire.ChannelCreatedEvent:
		er.notes.SeeChannel(memory.ChannelNote{ID: p.ChannelID, Name: memory.Truncate(p.Name), Creator: p.Creator})
	case *wire.SignalSentEvent:
		er.noticeSignal(p, at)
	case *wire.EntryPublishedEvent:
		own := p.Author == me
		er.notes.SeeEntry(memory.EntryNote{
			ID: p.EntryID, Author: p.Author, Kind: p.Kind, At: p.Tick, Title: memory.Truncate(p.Title), Judged: own, Own: own, Paid: er.demand().paidFor(p.Title),
		})
		if er.isPeer(p.Author) {
			er.agent.Memory.Peers.Observe(p.Author, at)
		}
	case *wire.EntryUpdatedEvent:
		er.agent.Memory.Market.Answered(p.EntryID)
		er.noticeUpdate(p)
	case *wire.EntryUpdateRejectedEvent:
		if n := er.notes.Entry(p.EntryID); n != nil {
			n.Pending = 0
		}
	case *wire.EntryVerifiedEvent:
		er.noticeVerdict(p, at)
	case *wire.ProposalCreatedEvent:
		noteProposal(&er.self, er.seen.proposal(p.ProposalID))
	case *wire.ProposalResolvedEvent:
		er.agent.Memory.Grievances.Argued(p.ProposalID)
		er.goals.tell(&goals.Fact{Kind: goals.FactClosed, Subject: p.ProposalID, Reason: goals.Closed("resolved")})
		er.believer().believe(beliefVotes, p.Passed, &p.ProposalID, at)
		er.believer().believe(beliefQuorum, p.QuorumMet, &p.ProposalID, at)
	case *wire.ReputationUpdatedEvent:
		if p.AgentID != me {
			er.notes.SeePeer(p.AgentID, p.NewReputation, at)
		}
	case *wire.ReviewRequestedEvent:
		if p.Author == me {
			er.agent.Memory.Dealings.AskedReview(p.ReviewID)
			er.agent.Memory.Dealings.AwaitReview(memory.AwaitedReview{ID: p.ReviewID, At: p.Tick, Wants: reviewsWanted(p)})
		}
	case *wire.ReviewSubmittedEvent:
		er.agent.Memory.Dealings.CountVerdict(p.ReviewID)
		er.relations().countPromise(p.Reviewer, true, at)
		if er.agent.Memory.Dealings.OwnReview(p.ReviewID) {
			good := p.Verdict == wire.ReviewVerdictApprove
			er.agent.Learning.Credit(action.DomainLanguage, good)
			er.relations().interact(p.Reviewer, memory.DealReview, good, at)
		}
	case *wire.AgentStatusChangeEvent:
		er.noticeStatus(p)
	case *wire.AgentKillEvent:
		if p.AgentID != me {
			er.agent.Memory.Dealings.RemoveSleeper(p.AgentID)
			er.agent.Memory.Peers.Forget(p.AgentID) // nobody is left to deal with
		}
	default:
		er.noticeBounty(e)
	}
}

// reviewsWanted is how many reviews close a request: one of each reviewer that it names, two if it names nobody.
func reviewsWanted(p *wire.ReviewRequestedEvent) uint32 {
	if len(p.Reviewers) > 0 {
		return uint32(len(p.Reviewers))
	}
	return 2
}

// named says to whom a message is addressed. The first reference of a question may be an agent; an answer is addressed
// to the one who asked.
func (er *eventReader) named(p *wire.MessagePostedEvent) memory.Addressee {
	if p.Reference == nil {
		return memory.AddresseeNone
	}
	if p.Kind == wire.MessageKindAnswer {
		if q := er.notes.Message(*p.Reference); q != nil && q.Author == er.agent.ID {
			return memory.AddresseeSelf
		}
	}
	if p.Kind != wire.MessageKindQuestion {
		return memory.AddresseeNone
	}
	switch who := wire.AgentID(*p.Reference); {
	case who == er.agent.ID:
		return memory.AddresseeSelf
	case er.agent.Memory.Peers.Get(who) != nil:
		return memory.AddresseeOther
	default:
		return memory.AddresseeNone
	}
}

// noticeSignal learns from a signal: its weight is the reputation of its author, and a signal to an own message says
// what others think of that message.
func (er *eventReader) noticeSignal(p *wire.SignalSentEvent, at wire.Tick) {
	if p.Author == er.agent.ID {
		return
	}
	er.notes.SeePeer(p.Author, p.Weight, at)
	m := er.notes.Message(p.TargetID)
	if m != nil {
		memory.Count(&m.Signals)
	}
	if m == nil || m.Author != er.agent.ID {
		return
	}
	good := approves(p.Kind)
	er.judged(p.TargetID, good)
	if good && m.Kind == wire.MessageKindAnswer {
		er.expert().practised(memory.TopicTalk)
		er.believer().returnedFor(p.TargetID, returnApproval, at)
	}
	er.relations().interact(p.Author, memory.DealSignal, good, at)
}

// noticeVerdict learns from a verdict on an entry: about its author, and, if it
// is an own entry, about the judge and for the goals.
func (er *eventReader) noticeVerdict(p *wire.EntryVerifiedEvent, at wire.Tick) {
	good := p.Verdict == wire.VerdictAccurate
	if p.Verdict == wire.VerdictInaccurate || p.Verdict == wire.VerdictOutdated {
		er.payer().wantRight(p, at)
	}
	if w, ok := er.agent.Learning.Verify(p.EntryID, p.Verdict, float64(p.NewAccuracy)); ok {
		er.judged(p.EntryID, good)
		if good {
			if n := er.notes.Entry(p.EntryID); n != nil {
				er.expert().practised(topicOf(n.Title))
			}
			er.believer().returnedFor(p.EntryID, returnVerdict, at)
		}
		er.agent.Learning.Credit(action.DomainDocumentation, good)
		er.goals.tell(&goals.Fact{Kind: goals.FactVerified, Subject: p.EntryID, Work: w})
		er.relations().interact(p.Verifier, memory.DealVerdict, good, at)
		return
	}
	n := er.notes.Entry(p.EntryID)
	if n != nil {
		n.Accuracy = p.NewAccuracy
	}
	if n != nil && p.Verifier != er.agent.ID {
		if n.Verdict == uint8(p.Verdict) {
			er.expert().practised(topicOf(n.Title))
			er.believer().returnedFor(p.EntryID, returnVerdict, at)
		}
		memory.Count(&n.Verdicts)
		switch {
		case !good:
			memory.Count(&n.Disputed)
		case er.relations().proven(p.Verifier):
			memory.Count(&n.Vouched)
		}
	}
	if n != nil && er.isPeer(n.Author) && er.relations().reads(p.Verifier) {
		er.agent.Memory.Peers.Verdict(n.Author, good, er.standing(p.Verifier), at)
	}
}

// judged counts a verdict on, or a signal to, something that this agent made.
func (er *eventReader) judged(object wire.Hash, good bool) {
	switch e := er.agent.Memory.Effects.ByObject(object); {
	case e == nil:
	case good:
		e.Approved++
	default:
		e.Disputed++
	}
}

// noticeStatus learns which peers sleep and which are awake again.
func (er *eventReader) noticeStatus(p *wire.AgentStatusChangeEvent) {
	if !er.isPeer(p.AgentID) {
		return
	}
	d := &er.agent.Memory.Dealings
	switch p.NewStatus {
	case wire.StatusDormant:
		if peer := er.agent.Memory.Peers.Get(p.AgentID); peer != nil && peer.Interactions > 0 {
			d.AddSleeper(p.AgentID)
		}
	case wire.StatusActive, wire.StatusDead:
		d.RemoveSleeper(p.AgentID)
	default: // nothing to do for the others
	}
}

// standing is the reputation of a judge as far as it is known: its own for this agent, and 1 for a system, whose
// checks are not opinions.
func (er *eventReader) standing(judge wire.AgentID) float64 {
	if judge == er.agent.ID {
		return float64(er.agent.Reputation)
	}
	if wire.IsSystem(judge) {
		return 1
	}
	if peer := er.notes.Peer(judge); peer != nil {
		return float64(peer.Reputation)
	}
	return 0
}
