package mint

import (
	"testing"

	"kingdom/wire"
)

// TestUpkeep: who was ACTIVE in the cycle pays as far as it has money that is not locked, untaxed and
// without debt.
func TestUpkeep(t *testing.T) {
	b := newBench(t, 9)
	b.rules.Upkeep = 30
	b.Lock(b.c, id(1), 80)
	b.debit(2, 100)
	b.debit(3, 101)
	b.roster.status[id(4)] = wire.StatusDormant
	b.roster.status[id(8)], b.roster.drowsy[id(8)] = wire.StatusDormant, true // fell asleep in the last slots
	b.roster.status[id(5)] = wire.StatusEmbryo
	b.accounts.Edit(id(6)).Earmarked = 50
	b.end(1)
	b.FillPool()
	b.roster.status[id(5)] = wire.StatusActive  // wakes at this cycle end
	b.roster.status[id(6)] = wire.StatusDormant // falls asleep at it
	b.roster.status[id(7)] = wire.StatusDead    // dies at it
	b.Sweep(b.c, id(7))
	before := b.Balance(Treasury)
	b.c.Events = nil
	b.Settle(b.c, 0, 0)
	b.balances(70, 80, 0, -1, 100, 100, 70, 0, 70)
	if got := b.Balance(Treasury) - before; got != 3*30+20 {
		t.Errorf("the treasury took %d ⚡, want 110", got)
	}
	if acc, _ := b.Account(id(6)); acc.Earmarked != 20 || acc.Locked != 0 {
		t.Errorf("upkeep takes what is left of a grant first: %+v", acc)
	}
	if acc, _ := b.Account(id(1)); acc.Owed != 10 || acc.Held() != 80 || acc.available() != 0 {
		t.Errorf("what is locked does not pay, but owes: %+v", acc)
	}
	paid := 0
	for _, e := range b.c.Events {
		if p, ok := e.Payload.(*wire.TransferCompletedEvent); ok && p.Kind == wire.TransferKindUpkeep {
			if paid++; p.Tax != 0 || p.To != Treasury {
				t.Errorf("%+v", p)
			}
		}
	}
	if paid != 4 {
		t.Errorf("%d agents paid, want 4", paid)
	}
	b.refused(id(0), &wire.Transfer{To: Treasury, Amount: 1, Kind: wire.TransferKindUpkeep}, codeIR, "kind")
}

// Without the rule nobody pays.
func TestUpkeep_IsOffByDefault(t *testing.T) {
	b := newBench(t, 8)
	b.end(1)
	b.FillPool()
	b.Settle(b.c, 0, 0)
	b.balances(100, 100)
}

// Upkeep can be spent on rewards of the next cycle.
func TestUpkeep_CountsAsPoolIncome(t *testing.T) {
	b := newBench(t, 8)
	b.rules.Upkeep = 2
	b.counters().Pool = 0
	b.end(1)
	b.FillPool()
	pool := b.counters().Pool
	b.Settle(b.c, 0, 0)
	b.end(2)
	b.FillPool()
	if got, want := b.counters().Pool, pool+5_016/500+8*2; got != want {
		t.Errorf("pool %d, want %d", got, want)
	}
}
