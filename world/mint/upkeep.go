package mint

import (
	"kingdom/wire"
	"kingdom/world"
)

// upkeep charges agents for each cycle in which they were ACTIVE, if the scenario sets Upkeep.
type upkeep struct {
	rules  *world.Rules
	ledger *ledger
	payers []wire.AgentID // ACTIVE in the cycle, as of when its end began; empty outside of a cycle end
}

// recordPayers records who was ACTIVE in the cycle, when its end begins. Agents that wake during the cycle end do not
// pay; agents that fell asleep in the cycle do.
func (u *upkeep) recordPayers() {
	if u.rules.Upkeep > 0 {
		u.payers = u.ledger.nexus.AwakeInCycle()
	}
}

// payUpkeep takes the upkeep from those who were ACTIVE and are not DEAD, agent ids ascending, at most their balance,
// so that nobody gets into debt. Locked money may be promised, so it is not taken: what it would have to pay is owed
// until the money comes back, so that nobody avoids the upkeep by locking all.
//
// With UpkeepWithinRewards nothing is taken at the end of a cycle by which more was taken in upkeep than paid in rewards. The
// rewards of the cycle count, so nobody can tell all the cycles in which upkeep is due in time to sleep through them.
func (u *upkeep) payUpkeep(c *world.Context) {
	if u.rules.UpkeepWithinRewards && u.ledger.counters().NetRewards < 0 {
		u.payers = nil
	}
	for _, a := range u.payers {
		acc := u.ledger.livingAccount(a)
		if acc == nil || acc.Balance <= 0 {
			continue
		}
		acc = u.ledger.accounts.Edit(a)
		acc.Owed += min(u.rules.Upkeep, uint64(acc.Balance)-acc.Owed)
		if due := min(acc.Owed, uint64(max(0, acc.unlocked()))); due > 0 {
			acc.Owed -= due
			u.ledger.counters().NetRewards -= int64(due)
			u.ledger.move(c, movement{from: a, to: Treasury, amount: due, kind: wire.TransferKindUpkeep})
		}
	}
	u.payers = nil
}
