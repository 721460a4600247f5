package memory

import (
	"slices"

	"kingdom/det"
	"kingdom/wire"
)

// Bounds of a market; at each the oldest goes first.
const (
	wantsMax = 8
	citedMax = 16
	// WantOffers is how many bounties are created for one want.
	WantOffers = 3
)

// Changes and limits of the margin, in percent of the price.
const (
	marginMin  = -50
	marginMax  = 200
	marginUp   = 10 // for each cycle in which nobody claimed the bounty
	marginDown = 5  // when it was claimed at once
	// PromptClaimTicks is within how many ticks a claim of a bounty counts as immediate.
	PromptClaimTicks = 8
)

// Market is what an agent knows about prices, and what it would pay for. It is stored in the agent's state.
type Market struct {
	Wage         float64     `kdom:"wage"`   // ⚡ received per cycle, a moving average; quantised
	Cycles       uint32      `kdom:"cycles"` // 0 or 1: too early for a wage; 2: Wage is an average
	EarnedBefore uint64      `kdom:"before"` // ⚡ ever received when the running cycle began
	Duration     float64     `kdom:"span"`   // ticks from the claim of a bounty to its payment, a moving average; 0: no bounty was seen yet
	Margin       int64       `kdom:"margin"` // percent by which the own bounties pay more than the agent would offer first
	AveragePay   [2]float64  `kdom:"going"`  // by BountyWork: ⚡ paid for a bounty, a moving average; 0: none was seen yet
	Funded       bool        `kdom:"funded"` // a bounty was created in the running cycle
	Wants        []Want      `kdom:"wants"`  // oldest first
	Cited        []wire.Hash `kdom:"cited"`  // entries of others that own ones build on; oldest first
	Thanks       Thanks      `kdom:"thanks"`
}

// Want is something that an agent would pay for: an answer to its question, a correct entry in place of a wrong one,
// or a program.
type Want struct {
	Subject wire.Hash    `kdom:"s"` // the question or entry
	Words   []byte       `kdom:"x"` // what is asked, or the entry's title
	Author  wire.AgentID `kdom:"q"` // of the question or entry
	Since   wire.Tick    `kdom:"t"`
	Bounty  wire.Hash    `kdom:"b"` // bounty for it; zero: none at present
	SetAt   wire.Tick    `kdom:"a"` // when the newest one was set
	Offers  uint32       `kdom:"n"` // bounties set for it so far
	Claimed bool         `kdom:"c"` // somebody claimed the bounty
	Answers Answers      `kdom:"w"`
	Program bool         `kdom:"g"` // a program is wanted: the subject is the own repo that needs it
	Asked   wire.AgentID `kdom:"p"` // whom the question names; zero: nobody, or nothing is to be locked for it
	Escrow  wire.Hash    `kdom:"e"` // in which a pay is locked for it; zero: none
}

// Tuple makes the stored form a list.
func (Want) Tuple() {}

// Answers says whether a want was met without payment.
type Answers uint8

// Values of [Answers].
const (
	AnswersNone Answers = iota // nobody answered
	AnswersCame                // somebody did
	AnswersRead                // and it was read
)

// CycleStart starts a new cycle. earned is what the agent ever received; whole says that it was alive for all of the
// cycle that ended.
func (m *Market) CycleStart(earned uint64, whole bool) {
	m.Funded = false
	if whole && m.Cycles > 0 {
		got := float64(min(earned-min(m.EarnedBefore, earned), 1<<20))
		if m.Cycles == 1 {
			m.Wage = got
		} else {
			m.Wage = det.Quantise(m.Wage + float64(emaRate*(got-m.Wage)))
		}
	}
	if whole {
		m.Cycles = min(m.Cycles+1, 2)
	}
	m.EarnedBefore = earned
}

// NoteDuration notes how long a bounty took from its claim to its payment.
func (m *Market) NoteDuration(ticks wire.Tick) {
	took := float64(min(ticks, 1<<20))
	if m.Duration == 0 {
		m.Duration = max(took, 1)
		return
	}
	m.Duration = det.Quantise(m.Duration + float64(emaRate*(took-m.Duration)))
}

// spendShare is the part of what it can spare that an agent offers for what it wants, so that there is room to offer more
// when nobody takes it.
const spendShare = 0.5

