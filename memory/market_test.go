package memory

import (
	"testing"

	"pgregory.net/rapid"

	"kingdom/wire"
)

const cycle = 256

func TestMarket_TheWageIsWhatACycleBrings(t *testing.T) {
	var m Market
	m.CycleStart(0, false) // born in the cycle that begins
	m.CycleStart(70, true) // an unusual one: what came before the first whole cycle is no wage
	if m.Wage != 0 || m.Price(cycle, 0) != 1 {
		t.Errorf("wage %v, price %d before a whole cycle was seen", m.Wage, m.Price(cycle, 0))
	}
	m.CycleStart(80, true)
	if m.Wage != 10 {
		t.Errorf("wage %v after a cycle that brought 10", m.Wage)
	}
	m.CycleStart(80, true)
	if m.Wage != 8 {
		t.Errorf("wage %v after one that brought nothing", m.Wage)
	}
	if got := m.Cost(8, 64); got != 1 {
		t.Errorf("8 of 64 slots cost %v", got)
	}
}

func TestMarket_ThePriceFollowsTimeAndDemand(t *testing.T) {
	m := Market{Wage: 10}
	question := wire.Hash{1}
	set := func(bounty byte, at wire.Tick) {
		m.Want(Want{Subject: question, Since: 0})
		m.BountyCreated(question, wire.Hash{bounty}, at)
	}
	for _, c := range []struct {
		name string
		do   func()
		want uint64
	}{
		{"a cycle's work, as nothing is known", func() {}, 10},
		{"half of one", func() { m.NoteDuration(cycle / 2) }, 5},
		{"longer again", func() { m.NoteDuration(3 * cycle) }, 10},
		{"claimed at once", func() { set(1, 100); m.Claimed(wire.Hash{1}, 108, cycle) }, 10}, // 9.5
		{"somebody else's is no matter", func() { m.Claimed(wire.Hash{9}, 999, cycle) }, 10},
		{"claimed in its first cycle", func() { m.Completed(wire.Hash{1}); set(2, 100); m.Claimed(wire.Hash{2}, 109, cycle) }, 10},
		{"never claimed in four", func() { m.Completed(wire.Hash{2}); set(3, 100); m.Expired(wire.Hash{3}, 100+4*cycle, cycle) }, 14}, // 13.5
	} {
		c.do()
		if got := m.Price(cycle, 0); got != c.want {
			t.Errorf("%s: price %d, want %d (margin %d, span %v)", c.name, got, c.want, m.Margin, m.Duration)
		}
	}
}

func TestMarket_AWantIsOfferedThreeTimes(t *testing.T) {
	t.Run("answer", func(t *testing.T) { offerThreeTimes(t, false) })
	t.Run("program", func(t *testing.T) { offerThreeTimes(t, true) }) // it is wanted on, and would be wanted anew
}

func offerThreeTimes(t *testing.T, program bool) {
	var m Market
	q := wire.Hash{1}
	m.Want(Want{Subject: q, Since: 10, Program: program})
	if m.NextToFund(10+cycle-1, cycle) != nil {
		t.Error("due before its time")
	}
	at := wire.Tick(10 + cycle)
	for i := byte(1); i <= WantOffers; i++ {
		w := m.NextToFund(at, cycle)
		if w == nil || w.Subject != q {
			t.Fatalf("offer %d: %+v is due", i, w)
		}
		m.BountyCreated(q, wire.Hash{0xB0, i}, at)
		if m.NextToFund(at, cycle) != nil {
			t.Error("two at once")
		}
		lost := m.Expired(wire.Hash{0xB0, i}, at+cycle, cycle)
		if lost != (i == WantOffers) {
			t.Errorf("offer %d: lost %v", i, lost)
		}
		m.CycleStart(0, true)
	}
	if w := m.NextToFund(at+9*cycle, cycle); w != nil || m.HasWant(q) != program || m.countFundable() != 0 {
		t.Errorf("still wanted: %+v", m.Wants)
	}
}

func TestMarket_WhatWasAnsweredIsNotPaidFor(t *testing.T) {
	var m Market
	q := wire.Hash{1}
	m.Want(Want{Subject: q, Since: 0})
	m.Answered(q)
	if m.NextToFund(10*cycle, cycle) != nil {
		t.Error("a bounty for what was answered")
	}
	if !m.AnswerRead(q) || m.AnswerRead(q) || m.AnswerRead(wire.Hash{2}) {
		t.Error("the first answer that is read serves, and no other")
	}
	m.Want(Want{Subject: q, Since: 0})
	m.BountyCreated(q, wire.Hash{9}, 1)
	if !m.AnswerRead(q) || m.AnswerRead(q) || m.WantOf(wire.Hash{9}) == nil {
		t.Error("one for which a bounty is set stays, and is served once")
	}
}

