package mint

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world"
)

// debit takes money by force, as Forge does for a service it keeps alive.
func (b *bench) debit(a int, amount uint64) {
	b.move(b.c, movement{from: id(a), to: Treasury, amount: amount, kind: wire.TransferKindServiceFee})
}

func TestBankruptcy_Counter(t *testing.T) {
	b := newBench(t, 8)
	b.debit(0, 130)
	for n, want := range []struct {
		count uint32
		event []string
	}{
		{1, []string{"bankruptcy_warning"}},
		{2, []string{"bankruptcy_warning"}},
		{3, []string{"bankruptcy_warning"}},
		{4, []string{"bankruptcy_severe"}},
		{5, nil},
		{5, nil},
	} {
		b.end(wire.Cycle(n + 1))
		b.kinds()
		b.CycleEnd(b.c)
		for _, e := range b.c.Events {
			if p, ok := e.Payload.(*wire.BankruptcySevereEvent); ok && (*p != wire.BankruptcySevereEvent{Agent: id(0), Cycle: 4, BudgetReductionPct: 75}) {
				t.Errorf("severe: %+v, want a reduction by 75 %%", p)
			}
		}
		if got := b.Insolvent(id(0)); got != want.count {
			t.Errorf("cycle end %d: counter %d, want %d", n+1, got, want.count)
		}
		if d := cmp.Diff(want.event, b.kinds()); d != "" {
			t.Errorf("cycle end %d: %s", n+1, d)
		}
	}
	b.move(b.c, movement{from: Treasury, to: id(0), amount: 30, kind: wire.TransferKindGrant})
	b.CycleEnd(b.c)
	if got := b.Insolvent(id(0)); got != 0 {
		t.Errorf("counter %d with a balance of 0", got)
	}
}

func TestSweep_DeadAgentsMoneyGoesToTreasury(t *testing.T) {
	b := newBench(t, 8)
	b.roster.proposals[wire.Hash{5}] = wire.ProposalStatusOpen
	to := id(1)
	b.must(id(0), &wire.EscrowCreate{Amount: 20, Beneficiary: &to, Deadline: 600}) // 21 locked
	bounty := world.Escrow{ID: wire.Hash{7}, Owner: id(0), Amount: 20, Tax: 1, Deadline: 600, Bounty: true}
	b.OpenEscrow(b.c, bounty)
	b.stake(0, 10, wire.StakeDirectionFor)
	b.Lock(b.c, id(0), 5)
	b.must(id(0), buy(wire.ResourceTicks, 1))

	b.end(1)
	b.roster.status[id(0)] = wire.StatusDead
	b.Sweep(b.c, id(0))
	b.balances(0)
	acc, _ := b.Account(id(0))
	if acc.Locked != 0 || b.purchases.table.Get(id(0)) != nil || b.stakes.table.Len() != 0 {
		t.Errorf("left behind: %+v", acc)
	}
	if got, locked := b.Balance(Treasury), b.accounts.Get(Treasury).Locked; got != 5_100 || locked != 21 {
		t.Errorf("treasury %d with %d locked, want 5100 with the bounty's 21", got, locked)
	}
	b.Unlock(b.c, id(0), 5) // the lock is gone
	b.PayLocked(b.c, id(0), id(2), 2, wire.TransferKindDirect)
	b.ReleaseEscrow(b.c, bounty.ID, id(1))
	b.balances(0, 120, 102)
	b.Lock(b.c, id(2), 2)
	b.PayLocked(b.c, id(2), id(0), 2, wire.TransferKindDirect)
	n := b.Transactions()
	b.PayLocked(b.c, id(0), Treasury, 2, wire.TransferKindDirect)
	if b.Transactions() != n {
		t.Error("the treasury paid itself")
	}
	b.balances(0, 120, 100)
	b.checkSupply()
}

func TestSweep_DebtIsWrittenOff(t *testing.T) {
	b := newBench(t, 8)
	b.debit(0, 130)
	for n := range wire.Cycle(5) {
		b.end(n + 1)
		b.CycleEnd(b.c)
	}
	b.roster.status[id(0)] = wire.StatusDead
	b.kinds()
	b.Sweep(b.c, id(0))
	b.balances(0)
	if got := b.Balance(Treasury); got != 5_100 {
		t.Errorf("treasury %d, want 5000 + 130 − 30", got)
	}
	if d := cmp.Diff([]string{"transfer_completed", "agent_bankrupt_dead"}, b.kinds()); d != "" {
		t.Error(d)
	}
	b.checkSupply()
}

func TestEscrow_OfDeadBeneficiaryGoesToTreasury(t *testing.T) {
	b := newBench(t, 8)
	b.OpenEscrow(b.c, world.Escrow{ID: wire.Hash{7}, Owner: id(0), Amount: 20, Tax: 1, Bounty: true})
	b.roster.status[id(1)] = wire.StatusDead
	b.Sweep(b.c, id(1))
	b.ReleaseEscrow(b.c, wire.Hash{7}, id(1))
	b.balances(79, 0)
	b.checkSupply()
}
