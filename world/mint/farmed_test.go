package mint

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world"
)

// What clever agents tried, and what it comes to.

// An agent that locked all its money owes upkeep and pays it when the money comes back. Until then it cannot pay by an
// escrow that asks for nothing.
func TestUpkeep_IsOwedByLockedMoney(t *testing.T) {
	b := newBench(t, 8)
	b.rules.Upkeep = 15
	friend := id(1)
	gift := b.must(id(0), &wire.EscrowCreate{Amount: 60, Beneficiary: &friend, Deadline: 2_560}).Body.(*wire.EscrowCreateAck)
	purse := b.must(id(0), &wire.EscrowCreate{Amount: 34, Deadline: 2_560}).Body.(*wire.EscrowCreateAck)
	b.settleCycles(1, 5)
	if acc, _ := b.Account(id(0)); acc.Balance != 98 || acc.Locked != 98 || acc.Owed != 73 {
		t.Errorf("five cycles later it has %+v", acc)
	}
	b.at(6 * 256)
	b.refused(id(0), &wire.EscrowRelease{EscrowID: purse.EscrowID, Beneficiary: friend}, codeQE, "funds")
	for _, by := range []wire.AgentID{id(0), friend} {
		b.refused(by, &wire.EscrowRelease{EscrowID: gift.EscrowID, Beneficiary: friend}, codeQE, "funds")
	}
	b.must(friend, &wire.EscrowRefund{EscrowID: gift.EscrowID})
	b.refused(id(0), &wire.Transfer{To: friend, Amount: 1, Kind: wire.TransferKindDirect}, codeQE, "funds")
	b.move(b.c, movement{from: Treasury, to: id(0), amount: 80, kind: wire.TransferKindGrant})
	b.must(id(0), &wire.EscrowRelease{EscrowID: purse.EscrowID, Beneficiary: friend}) // it has more than it owes
	b.settleCycles(6, 6)
	if acc, _ := b.Account(id(0)); acc.Balance != 98+80-35-73-15 || acc.Locked != 0 || acc.Owed != 0 {
		t.Errorf("at the next cycle end it has %+v", acc)
	}
}

// Upkeep within rewards is due only at the end of cycles by which as much was paid in rewards as was taken. The rewards of
// the cycle count, so nobody knows before its end.
func TestUpkeep_WithinRewards(t *testing.T) {
	for _, within := range []bool{false, true} {
		b := newBench(t, 8)
		b.rules.Upkeep, b.rules.UpkeepWithinRewards = 2, within
		var taken []int
		for n := range wire.Cycle(6) {
			b.at(b.rules.Calendar.First(n + 1))
			for payee, amount := range [][2]uint64{{10, 6}, {}, {10, 10}, {10, 2}, {}, {10, 6}}[n] {
				b.AddReward(b.c, reward(byte(2*int(n)+payee), payee, amount))
			}
			b.c.Events = nil
			b.settleCycles(n+1, n+1)
			due := 0
			for _, e := range b.c.Events {
				if p, ok := e.Payload.(*wire.TransferCompletedEvent); ok && p.Kind == wire.TransferKindUpkeep {
					due += int(p.Amount)
				}
			}
			taken = append(taken, due)
		}
		want := []int{16, 16, 16, 16, 16, 16}
		if within { // net rewards when upkeep is taken: 16, 0, 4, 0, -16 and 0
			want = []int{16, 16, 16, 16, 0, 16}
		}
		if diff := cmp.Diff(want, taken); diff != "" {
			t.Errorf("within rewards %v (-want +got):\n%s", within, diff)
		}
	}
}

// However locked money leaves, upkeep puts its owner into no debt, and who earned the money gets it in full.
func TestUpkeep_LeavesWhatIsPromised(t *testing.T) {
	yes := true
	for _, tt := range []struct {
		road            string
		lock, pay       func(b *bench)
		left            int64
		friend, pending uint64
	}{
		{
			"bounty that is completed",
			func(b *bench) {
				b.OpenEscrow(b.c, world.Escrow{ID: wire.Hash{9}, Owner: id(0), Amount: 90, Tax: 4, Bounty: true})
			},
			func(b *bench) { b.ReleaseEscrow(b.c, wire.Hash{9}, id(1)) },
			0, 90, 0,
		},
		{
			"bounty that expires",
			func(b *bench) {
				b.OpenEscrow(b.c, world.Escrow{ID: wire.Hash{9}, Owner: id(0), Amount: 90, Tax: 4, Bounty: true})
			},
			func(b *bench) { b.ExpireEscrow(b.c, wire.Hash{9}) },
			90, 0, 69,
		},
		{
			"escrow whose conditions hold",
			func(b *bench) {
				friend := id(1)
				b.OpenEscrow(b.c, world.Escrow{
					ID: wire.Hash{9}, Owner: id(0), Amount: 90, Tax: 4, Beneficiary: &friend, Deadline: 2_560,
					Conditions: []wire.EscrowCondition{{Kind: wire.EscrowConditionKindCustom}},
				})
			},
			func(b *bench) { b.must(id(0), &wire.EscrowRelease{EscrowID: wire.Hash{9}, Beneficiary: id(1)}) },
			0, 90, 0,
		},
		{
			"fee or bond",
			func(b *bench) { b.Lock(b.c, id(0), 94) },
			func(b *bench) { b.PayLocked(b.c, id(0), id(1), 94, wire.TransferKindDirect) },
			0, 94, 0,
		},
		{
			"stake that is lost",
			func(b *bench) {
				b.roster.proposals[wire.Hash{5}] = wire.ProposalStatusOpen
				b.stake(0, 94, wire.StakeDirectionAgainst)
				b.stake(1, 50, wire.StakeDirectionFor)
			},
			func(b *bench) { b.ResolveStakes(b.c, wire.Hash{5}, &yes) },
			47, 5, 47,
		},
	} {
		b := newBench(t, 8)
		tt.lock(b)
		b.rules.Upkeep = 15
		b.roster.status[id(1)] = wire.StatusDormant
		b.settleCycles(1, 5)
		b.at(6 * 256)
		tt.pay(b)
		b.checkSupply()
		acc, _ := b.Account(id(0))
		if acc.Balance != tt.left || acc.Owed != tt.pending || acc.Locked != 0 || b.Balance(id(1)) != 100+int64(tt.friend) {
			t.Errorf("%s: %+v, the other has %d ⚡; want %d left, %d owed, %d for the other", tt.road, acc, b.Balance(id(1)), tt.left, tt.pending, 100+tt.friend)
		}
		b.CycleEnd(b.c)
		if n := b.Insolvent(id(0)); n != 0 {
			t.Errorf("%s: insolvent %d times", tt.road, n)
		}
	}
}

// settleCycles ends the cycles from first to last.
func (b *bench) settleCycles(first, last wire.Cycle) {
	for n := first; n <= last; n++ {
		b.end(n)
		b.FillPool()
		b.Settle(b.c, 0, 0)
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
