package mint

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world"
)

// takeEvents returns the payloads of the events since the last call, with their origin.
func (b *bench) takeEvents() (out []string) {
	for _, e := range b.c.Events {
		out = append(out, fmt.Sprintf("%s %s %+v", e.Kind, e.Origin.Alias(), e.Payload))
	}
	b.c.Events = nil
	return out
}

// restored returns a bench whose Mint was restored from the rows of b.
func (b *bench) restored() *bench {
	b.t.Helper()
	two := newBench(b.t, len(b.roster.ids))
	two.Daemon, two.roster = New(b.rules), b.roster
	two.Attach(&world.Siblings{Nexus: two.roster})
	for _, r := range b.State().All() {
		if err := two.State().Load(r); err != nil {
			b.t.Fatal(err)
		}
	}
	two.Restored()
	return two
}

// An escrow whose money is still locked is not closed.
func TestClosed_NamesOutcomeOfEndedEscrow(t *testing.T) {
	for state, want := range map[string]wire.SubjectView{
		"LOCKED":          {},
		"bounty LOCKED":   {},
		"bounty DISPUTED": {},
		"RELEASED":        {Kind: "escrow", Status: "RELEASED", By: id(1)},
		"REFUNDED":        {Kind: "escrow", Status: "REFUNDED"},
	} {
		b := newBench(t, 8)
		e := b.escrowIn(state)
		if want.Kind != "" {
			want.ID = e
		}
		got, closed := b.Closed(e, id(0), 300)
		if d := cmp.Diff(want, got); d != "" || closed != (want.Kind != "") {
			t.Errorf("%s: %v %s", state, closed, d)
		}
	}
	if _, closed := newBench(t, 8).Closed(wire.Hash{9}, id(0), 300); closed {
		t.Error("an escrow that never was is closed")
	}
	b := newBench(t, 8)
	e := b.must(id(0), &wire.EscrowCreate{Amount: 5, Deadline: 900}).Body.(*wire.EscrowCreateAck).EscrowID
	b.must(id(0), &wire.EscrowRelease{EscrowID: e, Beneficiary: id(2)})
	if got, _ := b.Closed(e, id(0), 300); !got.By.IsZero() {
		t.Errorf("nobody was named, but it says %s", got.By.Alias())
	}
}

// The stake of a DEAD agent goes to the treasury, with an event.
func TestStake_OfDeadAgentGoesToTreasury(t *testing.T) {
	b := newBench(t, 8)
	b.roster.proposals[wire.Hash{5}] = wire.ProposalStatusOpen
	b.stake(0, 40, wire.StakeDirectionFor)
	b.stake(1, 30, wire.StakeDirectionFor)
	b.c.Events = nil
	b.end(1)
	b.die(id(0))
	first, ok := b.c.Events[0].Payload.(*wire.StakeResolvedEvent)
	if !ok || first.Agent != id(0) || first.Payout != -40 {
		t.Errorf("the first event is %+v", b.c.Events[0].Payload)
	}
	yes := true
	b.c.Deliveries = nil
	if got := b.ResolveStakes(b.c, wire.Hash{5}, &yes); len(got) != 1 || got[0] != id(1) {
		t.Errorf("stakes of %v are left", got)
	}
	if d := b.c.Deliveries; len(d) != 1 || d[0].To != id(1) || !d[0].Message.Body.(*wire.StakeResolve).Outcome {
		t.Errorf("delivered: %+v", d)
	}
	if acc, _ := b.Account(id(0)); acc.Balance != 0 || acc.Locked != 0 {
		t.Errorf("the dead has %+v", acc)
	}
	b.checkSupply()
}

// Nothing is kept of a settled stake.
func TestStakes_SettledOnesAreForgotten(t *testing.T) {
	b := newBench(t, 8)
	b.roster.proposals[wire.Hash{5}] = wire.ProposalStatusOpen
	b.stake(0, 40, wire.StakeDirectionFor)
	b.stake(1, 40, wire.StakeDirectionFor)
	b.end(1)
	b.ResolveStakes(b.c, wire.Hash{5}, nil)
	if len(b.stakes.byProposal) != 0 || len(b.stakes.byAgent) != 0 {
		t.Errorf("kept: %v, %v", b.stakes.byProposal, b.stakes.byAgent)
	}
}

