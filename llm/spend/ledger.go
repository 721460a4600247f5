package spend

import (
	"context"
	"fmt"
	"sync"

	"kingdom/llm"
	"kingdom/wire"
)

// Caps limit what calls may cost, in millionths of a US dollar. A missing cap means no limit. With a cap of 0 only
// calls that cost nothing are made.
type Caps struct {
	Run   *uint64             // all calls together
	Agent *uint64             // the calls for one agent, for each alike
	Model map[string]uint64   // the calls to a model, by its name in the scenario
	Tier  map[llm.Tier]uint64 // the calls for thoughts of a tier
}

// Payer says to which agent, model and tier a call is charged.
type Payer struct {
	Agent wire.AgentID
	Model string
	Tier  llm.Tier
}

// Ledger is what a run has spent. It is safe for concurrent use.
type Ledger struct {
	caps Caps
	warn func(Warning)

	mu            sync.Mutex
	accounts      map[account]*balance
	overcharged   map[string]uint64 // by model: the most that a call cost which cost more than was reserved, in micro-dollars
	tally         Tally
	settledSignal chan struct{} // closed when a call is settled, so that waiting calls test again; nil while none waits
	next          uint64        // number of the next call
	file          *ledgerFile   // nil: nothing is kept
	err           error         // of the file, the first
}

// account is one thing that may have a cap: the run (zero but for kind), an agent, a model or
// a tier.
type account struct {
	kind  scope
	agent wire.AgentID
	name  string
	tier  llm.Tier
}

type scope uint8

const (
	scopeRun scope = iota + 1
	scopeAgent
	scopeModel
	scopeTier
)

// String names the account in messages.
func (a account) String() string {
	switch a.kind {
	case scopeAgent:
		return "agent " + a.agent.Alias()
	case scopeModel:
		return fmt.Sprintf("model %q", a.name)
	case scopeTier:
		return fmt.Sprintf("tier %d", a.tier)
	default:
		return "the run"
	}
}

// balance is what an account has spent (settled) and what calls under way may cost at most (reserved), in micro-dollars.
type balance struct {
	settled  uint64
	reserved uint64
	warned   int // the highest percentage of its cap that was warned of
}

// New returns a ledger without bookings. warn is called when 50 and 80 % of a cap are spent and when a cap refuses
// its first call; it must return at once. It may be nil.
func New(caps Caps, warn func(Warning)) *Ledger {
	if warn == nil {
		warn = func(Warning) {}
	}
	return &Ledger{caps: caps, warn: warn, accounts: map[account]*balance{}, overcharged: map[string]uint64{}, next: 1}
}

// Reservation is a call that may be made. It must be settled.
type Reservation struct {
	ledger *Ledger
	number uint64
	payer  Payer
	worst  llm.Spent
}

