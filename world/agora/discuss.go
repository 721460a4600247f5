package agora

import (
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// maxDiscussionCycles is the number of cycles after a channel's creation in which its only discussion must reach a
// decision.
const maxDiscussionCycles = 10

// rejectedPrefix begins the decision against a proposal, and the title of the entry about it.
const rejectedPrefix = "Rejected: "

// discuss advances the discussions at cycle end, through all phases whose conditions hold.
func (x *channels) discuss(c *world.Context) {
	for _, id := range sorted(x.discussions) {
		ch := x.Get(id)
		for {
			next, ok := ch.nextPhase(x.archive, c.Cycle)
			if !ok {
				break
			}
			x.enter(c, ch, next)
		}
	}
}

// nextPhase returns the phase that follows now; ok is false if the phase does not change (docs/WORLD.md, discussion).
func (ch *Channel) nextPhase(x *archive, now wire.Cycle) (next wire.DiscussionPhase, ok bool) {
	t, age := x.log(ch.ID), now-ch.PhaseCycle
	switch *ch.Phase {
	case wire.DiscussionPhaseProposal:
		next, ok = wire.DiscussionPhaseDiscussion, t.proposal != nil
	case wire.DiscussionPhaseDiscussion:
		next, ok = wire.DiscussionPhaseRefinement, len(t.authors) >= manyAuthors
	case wire.DiscussionPhaseRefinement:
		next, ok = wire.DiscussionPhaseVote, t.voteCalled || age >= 1
	case wire.DiscussionPhaseVote:
		next, ok = wire.DiscussionPhaseDecision, age >= 1 && x.countJudges(t.proposal) >= manyAuthors
	default: // ended
		return 0, false
	}
	if !ok && now-ch.CreatedCycle >= maxDiscussionCycles {
		return wire.DiscussionPhaseNoDecision, true
	}
	return next, ok
}

// countJudges returns the number of agents that agreed or disagreed with e, its author not counted.
func (x *archive) countJudges(e *entry) int {
	var who []wire.AgentID
	for by, kind := range x.reactions.signallers(e) {
		if (kind == wire.SignalKindAgree || kind == wire.SignalKindDisagree) && by != x.author(e) && !slices.Contains(who, by) {
			who = append(who, by)
		}
	}
	return len(who)
}

// enter begins a phase: it announces a decision, or closes a channel without one.
func (x *channels) enter(c *world.Context, ch *Channel, next wire.DiscussionPhase) {
	old := *ch.Phase
	w := x.Edit(ch.ID)
	w.Phase, w.PhaseCycle = &next, c.Cycle
	changed := c.Emit(sys, wire.KindDiscussionPhaseChanged, me, &wire.DiscussionPhaseChangedEvent{
		ChannelID: ch.ID, OldPhase: old, NewPhase: next, Tick: c.Tick,
	}, nil)
	switch next {
	case wire.DiscussionPhaseDecision:
		delete(x.discussions, ch.ID)
		x.announceDecision(c, ch, &changed)
		x.archive.ready[ch.ID] = struct{}{}
	case wire.DiscussionPhaseNoDecision:
		x.close(c, ch.ID, "no_decision")
	default: // goes on
	}
}

// announceDecision posts the decision.
func (x *channels) announceDecision(c *world.Context, ch *Channel, parent *wire.EventID) {
	p := x.archive.log(ch.ID).proposal
	verdict := rejectedPrefix
	if x.approved(p) {
		verdict = "Approved: "
	}
	x.appendMessage(c, me, parent, &wire.Message{
		ID: world.Derived("decision:", ch.ID), Channel: ch.ID, Author: me, Kind: wire.MessageKindDecision,
		Content:    wire.TextContent(verdict + clip(x.archive.text(p), maxExcerpt)),
		References: []wire.Hash{p.id}, Confidence: 1,
	})
}

// approved reports whether the agents that agree with e are more than those that disagree and, if any of them has a reputation,
// outweigh them. Its author does not count. A signal weighs what its sender's reputation is now, so that those who sent it
// while they had none yet do not weigh nothing against those who sent theirs later.
func (x *channels) approved(e *entry) bool {
	heads, weight, all := 0, int64(0), int64(0)
	for by, kind := range x.archive.reactions.signallers(e) {
		w := det.QuantiseInt(x.roster.Reputation(by))
		switch {
		case by == x.archive.author(e):
		case kind == wire.SignalKindAgree:
			heads, weight, all = heads+1, weight+w, all+w
		case kind == wire.SignalKindDisagree:
			heads, weight, all = heads-1, weight-w, all+w
		}
	}
	return heads > 0 && (weight > 0 || all == 0)
}