func TestMarket_APeerIsThankedOnceInAWhile(t *testing.T) {
	var m Market
	friend, other := wire.AgentID{1}, wire.AgentID{2}
	m.Thank(wire.Hash{1}, wire.Hash{}, friend, 10, cycle)
	m.Thank(wire.Hash{2}, wire.Hash{}, friend, 11, cycle)
	if len(m.Thanks) != 1 {
		t.Fatalf("%d thanks for two answers of one peer", len(m.Thanks))
	}
	m.MarkPaid(friend)
	if m.NextUnpaid() != nil {
		t.Error("paid, and owed")
	}
	m.Thank(wire.Hash{3}, wire.Hash{}, friend, 10+cycle-1, cycle)
	m.Thank(wire.Hash{4}, wire.Hash{}, other, 12, cycle)
	if got := m.NextUnpaid(); got == nil || got.Author != other {
		t.Errorf("owed %+v", got)
	}
	m.MarkPaid(other)
	if m.Thank(wire.Hash{5}, wire.Hash{}, friend, 10+cycle, cycle); m.NextUnpaid() == nil {
		t.Error("after the pause the peer is thanked again")
	}
}

// Whatever happens, lists keep to their bounds, and at most one own bounty waits for a claim.
func TestMarket_Bounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m Market
		at := wire.Tick(0)
		id := rapid.Custom(func(t *rapid.T) wire.Hash { return wire.Hash{rapid.Byte().Draw(t, "id") % 12} })
		for range rapid.IntRange(1, 200).Draw(t, "n") {
			at += wire.Tick(rapid.IntRange(0, 300).Draw(t, "ticks"))
			h := id.Draw(t, "h")
			switch rapid.IntRange(0, 8).Draw(t, "do") {
			case 0:
				m.CycleStart(uint64(at), true)
			case 1:
				m.Want(Want{Subject: h, Since: at})
			case 2:
				if w := m.NextToFund(at, cycle); w != nil {
					m.BountyCreated(w.Subject, wire.Hash{0xB0, byte(at)}, at)
				}
			case 3:
				m.Claimed(wire.Hash{0xB0, byte(rapid.Byte().Draw(t, "b"))}, at, cycle)
			case 4:
				for _, w := range m.Wants {
					m.Expired(w.Bounty, at, cycle)
					break
				}
			case 5:
				m.Answered(h)
			case 6:
				m.AnswerRead(h)
			case 7:
				m.Thank(h, wire.Hash{}, wire.AgentID(h), at, cycle)
			case 8:
				m.NoteDuration(at % 5000)
			}
			waiting := 0
			for _, w := range m.Wants {
				if !w.Bounty.IsZero() && !w.Claimed {
					waiting++
				}
			}
			if len(m.Wants) > wantsMax || len(m.Thanks) > thanksMax || waiting > 1 || m.Margin < marginMin || m.Margin > marginMax || m.Price(cycle, 0) < 1 {
				t.Fatalf("%+v", m)
			}
		}
	})
}

func TestMarket_WhoCanSpareMoreOffersMore(t *testing.T) {
	m := Market{Wage: 2}
	for _, c := range []struct{ spare, want uint64 }{{0, 2}, {4, 2}, {80, 40}} {
		if got := m.Price(cycle, c.spare); got != c.want {
			t.Errorf("with %d to spare: %d, want %d", c.spare, got, c.want)
		}
	}
	m.Margin = -50
	if got := m.Price(cycle, 80); got != 20 {
		t.Errorf("when all was claimed at once: %d, want 20", got)
	}
}

// TestMarket_WhoWantsMuchOffersLessForEach: what is answered, or paid for already, is wanted no more.
func TestMarket_WhoWantsMuchOffersLessForEach(t *testing.T) {
	m := Market{Wage: 1}
	price := func(want uint64) {
		t.Helper()
		if got := m.Price(cycle, 80); got != want {
			t.Errorf("of %d wants: %d, want %d", len(m.Wants), got, want)
		}
	}
	price(40)
	for i := byte(1); i <= 4; i++ {
		m.Want(Want{Subject: wire.Hash{i}})
	}
	price(10)
	m.Answered(wire.Hash{1})
	m.BountyCreated(wire.Hash{2}, wire.Hash{0xB0}, 0)
	price(20)
}

func TestMarket_WhatWorkOfASortGoesFor(t *testing.T) {
	var m Market
	m.NotePay(BountyWorkEntry, 10)
	m.NotePay(BountyWorkOther, 50)
	m.NotePay(BountyWorkEntry, 5)
	if m.AveragePay != [2]float64{9, 50} {
		t.Errorf("goes for %v", m.AveragePay)
	}
	for _, n := range []OfferNote{{}, {Measure: MeasureChannel}} {
		if want := n.Measure != 0; (n.Work() == BountyWorkEntry) != want {
			t.Errorf("%+v is of sort %v", n, n.Work())
		}
	}
}
