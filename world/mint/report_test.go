package mint

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

func TestGini(t *testing.T) {
	for _, tt := range []struct {
		balances []int64
		want     float64
	}{
		{nil, 0},
		{[]int64{0, 0, 0}, 0},
		{[]int64{100, 100, 100, 100}, 0},
		{[]int64{0, 0, 0, 100}, 0.75},
		{[]int64{-50, 0, 0, 100}, 0.75},
		{[]int64{1, 2, 3, 4}, 0.25},
		{[]int64{0, 1}, 0.5},
	} {
		if got := Gini(tt.balances); got != tt.want {
			t.Errorf("Gini(%v) = %v, want %v", tt.balances, got, tt.want)
		}
	}
}

func TestSettle_Report(t *testing.T) {
	b := newBench(t, 4)
	b.roster.status[id(3)] = wire.StatusDormant
	b.must(id(0), direct(id(1), 40))
	b.must(id(0), direct(id(2), 10))
	b.Grant(b.c, id(3))
	b.Lock(b.c, id(1), 25)
	b.OpenEscrow(b.c, world.Escrow{ID: wire.Hash{7}, Owner: Treasury, Amount: 20, Bounty: true})
	b.end(1)
	b.FillPool()
	b.kinds()
	got := b.Settle(b.c, 1, 0)
	want := wire.EconomicReport{
		Cycle: 1, TotalSupply: 9_600, TreasuryBalance: 5_003,
		CirculatingSupply: 9_600 - 5_003 - 4_100 - 25, TotalEscrow: 45,
		GiniCoefficient: float32(Gini([]int64{47, 110, 140, 200})),
		Velocity:        float32(det.Quantise(2.0 / 3)), // grants do not count, sleepers neither
		AvgBalance:      124.25, MedianBalance: 125,
		TopEarners:   []wire.Earner{{Agent: id(3), Amount: 100}, {Agent: id(1), Amount: 40}, {Agent: id(2), Amount: 10}},
		BountiesOpen: 1,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"economy_report_published"}, b.kinds()); d != "" {
		t.Error(d)
	}
	b.end(2)
	if r := b.Settle(b.c, 0, 0); r.Velocity != 0 {
		t.Errorf("velocity %v in a cycle without transfers", r.Velocity)
	}
}

func TestSettle_PanicsNamingTheDifference(t *testing.T) {
	b := newBench(t, 8)
	b.accounts.Edit(id(0)).Balance += 3
	defer func() {
		want := "mint: the balances add up to 10003 ⚡ but the total supply is 10000 ⚡, a difference of +3 ⚡"
		if got := recover(); got != want {
			t.Errorf("panic %v, want %s", got, want)
		}
	}()
	b.end(1)
	b.Settle(b.c, 0, 0)
}

func TestInflate_TwoPercent(t *testing.T) {
	b := newBench(t, 8)
	b.end(1)
	b.Inflate(b.c, 1)
	if b.Total() != 10_200 || b.Balance(Treasury) != 5_200 {
		t.Errorf("supply %d, treasury %d", b.Total(), b.Balance(Treasury))
	}
	b.checkSupply()
}

func TestIntervention_ProposedOncePerKind(t *testing.T) {
	b := newBench(t, 8)
	for i := range 5 {
		b.debit(i, 101) // five of eight in debt
	}
	b.move(b.c, movement{from: Treasury, to: wire.ReserveID, amount: 5_505, kind: wire.TransferKindGrant})
	b.supply.Edit("").Transfers = 0
	b.end(1)
	for range 2 {
		b.Settle(b.c, 0, 0)
	}
	// Gini of 3 × 100 among 8 is 0.625: no tax.
	want := []string{"STIMULUS", "DEBT_JUBILEE", "EMERGENCY_MINT"}
	if d := cmp.Diff(want, b.roster.proposed); d != "" {
		t.Error(d)
	}
	for h := range b.roster.proposals {
		b.roster.proposals[h] = wire.ProposalStatusFailed
	}
	b.Intervene(b.c, wire.InterventionKindEmergencyMint)
	b.end(2)
	b.Settle(b.c, 0, 0)
	if got := b.roster.proposed[3:]; !slices.Equal(got, []string{"STIMULUS", "DEBT_JUBILEE"}) {
		t.Errorf("proposed again: %v", got)
	}
}

// In cycle 0 no agent has a slot, so its velocity of 0 calls for nothing.
func TestIntervention_NoneForCycleZero(t *testing.T) {
	b := newBench(t, 8)
	for n, want := range [][]string{nil, {"STIMULUS"}} {
		b.end(wire.Cycle(n))
		b.Settle(b.c, 0, 0)
		if !slices.Equal(b.roster.proposed, want) {
			t.Errorf("cycle %d: proposed %v, want %v", n, b.roster.proposed, want)
		}
	}
}

func TestIntervention_Effects(t *testing.T) {
	for _, tt := range []struct {
		kind     wire.InterventionKind
		set      func(*bench)
		want     []int64
		treasury int64
		supply   uint64
	}{
		{wire.InterventionKindProgressiveTax, func(b *bench) { // mean 500
			b.move(b.c, movement{from: Treasury, to: id(2), amount: 3_200, kind: wire.TransferKindGrant})
		}, []int64{100, 100, 3_020}, 2_080, 10_000},
		{wire.InterventionKindStimulus, func(b *bench) { b.roster.status[id(1)] = wire.StatusDormant }, []int64{105, 100, 105}, 4_965, 10_000},
		{wire.InterventionKindDebtJubilee, func(b *bench) {
			b.debit(0, 150)
			b.move(b.c, movement{from: Treasury, to: wire.ReserveID, amount: 5_130, kind: wire.TransferKindGrant})
		}, []int64{0, 100}, 0, 10_030},
		{wire.InterventionKindEmergencyMint, func(*bench) {}, []int64{100}, 5_500, 10_500},
	} {
		t.Run(tt.kind.String(), func(t *testing.T) {
			b := newBench(t, 8)
			tt.set(b)
			b.end(3)
			b.Intervene(b.c, tt.kind)
			b.balances(tt.want...)
			if b.Balance(Treasury) != tt.treasury || b.Total() != tt.supply {
				t.Errorf("treasury %d, supply %d", b.Balance(Treasury), b.Total())
			}
			b.checkSupply()
			b.end(18)
			hash := b.State().Hash()
			b.Intervene(b.c, tt.kind)
			if b.State().Hash() != hash {
				t.Error("applied again within 16 cycles")
			}
		})
	}
}
