package mint

import (
	"testing"

	"kingdom/wire"
)

// What clever agents tried, and what it comes to.

// An agent that locked all its money pays upkeep like the others, and the escrow pays out only what is left.
func TestUpkeep_IsPaidFromLockedMoney(t *testing.T) {
	b := newBench(t, 8)
	b.rules.Upkeep = 30
	friend := id(1)
	ack := b.must(id(0), &wire.EscrowCreate{Amount: 95, Beneficiary: &friend, Deadline: 2_560}).Body.(*wire.EscrowCreateAck)
	for n := range wire.Cycle(5) {
		b.end(n + 1)
		b.FillPool(b.c)
		b.Settle(b.c, 0, 0)
	}
	if acc, _ := b.Account(id(0)); acc.Balance != 0 || acc.Locked != 99 {
		t.Errorf("five cycles later it has %+v", acc)
	}
	b.at(6 * 256)
	for _, by := range []wire.AgentID{id(0), friend} {
		b.refused(by, &wire.EscrowRelease{EscrowID: ack.EscrowID, Beneficiary: friend}, codeQE, "funds")
	}
	b.must(friend, &wire.EscrowRefund{EscrowID: ack.EscrowID})
	if acc, _ := b.Account(id(0)); acc.Balance != 0 || acc.Locked != 0 {
		t.Errorf("after the refund it has %+v", acc)
	}
}

// An agent that locks its money during the vote is taxed as if it had not.
func TestProgressiveTax_CountsLockedMoney(t *testing.T) {
	b := newBench(t, 8)
	b.move(b.c, movement{from: Treasury, to: id(2), amount: 3_200, kind: wire.TransferKindGrant}) // the mean is 500
	b.must(id(2), &wire.EscrowCreate{Amount: 3_142, Deadline: 2_560})
	b.end(3)
	b.Intervene(b.c, wire.InterventionKindProgressiveTax)
	b.balances(100, 100, 3_020)
}

// A staker that has gone into debt loses what it has left. Winners get no more than that, and the pool counts as income
// only what the treasury keeps.
func TestStake_OfDebtorLosesWhatIsLeft(t *testing.T) {
	for _, tt := range []struct {
		debit, lost, won uint64
	}{
		{0, 40, 10}, // of 100, 80 staked
		{60, 40, 10},
		{61, 39, 10},
		{95, 5, 5},
		{99, 1, 1},
		{100, 0, 0},
		{130, 0, 0},
	} {
		b := newBench(t, 8)
		b.roster.proposals[wire.Hash{5}] = wire.ProposalStatusOpen
		b.stake(0, 80, wire.StakeDirectionAgainst)
		b.stake(1, 100, wire.StakeDirectionFor)
		b.debit(0, tt.debit)
		b.end(1)
		income, treasury, yes := b.counters().Income, b.Balance(Treasury), true
		b.ResolveStakes(b.c, wire.Hash{5}, &yes)
		b.checkSupply()
		b.balances(int64(100-tt.debit)-int64(tt.lost), 100+int64(tt.won))
		kept := tt.lost - tt.won
		if got := b.counters().Income - income; got != kept || b.Balance(Treasury)-treasury != int64(kept) {
			t.Errorf("debit %d: the treasury got %d ⚡ and the pool counts %d, want %d", tt.debit, b.Balance(Treasury)-treasury, got, kept)
		}
	}
}
