package mint

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kingdom/wire"
)

func (b *bench) stake(a int, amount uint64, d wire.StakeDirection) {
	b.t.Helper()
	b.must(id(a), &wire.StakeCreate{Proposal: wire.Hash{5}, Amount: amount, Direction: d})
}

func TestStake_Resolution(t *testing.T) {
	yes, no := true, false
	const f, a = wire.StakeDirectionFor, wire.StakeDirectionAgainst
	type bet struct {
		amount uint64
		side   wire.StakeDirection
	}
	for _, tt := range []struct {
		name     string
		bets     []bet
		outcome  *bool
		want     []int64
		treasury int64
	}{
		{"the tenth is the limit", []bet{{50, f}, {40, a}}, &yes, []int64{105, 80}, 5_015},
		{"failed: the other side wins", []bet{{50, f}, {40, a}}, &no, []int64{75, 104}, 5_021},
		{"forfeits are shared by amount", []bet{{90, f}, {30, f}, {7, a}}, &yes, []int64{102, 100, 97}, 5_001},
		{"half of an odd amount is floored", []bet{{7, a}, {100, f}}, &yes, []int64{97, 103}, 5_000},
		{"nobody was wrong", []bet{{50, f}, {40, f}}, &yes, []int64{100, 100}, 5_000},
		{"nobody was right", []bet{{50, a}, {40, a}}, &yes, []int64{75, 80}, 5_045},
		{"expired", []bet{{50, f}, {40, a}}, nil, []int64{100, 100}, 5_000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, 8)
			b.roster.proposals[wire.Hash{5}] = wire.ProposalStatusOpen
			for i, x := range tt.bets {
				b.stake(i, x.amount, x.side)
			}
			b.end(1)
			b.ResolveStakes(b.c, wire.Hash{5}, tt.outcome)
			b.balances(tt.want...)
			if got := b.Balance(Treasury); got != tt.treasury {
				t.Errorf("treasury %d, want %d", got, tt.treasury)
			}
			for i := range tt.bets {
				if acc, _ := b.Account(id(i)); acc.Locked != 0 {
					t.Errorf("agent %d still has %d ⚡ locked", i, acc.Locked)
				}
			}
			if b.stakes.table.Len() != 0 {
				t.Error("stakes are left")
			}
			b.checkSupply()
		})
	}
}

func TestStake_Refusals(t *testing.T) {
	b := newBench(t, 8)
	open, closed := wire.Hash{5}, wire.Hash{6}
	b.roster.proposals[open], b.roster.proposals[closed] = wire.ProposalStatusOpen, wire.ProposalStatusPassed
	const f = wire.StakeDirectionFor
	b.refused(id(0), &wire.StakeCreate{Proposal: wire.Hash{9}, Amount: 5, Direction: f}, codeNF, "proposal")
	b.refused(id(0), &wire.StakeCreate{Proposal: closed, Amount: 5, Direction: f}, codeCF, "closed")
	b.refused(id(0), &wire.StakeCreate{Proposal: open, Amount: 0, Direction: f}, codeIR, "amount")
	b.refused(id(0), &wire.StakeCreate{Proposal: open, Amount: 101, Direction: f}, codeQE, "funds")
	b.must(id(0), &wire.StakeCreate{Proposal: open, Amount: 100, Direction: f})
	b.refused(id(0), &wire.StakeCreate{Proposal: open, Amount: 1, Direction: f}, codeCF, "already")
}

// A proposal stays OPEN until the end of the cycle, but stakes are refused once its vote is over.
func TestStake_RefusedAfterVoteDeadline(t *testing.T) {
	b := newBench(t, 8)
	open := wire.Hash{5}
	b.roster.proposals[open] = wire.ProposalStatusOpen
	const f = wire.StakeDirectionFor
	b.at(stakesUntil)
	b.must(id(0), &wire.StakeCreate{Proposal: open, Amount: 5, Direction: f})
	b.at(stakesUntil + 1)
	b.refused(id(1), &wire.StakeCreate{Proposal: open, Amount: 5, Direction: f}, codeCF, "closed")
}

func TestResolveStakes_ReturnsTheStakers(t *testing.T) {
	b := newBench(t, 8)
	open := wire.Hash{5}
	b.roster.proposals[open] = wire.ProposalStatusOpen
	for i, a := range []int{3, 1, 2} {
		b.stake(a, 10, []wire.StakeDirection{wire.StakeDirectionFor, wire.StakeDirectionAgainst}[i%2])
	}
	b.end(1)
	yes := true
	if diff := cmp.Diff([]wire.AgentID{id(1), id(2), id(3)}, b.ResolveStakes(b.c, open, &yes)); diff != "" {
		t.Error(diff)
	}
	if got := b.ResolveStakes(b.c, open, &yes); len(got) != 0 {
		t.Errorf("stakers of a settled proposal: %v", got)
	}
}

// TestStake_ConservesMoney: whatever is staked and however the vote ends, no ⚡ is made or lost, none
// stays locked, the winners get no more than the forfeits, and the pool counts as income only
// what the treasury keeps of them.
func TestStake_ConservesMoney(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newBench(t, 8)
		b.roster.proposals[wire.Hash{5}] = wire.ProposalStatusOpen
		stakes := rapid.SliceOfN(rapid.Uint64Range(1, 100), 0, 8).Draw(rt, "stakes")
		for i, amount := range stakes {
			b.stake(i, amount, wire.StakeDirection(rapid.IntRange(1, 2).Draw(rt, "side")))
		}
		before, income := b.Balance(Treasury), b.counters().Income
		outcome := rapid.SampledFrom([]*bool{nil, new(bool), &[]bool{true}[0]}).Draw(rt, "outcome")
		b.end(1)
		b.ResolveStakes(b.c, wire.Hash{5}, outcome)
		b.checkSupply()
		kept := b.Balance(Treasury) - before
		if got := b.counters().Income - income; kept < 0 || uint64(kept) != got {
			rt.Fatalf("the treasury keeps %d ⚡ of the forfeits, the pool counts %d as income", kept, got)
		}
		for i := range stakes {
			if acc, _ := b.Account(id(i)); acc.Locked != 0 {
				rt.Fatalf("agent %d still has %d ⚡ locked", i, acc.Locked)
			}
			if gain := b.Balance(id(i)) - 100; outcome == nil && gain != 0 || gain > int64(stakes[i]/10) || gain < -int64(stakes[i]/2) {
				rt.Fatalf("a stake of %d brought %d", stakes[i], gain)
			}
		}
	})
}
