package mint

import (
	"math"

	"kingdom/wire"
	"kingdom/world"
)

// OperatorGrant carries out an operator's input: it moves amount ⚡ from the treasury to a, or from a to the treasury
// if amount is negative, untaxed and all or nothing. Nobody gets into debt by it, locked money is not touched, and
// what is taken does not count as income of the reward pool. input is the input's id.
func (d *Daemon) OperatorGrant(c *world.Context, a wire.AgentID, amount int64, input uint64) *world.Refusal {
	switch {
	case amount == 0 || amount == math.MinInt64:
		return &world.Refusal{Category: wire.CategoryInvalidRequest, Reason: "amount"}
	case wire.IsSystem(a) || d.accounts.Get(a) == nil:
		return &world.Refusal{Category: wire.CategoryNotFound, Reason: "account", Details: []world.Detail{world.Field("agent")}}
	case d.dead(a):
		return &world.Refusal{Category: wire.CategoryConflict, Reason: "dead"}
	}
	m := movement{from: Treasury, to: a, amount: uint64(amount), kind: wire.TransferKindGrant, reason: "operator"}
	if amount < 0 {
		m.from, m.to, m.amount = a, Treasury, uint64(-amount)
	}
	if !d.affords(m.from, m.amount) {
		return d.refuseFunds(m.from, m.amount)
	}
	d.move(c, m)
	c.Emit(wire.SystemMint, wire.KindOperatorGrant, a, &wire.OperatorGrantEvent{Agent: a, Amount: amount, InputID: input}, nil)
	return nil
}
