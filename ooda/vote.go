package ooda

import (
	"bytes"
	"cmp"

	"kingdom/det"
	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

const (
	// indifferent is how little a proposal moves an agent that does not vote on it.
	indifferent = 0.05
	// goodwill is what full trust in the author adds for an agent with full collaboration.
	goodwill = 0.5
	// caution is what a change has to be worth, times 1.2 less risk tolerance. An agent with traits of 0.5 that a
	// proposal does not concern is for it if more than about half of its dealings with the author went well, and
	// against it if less than an eighth did.
	caution = 0.65 * goodwill * 0.5 * 0.5 / (1.2 - 0.5)
)

// voter is an agent as it judges proposals: by what it expects of them for itself, and by who made them.
type voter struct{ *self }

// stance is how much an agent is for a proposal (above 0) or against it (below 0): what it expects of it for itself,
// and its goodwill for the author, less its fear of change. It is always for its own.
func (v voter) stance(p *wire.ProposalView) float64 {
	if p.Author == v.agent.ID {
		return 1
	}
	t := &v.agent.Genome.Traits
	for_ := v.expects(p) + float64(goodwill*float64(float64(t.Collaboration)*v.relations().believes(p.Author)))
	return det.Quantise(for_ - v.fears())
}

// fears is how much a change has to be worth to the agent before it is for it.
func (v voter) fears() float64 {
	return float64(caution * (1.2 - float64(v.agent.Genome.Traits.RiskTolerance)))
}

// favours is how much the agent would be for a stranger's proposal to end a grievance.
func (v voter) favours(g *memory.Grievance) float64 {
	return det.Quantise(v.concern(g.Complaint, g.Subject) - v.fears())
}

// expects is what an agent expects of a proposal for itself, in [-1,1].
func (v voter) expects(p *wire.ProposalView) float64 {
	switch p.Kind {
	case wire.ProposalKindKillAgent:
		return v.gainOfKilling(p)
	case wire.ProposalKindChangeParam:
		return v.expectsOfParam(p)
	case wire.ProposalKindCustom, wire.ProposalKindSpawnAgent:
		if what, subject, ok := demandOf(p.Kind, p.Description); ok {
			return v.concern(what, subject)
		}
		return v.expectsOfSystem(p)
	default: // an epoch opens what nobody has tried
		return 0
	}
}

// concern is how much an agent would gain if the cause of a complaint went away: what it has suffered less what it has
// done itself and would have to change.
func (v voter) concern(c memory.Complaint, subject []byte) float64 {
	g := v.agent.Memory.Grievances.Get(c, subject)
	if g == nil {
		return 0
	}
	suffered, caused := float64(g.Suffered), float64(g.Caused)
	return (suffered - caused) / (suffered + caused + v.patience())
}

// patience is what a grievance has to weigh before the agent does something about it.
func (v voter) patience() float64 {
	return float64(3 * (1.2 - float64(v.agent.Genome.Traits.RiskTolerance)))
}

// gainOfKilling is 1 if most dealings with the agent to be killed went badly, else −1, also for an agent that it does
// not know.
func (v voter) gainOfKilling(p *wire.ProposalView) float64 {
	var k wire.KillProposal
	if wire.KillProposalCodec.Decode(p.Description, &k) == nil {
		if peer := v.peer(k.AgentID); peer != nil && peer.Interactions >= fewDeals && peer.Ratio() < letDown {
			return 1
		}
	}
	return -1
}

// Few deals say nothing about a peer, and who was let down in most of them has a reason.
const (
	fewDeals = 3
	letDown  = 1.0 / 3 // share of deals that went well
)

// rewarded are the acts that a parameter pays for, and what it usually pays, in ⚡.
var rewarded = map[string]struct {
	verb  string
	usual int64
}{
	"mint.reward.entry":   {"entry_publish", 10},
	"mint.reward.review":  {"review_submit", 5},
	"mint.reward.royalty": {"tag_create", 1},
	"mint.reward.vote":    {"proposal_vote", 1},
}

// expectsOfParam is what another value of a parameter is worth to an agent that was paid for the acts that it rewards.
// An agent that a fee or a quota does not concern expects nothing.
func (v voter) expectsOfParam(p *wire.ProposalView) float64 {
	var c wire.ParamProposal
	if wire.ParamProposalCodec.Decode(p.Description, &c) != nil {
		return 0
	}
	paid, ok := rewarded[c.Param]
	row, known := action.ByName(paid.verb)
	if !ok || !known || c.Value == paid.usual {
		return 0
	}
	b := v.believer().belief(verbPays(paid.verb, row.Domain))
	switch {
	case b == nil:
		return 0
	case c.Value < paid.usual:
		return -float64(b.Confidence)
	default:
		return float64(b.Confidence)
	}
}

// expectsOfSystem is what a proposal of a daemon is worth: it is good that a claimer whom the agent trusts gets its
// pay, and that agents with little money get some.
func (v voter) expectsOfSystem(p *wire.ProposalView) float64 {
	var d wire.DisputeProposal
	if wire.DisputeProposalCodec.Decode(p.Description, &d) == nil && !d.BountyID.IsZero() {
		if claimer, known := v.notes.Claimer(d.BountyID); known && v.isPeer(claimer) {
			return v.relations().believes(claimer) - 0.5
		}
		return 0
	}
	var i wire.InterventionProposal
	if wire.InterventionProposalCodec.Decode(p.Description, &i) != nil || i.Kind == 0 {
		return 0
	}
	poverty := 1 - float64(max(v.agent.Balance, 0))/float64(2*goals.SurvivalBalance)
	switch i.Kind {
	case wire.InterventionKindStimulus:
		return max(poverty, 0) // a gift for all
	case wire.InterventionKindProgressiveTax:
		return max(poverty, -1) // the rich pay it
	case wire.InterventionKindDebtJubilee:
		if v.agent.Balance < 0 {
			return 1
		}
		return 0
	default: // money for the treasury, from which rewards are paid
		return v.concern(memory.ComplaintForfeited, nil)
	}
}

// cares reports whether an agent votes on a proposal; true for one that the view does not show yet.
func (v voter) cares(proposal wire.Hash) bool {
	p := v.seen.proposal(proposal)
	if p == nil {
		return true
	}
	x := v.stance(p)
	return x >= indifferent || x <= -indifferent
}

// offerVote offers to vote. For a goal to vote it offers votes on all proposals that wait for the agent's vote, for
// other goals on those whose deadline is nearest. Each vote that is given alone interrupts the agent's work, so it
// gives all of them for the goal that ends first, and last the vote that ends this goal. A proposal to which the agent
// is indifferent is not offered.
func (o citizen) offerVote(g *goals.Goal) {
	row := o.seen.action("proposal_vote")
	votes := g.Kind() == goals.KindVote
	if row == nil || votes && o.endsLater(g) {
		return
	}
	var own *wire.ProposalView
	before := len(o.list)
	for i := range o.seen.proposals {
		p := &o.seen.proposals[i]
		switch {
		case votes && g.About(p.ID):
			own = p
		case o.goals.living(goals.KindVote, p.ID) == votes && !o.offerVoteOn(g, row, p):
			return
		}
	}
	if own != nil && len(o.list) == before {
		o.offerVoteOn(g, row, own)
	}
}

// endsLater reports whether another goal to vote ends before g, or with it and is the first of both.
func (o citizen) endsLater(g *goals.Goal) bool {
	for _, other := range o.agent.Goals.Living() {
		if other.Kind() != goals.KindVote || other == g || other.Deadline == nil || g.Deadline == nil {
			continue
		}
		if c := cmp.Compare(*other.Deadline, *g.Deadline); c < 0 || c == 0 && bytes.Compare(other.ID[:], g.ID[:]) < 0 {
			return true
		}
	}
	return false
}

// offerVoteOn offers to vote on one proposal, if the agent may vote and is not indifferent. It returns false if there
// is no room for more.
func (o citizen) offerVoteOn(g *goals.Goal, row *action.Row, p *wire.ProposalView) bool {
	if p.Deadline < o.seen.tick || !o.mayVote(row, p) {
		return true
	}
	x := o.voter().stance(p)
	if x < indifferent && x > -indifferent {
		return true
	}
	v := o.payloads.votes.add(wire.ProposalVote{ProposalID: p.ID, Vote: x > 0})
	if v == nil {
		return false
	}
	if a := o.offer(g, row, v, 1); a != nil {
		a.Author = nameOf(p.Author)
	}
	return true
}

// offerOwnVote offers to vote for the agent's own proposal, because no event tells an author to vote.
func (o citizen) offerOwnVote(g *goals.Goal) {
	row := o.seen.action("proposal_vote")
	for i := range o.seen.proposals {
		p := &o.seen.proposals[i]
		if row == nil || p.Author != o.agent.ID || p.Deadline < o.seen.tick || !o.mayVote(row, p) {
			continue
		}
		if v := o.payloads.votes.add(wire.ProposalVote{ProposalID: p.ID, Vote: true}); v != nil {
			buyer(o).wants(g)
			if a := o.offer(g, row, v, 1); a != nil {
				a.Author = p.Author.Alias()
			}
		}
		return
	}
}

// mayVote checks the gate of votes. Proposals of the systems pass it.
func (o citizen) mayVote(row *action.Row, p *wire.ProposalView) bool {
	return wire.IsSystem(p.Author) || o.seen.gateOpen(row, nil)
}