// Price returns what the agent offers for a piece of work, at least 1 ⚡: what it earns itself in the time that such
// work takes or, if that is more, an equal part of what it spends on its wants; changed by the margin, by which it
// learns at which price others do the work.
func (m *Market) Price(ticksPerCycle, spare uint64) uint64 {
	cycles := 1.0
	if m.Duration > 0 {
		cycles = m.Duration / float64(ticksPerCycle)
	}
	spends := float64(float64(min(spare, 1<<20)) * spendShare)
	first := max(float64(m.Wage*cycles), spends/float64(max(m.countFundable(), 1)))
	price := float64(first * (1 + float64(m.Margin)/100))
	return uint64(max(price+0.5, 1))
}

// countFundable returns the number of wants for which a bounty may be created.
func (m *Market) countFundable() (n int) {
	for i := range m.Wants {
		if m.Wants[i].fundable() {
			n++
		}
	}
	return n
}

// fundable reports whether a bounty may be created for a want: nobody answered, no bounty is open, and fewer than
// WantOffers were created.
func (w *Want) fundable() bool {
	return w.Bounty.IsZero() && w.Answers == AnswersNone && w.Offers < WantOffers
}

// BountyWork is the kind of work that a bounty pays for.
type BountyWork uint8

// Values of [BountyWork].
const (
	BountyWorkEntry BountyWork = iota // an entry that states what was counted
	BountyWorkOther                   // programs and all else
)

// NotePay notes what somebody was paid for a kind of work.
func (m *Market) NotePay(s BountyWork, reward uint64) {
	got, old := float64(min(reward, 1<<20)), m.AveragePay[s]
	if old == 0 {
		old = got
	}
	m.AveragePay[s] = det.Quantise(old + float64(emaRate*(got-old)))
}

// Cost returns the value of a number of slots to the agent in ⚡, where budget is its slots per cycle.
func (m *Market) Cost(slots, budget uint64) float64 {
	return float64(m.Wage*float64(slots)) / float64(max(budget, slots))
}

// Want notes something wanted, unless it is noted already. At the limit a want on which nobody works is dropped,
// first one that was met without payment.
func (m *Market) Want(w Want) {
	if m.findWant(w.Subject) >= 0 {
		return
	}
	if len(m.Wants) >= wantsMax {
		i := slices.IndexFunc(m.Wants, func(w Want) bool { return w.Bounty.IsZero() && w.Answers != AnswersNone })
		if i < 0 {
			i = slices.IndexFunc(m.Wants, func(w Want) bool { return w.Bounty.IsZero() })
		}
		if i < 0 {
			return
		}
		m.Wants = slices.Delete(m.Wants, i, i+1)
	}
	m.Wants = append(m.Wants, w)
}

// HasWant reports whether something is noted as wanted.
func (m *Market) HasWant(subject wire.Hash) bool { return m.findWant(subject) >= 0 }

func (m *Market) findWant(subject wire.Hash) int {
	return slices.IndexFunc(m.Wants, func(w Want) bool { return w.Subject == subject })
}

// Cite notes an entry that an entry of the agent cites.
func (m *Market) Cite(entry wire.Hash) {
	if m.Cites(entry) {
		return
	}
	if len(m.Cited) >= citedMax {
		m.Cited = slices.Delete(m.Cited, 0, 1)
	}
	m.Cited = append(m.Cited, entry)
}

// Cites reports whether an entry of the agent cites another, as far as it remembers.
func (m *Market) Cites(entry wire.Hash) bool { return slices.Contains(m.Cited, entry) }

// Answered notes that somebody answered without payment, so that no bounty is created any more.
func (m *Market) Answered(subject wire.Hash) {
	if i := m.findWant(subject); i >= 0 && m.Wants[i].Answers == AnswersNone {
		m.Wants[i].Answers = AnswersCame
	}
}

// Unanswered notes that a message which was taken for an answer is not one.
func (m *Market) Unanswered(subject wire.Hash) {
	if i := m.findWant(subject); i >= 0 && m.Wants[i].Answers == AnswersCame {
		m.Wants[i].Answers = AnswersNone
	}
}

// AnswerRead notes that an answer was read, and reports whether it is the first. The want is met, except that a bounty
// for it goes on.
func (m *Market) AnswerRead(subject wire.Hash) bool {
	i := m.findWant(subject)
	if i < 0 || m.Wants[i].Answers == AnswersRead {
		return false
	}
	m.Wants[i].Answers = AnswersRead
	if m.Wants[i].Bounty.IsZero() {
		m.Wants = slices.Delete(m.Wants, i, i+1)
	}
	return true
}

