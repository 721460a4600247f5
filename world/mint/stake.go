package mint

import (
	"math"
	"math/bits"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// stakeCreate locks a bet on an open proposal, one per agent and proposal.
func (d *Daemon) stakeCreate(c *world.Context, q *wire.StakeCreate) wire.Reply {
	status, ok := d.roster.ProposalStatus(q.Proposal)
	switch {
	case !ok:
		return d.refuse(c, wire.CategoryNotFound, "proposal")
	case status != wire.ProposalStatusOpen || c.Tick > d.roster.VoteDeadline(q.Proposal):
		return d.refuse(c, wire.CategoryConflict, "closed")
	case d.hasStake(q.Proposal, c.Source):
		return d.refuse(c, wire.CategoryConflict, "already")
	case q.Amount == 0 || q.Amount > math.MaxInt64:
		return d.refuse(c, wire.CategoryInvalidRequest, "amount")
	}
	if r := d.Lock(c, c.Source, q.Amount); r != nil {
		return c.Relay(wire.SystemMint, r)
	}
	d.stakes.Put(c.Msg, &Stake{
		ID: c.Msg, Agent: c.Source, Proposal: q.Proposal, Amount: q.Amount, Direction: q.Direction,
	})
	d.addStake(q.Proposal, c.Msg)
	c.Emit(wire.SystemMint, wire.KindStakeCreated, c.Source, &wire.StakeCreatedEvent{
		StakeID: c.Msg, Agent: c.Source, Proposal: q.Proposal, Amount: q.Amount, Direction: q.Direction,
	}, nil)
	return c.Ack(&wire.StakeCreateAck{StakeID: c.Msg})
}

func (d *Daemon) hasStake(proposal wire.Hash, a wire.AgentID) bool {
	for _, id := range d.staked[proposal] {
		if d.stakes.Get(id).Agent == a {
			return true
		}
	}
	return false
}

// ResolveStakes settles the bets on a proposal. The wrong side forfeits half; the right
// side shares the forfeits by amount, at most a tenth of its own each; the treasury keeps
// the rest. Without an outcome everybody gets everything back. It returns who had
// staked, ascending.
func (d *Daemon) ResolveStakes(c *world.Context, proposal wire.Hash, outcome *bool) []wire.AgentID {
	ids := slices.Clone(d.staked[proposal])
	stakers := make([]wire.AgentID, 0, len(ids)) // one stake each, so there are no doubles
	var right, forfeits uint64
	for _, id := range ids {
		s := d.stakes.Get(id)
		stakers = append(stakers, s.Agent)
		switch {
		case outcome == nil:
		case s.won(*outcome):
			right += s.Amount
		default:
			forfeits += s.Amount / 2
			d.resolve(c, s, -int64(s.Amount/2))
		}
	}
	for _, id := range ids {
		s := d.stakes.Get(id)
		switch {
		case s == nil: // lost, resolved above
		case outcome == nil:
			d.resolve(c, s, 0)
		default:
			d.resolve(c, s, int64(min(s.Amount/10, mulDiv(forfeits, s.Amount, right))))
		}
	}
	slices.SortFunc(stakers, wire.AgentID.Compare)
	told := &wire.StakeResolve{ProposalID: proposal, Outcome: outcome != nil && *outcome}
	for _, a := range stakers {
		c.Deliver(a, wire.TypeStakeResolve, wire.Hash{}, told)
	}
	return stakers
}

func (s *Stake) won(passed bool) bool { return passed == (s.Direction == wire.StakeDirectionFor) }

// resolve gives a stake back and pays what it won or, if net is negative, lost.
func (d *Daemon) resolve(c *world.Context, s *Stake, net int64) {
	d.unlock(s.Agent, s.Amount)
	d.stakes.Delete(s.ID)
	d.dropStake(s.Proposal, s.ID)
	c.Emit(wire.SystemMint, wire.KindStakeResolved, origin(c, s.Agent), &wire.StakeResolvedEvent{
		StakeID: s.ID, Agent: s.Agent, Payout: net,
	}, nil)
	switch {
	case net < 0:
		d.move(c, movement{from: s.Agent, to: Treasury, amount: uint64(-net), kind: wire.TransferKindDirect})
	case net > 0:
		d.move(c, movement{from: Treasury, to: s.Agent, amount: uint64(net), kind: wire.TransferKindGrant})
	}
}

// mulDiv is ⌊a·b/c⌋ without overflow of the product; the quotient must fit.
func mulDiv(a, b, c uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	q, _ := bits.Div64(hi, lo, c)
	return q
}
