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

// OpenProposals appends to dst, of the limit open proposals with the nearest
// deadlines that are not past, those on which a has a vote and has not cast it.
func (g *governance) OpenProposals(dst []wire.ProposalView, a wire.AgentID, limit int) []wire.ProposalView {
	now := g.clock.Clock().Tick
	ids := g.ids
	past, _ := slices.BinarySearchFunc(ids, now, func(id wire.Hash, t wire.Tick) int { return cmp.Compare(g.due[id], t) })
	ids = ids[past:]
	for _, id := range ids[:min(limit, len(ids))] {
		p := g.proposals.Get(id)
		if g.voted(id, a) || slices.Contains(p.Parties, a) {
			continue
		}
		dst = append(dst, wire.ProposalView{
			ID: id, Author: p.Author, Kind: p.Kind, Deadline: p.VoteDeadline,
			Description: p.Description, For: p.For, Against: p.Against, Voters: p.Voters,
		})
	}
	return dst
}
