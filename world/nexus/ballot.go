package nexus

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// ballot is the index over open proposals and the votes on them.
type ballot struct {
	ids    []wire.Hash                         // open, by deadline, then id
	due    map[wire.Hash]wire.Tick             // their deadlines
	opened map[wire.AgentID]int                // open proposals per author
	cast   map[wire.Hash]map[wire.AgentID]bool // votes on open proposals
}

func newBallot() ballot {
	return ballot{
		due: map[wire.Hash]wire.Tick{}, opened: map[wire.AgentID]int{}, cast: map[wire.Hash]map[wire.AgentID]bool{},
	}
}

func (b *ballot) compare(x, y wire.Hash) int {
	if dx, dy := b.due[x], b.due[y]; dx != dy {
		if dx < dy {
			return -1
		}
		return 1
	}
	return x.Compare(y)
}

func (b *ballot) open(p *Proposal) {
	b.due[p.ID] = p.VoteDeadline
	i, _ := slices.BinarySearchFunc(b.ids, p.ID, b.compare)
	b.ids = slices.Insert(b.ids, i, p.ID)
	b.opened[p.Author]++
}

func (b *ballot) close(p *Proposal) {
	i, _ := slices.BinarySearchFunc(b.ids, p.ID, b.compare)
	b.ids = slices.Delete(b.ids, i, i+1)
	delete(b.due, p.ID)
	delete(b.cast, p.ID)
	if b.opened[p.Author]--; b.opened[p.Author] == 0 {
		delete(b.opened, p.Author)
	}
}

// prune forgets the votes on proposals that are not open.
func (b *ballot) prune() {
	for id := range b.cast { //house:sorted only deletes
		if _, ok := b.due[id]; !ok {
			delete(b.cast, id)
		}
	}
}

// seeVote fills the index; it runs for new and for restored votes.
func (d *Daemon) seeVote(_ uint64, v *Vote) {
	m := d.ballot.cast[v.Proposal]
	if m == nil {
		m = map[wire.AgentID]bool{}
		d.ballot.cast[v.Proposal] = m
	}
	m[v.Voter] = v.Vote
}

// vote casts the sender's one vote: PROPOSAL_VOTE.
func (d *Daemon) vote(c *world.Context, q *wire.ProposalVote) wire.Reply {
	p := d.proposals.Get(q.ProposalID)
	switch {
	case p == nil:
		return d.refuse(c, wire.CategoryNotFound, "proposal")
	case p.Status != wire.ProposalStatusOpen || c.Tick > p.VoteDeadline:
		return d.refuse(c, wire.CategoryConflict, "closed")
	}
	if _, done := d.ballot.cast[p.ID][c.Source]; done {
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

// ProposalStatus of id; ok is false for unknown ones.
func (d *Daemon) ProposalStatus(id wire.Hash) (s wire.ProposalStatus, ok bool) {
	p := d.proposals.Get(id)
	if p == nil {
		return 0, false
	}
	return p.Status, true
}

// VoteDeadline is the last tick of votes and stakes on id; 0 for unknown ones.
func (d *Daemon) VoteDeadline(id wire.Hash) wire.Tick {
	p := d.proposals.Get(id)
	if p == nil {
		return 0
	}
	return p.VoteDeadline
}

// Proposal is the record of id, nil if unknown; read-only.
func (d *Daemon) Proposal(id wire.Hash) *Proposal { return d.proposals.Get(id) }

// Voted says whether a has voted on the open proposal id.
func (d *Daemon) Voted(id wire.Hash, a wire.AgentID) bool {
	_, ok := d.ballot.cast[id][a]
	return ok
}

// OpenProposals appends to dst, of the limit open proposals with the nearest
// deadlines that are not past, those on which a has not voted.
func (d *Daemon) OpenProposals(dst []wire.ProposalView, a wire.AgentID, limit int) []wire.ProposalView {
	ids, now := d.ballot.ids, d.clock.Get("").Tick
	for len(ids) > 0 && d.ballot.due[ids[0]] < now {
		ids = ids[1:]
	}
	for _, id := range ids[:min(limit, len(ids))] {
		if d.Voted(id, a) {
			continue
		}
		p := d.proposals.Get(id)
		dst = append(dst, wire.ProposalView{ID: id, Author: p.Author, Kind: p.Kind, Deadline: p.VoteDeadline})
	}
	return dst
}
