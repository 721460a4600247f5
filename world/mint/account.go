package mint

import (
	"fmt"

	"kingdom/wire"
	"kingdom/world"
)

// Balance is a's balance, locked money included; 0 for unknown owners.
func (d *Daemon) Balance(a wire.AgentID) int64 {
	if acc := d.accounts.Get(a); acc != nil {
		return acc.Balance
	}
	return 0
}

// Account is a copy of a's account; ok is false if there is none.
func (d *Daemon) Account(a wire.AgentID) (acc Account, ok bool) {
	if p := d.accounts.Get(a); p != nil {
		return *p, true
	}
	return Account{}, false
}

// Total is the total supply in ⚡.
func (d *Daemon) Total() uint64 {
	if s := d.supply.Get(""); s != nil {
		return s.Total
	}
	return 0
}

// Transactions counts all movements of money ever.
func (d *Daemon) Transactions() uint64 { return d.transactions.Count() }

// Available is balance − locked; 0 for unknown owners.
func (d *Daemon) Available(a wire.AgentID) int64 {
	if acc := d.accounts.Get(a); acc != nil {
		return acc.available()
	}
	return 0
}

// Open creates an account holding balance ⚡ that are minted with it.
func (d *Daemon) Open(c *world.Context, a wire.AgentID, balance uint64) {
	if d.accounts.Get(a) != nil {
		panic(fmt.Sprintf("mint: account of %v opened twice", a))
	}
	d.accounts.Put(a, &Account{Owner: a, Balance: int64(balance), CreatedAt: c.Tick})
	if balance > 0 {
		d.counters().Total += balance
	}
	c.Emit(wire.SystemMint, wire.KindAccountCreated, origin(c, a),
		&wire.AccountCreatedEvent{Owner: a, InitialBalance: int64(balance)}, nil)
}

// Lock sets amount ⚡ of a's available money aside.
func (d *Daemon) Lock(_ *world.Context, a wire.AgentID, amount uint64) *world.Refusal {
	if !d.affords(a, amount) {
		return lacking
	}
	d.accounts.Edit(a).Locked += amount
	return nil
}

// Unlock takes amount ⚡ of a's locked money back. What a DEAD agent had locked is gone
// with the sweep, so nothing happens then.
func (d *Daemon) Unlock(_ *world.Context, a wire.AgentID, amount uint64) {
	if d.dead(a) {
		return
	}
	d.unlock(a, amount)
}

// PayLocked moves amount ⚡ of from's locked money, untaxed. All that a DEAD agent had went
// to the treasury, which therefore pays and takes in its place.
func (d *Daemon) PayLocked(c *world.Context, from, to wire.AgentID, amount uint64, kind wire.TransferKind) {
	if d.dead(from) {
		from = Treasury
	} else {
		d.unlock(from, amount)
	}
	if d.dead(to) {
		to = Treasury
	}
	if from == to {
		return
	}
	d.move(c, movement{from: from, to: to, amount: amount, kind: kind})
}

// Fee moves amount ⚡ of a's available money to the treasury, untaxed.
func (d *Daemon) Fee(c *world.Context, a wire.AgentID, amount uint64) *world.Refusal {
	if !d.affords(a, amount) {
		return lacking
	}
	d.move(c, movement{from: a, to: Treasury, amount: amount, kind: wire.TransferKindResourceBuy})
	return nil
}

var lacking = &world.Refusal{Category: wire.CategoryQuotaExceeded, Reason: "insufficient_funds"}

func (d *Daemon) affords(a wire.AgentID, amount uint64) bool {
	have := d.Available(a)
	return have >= 0 && amount <= uint64(have) && d.accounts.Get(a) != nil
}

func (d *Daemon) unlock(a wire.AgentID, amount uint64) {
	acc := d.accounts.Edit(a)
	if acc == nil || acc.Locked < amount {
		panic(fmt.Sprintf("mint: %d ⚡ of %v unlocked, which are not locked", amount, a))
	}
	acc.Locked -= amount
}

// counters is the supply record for writing; the first call creates it.
func (d *Daemon) counters() *Supply {
	if s := d.supply.Edit(""); s != nil {
		return s
	}
	s := &Supply{Interventions: make([]Intervention, len(wire.InterventionKind(0).EnumNames()))}
	d.supply.Put("", s)
	return s
}

func (d *Daemon) dead(a wire.AgentID) bool {
	s, ok := d.roster.Status(a)
	return ok && s == wire.StatusDead
}

// citizen is the account of an agent that is not DEAD, or nil.
func (d *Daemon) citizen(a wire.AgentID) *Account {
	if wire.IsSystem(a) || d.dead(a) {
		return nil
	}
	return d.accounts.Get(a)
}
