package nexus

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// majority is the share of the weight, in percent, that a proposal must exceed.
const majority = 66

// smallWeight is a share of 1: if the electorate has less reputation than one in so many per agent on average, heads decide.
const smallWeight = 20

// weightOf is a reputation as an integer of 2^-20, the unit of vote sums.
func weightOf(w float32) int64 { return det.QuantiseInt(float64(w)) }

// Count is the result of counting a proposal's votes, in units of 2^-20, with the weight of all who could have voted.
type Count struct {
	For, Against int64
	Voters       int   // who voted
	InFavour     int   // of the voters
	Electorate   int   // who could have voted
	Weight       int64 // reputation of the electorate
}

// Verdict returns the outcome of a vote. The quorum is reached by votes of more than half of the agents and at least
// a third of the weight. A proposal passes with the quorum, if more than half of the voters and more than 66 % of their
// weight are in favour. So neither many agents without reputation nor a few with much of it decide alone, and those who
// vote against a proposal never help to pass it. Where hardly anybody has a reputation, more than 66 % of the voters decide:
// else the one that has a little of it could stop all others. What counts is the reputation of all, not of those who vote, so
// that agents which somebody spawned to gain votes cannot bring this about by voting.
func (n *Count) Verdict() (s wire.ProposalStatus, quorum bool) {
	cast := n.For + n.Against
	heads := smallWeight*n.Weight < int64(n.Electorate)<<det.QuantumBits
	switch {
	case 2*n.Voters <= n.Electorate || 3*cast < n.Weight:
		return wire.ProposalStatusExpired, false
	case heads && 100*n.InFavour > majority*n.Voters,
		!heads && 2*n.InFavour > n.Voters && 100*n.For > majority*cast:
		return wire.ProposalStatusPassed, true
	}
	return wire.ProposalStatusFailed, true
}

// tally closes the proposals whose deadline has come, in id order, and runs those
// that passed.
func (g *governance) tally(c *world.Context) {
	var due []wire.Hash
	for _, id := range g.ids {
		if g.due[id] > c.Tick {
			break
		}
		due = append(due, id)
	}
	if len(due) == 0 {
		return
	}
	sortHashes(due)
	var weight int64
	for _, a := range g.electorate {
		weight += weightOf(g.roster.agents.Get(a).Reputation)
	}
	ballots := uint64(0)                // with a quorum; others are no duty, so that proposals for which nobody cares lower no reputation
	noVote := map[wire.AgentID]uint64{} // on how many of these an agent had no vote, since it was a party
	for _, id := range due {
		if !g.decide(c, id, weight) {
			continue
		}
		ballots++
		for _, a := range judged(g.proposals.Get(id)) {
			noVote[a]++
		}
	}
	for _, a := range g.electorate {
		if n := ballots - noVote[a]; n > 0 {
			g.roster.agents.Edit(a).Merit.Ballots += n
		}
	}
}

// count adds up the votes on a proposal that count: those of the electorate. It returns who voted at all and whose votes
// count, both ascending. weight is the reputation of the electorate. A vote weighs what its voter's reputation is now, so
// that those who voted while nobody had a reputation yet do not weigh nothing against those who voted after them. Who is judged
// has no say, so it belongs to no quorum.
func (g *governance) count(p *Proposal, weight int64) (n Count, voters, counted []wire.AgentID) {
	cast := g.ballots[p.ID]
	voters = det.SortedKeysFunc(cast, wire.AgentID.Compare)
	n.Electorate, n.Weight = len(g.electorate), weight
	barred := judged(p)
	for _, a := range barred {
		if elects(g.electorate, a) {
			n.Electorate--
			n.Weight -= weightOf(g.roster.agents.Get(a).Reputation)
		}
	}
	for _, a := range voters {
		if !elects(g.electorate, a) || slices.Contains(barred, a) {
			continue
		}
		w := weightOf(g.roster.agents.Get(a).Reputation)
		counted = append(counted, a)
		if cast[a] {
			n.For += w
			n.InFavour++
		} else {
			n.Against += w
		}
	}
	n.Voters = len(counted)
	return n, voters, counted
}

// judged returns whose votes on a proposal do not count: the parties of a dispute, and the agent that it would end.
func judged(p *Proposal) []wire.AgentID {
	if a, ok := killTarget(p); ok {
		return []wire.AgentID{a}
	}
	return p.Parties
}

// elects reports whether a belongs to an electorate, which is in ascending order.
func elects(electorate []wire.AgentID, a wire.AgentID) bool {
	_, ok := slices.BinarySearchFunc(electorate, a, wire.AgentID.Compare)
	return ok
}

// decide tallies one proposal and reports whether the vote reached the quorum; weight is the reputation of the electorate.
func (g *governance) decide(c *world.Context, id wire.Hash, weight int64) (quorum bool) {
	p := g.proposals.Edit(id)
	n, voters, counted := g.count(p, weight)
	var status wire.ProposalStatus
	status, quorum = n.Verdict()
	p.Status, p.For, p.Against, p.Voters = status, n.For, n.Against, uint32(n.Voters)
	g.close(p)
	passed := status == wire.ProposalStatusPassed
	created := p.Created
	result := &wire.ProposalResult{
		ProposalID: id, Passed: passed,
		VotesFor: float32(det.Dequantise(p.For)), VotesAgainst: float32(det.Dequantise(p.Against)),
		TotalVoters: p.Voters, QuorumMet: quorum,
	}
	c.Emit(wire.SystemNexus, wire.KindProposalResolved, selfID, result, &created)
	if quorum {
		for _, a := range counted {
			g.roster.agents.Edit(a).Merit.Votes++
			g.mint.AddReward(c, world.Reward{
				Label: "vote", Subject: voteOf(a, c.Cycle), Payee: a, Amount: uint64(g.params.Param("mint.reward.vote", 1)),
				Class: world.PairVote, Approvers: []wire.AgentID{p.Author},
			})
		}
	}
	outcome := &passed
	if !quorum {
		outcome = nil
	}
	parties := append(voters, p.Author)
	parties = append(parties, g.mint.ResolveStakes(c, id, outcome)...)
	slices.SortFunc(parties, wire.AgentID.Compare)
	for _, a := range slices.Compact(parties) {
		c.Deliver(a, wire.TypeProposalResult, wire.Hash{}, result)
	}
	g.settleBond(c, p, quorum)
	g.execute(c, p, passed)
	return quorum
}

// settleBond gives an author its bond back if enough agents cared to vote, else to the treasury.
// Who died has lost it with the rest; daemons gave none.
func (g *governance) settleBond(c *world.Context, p *Proposal, quorum bool) {
	switch author := g.roster.agents.Get(p.Author); {
	case author == nil || author.Status == wire.StatusDead:
	case quorum:
		g.mint.Unlock(c, p.Author, p.Bond)
	default:
		g.mint.PayLocked(c, p.Author, wire.SystemID(wire.SystemMint), p.Bond, wire.TransferKindDirect)
	}
}

// voteOf names the one paid vote of an agent in a cycle.
func voteOf(a wire.AgentID, n wire.Cycle) wire.Hash {
	b := append([]byte("vote:"), a[:]...)
	return sha256.Sum256(binary.BigEndian.AppendUint64(b, uint64(n)))
}
