package mint

import (
	"kingdom/wire"
	"kingdom/world"
)

// upkeep is what agents pay for living, where the scenario asks for it.
type upkeep struct {
	rules  *world.Rules
	ledger *ledger
	payers []wire.AgentID // ACTIVE in the cycle, as of when its end began; empty outside of a cycle end
}

// recordPayers remembers who was ACTIVE in the cycle when its end begins: who wakes in the course of the
// end has not lived in the cycle, and who fell asleep before it has, however short.
func (u *upkeep) recordPayers() {
	if u.rules.Upkeep > 0 {
		u.payers = u.ledger.nexus.AwakeInCycle()
	}
}

// payUpkeep takes the upkeep from those who were ACTIVE and are not DEAD, agent ids ascending,
// as far as they have it, locked or not: nobody goes into debt by it, and nobody lives for
// nothing by having all set aside.
func (u *upkeep) payUpkeep(c *world.Context) {
	for _, a := range u.payers {
		acc := u.ledger.livingAccount(a)
		if acc == nil {
			continue
		}
		if due := min(u.rules.Upkeep, uint64(max(0, acc.Balance))); due > 0 {
			u.ledger.move(c, movement{from: a, to: Treasury, amount: due, kind: wire.TransferKindUpkeep})
		}
	}
	u.payers = nil
}