// TestIntervene_EventHasTheAmountMoved: the event tells the sum of what moved.
func TestIntervene_EventHasTheAmountMoved(t *testing.T) {
	for kind, want := range map[wire.InterventionKind]uint64{
		wire.InterventionKindProgressiveTax: 280, // of 3,300, with a mean of 500
		wire.InterventionKindStimulus:       40,
		wire.InterventionKindDebtJubilee:    0,
		wire.InterventionKindEmergencyMint:  500,
	} {
		b := newBench(t, 8)
		if kind == wire.InterventionKindProgressiveTax {
			b.move(b.c, movement{from: Treasury, to: id(2), amount: 3_200, kind: wire.TransferKindGrant})
		}
		b.end(3)
		b.c.Events = nil
		b.Intervene(b.c, kind)
		last, ok := b.c.Events[len(b.c.Events)-1].Payload.(*wire.InterventionAppliedEvent)
		if !ok || last.Kind != kind || last.Amount != want {
			t.Errorf("%s: %+v, want %d ⚡", kind, b.c.Events[len(b.c.Events)-1].Payload, want)
		}
	}
	b := newBench(t, 8)
	b.move(b.c, movement{from: Treasury, to: id(2), amount: 4_800, kind: wire.TransferKindGrant})
	b.end(3)
	if b.Intervene(b.c, wire.InterventionKindProgressiveTax); b.Balance(id(2)) != 4_480 { // of 4,200 above the mean of 700
		t.Errorf("the richest is left with %d ⚡, want 4,480", b.Balance(id(2)))
	}
	b = newBench(t, 8)
	b.debit(0, 150)
	b.debit(1, 103)
	b.end(3)
	b.Intervene(b.c, wire.InterventionKindDebtJubilee)
	if x := b.c.Events[len(b.c.Events)-1].Payload.(*wire.InterventionAppliedEvent); x.Amount != 53 {
		t.Errorf("debts of %d ⚡ were forgiven, want 53", x.Amount)
	}
}

// Money that the treasury has locked is not paid out.
func TestStimulus_StopsAtFreeMoneyOfTreasury(t *testing.T) {
	b := newBench(t, 8)
	b.end(3)
	if r := b.Lock(b.c, Treasury, 4_988); r != nil {
		t.Fatal(r)
	}
	b.counters().Pool = 40
	b.Intervene(b.c, wire.InterventionKindStimulus)
	b.balances(105, 105, 100, 100)
	if b.pool() != 30 {
		t.Errorf("%d ⚡ are left in the pool, want 30", b.pool())
	}
}

// The event has the amount and the treasury's new balance.
func TestInflate_EmitsEventWithAmount(t *testing.T) {
	b := newBench(t, 8)
	b.end(1)
	b.c.Events = nil
	b.Inflate(b.c, 2)
	want := []string{fmt.Sprintf("inflation_applied %s %+v", Treasury.Alias(), &wire.InflationAppliedEvent{Epoch: 2, AmountMinted: 200, NewTreasuryBalance: 5_200})}
	if d := cmp.Diff(want, b.takeEvents()); d != "" {
		t.Error(d)
	}
	if acc, _ := b.Account(Treasury); acc.TotalEarned != 200 {
		t.Errorf("the treasury has earned %d ⚡, want 200", acc.TotalEarned)
	}
}

// Tax counts like any other payment to the treasury.
func TestTax_CountsAsEarnedByTreasury(t *testing.T) {
	b := newBench(t, 8)
	b.must(id(0), direct(id(1), 60))
	if acc, _ := b.Account(Treasury); acc.TotalEarned != 3 {
		t.Errorf("the treasury has earned %d ⚡, want 3", acc.TotalEarned)
	}
}

// The owner gets the amount back but not the fee. The treasury pays itself no fee.
func TestExpireEscrow_RefundsAmountWithEvent(t *testing.T) {
	b := newBench(t, 8)
	e := b.escrowIn("bounty LOCKED")
	b.c.Events = nil
	b.end(1)
	b.ExpireEscrow(b.c, e)
	if x, ok := b.c.Events[0].Payload.(*wire.EscrowRefundedEvent); !ok || x.EscrowID != e || x.Owner != id(0) || x.Amount != 40 {
		t.Errorf("%+v", b.c.Events[0].Payload)
	}
	b.balances(98)
	b.OpenEscrow(b.c, world.Escrow{ID: wire.Hash{8}, Owner: Treasury, Amount: 10, Tax: 1, Bounty: true})
	b.c.Events = nil
	if b.ExpireEscrow(b.c, wire.Hash{8}); len(b.c.Events) != 1 || b.Available(Treasury) != 5_002 {
		t.Errorf("%v, the treasury has %d ⚡", b.takeEvents(), b.Available(Treasury))
	}
}

