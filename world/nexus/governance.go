package nexus

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// governance is the proposals, the votes on them, and what they lead to.
type governance struct {
	*siblings
	rules      *world.Rules
	roster     *roster
	clock      *clock
	params     *params
	milestones *milestones
	spawning   *spawning

	proposals *world.Table[wire.Hash, Proposal]
	votes     *world.Chain[Vote]

	// Indexes over the open proposals.
	ids           []wire.Hash                         // by deadline, then id
	due           map[wire.Hash]wire.Tick             // their deadlines
	opened        map[wire.AgentID]int                // how many each author has open
	ballots       map[wire.Hash]map[wire.AgentID]bool // votes on them: whether they are in favour
	underKillVote map[wire.AgentID]bool               // whom they would end

	// killVoteFrom is the first cycle in which a house may open a vote on the end of an agent again: an
	// index over settled proposals, one entry per agent that was ever voted on and house that asked for it.
	killVoteFrom map[killVote]wire.Cycle

	electorate []wire.AgentID // ACTIVE when the cycle end began, ascending; it does not outlive it, so it is not state
}

// killVote is the end of an agent that somebody of a house has asked for.
type killVote struct{ target, house wire.AgentID }

func newGovernance(r *world.Rules, s *world.State) governance {
	g := governance{
		rules:     r,
		proposals: world.NewTable[wire.Hash](s, "proposals", proposalCodec),
		ballots:   map[wire.Hash]map[wire.AgentID]bool{},
	}
	g.restore()
	return g
}

// restore rebuilds the indexes; that over votes was filled while the chain was loaded.
func (g *governance) restore() {
	g.ids, g.due, g.opened = nil, map[wire.Hash]wire.Tick{}, map[wire.AgentID]int{}
	g.underKillVote, g.killVoteFrom = map[wire.AgentID]bool{}, map[killVote]wire.Cycle{}
	g.proposals.Each(func(_ wire.Hash, p *Proposal) {
		if p.Status == wire.ProposalStatusOpen {
			g.index(p)
		} else {
			g.noteKillVote(p)
		}
	})
	g.prune()
}

func (g *governance) compare(x, y wire.Hash) int {
	if dx, dy := g.due[x], g.due[y]; dx != dy {
		if dx < dy {
			return -1
		}
		return 1
	}
	return x.Compare(y)
}

func (g *governance) index(p *Proposal) {
	g.due[p.ID] = p.VoteDeadline
	i, _ := slices.BinarySearchFunc(g.ids, p.ID, g.compare)
	g.ids = slices.Insert(g.ids, i, p.ID)
	g.opened[p.Author]++
	if a, ok := killTarget(p); ok {
		g.underKillVote[a] = true
	}
}

// killTarget is whom a proposal would end; ok is false for those of other kinds.
func killTarget(p *Proposal) (a wire.AgentID, ok bool) {
	if p.Kind != wire.ProposalKindKillAgent {
		return a, false
	}
	var k wire.KillProposal
	mustDecode(wire.KillProposalCodec, p.Description, &k)
	return k.AgentID, true
}

// noteKillVote notes how long the author of a tallied proposal and its kin may not ask again for the end of the agent
// that it was about. A proposal is tallied at the end of the cycle of its deadline. All others may ask at once, and one
// that missed the quorum bars nobody: otherwise a friend's proposal would keep an agent from any other.
func (g *governance) noteKillVote(p *Proposal) {
	if a, ok := killTarget(p); ok && p.Status != wire.ProposalStatusExpired {
		k := killVote{a, g.roster.agents.Get(p.Author).House}
		g.killVoteFrom[k] = max(g.killVoteFrom[k], g.rules.Calendar.Cycle(p.VoteDeadline)+cooldown)
	}
}

func (g *governance) close(p *Proposal) {
	i, _ := slices.BinarySearchFunc(g.ids, p.ID, g.compare)
	g.ids = slices.Delete(g.ids, i, i+1)
	delete(g.due, p.ID)
	delete(g.ballots, p.ID)
	if g.opened[p.Author]--; g.opened[p.Author] == 0 {
		delete(g.opened, p.Author)
	}
	if a, ok := killTarget(p); ok {
		delete(g.underKillVote, a)
		g.noteKillVote(p)
	}
}

// prune forgets the votes on proposals that are not open.
func (g *governance) prune() {
	for id := range g.ballots { //house:sorted only deletes
		if _, ok := g.due[id]; !ok {
			delete(g.ballots, id)
		}
	}
}

// indexVote fills the index; it runs for new and for restored votes.
func (g *governance) indexVote(_ uint64, v *Vote) {
	m := g.ballots[v.Proposal]
	if m == nil {
		m = map[wire.AgentID]bool{}
		g.ballots[v.Proposal] = m
	}
	m[v.Voter] = v.Vote
}

// Propose opens a proposal of a daemon (AGORA_0: dispute, MINT_0: intervention): no
// gate, no bond, no limit. The parties have no vote on it.
func (g *governance) Propose(c *world.Context, id wire.Hash, author wire.AgentID, kind wire.ProposalKind, description []byte, deadline wire.Tick, parties ...wire.AgentID) {
	g.enter(c, &Proposal{ID: id, Author: author, Kind: kind, Description: description, VoteDeadline: deadline, Parties: parties})
}

func (g *governance) enter(c *world.Context, p *Proposal) {
	p.CreatedAt, p.Status = c.Tick, wire.ProposalStatusOpen
	p.Created = c.Emit(wire.SystemNexus, wire.KindProposalCreated, p.Author, &wire.ProposalCreatedEvent{
		ProposalID: p.ID, Author: p.Author, Kind: p.Kind, VoteDeadline: p.VoteDeadline,
	}, nil)
	g.proposals.Put(p.ID, p)
	g.index(p)
}

// ProposalStatus of id; ok is false for unknown ones.
func (g *governance) ProposalStatus(id wire.Hash) (s wire.ProposalStatus, ok bool) {
	p := g.proposals.Get(id)
	if p == nil {
		return 0, false
	}
	return p.Status, true
}

// StakesUntil returns the last tick for stakes on a proposal, the middle of its voting time, because a later stake
// could be placed without risk. It is 0 for unknown proposals.
func (g *governance) StakesUntil(id wire.Hash) wire.Tick {
	p := g.proposals.Get(id)
	if p == nil {
		return 0
	}
	return p.CreatedAt + (p.VoteDeadline-p.CreatedAt)/2
}

// Proposal is the record of id, nil if unknown; read-only.
func (g *governance) Proposal(id wire.Hash) *Proposal { return g.proposals.Get(id) }

// voted says whether a has voted on the open proposal id.
func (g *governance) voted(id wire.Hash, a wire.AgentID) bool {
	_, ok := g.ballots[id][a]
	return ok
}