// NextToFund returns the oldest want that has waited for so many ticks and for which a bounty may be created; nil if there
// is none. The agent has one bounty at a time without a claim, and creates one per cycle, so what it can be made to
// offer is limited whatever others do.
func (m *Market) NextToFund(now, patience wire.Tick) *Want {
	if m.Funded {
		return nil
	}
	var due *Want
	for i := range m.Wants {
		w := &m.Wants[i]
		if !w.Bounty.IsZero() && !w.Claimed {
			return nil
		}
		if due == nil && w.fundable() && w.Since+patience <= now {
			due = w
		}
	}
	return due
}

// BountyCreated notes that a bounty was created for a want.
func (m *Market) BountyCreated(subject, bounty wire.Hash, at wire.Tick) {
	if i := m.findWant(subject); i >= 0 {
		w := &m.Wants[i]
		w.Bounty, w.SetAt, w.Claimed = bounty, at, false
		w.Offers++
		m.Funded = true
	}
}

// WantOf returns the want for which a bounty of the agent was created, or nil.
func (m *Market) WantOf(bounty wire.Hash) *Want {
	if i := slices.IndexFunc(m.Wants, func(w Want) bool { return w.Bounty == bounty && !bounty.IsZero() }); i >= 0 {
		return &m.Wants[i]
	}
	return nil
}

// Claimed changes the margin by how long a bounty of the agent waited for its first claim.
func (m *Market) Claimed(bounty wire.Hash, at wire.Tick, ticksPerCycle uint64) {
	w := m.WantOf(bounty)
	if w == nil || w.Claimed {
		return
	}
	w.Claimed = true
	if at <= w.SetAt+PromptClaimTicks {
		m.adjust(-marginDown)
	} else {
		m.adjust(marginUp * cyclesOpen(w, at, ticksPerCycle))
	}
}

// Drop removes a want that cannot be met.
func (m *Market) Drop(subject wire.Hash) {
	m.Wants = slices.DeleteFunc(m.Wants, func(w Want) bool { return w.Subject == subject })
}

// Completed removes the want that a bounty has met.
func (m *Market) Completed(bounty wire.Hash) {
	m.Wants = slices.DeleteFunc(m.Wants, func(w Want) bool { return w.Bounty == bounty && !bounty.IsZero() })
}

// Expired raises the margin if nobody claimed a bounty of the agent. Another bounty may be created for the want,
// unless it was the last; lost reports that.
func (m *Market) Expired(bounty wire.Hash, at wire.Tick, ticksPerCycle uint64) (lost bool) {
	w := m.WantOf(bounty)
	if w == nil {
		return false
	}
	if !w.Claimed {
		m.adjust(marginUp * cyclesOpen(w, at, ticksPerCycle))
	}
	lost = w.Offers >= WantOffers || w.Answers != AnswersNone
	if lost && !w.Program {
		m.Completed(bounty)
		return true
	}
	w.Bounty, w.Claimed = wire.Hash{}, false // a want for a program stays without a bounty; else it would be added again
	return lost
}

// cyclesOpen returns how many whole cycles a bounty has been open.
func cyclesOpen(w *Want, at wire.Tick, ticksPerCycle uint64) int64 {
	return int64(uint64(at-min(w.SetAt, at)) / ticksPerCycle)
}

func (m *Market) adjust(percent int64) {
	m.Margin = min(max(m.Margin+percent, marginMin), marginMax)
}

// Unpledged returns the newest question that names a peer, has no answer, and for which nothing is locked; nil if
// there is none.
func (m *Market) Unpledged() *Want {
	for i := len(m.Wants) - 1; i >= 0; i-- {
		if w := &m.Wants[i]; !w.Asked.IsZero() && w.Escrow.IsZero() && w.Answers == AnswersNone {
			return w
		}
	}
	return nil
}

// Pledge notes the escrow in which a payment is locked for the peer whom a question of the agent names; a zero escrow
// means that none is.
func (m *Market) Pledge(peer wire.AgentID, escrow wire.Hash) {
	w := m.Unpledged()
	switch {
	case w == nil || w.Asked != peer:
	case escrow.IsZero():
		w.Asked = wire.AgentID{}
	default:
		w.Escrow = escrow
	}
}

// Pledged returns the escrow with the payment for an answer of a peer; zero if there is none.
func (m *Market) Pledged(question wire.Hash, peer wire.AgentID) (escrow wire.Hash) {
	if i := m.findWant(question); i >= 0 && m.Wants[i].Asked == peer {
		escrow = m.Wants[i].Escrow
	}
	return escrow
}

// DropUnfunded removes a want for which there is no bounty.
func (m *Market) DropUnfunded(subject wire.Hash) {
	m.Wants = slices.DeleteFunc(m.Wants, func(w Want) bool { return w.Subject == subject && w.Bounty.IsZero() })
}