// A disputed escrow is open until it is decided, and LOCKED again if it is reopened.
func TestDisputeEscrow_EmitsEventAndStaysOpenUntilDecided(t *testing.T) {
	b := newBench(t, 8)
	e := b.escrowIn("bounty LOCKED")
	b.c.Events = nil
	b.DisputeEscrow(b.c, e, id(1))
	if x, ok := b.c.Events[0].Payload.(*wire.EscrowDisputedEvent); !ok || x.EscrowID != e || x.Disputer != id(1) {
		t.Errorf("%+v", b.c.Events[0].Payload)
	}
	var parties []wire.AgentID
	b.Parties(b.c.Events[0], func(a wire.AgentID) { parties = append(parties, a) })
	if len(parties) != 1 || parties[0] != id(0) {
		t.Errorf("of a dispute hears %v, want the payer", parties)
	}
	if two := b.restored(); len(two.open[id(0)]) != 1 {
		t.Error("a disputed escrow is not open any more once Mint was restored")
	}
	b.ReopenEscrow(b.c, e)
	if x, _ := b.Escrow(e); x.Status != wire.EscrowStatusLocked {
		t.Errorf("reopened, it is %s", x.Status)
	}
	b.c.Events = nil
	b.ReleaseEscrow(b.c, e, id(1))
	parties = nil
	b.Parties(b.c.Events[0], func(a wire.AgentID) { parties = append(parties, a) })
	if len(parties) != 1 || parties[0] != id(0) {
		t.Errorf("of a release hears %v, want the payer", parties)
	}
	for _, call := range map[string]func(){
		"released twice":      func() { b.ReleaseEscrow(b.c, e, id(1)) },
		"disputed when over":  func() { b.DisputeEscrow(b.c, e, id(1)) },
		"one that never was":  func() { b.RefundEscrow(b.c, wire.Hash{99}) },
		"a dispute about one": func() { b.DisputeEscrow(b.c, wire.Hash{99}, id(1)) },
	} {
		if !panics(call) {
			t.Error("an escrow that is not open moved")
		}
	}
}

func panics(do func()) (did bool) {
	defer func() { did = recover() != nil }()
	do()
	return false
}

// The treasury holds, ends and is refunded what a DEAD agent had locked for bounties.
func TestLeave_TreasuryTakesOverBountyEscrows(t *testing.T) {
	b := newBench(t, 8)
	e := b.escrowIn("bounty LOCKED")
	b.end(1)
	b.die(id(0))
	if len(b.open[Treasury]) != 1 || len(b.open[id(0)]) != 0 {
		t.Errorf("the treasury has %d open escrows, the dead %d", len(b.open[Treasury]), len(b.open[id(0)]))
	}
	b.ReleaseEscrow(b.c, e, id(1))
	b.balances(0, 140)
	b.checkSupply()
}

// After a restore pairs and earnings count as before.
func TestRestored_PairsAndEarningsCountAsBefore(t *testing.T) {
	b := newBench(t, 8)
	b.UsePair(b.c, world.PairReward, id(1), id(0))
	b.UsePair(b.c, world.PairReward, id(2), id(0))
	b.UsePair(b.c, world.PairMerit, id(3), id(0))
	b.move(b.c, movement{from: id(1), to: id(0), amount: 9, kind: wire.TransferKindServiceFee})
	two := b.restored()
	if got := two.Approvers(id(0)); got != 5 || b.Approvers(id(0)) != 5 {
		t.Errorf("%d of 7 may still be heard, before %d, want 5", got, b.Approvers(id(0)))
	}
	if got := two.Earnings(id(0)); got != 9 {
		t.Errorf("it has earned %d ⚡, want 9", got)
	}
	for _, x := range []*bench{b, two} {
		x.end(16)
		x.forgetPairs(x.c)
		if got := x.Approvers(id(0)); got != 7 || len(x.rewardPairsTo) != 0 || len(x.byCycle) != 0 {
			t.Errorf("once the pairs are free, %d may be heard; kept: %v, %v", got, x.rewardPairsTo, x.byCycle)
		}
	}
}