// Reserve reserves the most that a call can cost. It waits while only calls under way prevent this. The error is a
// [*CapError] if a cap forbids the call, or the error of the context or of the file. If a call to the model has cost more
// than was reserved for it, also before a resume, at least as much is reserved.
func (l *Ledger) Reserve(ctx context.Context, p Payer, worst llm.Spent) (*Reservation, error) {
	for {
		l.mu.Lock()
		worst.CostMicroUSD = max(worst.CostMicroUSD, l.overcharged[p.Model])
		fits, refused := l.fits(&p, worst.CostMicroUSD)
		if refused != nil {
			w, first := l.refuse(refused)
			l.mu.Unlock()
			if first {
				l.warn(w)
			}
			return nil, refused
		}
		if fits {
			r, err := l.reserve(p, worst)
			l.mu.Unlock()
			return r, err
		}
		if l.settledSignal == nil {
			l.settledSignal = make(chan struct{})
		}
		eased := l.settledSignal
		l.mu.Unlock()
		select {
		case <-eased:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// fits reports whether a call fits now. refused is not nil if it will never fit. The lock is held.
func (l *Ledger) fits(p *Payer, worst uint64) (fits bool, refused *CapError) {
	fits = true
	for _, a := range p.accounts() {
		limit, ok := l.capOf(a)
		if !ok {
			continue
		}
		b := l.balance(a)
		if b.settled+worst > limit {
			return false, &CapError{account: a, CapMicroUSD: limit, SpentMicroUSD: b.settled, CallMicroUSD: worst}
		}
		fits = fits && b.settled+b.reserved+worst <= limit
	}
	return fits, nil
}

// reserve books a call that fits. The lock is held.
func (l *Ledger) reserve(p Payer, worst llm.Spent) (*Reservation, error) {
	r := &Reservation{ledger: l, number: l.next, payer: p, worst: worst}
	if l.err == nil {
		l.err = l.file.reserve(r)
	}
	if l.err != nil {
		return nil, l.err
	}
	l.next++
	for _, a := range p.accounts() {
		l.balance(a).reserved += worst.CostMicroUSD
	}
	return r, nil
}

// Settle books what the call cost and releases the reservation.
func (r *Reservation) Settle(c *llm.Call) {
	l := r.ledger
	l.mu.Lock()
	for _, a := range r.payer.accounts() {
		l.balance(a).reserved -= r.worst.CostMicroUSD
	}
	warnings := l.book(r, c)
	if l.err == nil {
		l.err = l.file.settle(r.number, c)
	}
	if l.settledSignal != nil {
		close(l.settledSignal)
		l.settledSignal = nil
	}
	l.mu.Unlock()
	for _, w := range warnings {
		l.warn(w)
	}
}

// Err returns the first error of the file. After it no call is allowed.
func (l *Ledger) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// book counts a call. The lock is held.
func (l *Ledger) book(r *Reservation, c *llm.Call) (warnings []Warning) {
	p := &r.payer
	if c.CostMicroUSD > r.worst.CostMicroUSD {
		l.overcharged[p.Model] = max(l.overcharged[p.Model], c.CostMicroUSD)
	}
	for _, a := range p.accounts() {
		b := l.balance(a)
		b.settled += c.CostMicroUSD
		if w, ok := l.passedMark(a, b); ok {
			warnings = append(warnings, w)
		}
	}
	one := Total{Calls: 1, Spent: c.Spent}
	if c.Failure != "" {
		one.Failed = 1
	}
	l.tally.Add(p.Agent, p.Model, one)
	if c.Failure == Lost {
		l.tally.lost.add(&one)
	}
	return warnings
}

// Totals returns what was settled since the run began.
func (l *Ledger) Totals() Totals {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.tally.Totals()
}

// SetRunCap changes the cap of the run and writes it down, so that it also holds after a resume.
func (l *Ledger) SetRunCap(microUSD uint64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.setRunCap(microUSD)
	return l.file.budget(microUSD)
}

func (l *Ledger) setRunCap(microUSD uint64) {
	l.caps.Run = &microUSD
	l.balance(account{kind: scopeRun}).warned = 0
}

// accounts returns the accounts to which a call is charged, the run first.
func (p *Payer) accounts() [4]account {
	return [4]account{{kind: scopeRun}, {kind: scopeAgent, agent: p.Agent}, {kind: scopeModel, name: p.Model}, {kind: scopeTier, tier: p.Tier}}
}

// capOf returns the cap of an account, in micro-dollars. The lock is held.
func (l *Ledger) capOf(a account) (limit uint64, ok bool) {
	var p *uint64
	switch a.kind {
	case scopeRun:
		p = l.caps.Run
	case scopeAgent:
		p = l.caps.Agent
	case scopeModel:
		limit, ok = l.caps.Model[a.name]
	case scopeTier:
		limit, ok = l.caps.Tier[a.tier]
	}
	if p != nil {
		return *p, true
	}
	return limit, ok
}

func (l *Ledger) balance(a account) *balance {
	b := l.accounts[a]
	if b == nil {
		b = &balance{}
		l.accounts[a] = b
	}
	return b
}
