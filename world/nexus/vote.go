package nexus

import (
	"kingdom/wire"
	"kingdom/world"
)

// vote casts the sender's one vote: PROPOSAL_VOTE.
func (d *Daemon) vote(c *world.Context, q *wire.ProposalVote) wire.Reply {
	p := d.proposals.Get(q.ProposalID)
	switch {
	case p == nil:
		return d.refuse(c, wire.CategoryNotFound, "proposal")
	case p.Status != wire.ProposalStatusOpen || c.Tick > p.VoteDeadline:
		return d.refuse(c, wire.CategoryConflict, "closed")
	}
	if _, done := d.governance.cast[p.ID][c.Source]; done {
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
// deadlines that are not past, those on which a has not voted.
func (d *Daemon) OpenProposals(dst []wire.ProposalView, a wire.AgentID, limit int) []wire.ProposalView {
	ids, now := d.governance.ids, d.Clock().Tick
	for len(ids) > 0 && d.governance.due[ids[0]] < now {
		ids = ids[1:]
	}
	for _, id := range ids[:min(limit, len(ids))] {
		if d.voted(id, a) {
			continue
		}
		p := d.proposals.Get(id)
		dst = append(dst, wire.ProposalView{
			ID: id, Author: p.Author, Kind: p.Kind, Deadline: p.VoteDeadline,
			Description: p.Description, For: p.For, Against: p.Against, Voters: p.Voters,
		})
	}
	return dst
}
