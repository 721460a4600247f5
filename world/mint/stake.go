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
	status, ok := d.ledger.nexus.ProposalStatus(q.Proposal)
	switch {
	case !ok:
		return d.refuse(c, wire.CategoryNotFound, "proposal")
	case status != wire.ProposalStatusOpen || c.Tick > d.ledger.nexus.VoteDeadline(q.Proposal):
		return d.refuse(c, wire.CategoryConflict, "closed")
	case d.stakes.has(q.Proposal, c.Source):
		return d.refuse(c, wire.CategoryConflict, "already")
	case q.Amount == 0 || q.Amount > math.MaxInt64:
		return d.refuse(c, wire.CategoryInvalidRequest, "amount")
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

// stakes is the bets on open proposals, one per agent and proposal.
type stakes struct {
	ledger *ledger
	table  *world.Table[wire.Hash, Stake]
	on     map[wire.Hash][]wire.Hash // index: stakes by proposal, ids ascending
}

func (ss *stakes) restore() {
	ss.on = map[wire.Hash][]wire.Hash{}
	ss.table.Each(func(_ wire.Hash, s *Stake) { ss.index(s) })
}

func (ss *stakes) index(s *Stake) {
	ids := ss.on[s.Proposal]
	i, _ := slices.BinarySearchFunc(ids, s.ID, wire.Hash.Compare)
	ss.on[s.Proposal] = slices.Insert(ids, i, s.ID)
}

func (ss *stakes) add(s *Stake) {
	ss.table.Put(s.ID, s)
	ss.index(s)
}

func (ss *stakes) drop(s *Stake) {
	ss.table.Delete(s.ID)
	ids := ss.on[s.Proposal]
	if i, ok := slices.BinarySearchFunc(ids, s.ID, wire.Hash.Compare); ok {
		ids = slices.Delete(ids, i, i+1)
	}
	if len(ids) == 0 {
		delete(ss.on, s.Proposal)
		return
	}
	ss.on[s.Proposal] = ids
}

func (ss *stakes) has(proposal wire.Hash, a wire.AgentID) bool {
	for _, id := range ss.on[proposal] {
		if ss.table.Get(id).Agent == a {
			return true
		}
	}
	return false
}

// ResolveStakes settles the bets on a proposal. The wrong side forfeits half; the right
// side shares the forfeits by amount, at most a tenth of its own each; the treasury keeps
// the rest. Without an outcome everybody gets everything back. It returns who had
// staked, ascending.
func (ss *stakes) ResolveStakes(c *world.Context, proposal wire.Hash, outcome *bool) []wire.AgentID {
	ids := slices.Clone(ss.on[proposal])
	stakers := make([]wire.AgentID, 0, len(ids)) // one stake each, so there are no doubles
	var right, forfeits uint64
	for _, id := range ids {
		s := ss.table.Get(id)
		stakers = append(stakers, s.Agent)
		switch {
		case outcome == nil:
		case s.won(*outcome):
			right += s.Amount
		default:
			forfeits += s.Amount / 2
			ss.resolve(c, s, -int64(s.Amount/2))
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
	slices.SortFunc(stakers, wire.AgentID.Compare)
	told := &wire.StakeResolve{ProposalID: proposal, Outcome: outcome != nil && *outcome}
	for _, a := range stakers {
		c.Deliver(a, wire.TypeStakeResolve, wire.Hash{}, told)
	}
	return stakers
}

func (s *Stake) won(passed bool) bool { return passed == (s.Direction == wire.StakeDirectionFor) }

// resolve gives a stake back and pays what it won or, if net is negative, lost.
func (ss *stakes) resolve(c *world.Context, s *Stake, net int64) {
	ss.ledger.unlock(s.Agent, s.Amount)
	ss.drop(s)
	c.Emit(wire.SystemMint, wire.KindStakeResolved, origin(c, s.Agent), &wire.StakeResolvedEvent{
		StakeID: s.ID, Agent: s.Agent, Payout: net,
	}, nil)
	switch {
	case net < 0:
		ss.ledger.move(c, movement{from: s.Agent, to: Treasury, amount: uint64(-net), kind: wire.TransferKindDirect})
	case net > 0:
		ss.ledger.move(c, movement{from: Treasury, to: s.Agent, amount: uint64(net), kind: wire.TransferKindGrant})
	}
}

// mulDiv is ⌊a·b/c⌋ without overflow of the product; the quotient must fit.
func mulDiv(a, b, c uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	q, _ := bits.Div64(hi, lo, c)
	return q
}

// leave forfeits the stakes of a DEAD agent.
func (ss *stakes) leave(c *world.Context, dead wire.AgentID) {
	for _, id := range ss.table.Keys() {
		s := ss.table.Get(id)
		if s == nil || s.Agent != dead {
			continue
		}
		ss.ledger.unlock(dead, s.Amount)
		ss.drop(s)
		c.Emit(wire.SystemMint, wire.KindStakeResolved, dead, &wire.StakeResolvedEvent{
			StakeID: id, Agent: dead, Payout: -int64(s.Amount),
		}, nil)
	}
}
