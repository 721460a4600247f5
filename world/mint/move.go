package mint

import (
	"fmt"

	"kingdom/wire"
	"kingdom/world"
)

// The most ⚡ from one payer that count for an agent's reputation. It is less from agents, since friends can pay each other
// for nothing and pay it back later.
const (
	earningsPerSystem = 50
	earningsPerAgent  = 15
)

// countedEarnings returns the most ⚡ from a payer that count.
func countedEarnings(payer wire.AgentID) uint64 {
	if wire.IsSystem(payer) {
		return earningsPerSystem
	}
	return earningsPerAgent
}

// movement is a transaction that is to be carried out. If id is zero, move makes one.
type movement struct {
	id       wire.Hash
	from, to wire.AgentID
	amount   uint64
	tax      uint64 // on top, from the sender to the treasury
	kind     wire.TransferKind
	locked   bool // it was locked before, so it does not come from the earmarked money
	memo     []byte
	reason   string // why Mint moves it, if the kind does not tell
}

// Tax returns what the sender of a taxed payment pays on top: ⌊5 %⌋, at least 1 ⚡.
func Tax(amount uint64) uint64 { return max(1, amount/20) }

// move carries out a payment. The caller must have checked that the payer can afford it. It emits transfer_completed
// last.
func (l *ledger) move(c *world.Context, m movement) {
	from, to := l.accounts.Edit(m.from), l.accounts.Edit(m.to)
	if from == nil || to == nil {
		panic(fmt.Sprintf("mint: payment from %v to %v, one of which has no account", m.from, m.to))
	}
	paid := min(m.amount, uint64(max(0, from.unlocked()))) // the part that is covered; the rest becomes debt
	from.Balance -= int64(m.amount + m.tax)
	from.Owed = min(from.Owed, uint64(max(0, from.Balance)))
	from.TotalSpent += m.amount + m.tax
	to.Balance += int64(m.amount)
	to.TotalEarned += m.amount
	s := l.counters()
	if m.tax > 0 {
		treasury := l.accounts.Edit(Treasury)
		treasury.Balance += int64(m.tax)
		treasury.TotalEarned += m.tax
		s.Income += m.tax
	}
	switch agent := !wire.IsSystem(m.from); {
	case agent && m.to == Treasury:
		if !m.locked {
			from.Earmarked -= min(from.Earmarked, m.amount)
		}
		if !l.dead(m.from) && m.kind != wire.TransferKindGrant { // the money of the dead, and what an operator takes, are not income
			s.Income += paid
		}
	case agent && !wire.IsSystem(m.to):
		from.PaidAgents += m.amount
	}
	if m.kind != wire.TransferKindGrant {
		s.Transfers++
	}
	l.recordEarning(c, m)
	if m.id.IsZero() {
		m.id = c.InternalTx()
	}
	l.transactions.Append(&Transaction{
		ID: m.id, From: m.from, To: m.to, Amount: m.amount, Tax: m.tax, Kind: m.kind, Memo: m.memo, Tick: c.Tick, Reason: []byte(m.reason),
	})
	about := m.to
	if wire.IsSystem(about) {
		about = m.from
	}
	done := &wire.TransferCompletedEvent{TxID: m.id, From: m.from, To: m.to, Amount: m.amount, Tax: m.tax, Kind: m.kind}
	if m.reason != "" {
		reason := []byte(m.reason)
		done.Reason = &reason
	}
	if m.kind == wire.TransferKindDirect && len(m.memo) > 0 {
		if memo := []byte(wire.TextOf(m.memo)); len(memo) > 0 {
			done.Memo = &memo
		}
	}
	c.Emit(wire.SystemMint, wire.KindTransferCompleted, c.Origin(wire.SystemMint, about), done, nil)
}

// emitFailed emits transfer_failed for a payment that was not carried out.
func (l *ledger) emitFailed(c *world.Context, m movement, reason string) {
	if m.id.IsZero() {
		m.id = c.InternalTx()
	}
	about := m.to
	if wire.IsSystem(about) {
		about = m.from
	}
	c.Emit(wire.SystemMint, wire.KindTransferFailed, c.Origin(wire.SystemMint, about), &wire.TransferFailedEvent{
		TxID: m.id, From: m.from, To: m.to, Amount: m.amount, Reason: []byte(reason),
	}, nil)
}

// recordEarning records what counts as earned by work, and reports a trade between agents to Nexus as a milestone.
func (l *ledger) recordEarning(c *world.Context, m movement) {
	if m.kind != wire.TransferKindServiceFee && m.kind != wire.TransferKindBountyReward {
		return
	}
	if wire.IsSystem(m.to) {
		return
	}
	if !wire.IsSystem(m.from) && m.from != m.to {
		l.nexus.RecordMilestone(c, world.MilestoneCommerce)
	}
	if l.nexus.Kin(m.from, m.to) {
		return
	}
	k := pairKey(m.to, m.from)
	e := l.earned.Get(k)
	if e == nil {
		e = &Earned{}
		l.earned.Put(k, e)
	}
	if added := min(m.amount, countedEarnings(m.from)-e.Amount); added > 0 {
		l.earned.Edit(k).Amount += added
		l.income[m.to] += added
	}
}

// Earnings returns the ⚡ that a received as SERVICE_FEE and BOUNTY_REWARD, at most countedEarnings from each
// payer and nothing from kin, minus all that it ever paid to agents. So money that circulates among friends adds no
// reputation.
func (l *ledger) Earnings(a wire.AgentID) uint64 {
	if acc := l.accounts.Get(a); acc != nil {
		return l.income[a] - min(l.income[a], acc.PaidAgents)
	}
	return 0
}

// mintInto creates amount ⚡ in an account.
func (l *ledger) mintInto(a wire.AgentID, amount uint64) {
	acc := l.accounts.Edit(a)
	acc.Balance += int64(amount)
	acc.TotalEarned += amount
	l.counters().Total += amount
}

func pairKey(a, b wire.AgentID) string { return string(a[:]) + string(b[:]) }
