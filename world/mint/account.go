package mint

import (
	"fmt"
	"math"

	"kingdom/wire"
	"kingdom/world"
)

// ledger holds the accounts, the total supply and the chain of transactions.
type ledger struct {
	nexus        nexus
	supply       *world.Table[string, Supply]
	accounts     *world.Table[wire.AgentID, Account]
	transactions *world.Chain[Transaction]
	earned       *world.Table[string, Earned] // payee ‖ payer
	income       map[wire.AgentID]uint64      // index: Σ earned by payee
}

func (l *ledger) restore() {
	l.income = map[wire.AgentID]uint64{}
	l.earned.Each(func(k string, e *Earned) { l.income[wire.AgentID([]byte(k[:32]))] += e.Amount })
}

// Balance is a's balance, locked money included; 0 for unknown owners.
func (l *ledger) Balance(a wire.AgentID) int64 {
	if acc := l.accounts.Get(a); acc != nil {
		return acc.Balance
	}
	return 0
}

// Account is a copy of a's account; ok is false if there is none.
func (l *ledger) Account(a wire.AgentID) (acc Account, ok bool) {
	if p := l.accounts.Get(a); p != nil {
		return *p, true
	}
	return Account{}, false
}

// Total is the total supply in ⚡.
func (l *ledger) Total() uint64 {
	if s := l.supply.Get(""); s != nil {
		return s.Total
	}
	return 0
}

// Transactions counts all movements of money ever.
func (l *ledger) Transactions() uint64 { return l.transactions.Count() }

// Available is balance − locked; 0 for unknown owners.
func (l *ledger) Available(a wire.AgentID) int64 {
	if acc := l.accounts.Get(a); acc != nil {
		return acc.available()
	}
	return 0
}

// Open creates an account holding balance ⚡ that are minted with it.
func (l *ledger) Open(c *world.Context, a wire.AgentID, balance uint64) {
	if l.accounts.Get(a) != nil {
		panic(fmt.Sprintf("mint: account of %v opened twice", a))
	}
	l.accounts.Put(a, &Account{Owner: a, Balance: int64(balance), CreatedAt: c.Tick})
	if balance > 0 {
		l.counters().Total += balance
	}
	c.Emit(wire.SystemMint, wire.KindAccountCreated, c.Origin(wire.SystemMint, a),
		&wire.AccountCreatedEvent{Owner: a, InitialBalance: int64(balance)}, nil)
}

// CanLock refuses to lock amount ⚡ if a does not have them free.
func (l *ledger) CanLock(a wire.AgentID, amount uint64) *world.Refusal {
	if !l.mayGive(a, amount) {
		return l.refuseFreeFunds(a, amount)
	}
	return nil
}

// Lock locks amount ⚡ of a's free money.
func (l *ledger) Lock(_ *world.Context, a wire.AgentID, amount uint64) *world.Refusal {
	if r := l.CanLock(a, amount); r != nil {
		return r
	}
	l.accounts.Edit(a).Locked += amount
	return nil
}

// Unlock releases amount ⚡ of a's locked money. For a DEAD agent it does nothing, because the treasury has its money.
func (l *ledger) Unlock(_ *world.Context, a wire.AgentID, amount uint64) {
	if l.dead(a) {
		return
	}
	l.unlock(a, amount)
}

// PayLocked moves amount ⚡ of from's locked money, untaxed. If an agent is DEAD, its money went to the treasury,
// which therefore pays and receives in its place.
func (l *ledger) PayLocked(c *world.Context, from, to wire.AgentID, amount uint64, kind wire.TransferKind) {
	if l.dead(from) {
		from = Treasury
	} else {
		l.unlock(from, amount)
	}
	if l.dead(to) {
		to = Treasury
	}
	if from == to {
		return
	}
	l.move(c, movement{from: from, to: to, amount: amount, kind: kind, locked: true})
}

// Fee moves amount ⚡ of a's available money to the treasury, untaxed.
func (l *ledger) Fee(c *world.Context, a wire.AgentID, amount uint64) *world.Refusal {
	if !l.affords(a, amount) {
		return l.refuseFunds(a, amount)
	}
	l.move(c, movement{from: a, to: Treasury, amount: amount, kind: wire.TransferKindResourceBuy})
	return nil
}

