package mint

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world"
)

func reward(subject byte, payee int, amount uint64, approvers ...int) world.Reward {
	r := world.Reward{Label: "review", Subject: wire.Hash{subject}, Payee: id(payee), Amount: amount}
	for _, a := range approvers {
		r.Approvers = append(r.Approvers, id(a))
	}
	return r
}

func (b *bench) pool() uint64 { return b.supply.Get("").Pool }

func TestPool_FillsByIncomeAndShareOfTreasury(t *testing.T) {
	b := newBench(t, 8)
	if b.pool() != 50 {
		t.Errorf("the pool begins with %d ⚡, want 1 %% of the treasury", b.pool())
	}
	b.counters().Pool = 0
	b.must(id(0), direct(id(1), 60)) // tax 3
	b.must(id(0), buy(wire.ResourceStorage, 7))
	b.end(1)
	b.FillPool() // treasury 5010
	if b.pool() != 20 {
		t.Errorf("pool %d, want ⌊5010/500⌋ + 3 + 7", b.pool())
	}
	b.FillPool()
	if b.pool() != 30 {
		t.Errorf("the income was counted twice: %d", b.pool())
	}
	if b.TakeBudget(b.c, 16) || !b.TakeBudget(b.c, 15) || b.TakeBudget(b.c, 1) || b.pool() != 15 {
		t.Error("documentation bounties take half of a pool of 30 and no more")
	}
	b.ReturnBudget(b.c, 15)
	for range 9 {
		b.FillPool()
	}
	if b.pool() != 50 {
		t.Errorf("pool %d, want no more than ⌊5010/100⌋", b.pool())
	}
}

// Whatever the agents agree on, rewards and stimulus leave four fifths of the treasury after a hundred cycles without
// income, and 36 % after five hundred.
func TestPool_BoundsRewardsOfColludingAgents(t *testing.T) {
	b := newBench(t, 8)
	stimuli := 0
	for n := range wire.Cycle(500) {
		b.at(b.rules.Calendar.First(n + 1))
		for i := range 8 {
			for k := range byte(3) {
				r := reward(0, i, 10+uint64(k))
				r.Subject = wire.Hash{byte(n >> 8), byte(n), byte(i), k}
				b.AddReward(b.c, r)
			}
		}
		b.end(n + 1)
		b.FillPool()
		if b.cooledDown(b.c, wire.InterventionKindStimulus) {
			before := b.Balance(Treasury)
			if b.Intervene(b.c, wire.InterventionKindStimulus); b.Balance(Treasury) < before {
				stimuli++
			}
		}
		b.Settle(b.c, 0, 0)
		b.c.Events = nil
		if left := b.Balance(Treasury); n < 100 && left < 4000 || left < 1800 {
			t.Fatalf("%d of 5000 ⚡ are left after %d cycles", left, n+1)
		}
	}
	if left := b.Balance(Treasury); left > 2000 || stimuli < 30 {
		t.Errorf("%d of 5000 ⚡ are left and %d stimuli were paid: nobody asked for much", left, stimuli)
	}
}

// Rewards are paid from what agents paid, not from what they owe.
func TestPool_UnpaidDebtsAreNoIncome(t *testing.T) {
	b := newBenchWith(t, 2, []uint64{4, 4})
	b.counters().Income = 0
	b.Debit(b.c, id(0), 10) // pays 4 and owes 6
	if got := b.counters().Income; got != 4 {
		t.Errorf("income %d after a debit of 10 from one who has 4", got)
	}
	if refusal := b.Lock(b.c, id(1), 3); refusal != nil {
		t.Fatal(refusal.Reason)
	}
	b.Debit(b.c, id(1), 10) // what is set aside for others is no payment either
	if got := b.counters().Income; got != 5 {
		t.Errorf("income %d after a debit of 10 from one who has 1 available", got)
	}
	b.Debit(b.c, id(0), 10)
	if got := b.counters().Income; got != 5 {
		t.Errorf("income %d after a debit of one who is in debt", got)
	}
}

