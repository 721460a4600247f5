package agora

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// maxDiscussionCycles is the number of cycles after a channel's creation in which its only discussion must reach a
// decision.
const maxDiscussionCycles = 10

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

// announceDecision posts the decision, which the weights of the AGREE and DISAGREE of others on the proposal give.
func (x *channels) announceDecision(c *world.Context, ch *Channel, parent *wire.EventID) {
	p := x.archive.log(ch.ID).proposal
	verdict := "Rejected"
	if x.archive.reactions.weightOfOthers(p, wire.SignalKindAgree) > x.archive.reactions.weightOfOthers(p, wire.SignalKindDisagree) {
		verdict = "Approved"
	}
	x.appendMessage(c, me, parent, &wire.Message{
		ID: world.Derived("decision:", ch.ID), Channel: ch.ID, Author: me, Kind: wire.MessageKindDecision,
		Content:    wire.TextContent(verdict + ": " + clip(x.archive.text(p), maxExcerpt)),
		References: []wire.Hash{p.id}, Confidence: 1,
	})
}
