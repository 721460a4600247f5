package mint

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// upkeep is what agents pay for living, where the scenario asks for it.
type upkeep struct {
	rules  *world.Rules
	ledger *ledger
	payers []wire.AgentID // ACTIVE when the cycle end began; empty outside of a cycle end
}

// note remembers who was ACTIVE when the cycle end began: who falls asleep or wakes in its
// course has lived this cycle, or has not.
func (u *upkeep) note() {
	if u.rules.Upkeep > 0 {
		u.payers = slices.Clone(u.ledger.nexus.Active())
	}
}

// payUpkeep takes the upkeep from those who were ACTIVE and are not DEAD, agent ids ascending,
// as far as they have it available: nobody goes into debt by it.
func (u *upkeep) payUpkeep(c *world.Context) {
	for _, a := range u.payers {
		acc := u.ledger.citizen(a)
		if acc == nil {
			continue
		}
		if due := min(u.rules.Upkeep, uint64(max(0, acc.available()))); due > 0 {
			u.ledger.move(c, movement{from: a, to: Treasury, amount: due, kind: wire.TransferKindUpkeep})
		}
	}
	u.payers = nil
}
