package mint

import (
	"math"
	"math/bits"
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// stakeCreate locks a bet on an open proposal, one per agent and proposal, in the first half of
// its vote.
func (d *Daemon) stakeCreate(c *world.Context, q *wire.StakeCreate) wire.Reply {
	status, ok := d.ledger.nexus.ProposalStatus(q.Proposal)
	until := d.ledger.nexus.StakesUntil(q.Proposal)
	switch {
	case !ok:
		return d.refuse(c, wire.CategoryNotFound, "proposal", world.Field("proposal"))
	case status != wire.ProposalStatusOpen || c.Tick > until:
		return c.Refuse(wire.SystemMint, wire.CategoryConflict, "closed", world.Status(status), world.Limit(uint64(until)))
	case d.stakes.has(q.Proposal, c.Source):
		return d.refuse(c, wire.CategoryConflict, "already")
	case q.Amount == 0 || q.Amount > math.MaxInt64:
		return c.Refuse(wire.SystemMint, wire.CategoryInvalidRequest, "amount", world.Field("amount"))
	}
	if r := d.Lock(c, c.Source, q.Amount); r != nil {
		return c.Relay(wire.SystemMint, r)
	}
	d.stakes.add(&Stake{ID: c.Msg, Agent: c.Source, Proposal: q.Proposal, Amount: q.Amount, Direction: q.Direction})
	c.Emit(wire.SystemMint, wire.KindStakeCreated, c.Source, &wire.StakeCreatedEvent{
		StakeID: c.Msg, Agent: c.Source, Proposal: q.Proposal, Amount: q.Amount, Direction: q.Direction,
	}, nil)
	return c.Ack(&wire.StakeCreateAck{StakeID: c.Msg})
}

// stakes holds the bets on open proposals, one per agent and proposal.
type stakes struct {
	ledger     *ledger
	table      *world.Table[wire.Hash, Stake]
	byProposal map[wire.Hash]map[wire.AgentID]wire.Hash // index: stakes by proposal and agent
	byAgent    map[wire.AgentID]map[wire.Hash]bool      // index: stakes by agent
}

func (ss *stakes) restore() {
	ss.byProposal, ss.byAgent = map[wire.Hash]map[wire.AgentID]wire.Hash{}, map[wire.AgentID]map[wire.Hash]bool{}
	ss.table.Each(func(_ wire.Hash, s *Stake) { ss.index(s) })
}

func (ss *stakes) index(s *Stake) {
	if ss.byProposal[s.Proposal] == nil {
		ss.byProposal[s.Proposal] = map[wire.AgentID]wire.Hash{}
	}
	if ss.byAgent[s.Agent] == nil {
		ss.byAgent[s.Agent] = map[wire.Hash]bool{}
	}
	ss.byProposal[s.Proposal][s.Agent] = s.ID
	ss.byAgent[s.Agent][s.ID] = true
}

func (ss *stakes) add(s *Stake) {
	ss.table.Put(s.ID, s)
	ss.index(s)
}

func (ss *stakes) drop(s *Stake) {
	ss.table.Delete(s.ID)
	if delete(ss.byProposal[s.Proposal], s.Agent); len(ss.byProposal[s.Proposal]) == 0 {
		delete(ss.byProposal, s.Proposal)
	}
	if delete(ss.byAgent[s.Agent], s.ID); len(ss.byAgent[s.Agent]) == 0 {
		delete(ss.byAgent, s.Agent)
	}
}

func (ss *stakes) has(proposal wire.Hash, a wire.AgentID) bool {
	_, ok := ss.byProposal[proposal][a]
	return ok
}

// ResolveStakes settles the stakes on a proposal. The wrong side forfeits half. The right side shares the forfeited
// money in proportion to its stakes, each at most a tenth of its own stake; the treasury keeps the rest. An agent
// that got into debt forfeits only what it has left, because nobody can win what was not paid. Without an outcome
// everybody gets the stake back. It returns the agents that had staked, ascending.
func (ss *stakes) ResolveStakes(c *world.Context, proposal wire.Hash, outcome *bool) []wire.AgentID {
	stakers := det.SortedKeysFunc(ss.byProposal[proposal], wire.AgentID.Compare) // one stake each
	ids := make([]wire.Hash, len(stakers))
	for i, a := range stakers {
		ids[i] = ss.byProposal[proposal][a]
	}
	slices.SortFunc(ids, wire.Hash.Compare)
	var right, forfeits uint64
	for _, id := range ids {
		switch s := ss.table.Get(id); {
		case outcome == nil:
		case s.won(*outcome):
			right += s.Amount
		default:
			lost := min(s.Amount/2, uint64(max(0, ss.ledger.Available(s.Agent)+int64(s.Amount))))
			forfeits += lost
			ss.resolve(c, s, -int64(lost))
		}
	}
	for _, id := range ids {
		s := ss.table.Get(id)
		switch {
		case s == nil: // lost, resolved above
		case outcome == nil:
			ss.resolve(c, s, 0)
		default:
			ss.resolve(c, s, int64(min(s.Amount/10, mulDiv(forfeits, s.Amount, right))))
		}
	}
	notice := &wire.StakeResolve{ProposalID: proposal, Outcome: outcome != nil && *outcome}
	for _, a := range stakers {
		c.Deliver(a, wire.TypeStakeResolve, wire.Hash{}, notice)
	}
	return stakers
}

func (s *Stake) won(passed bool) bool { return passed == (s.Direction == wire.StakeDirectionFor) }

// resolve unlocks a stake, and pays net to the agent or, if it is negative, takes it.
func (ss *stakes) resolve(c *world.Context, s *Stake, net int64) {
	ss.ledger.unlock(s.Agent, s.Amount)
	ss.drop(s)
	c.Emit(wire.SystemMint, wire.KindStakeResolved, c.Origin(wire.SystemMint, s.Agent), &wire.StakeResolvedEvent{
		StakeID: s.ID, Agent: s.Agent, Payout: net,
	}, nil)
	switch {
	case net < 0:
		ss.ledger.move(c, movement{from: s.Agent, to: Treasury, amount: uint64(-net), kind: wire.TransferKindDirect, locked: true, reason: "stake"})
	case net > 0:
		// Forfeits that go to the winners are not income of the treasury. Otherwise agents could fill the reward
		// pool by betting against each other.
		ss.ledger.move(c, movement{from: Treasury, to: s.Agent, amount: uint64(net), kind: wire.TransferKindGrant, reason: "stake"})
		ss.ledger.counters().Income -= uint64(net)
	}
}

// mulDiv returns ⌊a·b/c⌋ without overflow of the product; the quotient must fit in 64 bits.
func mulDiv(a, b, c uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	q, _ := bits.Div64(hi, lo, c)
	return q
}

// forfeitForDead forfeits the stakes of a DEAD agent.
func (ss *stakes) forfeitForDead(c *world.Context, dead wire.AgentID) {
	for _, id := range det.SortedKeysFunc(ss.byAgent[dead], wire.Hash.Compare) {
		s := ss.table.Get(id)
		ss.ledger.unlock(dead, s.Amount)
		ss.drop(s)
		c.Emit(wire.SystemMint, wire.KindStakeResolved, dead, &wire.StakeResolvedEvent{
			StakeID: id, Agent: dead, Payout: -int64(s.Amount),
		}, nil)
	}
}