// Debit moves amount ⚡ of a to the treasury, untaxed. The balance may become negative.
func (l *ledger) Debit(c *world.Context, a wire.AgentID, amount uint64) {
	l.move(c, movement{from: a, to: Treasury, amount: amount, kind: wire.TransferKindResourceBuy})
}

// CanPayService refuses a service call if the caller cannot pay the fee and the tax on it.
func (l *ledger) CanPayService(caller wire.AgentID, fee uint64) *world.Refusal {
	switch {
	case fee == 0:
		return nil
	case fee > math.MaxInt64 || !l.mayGive(caller, fee+Tax(fee)):
		return l.refuseFreeFunds(caller, fee+Tax(fee))
	}
	return nil
}

// PayService pays for a service call that CanPayService did not refuse. If the owner has died, the treasury gets the
// fee.
func (l *ledger) PayService(c *world.Context, caller, owner wire.AgentID, fee uint64) {
	if fee == 0 {
		return
	}
	if l.dead(owner) {
		owner = Treasury
	}
	l.move(c, movement{from: caller, to: owner, amount: fee, tax: Tax(fee), kind: wire.TransferKindServiceFee})
}

// reasonFunds is the reason of every refusal for lack of money.
const reasonFunds = "funds"

// refuseFunds returns the refusal of a payment for which a has too little available.
func (l *ledger) refuseFunds(a wire.AgentID, need uint64) *world.Refusal {
	return &world.Refusal{
		Category: wire.CategoryQuotaExceeded, Reason: reasonFunds,
		Details: []world.Detail{world.Have(uint64(max(0, l.Available(a)))), world.Need(need)},
	}
}

// refuseFreeFunds returns the refusal of an amount that a may not lock or pay to agents, see mayGive.
func (l *ledger) refuseFreeFunds(a wire.AgentID, need uint64) *world.Refusal {
	have := int64(0)
	if acc := l.accounts.Get(a); acc != nil {
		have = max(0, acc.free())
	}
	return &world.Refusal{
		Category: wire.CategoryQuotaExceeded, Reason: reasonFunds,
		Details: []world.Detail{world.Have(uint64(have)), world.Need(need)},
	}
}

// mayGive reports whether a has amount ⚡ that it may lock or pay to agents. What is left of a spawn grant can only be
// paid to the treasury.
func (l *ledger) mayGive(a wire.AgentID, amount uint64) bool {
	acc := l.accounts.Get(a)
	return acc != nil && acc.free() >= 0 && amount <= uint64(acc.free())
}

func (l *ledger) affords(a wire.AgentID, amount uint64) bool {
	have := l.Available(a)
	return have >= 0 && amount <= uint64(have) && l.accounts.Get(a) != nil
}

func (l *ledger) unlock(a wire.AgentID, amount uint64) {
	acc := l.accounts.Edit(a)
	if acc == nil || acc.Locked < amount {
		panic(fmt.Sprintf("mint: %d ⚡ of %v unlocked, which are not locked", amount, a))
	}
	acc.Locked -= amount
}

// counters returns the supply record for writing; the first call creates it.
func (l *ledger) counters() *Supply {
	if s := l.supply.Edit(""); s != nil {
		return s
	}
	s := &Supply{Interventions: make([]Intervention, len(wire.InterventionKind(0).EnumNames()))}
	l.supply.Put("", s)
	return s
}

func (l *ledger) dead(a wire.AgentID) bool {
	s, ok := l.nexus.Status(a)
	return ok && s == wire.StatusDead
}

// livingAccount returns the account of an agent that is not DEAD, or nil.
func (l *ledger) livingAccount(a wire.AgentID) *Account {
	if wire.IsSystem(a) || l.dead(a) {
		return nil
	}
	return l.accounts.Get(a)
}

// living returns the accounts of all agents that are not DEAD, agent ids ascending.
func (l *ledger) living() []*Account {
	agents := l.nexus.Living()
	out := make([]*Account, 0, len(agents))
	for _, a := range agents {
		if acc := l.accounts.Get(a); acc != nil {
			out = append(out, acc)
		}
	}
	return out
}
