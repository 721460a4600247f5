package mint

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
)

// TestIntervention_Thresholds: docs/WORLD.md, Mint, asks for an intervention strictly above a
// Gini of 0.8, strictly below a velocity of 0.1, with more than half in debt, and at an empty
// treasury.
func TestIntervention_Thresholds(t *testing.T) {
	calm := wire.EconomicReport{GiniCoefficient: 0.8, Velocity: 0.1, TreasuryBalance: 1}
	for _, tt := range []struct {
		name   string
		change func(*bench, *wire.EconomicReport)
		want   []string
	}{
		{"everything at its threshold", func(b *bench, _ *wire.EconomicReport) {
			for i := range 4 {
				b.debit(i, 101) // half of eight in debt
			}
			b.debit(4, 100) // no money is no debt
		}, nil},
		{"gini", func(_ *bench, r *wire.EconomicReport) { r.GiniCoefficient = 0.801 }, []string{"PROGRESSIVE_TAX"}},
		{"velocity", func(_ *bench, r *wire.EconomicReport) { r.Velocity = 0.099 }, []string{"STIMULUS"}},
		{"debt", func(b *bench, _ *wire.EconomicReport) {
			for i := range 5 {
				b.debit(i, 101)
			}
		}, []string{"DEBT_JUBILEE"}},
		{"treasury", func(_ *bench, r *wire.EconomicReport) { r.TreasuryBalance = 0 }, []string{"EMERGENCY_MINT"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, 8)
			b.end(1)
			r := calm
			tt.change(b, &r)
			b.propose(b.c, &r)
			if d := cmp.Diff(tt.want, b.roster.proposed); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestIntervention_OncePerSixteenCycles(t *testing.T) {
	b := newBench(t, 8)
	b.end(3)
	b.Intervene(b.c, wire.InterventionKindEmergencyMint)
	for _, tt := range []struct {
		cycle  wire.Cycle
		supply uint64
	}{{18, 10_500}, {19, 11_025}} {
		b.end(tt.cycle)
		b.Intervene(b.c, wire.InterventionKindEmergencyMint)
		if b.Total() != tt.supply {
			t.Errorf("supply %d after cycle %d, want %d", b.Total(), tt.cycle, tt.supply)
		}
	}
}

// The mean that the progressive tax compares with is rounded down, below zero too: of a sum
// of −15 ⚡ among eight agents it is −2, so that who has 8 ⚡ pays a tenth of 10.
func TestIntervention_ProgressiveTaxWithNegativeMean(t *testing.T) {
	b := newBench(t, 8)
	for i, debit := range []uint64{103, 103, 103, 103, 103, 103, 105, 92} {
		b.debit(i, debit)
	}
	b.end(1)
	b.Intervene(b.c, wire.InterventionKindProgressiveTax)
	b.balances(-3, -3, -3, -3, -3, -3, -5, 7)
}

func TestEscrow_IsRefundedAtItsDeadline(t *testing.T) {
	b := newBench(t, 8)
	last := b.rules.Calendar.Last(1)
	due := b.must(id(0), &wire.EscrowCreate{Amount: 10, Deadline: last}).Body.(*wire.EscrowCreateAck).EscrowID
	later := b.must(id(0), &wire.EscrowCreate{Amount: 10, Deadline: last + 1}).Body.(*wire.EscrowCreateAck).EscrowID
	b.end(1)
	b.CycleEnd(b.c)
	for id, want := range map[wire.Hash]wire.EscrowStatus{due: wire.EscrowStatusRefunded, later: wire.EscrowStatusLocked} {
		if e, _ := b.Escrow(id); e.Status != want {
			t.Errorf("escrow with deadline %d is %v after tick %d, want %v", e.Deadline, e.Status, last, want)
		}
	}
	if got := b.Available(id(0)); got != 89 {
		t.Errorf("available %d, want 100 less 10 and their tax of 1", got)
	}
}

func TestTransfer_LargestAmount(t *testing.T) {
	b := newBench(t, 8)
	b.refused(id(0), &wire.Transfer{To: id(1), Amount: math.MaxInt64, Kind: wire.TransferKindDirect}, codeQE, "funds")
	b.refused(id(0), &wire.Transfer{To: id(1), Amount: math.MaxInt64 + 1, Kind: wire.TransferKindDirect}, codeIR, "amount")
}
