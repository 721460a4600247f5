package mint

import (
	"math"
	"testing"

	"kingdom/wire"
)

// An operator moves what is there and nothing else; a refusal changes nothing.
func TestOperatorGrant(t *testing.T) {
	for _, c := range []struct {
		name   string
		amount int64
		to     wire.AgentID
		set    func(b *bench)
		want   string // reason of the refusal
		left   int64  // balance of agent 1
	}{
		{name: "grant", amount: 50, to: id(1), left: 150},
		{name: "take", amount: -50, to: id(1), left: 50},
		{name: "take all", amount: -100, to: id(1), left: 0},
		{name: "take more", amount: -101, to: id(1), want: "funds", left: 100},
		{name: "take what is locked", amount: -100, to: id(1), set: func(b *bench) { b.Lock(b.c, id(1), 1) }, want: "funds", left: 100},
		{name: "grant all of the treasury", amount: 5000, to: id(1), left: 5100},
		{name: "grant more than that", amount: 5001, to: id(1), want: "funds", left: 100},
		{name: "nothing", to: id(1), want: "amount", left: 100},
		{name: "no number", amount: math.MinInt64, to: id(1), want: "amount", left: 100},
		{name: "nobody", amount: 1, to: id(99), want: "account", left: 100},
		{name: "the reserve", amount: 1, to: wire.ReserveID, want: "account", left: 100},
		{name: "the dead", amount: 1, to: id(1), set: func(b *bench) { b.die(id(1)) }, want: "dead", left: 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, 2)
			if c.set != nil {
				c.set(b)
			}
			before, total, events := b.State().Hash(), b.Total(), len(b.c.Events)
			refusal := b.OperatorGrant(b.c, c.to, c.amount, 77)
			b.checkSupply()
			if got := b.Balance(id(1)); got != c.left || b.Total() != total {
				t.Errorf("balance %d and supply %d, want %d and %d", got, b.Total(), c.left, total)
			}
			if c.want != "" {
				if refusal == nil || refusal.Reason != c.want || b.State().Hash() != before || len(b.c.Events) != events {
					t.Errorf("refusal %+v, want %s and nothing changed", refusal, c.want)
				}
				return
			}
			if refusal != nil {
				t.Fatalf("refused: %+v", refusal)
			}
			kinds := b.c.Events[events:]
			e, ok := kinds[len(kinds)-1].Payload.(*wire.OperatorGrantEvent)
			if len(kinds) != 2 || !ok || *e != (wire.OperatorGrantEvent{Agent: c.to, Amount: c.amount, InputID: 77}) {
				t.Errorf("%d events, the last is %+v", len(kinds), kinds[len(kinds)-1].Payload)
			}
		})
	}
}

// What an operator takes is not income from agents, so rewards do not grow with it.
func TestOperatorGrant_NegativeIsNoIncome(t *testing.T) {
	b := newBench(t, 2)
	if refusal := b.OperatorGrant(b.c, id(0), -60, 1); refusal != nil {
		t.Fatal(refusal)
	}
	if got := b.supply.Get("").Income; got != 0 {
		t.Errorf("the treasury's income is %d, want 0", got)
	}
}
