package mint

import (
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// TestEscrow_EveryActionInEveryState: of an escrow of agent 0 for agent 1 whose condition holds,
// and of a bounty's, before and after the deadline. What is refused changes nothing (bench.do).
func TestEscrow_EveryActionInEveryState(t *testing.T) {
	const (
		party, state, late = "not_party", "state", "deadline"
		released, refunded = "RELEASED", "REFUNDED"
	)
	release := func(e wire.Hash) any { return &wire.EscrowRelease{EscrowID: e, Beneficiary: id(1)} }
	refund := func(e wire.Hash) any { return &wire.EscrowRefund{EscrowID: e} }
	states := []string{"LOCKED", "LOCKED, after the deadline", released, refunded, "bounty LOCKED", "bounty DISPUTED"}
	for _, tc := range []struct {
		name string
		by   int
		req  func(e wire.Hash) any
		want [6]string // by state: the reason of the refusal, or the new status
	}{
		{"release by the owner", 0, release, [6]string{released, released, state, state, party, party}},
		{"release by the beneficiary", 1, release, [6]string{released, released, state, state, party, party}},
		{"release by another", 2, release, [6]string{party, party, party, party, party, party}},
		{"refund by the owner", 0, refund, [6]string{late, refunded, state, state, party, party}},
		{"refund by the beneficiary", 1, refund, [6]string{refunded, refunded, state, state, party, party}},
		{"refund by another", 2, refund, [6]string{party, party, party, party, party, party}},
	} {
		for i, s := range states {
			t.Run(tc.name+" when "+s, func(t *testing.T) {
				b := newBench(t, 8)
				e := b.escrowIn(s)
				got := ""
				if r := b.do(id(tc.by), tc.req(e)); r.Err != nil {
					got = string(r.Err.Message)
				} else {
					x, _ := b.Escrow(e)
					got = x.Status.String()
				}
				if got != tc.want[i] {
					t.Errorf("got %s, want %s", got, tc.want[i])
				}
			})
		}
	}
}

// Only an escrow that is LOCKED after its deadline and no bounty's is refunded.
func TestEscrow_CycleEndRefundsOnlyThoseDue(t *testing.T) {
	for state, want := range map[string]wire.EscrowStatus{
		"LOCKED":                     wire.EscrowStatusLocked, // its deadline is tick 600
		"LOCKED, after the deadline": wire.EscrowStatusRefunded,
		"RELEASED":                   wire.EscrowStatusReleased,
		"REFUNDED":                   wire.EscrowStatusRefunded,
		"bounty LOCKED":              wire.EscrowStatusLocked,
		"bounty DISPUTED":            wire.EscrowStatusDisputed,
	} {
		b := newBench(t, 8)
		e := b.escrowIn(state)
		b.end(b.rules.Calendar.Cycle(b.c.Tick))
		b.CycleEnd(b.c)
		x, _ := b.Escrow(e)
		if x.Status != want {
			t.Errorf("%s becomes %v, want %v", state, x.Status, want)
		}
		if ended := !x.open(); ended && len(x.Conditions) > 0 || !ended && !x.Bounty && len(x.Conditions) != 1 {
			t.Errorf("%s keeps %d conditions; they are needed until the end", state, len(x.Conditions))
		}
		b.checkSupply()
	}
}

// escrowIn makes an escrow in a state.
func (b *bench) escrowIn(state string) wire.Hash {
	b.t.Helper()
	if state == "bounty LOCKED" || state == "bounty DISPUTED" {
		to := id(1)
		e := world.Escrow{ID: wire.Hash{7}, Owner: id(0), Amount: 40, Tax: 2, Beneficiary: &to, Deadline: 257, Bounty: true}
		if r := b.OpenEscrow(b.c, e); r != nil {
			b.t.Fatal(r)
		}
		if state == "bounty DISPUTED" {
			b.DisputeEscrow(b.c, e.ID, id(1))
		}
		return e.ID
	}
	b.roster.proposals[wire.Hash{5}] = wire.ProposalStatusPassed
	e := b.locked(vote(wire.Hash{5})...)
	switch state {
	case "LOCKED, after the deadline":
		b.at(601)
	case "RELEASED":
		b.must(id(0), &wire.EscrowRelease{EscrowID: e, Beneficiary: id(1)})
	case "REFUNDED":
		b.must(id(1), &wire.EscrowRefund{EscrowID: e})
	}
	return e
}