// Rewards go to the payee that had least before; rewards for votes come after all others.
func TestReward_LeastRewardedIsPaidFirst(t *testing.T) {
	b := newBench(t, 8)
	b.accounts.Edit(id(1)).Rewarded = 12
	note := func(label string, payee int, amount uint64) {
		b.at(b.c.Tick + 1)
		if !b.AddReward(b.c, world.Reward{Label: label, Subject: wire.Hash{byte(b.c.Tick)}, Payee: id(payee), Amount: amount}) {
			t.Fatal("not noted")
		}
	}
	note(labelVote, 5, 1)
	note("review", 1, 5) // has had most
	note("entry", 2, 10)
	note("bug", 3, 3)
	note("review", 3, 5)
	b.end(1)
	b.counters().Pool = 19
	b.c.Events = nil
	r := b.Settle(b.c, 3, 2)
	if r.RewardsPaid != 19 || r.RewardsForfeited != 5 || r.BountiesOpen != 3 || r.BountiesCompleted != 2 {
		t.Errorf("%+v", r)
	}
	b.balances(100, 100, 110, 108, 100, 101)
	want := []string{
		"transfer_completed", "transfer_completed", "transfer_completed", // 2 and 3, 3 again
		"transfer_failed",    // 1: no longer fits
		"transfer_completed", // the vote does
	}
	if d := cmp.Diff(want, b.kinds()[:5]); d != "" {
		t.Error(d)
	}
}

// A payee gets at most ten ⚡ per cycle, or twice its share of the pool.
func TestReward_PerPayeeLimit(t *testing.T) {
	for pool, want := range map[uint64]int64{40: 110, 48: 112} {
		b := newBench(t, 8)
		for i, amount := range []uint64{6, 4, 2, 1} {
			b.AddReward(b.c, reward(byte(i), 0, amount))
		}
		b.end(1)
		b.counters().Pool = pool
		b.Settle(b.c, 0, 0)
		b.balances(want)
	}
}

// What is above the cap waits for two cycle ends, also in a resumed world, and the oldest is paid first. A reward that is
// larger than the cap is paid if it is its payee's first of the cycle.
func TestReward_AboveTheCapWaits(t *testing.T) {
	b := newBench(t, 8)
	b.counters().Pool = 50 // 50·2 ÷ 8 is a cap of 12
	for k := range byte(4) {
		if !b.AddReward(b.c, reward(k, 0, 10)) {
			t.Fatal("no reward was noted")
		}
	}
	b.AddReward(b.c, reward(20, 1, 25))
	for n := range wire.Cycle(4) {
		b.counters().Pool = 50
		want, lost := uint64(10), uint64(0)
		switch n {
		case 0:
			want = 35 // the 25 ⚡ of the other agent
		case 2:
			lost = 10 // the fourth reward has waited twice
		case 3:
			want = 0
		}
		b.end(n + 1)
		b.rewards.restore()
		if paid, forfeited := b.payRewards(b.c); paid != want || forfeited != lost {
			t.Errorf("cycle %d: paid %d and forfeited %d, want %d and %d", n+1, paid, forfeited, want, lost)
		}
	}
}

// A grant pays for what the treasury sells, but not other agents.
func TestGrant_CanOnlyBeSpentAtTreasury(t *testing.T) {
	b := newBench(t, 8)
	if b.Grant(b.c, id(0)) != 100 { // and 100 of its own
		t.Fatal("no grant")
	}
	b.refused(id(0), direct(id(1), 97), codeQE, "funds")
	b.refused(id(0), &wire.EscrowCreate{Amount: 97, Deadline: 600}, codeQE, "funds")
	b.must(id(0), buy(wire.ResourceStorage, 60))
	b.must(id(0), direct(id(1), 95)) // with 4 of tax all of its own but 1
	b.refused(id(0), direct(id(1), 1), codeQE, "funds")
	b.must(id(0), buy(wire.ResourceStorage, 41))
	if acc, _ := b.Account(id(0)); acc.Balance != 0 || acc.Earmarked != 0 {
		t.Errorf("%+v", acc)
	}
}

