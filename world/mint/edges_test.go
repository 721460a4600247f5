package mint

import (
	"math"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// The numbers of docs/WORLD.md (Mint), each at its exact edge.

// An agent without money that dies, is taxed or ends a bounty without a fee makes no payment of zero.
func TestPayments_OfZeroAreNotMade(t *testing.T) {
	for name, do := range map[string]func(b *bench){
		"death of an agent without money": func(b *bench) {
			b.debit(0, 100)
			b.kinds()
			b.die(id(0))
		},
		"a progressive tax if all have the same": func(b *bench) {
			b.kinds()
			b.progressiveTax(b.c)
		},
		"expiry of a bounty without a fee": func(b *bench) {
			b.OpenEscrow(b.c, world.Escrow{ID: wire.Hash{7}, Owner: id(0), Amount: 5, Bounty: true})
			b.kinds()
			b.ExpireEscrow(b.c, wire.Hash{7})
			b.kinds()
		},
	} {
		b := newBench(t, 8)
		b.end(1)
		if do(b); len(b.c.Events) > 0 {
			t.Errorf("%s: %v", name, b.kinds())
		}
		b.checkSupply()
	}
}

// A balance of zero is no debt.
func TestInsolvent_BalanceZeroIsNoDebt(t *testing.T) {
	b := newBench(t, 8)
	b.debit(0, 100)
	b.debit(1, 101)
	for n := range wire.Cycle(3) {
		b.end(n + 1)
		b.CycleEnd(b.c)
	}
	if b.Insolvent(id(0)) != 0 || b.Insolvent(id(1)) != 3 {
		t.Errorf("%d and %d cycles in debt, want 0 and 3", b.Insolvent(id(0)), b.Insolvent(id(1)))
	}
	b.move(b.c, movement{from: Treasury, to: id(1), amount: 1, kind: wire.TransferKindGrant})
	b.end(4)
	if b.CycleEnd(b.c); b.Insolvent(id(1)) != 0 {
		t.Errorf("who owes nothing any more counts %d", b.Insolvent(id(1)))
	}
}

// The largest valid amount is refused for lack of funds, one more as an invalid amount.
func TestAmounts_BoundIsMaxInt64(t *testing.T) {
	for amount, want := range map[uint64]struct {
		code   uint32
		reason string
	}{math.MaxInt64: {codeQE, "funds"}, math.MaxInt64 + 1: {codeIR, "amount"}} {
		b := newBench(t, 8)
		b.roster.proposals[wire.Hash{5}] = wire.ProposalStatusOpen
		b.refused(id(0), direct(id(1), amount), want.code, want.reason)
		b.refused(id(0), &wire.EscrowCreate{Amount: amount, Deadline: 2_560}, want.code, want.reason)
		b.refused(id(0), &wire.StakeCreate{Proposal: wire.Hash{5}, Amount: amount, Direction: wire.StakeDirectionFor}, want.code, want.reason)
	}
}

// An escrow lasts 1 to 25,600 ticks; its owner can take it back from the tick after its deadline on.
func TestEscrow_DeadlineBoundsAndRefundAfterIt(t *testing.T) {
	b := newBench(t, 8)
	for deadline, ok := range map[wire.Tick]bool{256: false, 257: true, 256 + 25_600: true, 256 + 25_601: false} {
		if q := (&wire.EscrowCreate{Amount: 1, Deadline: deadline}); ok {
			b.must(id(0), q)
		} else {
			b.refused(id(0), q, codeIR, "deadline")
		}
	}
	e := b.must(id(1), &wire.EscrowCreate{Amount: 1, Deadline: 300}).Body.(*wire.EscrowCreateAck).EscrowID
	b.at(300)
	b.refused(id(1), &wire.EscrowRefund{EscrowID: e}, codeUA, "deadline")
	b.at(301)
	b.must(id(1), &wire.EscrowRefund{EscrowID: e})
	e = b.must(id(1), &wire.EscrowCreate{Amount: 1, Deadline: 511}).Body.(*wire.EscrowCreateAck).EscrowID
	late := b.must(id(1), &wire.EscrowCreate{Amount: 1, Deadline: 512}).Body.(*wire.EscrowCreateAck).EscrowID
	b.end(1)
	b.CycleEnd(b.c)
	if x, _ := b.Escrow(e); x.Status != wire.EscrowStatusRefunded {
		t.Errorf("an escrow due in the cycle's last tick is %v", x.Status)
	}
	if x, _ := b.Escrow(late); x.Status != wire.EscrowStatusLocked {
		t.Errorf("an escrow due one tick later is %v", x.Status)
	}
}

// An intervention is repeated after 16 cycles at the earliest, and a stimulus pays 5 ⚡ per agent as far as the pool
// lasts.
func TestStimulus_PaysFromThePoolEverySixteenCycles(t *testing.T) {
	b := newBench(t, 8)
	b.counters().Pool = 14
	b.end(3)
	b.Intervene(b.c, wire.InterventionKindStimulus)
	b.balances(105, 105, 100)
	b.counters().Pool = 5
	b.end(18)
	b.Intervene(b.c, wire.InterventionKindStimulus)
	b.balances(105, 105, 100)
	b.end(19)
	b.Intervene(b.c, wire.InterventionKindStimulus)
	b.balances(110, 105, 100)
}

// Documentation bounties can use their part of the pool to the last ⚡, and rewards the whole pool.
func TestPool_LastSparkCanBeSpent(t *testing.T) {
	b := newBench(t, 8)
	s := b.counters()
	s.Pool, s.Gaps = 20, 10
	if !b.TakeBudget(b.c, 10) || b.TakeBudget(b.c, 1) {
		t.Errorf("of 10 ⚡ for documentation bounties %d are left", b.counters().Gaps)
	}
	b.end(1)
	if !b.AddReward(b.c, world.Reward{Label: "entry", Subject: wire.Hash{1}, Payee: id(0), Amount: 10, Approvers: []wire.AgentID{id(1), id(2)}}) {
		t.Fatal("no reward was noted")
	}
	if paid, forfeited := b.payRewards(b.c); paid != 10 || forfeited != 0 || b.counters().Pool != 0 {
		t.Errorf("paid %d, forfeited %d, left %d", paid, forfeited, b.counters().Pool)
	}
}

// Bought ticks are for the next cycle, bought forge ticks for the end of the current one.
func TestPurchases_AreLostAfterTheNextCycle(t *testing.T) {
	for later, want := range map[wire.Cycle][2]uint64{0: {8, 12}, 1: {8, 0}, 2: {0, 0}} {
		b := newBench(t, 8)
		b.must(id(0), buy(wire.ResourceTicks, 2))
		b.must(id(0), buy(wire.ResourceForgeTicks, 3))
		b.at(256 * wire.Tick(1+later))
		got := [2]uint64{b.TakeExtra(b.c, id(0)), b.TakeForgeTicks(b.c, id(0))}
		if got != want {
			t.Errorf("%d cycles later %d are had, want %d", later, got, want)
		}
	}
}
