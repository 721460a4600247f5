package memory

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kingdom/wire"
)

const cycle = 256

func TestMarket_WageIsAverageIncomePerCycle(t *testing.T) {
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

func TestMarket_PriceFollowsTimeAndDemand(t *testing.T) {
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

func TestMarket_WantIsOfferedThreeTimes(t *testing.T) {
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

func TestMarket_AnsweredWantIsNotFunded(t *testing.T) {
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

func TestMarket_PeerIsThankedOncePerPeriod(t *testing.T) {
	var m Market
	friend, other := wire.AgentID{1}, wire.AgentID{2}
	m.Thanks.Add(wire.Hash{}, friend, 10, cycle)
	m.Thanks.Add(wire.Hash{}, friend, 11, cycle)
	if len(m.Thanks) != 1 {
		t.Fatalf("%d thanks for two answers of one peer", len(m.Thanks))
	}
	m.Thanks.MarkPaid(friend)
	if m.Thanks.NextUnpaid() != nil {
		t.Error("paid, and owed")
	}
	m.Thanks.Add(wire.Hash{}, friend, 10+cycle-1, cycle)
	m.Thanks.Add(wire.Hash{}, other, 12, cycle)
	if got := m.Thanks.NextUnpaid(); got == nil || got.Author != other {
		t.Errorf("owed %+v", got)
	}
	m.Thanks.MarkPaid(other)
	if m.Thanks.Add(wire.Hash{}, friend, 10+cycle, cycle); m.Thanks.NextUnpaid() == nil {
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
				m.Thanks.Add(wire.Hash{}, wire.AgentID(h), at, cycle)
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

func TestMarket_PriceGrowsWithSpareMoney(t *testing.T) {
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

// A want that is answered or funded already does not count.
func TestMarket_PriceFallsWithNumberOfWants(t *testing.T) {
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

func TestMarket_AveragePayPerKindOfWork(t *testing.T) {
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

// A claim within eight ticks lowers the margin by five percent, and each whole cycle without a claim raises it by ten,
// within fixed bounds. Later claims of the same bounty change nothing.
func TestMarket_MarginByTimeUntilClaim(t *testing.T) {
	for _, c := range []struct {
		name    string
		after   wire.Tick // from the creation to the claim
		expires bool      // nobody claims
		before  int64
		want    int64
	}{
		{"at once", 0, false, 0, -5},
		{"at the last tick of at once", 8, false, 0, -5},
		{"a tick later", 9, false, 0, 0},
		{"after a whole cycle", cycle, false, 0, 10},
		{"after three cycles", 4*cycle - 1, false, 0, 30},
		{"not claimed in two cycles", 2 * cycle, true, 0, 20},
		{"not below half", 1, false, -48, -50},
		{"not above three times", 9 * cycle, true, 150, 200},
	} {
		m := Market{Margin: c.before}
		m.Want(Want{Subject: thing(1)})
		m.BountyCreated(thing(1), thing(2), 1000)
		if c.expires {
			m.Expired(thing(2), 1000+c.after, cycle)
		} else {
			m.Claimed(thing(2), 1000+c.after, cycle)
			m.Claimed(thing(2), 1000+9*cycle, cycle) // by the next claimer
			m.Expired(thing(2), 1000+9*cycle, cycle)
		}
		if m.Margin != c.want {
			t.Errorf("%s: margin %d, want %d", c.name, m.Margin, c.want)
		}
	}
}

// TestMarket_OneBountyPerCycle: after a bounty was created the next waits for the next cycle, and while nobody has
// claimed it for longer.
func TestMarket_OneBountyPerCycle(t *testing.T) {
	var m Market
	m.Want(Want{Subject: thing(1), Since: 5})
	m.Want(Want{Subject: thing(2), Since: 0})
	if w := m.NextToFund(cycle+5, cycle); w == nil || w.Subject != thing(1) {
		t.Fatalf("first %+v, want what was noted first", w)
	}
	m.BountyCreated(thing(1), thing(9), cycle)
	m.Claimed(thing(9), cycle, cycle)
	if w := m.NextToFund(2*cycle, cycle); w != nil {
		t.Errorf("a second one in the same cycle: %+v", w)
	}
	m.CycleStart(0, true)
	if w := m.NextToFund(2*cycle, cycle); w == nil || w.Subject != thing(2) {
		t.Errorf("in the next cycle %+v", w)
	}
	m.BountyCreated(thing(2), thing(8), 2*cycle)
	m.CycleStart(0, true)
	m.Want(Want{Subject: thing(3)})
	if w := m.NextToFund(9*cycle, cycle); w != nil {
		t.Errorf("while one waits for a claim: %+v", w)
	}
	if w := m.WantOf(thing(8)); w == nil || w.Subject != thing(2) {
		t.Errorf("the want of a bounty is %+v", w)
	}
	if m.WantOf(wire.Hash{}) != nil || m.WantOf(thing(7)) != nil {
		t.Error("no bounty, or that of somebody else, has a want")
	}
	m.Completed(wire.Hash{})
	m.Completed(thing(8))
	if !m.HasWant(thing(1)) || m.HasWant(thing(2)) || !m.HasWant(thing(3)) {
		t.Errorf("one was met: %+v", m.Wants)
	}
}

// TestMarket_ExpiredBounty: after an answer, or for the third time, the want goes with its bounty.
func TestMarket_ExpiredBounty(t *testing.T) {
	for _, c := range []struct {
		name     string
		want     Want
		answered bool
		lost     bool
		stays    bool
	}{
		{"first", Want{}, false, false, true},
		{"answered meanwhile", Want{}, true, true, false},
		{"third", Want{Offers: 2}, false, true, false},
		{"third, for a program", Want{Offers: 2, Program: true}, false, true, true},
	} {
		var m Market
		c.want.Subject = thing(1)
		m.Want(c.want)
		m.BountyCreated(thing(1), thing(2), 0)
		if c.answered {
			m.Answered(thing(1))
		}
		lost := m.Expired(thing(2), cycle, cycle)
		if lost != c.lost || m.HasWant(thing(1)) != c.stays || m.WantOf(thing(2)) != nil {
			t.Errorf("%s: lost %v, want %v; still wanted %v", c.name, lost, c.lost, m.HasWant(thing(1)))
		}
	}
	if m := (Market{}); m.Expired(thing(2), cycle, cycle) || m.Margin != 0 {
		t.Error("somebody else's bounty expired")
	}
}

// Wants that were met without pay are evicted first, then those without an open bounty. If each has a bounty, the new
// want is not noted.
func TestMarket_WantsBeyondLimitEvictUnfundedOnes(t *testing.T) {
	var m Market
	m.Want(Want{Subject: thing(1)})
	if m.Want(Want{Subject: thing(1)}); len(m.Wants) != 1 {
		t.Errorf("noted twice: %+v", m.Wants)
	}
	for i := range byte(wantsMax) {
		m.Want(Want{Subject: thing(i + 1)})
		m.Want(Want{Subject: thing(i + 1), Offers: 7}) // noted already
		if i != 2 && i != 4 {
			m.BountyCreated(thing(i+1), thing(i+101), 0)
		}
	}
	m.Answered(thing(1)) // but its bounty is open
	m.Answered(thing(5))
	for _, c := range []struct{ add, gone byte }{{50, 5}, {51, 3}, {52, 50}} {
		m.Want(Want{Subject: thing(c.add)})
		if !m.HasWant(thing(c.add)) || m.HasWant(thing(c.gone)) || len(m.Wants) != wantsMax {
			t.Errorf("want %d: %d did not make room: %+v", c.add, c.gone, m.Wants)
		}
	}
	for _, w := range m.Wants {
		if w.Offers > 1 {
			t.Errorf("%+v was noted twice", w)
		}
		m.BountyCreated(w.Subject, thing(w.Subject[0]+100), 0)
	}
	if m.Want(Want{Subject: thing(60)}); m.HasWant(thing(60)) || len(m.Wants) != wantsMax {
		t.Errorf("each want has a bounty, and one more was noted: %+v", m.Wants)
	}
}

// If what looked like an answer is none, the want is open again, but not after a valid answer was read.
func TestMarket_InvalidAnswerReopensTheWant(t *testing.T) {
	var m Market
	m.Want(Want{Subject: thing(1)})
	is := func(name string, want Answers) {
		t.Helper()
		if got := m.Wants[m.findWant(thing(1))].Answers; got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	m.Unanswered(thing(1))
	is("nobody had answered", AnswersNone)
	m.Answered(thing(1))
	is("somebody answered", AnswersCame)
	m.Unanswered(thing(9))
	is("another question", AnswersCame)
	m.Unanswered(thing(1))
	is("it was none", AnswersNone)
	m.BountyCreated(thing(1), thing(2), 0)
	m.AnswerRead(thing(1))
	m.Unanswered(thing(1))
	m.Answered(thing(1))
	is("after one was read", AnswersRead)

	m.DropUnfunded(thing(1))
	is("a want with a bounty is not dropped as unfunded", AnswersRead)
	m.Want(Want{Subject: thing(3)})
	m.Want(Want{Subject: thing(4)})
	if m.DropUnfunded(thing(3)); m.HasWant(thing(3)) || !m.HasWant(thing(4)) {
		t.Errorf("one of two wants without a bounty dropped: %+v", m.Wants)
	}
	if m.Drop(thing(1)); m.HasWant(thing(1)) || !m.HasWant(thing(4)) {
		t.Errorf("one of two dropped: %+v", m.Wants)
	}
}

// TestMarket_Pledges: a payment is locked for the newest open question that names a peer, and only that peer gets it.
func TestMarket_Pledges(t *testing.T) {
	var m Market
	anna, bob := wire.AgentID{1}, wire.AgentID{2}
	if m.Unpledged() != nil {
		t.Error("nothing was asked")
	}
	m.Pledge(anna, thing(70))
	m.Want(Want{Subject: thing(1), Asked: bob})
	m.Want(Want{Subject: thing(2), Asked: anna})
	m.Want(Want{Subject: thing(3)})
	m.Want(Want{Subject: thing(4), Asked: anna, Answers: AnswersCame})
	m.Pledge(bob, thing(71)) // not whom the newest question names
	if w := m.Unpledged(); w == nil || w.Subject != thing(2) {
		t.Fatalf("to lock for: %+v", w)
	}
	m.Pledge(anna, thing(72))
	if got := m.Pledged(thing(2), anna); got != thing(72) {
		t.Errorf("locked for anna's answer: %x", got[:1])
	}
	if got := m.Pledged(thing(2), bob); !got.IsZero() {
		t.Errorf("bob's answer to the same question gets %x", got[:1])
	}
	if got := m.Pledged(thing(9), anna); !got.IsZero() {
		t.Errorf("an answer to something else gets %x", got[:1])
	}
	if w := m.Unpledged(); w == nil || w.Subject != thing(1) {
		t.Fatalf("next to lock for: %+v", w)
	}
	m.Pledge(bob, thing(73))
	if got := m.Pledged(thing(1), bob); got != thing(73) {
		t.Errorf("locked for bob's answer: %x", got[:1])
	}
	m.Want(Want{Subject: thing(5), Asked: anna})
	m.Pledge(anna, wire.Hash{}) // nothing is locked for it
	if w := m.Unpledged(); w != nil {
		t.Errorf("still to lock for: %+v", w)
	}
}

// TestMarket_Citations: an entry is noted once, and the oldest goes.
func TestMarket_Citations(t *testing.T) {
	var m Market
	for i := range byte(citedMax + 1) {
		m.Cite(thing(i))
		m.Cite(thing(i))
	}
	if len(m.Cited) != citedMax || m.Cites(thing(0)) || !m.Cites(thing(1)) || !m.Cites(thing(citedMax)) {
		t.Errorf("%d cited, from %x to %x", len(m.Cited), m.Cited[0][0], m.Cited[len(m.Cited)-1][0])
	}
}

// TestMarket_ThanksWithAnEscrow: what is locked is paid, pause or not; the newest four are kept.
func TestMarket_ThanksWithAnEscrow(t *testing.T) {
	var m Market
	friend := wire.AgentID{1}
	for i := range byte(thanksMax + 1) {
		m.Thanks.Add(thing(100+i), friend, 10, cycle)
	}
	if len(m.Thanks) != thanksMax || m.Thanks[0].Escrow != thing(101) {
		t.Errorf("%d thanks, oldest for answer %x", len(m.Thanks), m.Thanks[0].Escrow[0])
	}
	for i := range m.Thanks {
		m.Thanks[i].Paid = i > 0
	}
	if got := m.Thanks.NextUnpaid(); got == nil || got.Escrow != thing(101) {
		t.Errorf("the oldest alone is to pay, and next is %+v", got)
	}
	for i := range m.Thanks {
		m.Thanks[i].Paid = false
	}
	if got := m.Thanks.NextUnpaid(); got == nil || got.Escrow != thing(100+thanksMax) {
		t.Errorf("next to pay: %+v, want the newest", got)
	}
}

// TestMarket_ThanksWithAnEscrowArePaidOneByOne: what is locked for each of two answers of one author is paid for itself, and a
// tip to the same author pays neither.
func TestMarket_ThanksWithAnEscrowArePaidOneByOne(t *testing.T) {
	var m Market
	friend := wire.AgentID{1}
	m.Thanks.Add(wire.Hash{}, friend, 10, cycle)
	m.Thanks.Add(thing(101), friend, 11, cycle)
	m.Thanks.Add(thing(102), friend, 12, cycle)
	owed := func(what string, want ...wire.Hash) { // the escrows to pay, newest first
		t.Helper()
		var got []wire.Hash
		for i := len(m.Thanks) - 1; i >= 0; i-- {
			if !m.Thanks[i].Paid {
				got = append(got, m.Thanks[i].Escrow)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: owed %x, want %x", what, got, want)
		}
	}
	owed("nothing is paid", thing(102), thing(101), wire.Hash{})
	m.Thanks.MarkReleased(thing(102))
	owed("the newest is paid", thing(101), wire.Hash{})
	m.Thanks.MarkPaid(friend)
	owed("the tip is paid", thing(101))
	if got := m.Thanks.NextUnpaid(); got == nil || got.Escrow != thing(101) {
		t.Errorf("next to pay: %+v", got)
	}
	m.Thanks.MarkReleased(thing(103))
	owed("an escrow for something else", thing(101))
	m.Thanks.MarkReleased(thing(101))
	owed("all is paid")
}

// TestMarket_PaidThanksMakeRoomFirst: what is still to be paid is not dropped while something paid is there, however old it is.
func TestMarket_PaidThanksMakeRoomFirst(t *testing.T) {
	for _, c := range []struct {
		name string
		paid []byte // escrows of those paid before the fifth
		gone byte
	}{
		{"none is paid: the oldest goes", nil, 101},
		{"the oldest is paid", []byte{101}, 101},
		{"the second is paid", []byte{102}, 102},
		{"the newest is paid", []byte{104}, 104},
		{"two are paid: the older goes", []byte{103, 102}, 102},
	} {
		var m Market
		for i := range byte(thanksMax) {
			m.Thanks.Add(thing(101+i), wire.AgentID{i}, 10, cycle)
		}
		for _, e := range c.paid {
			m.Thanks.MarkReleased(thing(e))
		}
		m.Thanks.Add(thing(101+thanksMax), wire.AgentID{9}, 11, cycle)
		if gone := !slices.ContainsFunc(m.Thanks, func(x Thank) bool { return x.Escrow == thing(c.gone) }); !gone || len(m.Thanks) != thanksMax {
			t.Errorf("%s: kept %+v", c.name, m.Thanks)
		}
	}
}

// TestMarket_DurationIsAtLeastATick: a bounty that was paid in the tick of its claim was seen all the same, and its work is cheap.
func TestMarket_DurationIsAtLeastATick(t *testing.T) {
	m := Market{Wage: 2 * cycle}
	m.NoteDuration(0)
	if got := m.Price(cycle, 0); m.Duration != 1 || got != 2 {
		t.Errorf("work that took no time takes %v ticks and costs %d, want 1 and 2", m.Duration, got)
	}
	if m.NoteDuration(11); m.Duration != 3 { // 1 + (11−1)/5
		t.Errorf("after one that took 11 ticks: %v", m.Duration)
	}
}
