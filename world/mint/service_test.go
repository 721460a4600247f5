package mint

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world"
)

// A fee counts as earned and reaches the COMMERCE milestone.
func TestService_FeeIsTaxedAndCountsAsEarned(t *testing.T) {
	b := newBench(t, 8)
	if refusal := b.CanPayService(id(0), 40); refusal != nil {
		t.Fatal(refusal)
	}
	b.kinds()
	b.PayService(b.c, id(0), id(1), 40)
	b.balances(58, 140)
	if d := cmp.Diff([]string{"transfer_completed"}, b.kinds()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{world.MilestoneCommerce}, b.roster.milestones); d != "" {
		t.Error(d)
	}
	if got := b.Earnings(id(1)); got != earningsPerAgent {
		t.Errorf("earned %d ⚡, want 15 of the 40", got)
	}
	b.PayService(b.c, id(0), id(1), 0) // free of charge and of tax
	b.balances(58, 140)
	b.checkSupply()
}

func TestService_FeeNeedsUnlockedMoney(t *testing.T) {
	b := newBench(t, 8)
	for fee, ok := range map[uint64]bool{0: true, 96: true, 97: false, 1 << 63: false, 1<<64 - 1: false} { // 96 + 4
		if refusal := b.CanPayService(id(0), fee); (refusal == nil) != ok {
			t.Errorf("a fee of %d: %v", fee, refusal)
		}
	}
	refusal := b.CanPayService(id(0), 97)
	if diff := cmp.Diff([]world.Detail{world.Have(100), world.Need(101)}, refusal.Details); diff != "" {
		t.Errorf("a fee of 97 and 4 of tax: %s", diff)
	}
	b.debit(1, 100)
	if refusal := b.Lock(b.c, id(1), 0); refusal != nil {
		t.Errorf("who has nothing may set nothing aside: %v", refusal)
	}
	if refusal := b.Fee(b.c, id(1), 0); refusal != nil {
		t.Errorf("what is free can be had by who has nothing: %v", refusal)
	}
	b.accounts.Edit(id(0)).Earmarked = 90
	if refusal := b.CanPayService(id(0), 40); refusal == nil || refusal.Reason != "funds" {
		t.Errorf("paid out of a spawn grant: %v", refusal)
	}
}

// What is due to the treasury is taken even if the agent does not have it.
func TestDebit_MayMakeBalanceNegative(t *testing.T) {
	b := newBench(t, 8)
	b.Debit(b.c, id(0), 110)
	b.balances(-10)
	if got := b.Balance(Treasury); got != 5_110 {
		t.Errorf("treasury %d, want 5110", got)
	}
	b.checkSupply()
}

// Forge takes bought ticks at the end of the cycle in which they were bought.
func TestForgeTicks_AreTakenAtEndOfCycle(t *testing.T) {
	b := newBench(t, 8)
	b.must(id(0), buy(wire.ResourceForgeTicks, 5))
	b.must(id(0), buy(wire.ResourceForgeTicks, 1))
	b.end(1)
	if got := b.TakeForgeTicks(b.c, id(0)); got != 24 {
		t.Errorf("took %d forge ticks, want 24", got)
	}
	if got := b.TakeForgeTicks(b.c, id(0)); got != 0 {
		t.Errorf("took %d a second time", got)
	}
	b.at(512)
	b.must(id(0), buy(wire.ResourceForgeTicks, 1))
	b.end(3)
	if got := b.TakeForgeTicks(b.c, id(0)); got != 0 {
		t.Errorf("took %d that were bought a cycle ago", got)
	}
}
