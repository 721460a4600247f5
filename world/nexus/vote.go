package nexus

import (
	"cmp"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// vote casts the sender's one vote: PROPOSAL_VOTE.
func (g *governance) vote(c *world.Context, q *wire.ProposalVote) wire.Reply {
	p := g.proposals.Get(q.ProposalID)
	switch {
	case p == nil:
		return refuse(c, wire.CategoryNotFound, "proposal", world.Field("proposal_id"))
	case p.Status != wire.ProposalStatusOpen || c.Tick > p.VoteDeadline:
		return refuse(c, wire.CategoryConflict, "closed", world.Status(p.Status), world.Limit(uint64(p.VoteDeadline)))
	case slices.Contains(p.Parties, c.Source):
		return refuse(c, wire.CategoryUnauthorized, "party")
	case g.voted(p.ID, c.Source):
		return refuse(c, wire.CategoryConflict, "already_voted")
	}
	p = g.proposals.Edit(p.ID)
	p.Voters++
	if k := weightOf(q.Weight); q.Vote {
		p.For += k
	} else {
		p.Against += k
	}
	g.votes.Append(&Vote{Proposal: p.ID, Voter: c.Source, Vote: q.Vote, Weight: q.Weight, Tick: c.Tick})
	created := p.Created
	c.Emit(wire.SystemNexus, wire.KindProposalVoted, c.Source, &wire.ProposalVotedEvent{
		ProposalID: p.ID, Voter: c.Source, Vote: q.Vote, Weight: q.Weight,
	}, &created)
	return c.Ack(nil)
}

// proposalScan is how many open proposals OpenProposals looks at, those with the nearest deadlines.
const proposalScan = 128

// OpenProposals appends to dst the limit open proposals with the nearest deadlines that are not past, of those on which a
// has a vote and has not cast it. If more than limit are open, the first of each author comes before the second of any, so
// that agents with two proposals each do not hide another.
func (g *governance) OpenProposals(dst []wire.ProposalView, a wire.AgentID, limit int) []wire.ProposalView {
	now := g.clock.Clock().Tick
	ids := g.ids
	past, _ := slices.BinarySearchFunc(ids, now, func(id wire.Hash, t wire.Tick) int { return cmp.Compare(g.due[id], t) })
	ids = ids[past:]
	var later []*Proposal // of authors that are shown already
	first := len(dst)
	for _, id := range ids[:min(proposalScan, len(ids))] {
		p := g.proposals.Get(id)
		switch {
		case len(dst)-first == limit:
			return dst
		case g.voted(id, a) || slices.Contains(p.Parties, a):
		case len(ids) > limit && slices.ContainsFunc(dst[first:], func(v wire.ProposalView) bool { return v.Author == p.Author }):
			later = append(later, p)
		default:
			dst = append(dst, viewOf(p))
		}
	}
	for _, p := range later[:min(len(later), first+limit-len(dst))] {
		dst = append(dst, viewOf(p))
	}
	return dst
}

func viewOf(p *Proposal) wire.ProposalView {
	return wire.ProposalView{
		ID: p.ID, Author: p.Author, Kind: p.Kind, Deadline: p.VoteDeadline,
		Description: p.Description, For: p.For, Against: p.Against, Voters: p.Voters,
	}
}