// Locked money that an agent loses is its own, never the grant. Otherwise a newcomer that bets against its sponsor and
// loses would have lost the treasury's money, and could still give away as much of its own.
func TestGrant_LossesReduceOwnMoneyNotGrant(t *testing.T) {
	for _, tt := range []struct {
		name string
		lose func(b *bench)
		own  uint64 // of the 100 ⚡ that it had
	}{
		{"a bet", func(b *bench) {
			b.roster.proposals[wire.Hash{5}] = wire.ProposalStatusOpen
			b.stake(0, 60, wire.StakeDirectionAgainst)
			b.stake(1, 100, wire.StakeDirectionFor)
			passed := true
			b.ResolveStakes(b.c, wire.Hash{5}, &passed)
		}, 70},
		{"a bond", func(b *bench) {
			b.Lock(b.c, id(0), 5)
			b.PayLocked(b.c, id(0), Treasury, 5, wire.TransferKindDirect)
		}, 95},
		{"the fee of a bounty that nobody did", func(b *bench) {
			if refusal := b.OpenEscrow(b.c, world.Escrow{ID: wire.Hash{6}, Owner: id(0), Amount: 20, Tax: 1, Deadline: 600, Bounty: true}); refusal != nil {
				b.t.Fatal(refusal.Reason)
			}
			b.ExpireEscrow(b.c, wire.Hash{6})
		}, 99},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, 8)
			b.Grant(b.c, id(0))
			tt.lose(b)
			if acc, _ := b.Account(id(0)); acc.Earmarked != 100 || acc.free() != int64(tt.own) {
				t.Errorf("%d ⚡ are earmarked and %d free, want 100 and %d", acc.Earmarked, acc.free(), tt.own)
			}
			tax := Tax(tt.own)
			b.refused(id(0), direct(id(1), tt.own-tax+1), codeQE, "funds")
			b.must(id(0), direct(id(1), tt.own-tax))
		})
	}
}

// Payments by kin do not count as earnings, and money that is paid back is subtracted.
func TestEarnings_ExcludeKinAndMoneyPaidBack(t *testing.T) {
	b := newBench(t, 8)
	b.roster.kin = map[[2]wire.AgentID]bool{{id(2), id(0)}: true}
	earn := func(from, to int) {
		b.move(b.c, movement{from: id(from), to: id(to), amount: 10, kind: wire.TransferKindBountyReward})
	}
	earn(1, 0)
	earn(2, 0)
	earn(3, 0)
	if got := b.Earnings(id(0)); got != 20 {
		t.Errorf("earnings %d, want 20 without those of kin", got)
	}
	b.must(id(0), direct(id(1), 15))
	if got := b.Earnings(id(0)); got != 5 {
		t.Errorf("earnings %d, want 5 after paying 15 back", got)
	}
	b.must(id(0), direct(id(1), 15))
	if got := b.Earnings(id(0)); got != 0 {
		t.Errorf("earnings %d, want no less than 0", got)
	}
}

func TestReward_OncePerSubjectAndPair(t *testing.T) {
	b := newBench(t, 8)
	for _, tt := range []struct {
		name string
		tick wire.Tick
		r    world.Reward
		want bool
	}{
		{"first", 256, reward(1, 0, 5, 1), true},
		{"same subject", 257, reward(1, 0, 5, 2), false},
		{"pair used", 258, reward(2, 0, 5, 1), false},
		{"one of two pairs used", 258, reward(2, 0, 5, 2, 1), false},
		{"the pair is ordered", 259, reward(3, 1, 5, 0), true},
		{"approver is payee", 260, reward(4, 3, 5, 3), false},
		{"unknown payee", 260, reward(4, 99, 5), false},
		{"pair used for 16 cycles", 17*256 - 1, reward(5, 0, 5, 1), false},
		{"and free in the 17th", 17 * 256, reward(5, 0, 5, 1), true},
	} {
		b.at(tt.tick)
		if got := b.AddReward(b.c, tt.r); got != tt.want {
			t.Errorf("%s: noted %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestReward_DeadPayeeForfeits(t *testing.T) {
	b := newBench(t, 8)
	b.AddReward(b.c, reward(1, 0, 5))
	b.die(id(0))
	b.end(1)
	b.FillPool()
	if r := b.Settle(b.c, 0, 0); r.RewardsForfeited != 5 || r.RewardsPaid != 0 {
		t.Errorf("%+v", r)
	}
}

func TestReward_PairsAndVotesAreForgotten(t *testing.T) {
	b := newBench(t, 8)
	b.AddReward(b.c, reward(1, 0, 5, 1))
	vote := reward(2, 0, 1)
	vote.Label = labelVote
	b.AddReward(b.c, vote)
	for n := wire.Cycle(1); n <= 17; n++ {
		b.end(n)
		b.FillPool()
		b.Settle(b.c, 0, 0)
	}
	if len(b.used.cycles) != 0 || b.rewards.table.Len() != 1 {
		t.Errorf("%d pairs and %d rewards are kept, want 0 and 1", len(b.used.cycles), b.rewards.table.Len())
	}
	b.balances(106)
}
