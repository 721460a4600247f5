package nexus

import (
	"cmp"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// vote casts the sender's one vote: PROPOSAL_VOTE.
func (d *Daemon) vote(c *world.Context, q *wire.ProposalVote) wire.Reply {
	p := d.proposals.Get(q.ProposalID)
	switch {
	case p == nil:
		return d.refuse(c, wire.CategoryNotFound, "proposal", world.Field("proposal_id"))
	case p.Status != wire.ProposalStatusOpen || c.Tick > p.VoteDeadline:
		return d.refuse(c, wire.CategoryConflict, "closed", world.Is(p.Status), world.Limit(uint64(p.VoteDeadline)))
	case slices.Contains(p.Parties, c.Source):
		return d.refuse(c, wire.CategoryUnauthorized, "party")
	case d.voted(p.ID, c.Source):
		return d.refuse(c, wire.CategoryConflict, "already_voted")
	}
	p = d.proposals.Edit(p.ID)
	p.Voters++
	if k := weightOf(q.Weight); q.Vote {
		p.For += k
	} else {
		p.Against += k
	}
	d.votes.Append(&Vote{Proposal: p.ID, Voter: c.Source, Vote: q.Vote, Weight: q.Weight, Tick: c.Tick})
	created := p.Created
	c.Emit(wire.SystemNexus, wire.KindProposalVoted, c.Source, &wire.ProposalVotedEvent{
		ProposalID: p.ID, Voter: c.Source, Vote: q.Vote, Weight: q.Weight,
	}, &created)
	return c.Ack(nil)
}

// OpenProposals appends to dst, of the limit open proposals with the nearest
// deadlines that are not past, those on which a has a vote and has not cast it.
func (d *Daemon) OpenProposals(dst []wire.ProposalView, a wire.AgentID, limit int) []wire.ProposalView {
	now := d.Clock().Tick
	ids := d.governance.ids
	past, _ := slices.BinarySearchFunc(ids, now, func(id wire.Hash, t wire.Tick) int { return cmp.Compare(d.governance.due[id], t) })
	ids = ids[past:]
	for _, id := range ids[:min(limit, len(ids))] {
		p := d.proposals.Get(id)
		if d.voted(id, a) || slices.Contains(p.Parties, a) {
			continue
		}
		dst = append(dst, wire.ProposalView{
			ID: id, Author: p.Author, Kind: p.Kind, Deadline: p.VoteDeadline,
			Description: p.Description, For: p.For, Against: p.Against, Voters: p.Voters,
		})
	}
	return dst
}