// An agent that was paid comes later from then on. A reward of zero is not noted, and what the treasury cannot pay is
// forfeited.
func TestReward_PaidAmountLowersRankOfTheNext(t *testing.T) {
	b := newBench(t, 8)
	if b.AddReward(b.c, reward(1, 0, 0)) {
		t.Error("a reward of nothing was noted")
	}
	b.AddReward(b.c, reward(2, 0, 10))
	b.end(1)
	b.counters().Pool = 40
	b.Settle(b.c, 0, 0)
	if acc, _ := b.Account(id(0)); acc.Rewarded != 10 {
		t.Errorf("it had %d ⚡ by rewards, want 10", acc.Rewarded)
	}
	b.at(513)
	b.AddReward(b.c, reward(3, 0, 10))
	b.at(514)
	b.AddReward(b.c, reward(4, 1, 10))
	b.end(2)
	b.counters().Pool = 10
	b.Settle(b.c, 0, 0)
	b.balances(110, 110)
	b.AddReward(b.c, reward(5, 2, 10))
	b.end(3)
	if r := b.Lock(b.c, Treasury, uint64(b.Available(Treasury))-9); r != nil {
		t.Fatal(r)
	}
	b.counters().Pool = 40
	if r := b.Settle(b.c, 0, 0); r.RewardsForfeited != 10 || b.Balance(id(2)) != 100 {
		t.Errorf("the treasury paid what it has locked: %+v", r)
	}
}

// Rewards of one payee are paid by age, whatever their key.
func TestReward_OldestOfPayeeIsPaidFirst(t *testing.T) {
	b := newBench(t, 8)
	b.at(300)
	b.AddReward(b.c, reward(9, 0, 6))
	b.at(301)
	b.AddReward(b.c, reward(1, 0, 7))
	b.end(1)
	b.counters().Pool = 8
	b.Settle(b.c, 0, 0)
	b.balances(106)
}

// Gap bounties may take half of the pool, as far as the treasury can pay; the money comes back when they expire.
func TestTakeBudget_HalfOfThePoolForGapBounties(t *testing.T) {
	b := newBench(t, 8)
	b.end(1)
	b.FillPool()
	if b.pool() != 50 || !b.TakeBudget(b.c, 25) || b.TakeBudget(b.c, 1) || b.pool() != 25 {
		t.Errorf("the pool has %d ⚡ after half of 50 were taken", b.pool())
	}
	b.ReturnBudget(b.c, 10)
	b.end(2)
	if b.FillPool(); b.pool() != 45 {
		t.Errorf("the pool has %d ⚡, want 25, 10 of the treasury's and 10 that came back", b.pool())
	}
	if r := b.Lock(b.c, Treasury, 4_995); r != nil {
		t.Fatal(r)
	}
	if b.TakeBudget(b.c, 10) {
		t.Error("the treasury gave what it has locked")
	}
	if New(b.rules).TakeBudget(b.c, 1) {
		t.Error("a Mint without a supply gave something")
	}
}

// Bought storage is kept; an agent that bought none has none.
func TestStorage_BoughtIsPermanent(t *testing.T) {
	b := newBench(t, 8)
	buy := &wire.Transfer{To: Treasury, Amount: 2, Kind: wire.TransferKindResourceBuy, Memo: wire.ResourceMemoCodec.Append(nil, &wire.ResourceMemo{Resource: wire.ResourceStorage})}
	b.must(id(0), buy)
	b.end(5)
	if b.TakeExtra(b.c, id(0)) != 0 || b.TakeForgeTicks(b.c, id(0)) != 0 {
		t.Error("storage is ticks")
	}
	if b.Storage(id(0)) != 2*wire.BytesPerSpark || b.Storage(id(1)) != 0 {
		t.Errorf("%d and %d bytes", b.Storage(id(0)), b.Storage(id(1)))
	}
}

func TestPayService_FeeOfDeadOwnerGoesToTreasury(t *testing.T) {
	b := newBench(t, 8)
	b.roster.status[id(1)] = wire.StatusDead
	b.PayService(b.c, id(0), id(1), 20)
	if b.balances(79, 100); b.Balance(Treasury) != 5_021 {
		t.Errorf("the treasury has %d ⚡", b.Balance(Treasury))
	}
}

func TestMeasure_CountsTransactions(t *testing.T) {
	b := newBench(t, 8)
	b.must(id(0), direct(id(1), 5))
	var m world.Metrics
	if b.Measure(&m); m.TotalTransactions != b.Transactions() || m.TotalTransactions == 0 {
		t.Errorf("%d transactions, want %d", m.TotalTransactions, b.Transactions())
	}
}
