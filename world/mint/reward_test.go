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

func TestReward_BudgetIsOnePercentPlusTaxes(t *testing.T) {
	b := newBench(t, 8)
	b.must(id(0), direct(id(1), 60)) // tax 3 → treasury 5003
	b.end(1)
	b.FixBudget(b.c)
	if got := b.supply.Get("").Budget; got != 53 {
		t.Errorf("budget %d, want ⌊5003/100⌋ + 3", got)
	}
	b.FixBudget(b.c)
	if got := b.supply.Get("").Budget; got != 50 {
		t.Errorf("the taxes were counted twice: %d", got)
	}
	if b.TakeBudget(b.c, 51) || !b.TakeBudget(b.c, 50) || b.TakeBudget(b.c, 1) {
		t.Error("a budget of 50 gives 50 and no more")
	}
}

func TestReward_PaidInOrderUntilTheBudgetEnds(t *testing.T) {
	b := newBench(t, 8)
	for i := range 7 {
		if !b.Note(b.c, reward(byte(i), 7-i, 10)) {
			t.Fatal("not noted")
		}
	}
	b.end(1)
	b.FixBudget(b.c) // 50
	b.TakeBudget(b.c, 10)
	b.kinds()
	r := b.Settle(b.c, 3, 2)
	if r.RewardsPaid != 40 || r.RewardsForfeited != 30 || r.BountiesOpen != 3 || r.BountiesCompleted != 2 {
		t.Errorf("%+v", r)
	}
	b.balances(100, 110, 110, 110, 110, 100, 100, 100) // noted at one place: agent id decides
	want := []string{
		"transfer_completed", "transfer_completed", "transfer_completed", "transfer_completed",
		"transfer_failed", "transfer_failed", "transfer_failed", "economy_report_published", "intervention_proposed",
	}
	if d := cmp.Diff(want, b.kinds()); d != "" {
		t.Error(d)
	}
	b.end(2)
	b.FixBudget(b.c)
	if r := b.Settle(b.c, 0, 0); r.RewardsPaid != 0 {
		t.Error("a forfeited reward was paid later")
	}
}

func TestReward_OnceAndPairRule(t *testing.T) {
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
		if got := b.Note(b.c, tt.r); got != tt.want {
			t.Errorf("%s: noted %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestReward_DeadPayeeForfeits(t *testing.T) {
	b := newBench(t, 8)
	b.Note(b.c, reward(1, 0, 5))
	b.roster.status[id(0)] = wire.StatusDead
	b.end(1)
	b.FixBudget(b.c)
	if r := b.Settle(b.c, 0, 0); r.RewardsForfeited != 5 || r.RewardsPaid != 0 {
		t.Errorf("%+v", r)
	}
}

func TestReward_PairsAndVotesAreForgotten(t *testing.T) {
	b := newBench(t, 8)
	b.Note(b.c, reward(1, 0, 5, 1))
	vote := reward(2, 0, 1)
	vote.Label = labelVote
	b.Note(b.c, vote)
	for n := wire.Cycle(1); n <= 17; n++ {
		b.end(n)
		b.FixBudget(b.c)
		b.Settle(b.c, 0, 0)
	}
	if b.pairs.table.Len() != 0 || b.rewards.table.Len() != 1 {
		t.Errorf("%d pairs and %d rewards are kept, want 0 and 1", b.pairs.table.Len(), b.rewards.table.Len())
	}
	b.balances(106)
}
