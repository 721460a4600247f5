package mint

import "kingdom/wire"

// Supply is the only record of table supply: the money in the world, and what Mint counts during a cycle.
type Supply struct {
	Total         uint64         `kdom:"total"`       // ⚡ in existence
	Pool          uint64         `kdom:"pool"`        // ⚡ that may be spent on rewards
	Gaps          uint64         `kdom:"gaps"`        // ⚡ of the pool that documentation bounties may still take at this cycle end
	Income        uint64         `kdom:"income"`      // ⚡ that agents paid into the treasury since the pool was last filled
	Transfers     uint64         `kdom:"transfers"`   // since the last report, grants not counted
	NetRewards    int64          `kdom:"net_rewards"` // ⚡ ever paid as rewards, minus those ever taken as upkeep
	Interventions []Intervention `kdom:"interventions"`
}

// Intervention is the state of one kind of intervention, in wire order of the kinds.
type Intervention struct {
	Proposal *wire.Hash  `kdom:"proposal"` // the last one proposed
	Applied  *wire.Cycle `kdom:"applied"`  // cycle of the last application
}

// Account is the money of one agent, of the treasury (MINT_0) or of the reserve
// (RESERVE_0). Locked money is part of the balance; a forced debit may make the balance
// negative.
type Account struct {
	Owner            wire.AgentID `kdom:"owner"`
	Balance          int64        `kdom:"balance"`
	Locked           uint64       `kdom:"locked"`
	TotalEarned      uint64       `kdom:"total_earned"`
	TotalSpent       uint64       `kdom:"total_spent"`
	CreatedAt        wire.Tick    `kdom:"created_at"`
	BankruptcyCycles uint32       `kdom:"bankruptcy_cycles"` // consecutive cycle ends below zero
	Earmarked        uint64       `kdom:"earmarked"`         // ⚡ left of a spawn grant: for the treasury's prices only
	PaidAgents       uint64       `kdom:"paid_agents"`       // ⚡ ever paid to other agents
	Rewarded         uint64       `kdom:"rewarded"`          // ⚡ ever received as rewards
	Owed             uint64       `kdom:"owed"`              // ⚡ of upkeep for which only locked money was there; at most the balance
}

// free returns the ⚡ that the owner may lock or pay to agents; it may be negative.
func (a *Account) free() int64 { return a.available() - int64(a.Earmarked) }

// available returns the ⚡ that are neither locked nor owed; it may be negative.
func (a *Account) available() int64 { return a.Balance - int64(a.Held()) }

// Held returns the ⚡ that the owner cannot spend: those that are locked, and those owed of the others.
func (a *Account) Held() uint64 { return a.Locked + min(a.Owed, uint64(max(0, a.unlocked()))) }

// unlocked returns the ⚡ that are not locked; it may be negative.
func (a *Account) unlocked() int64 { return a.Balance - int64(a.Locked) }

// Transaction is one payment.
type Transaction struct {
	ID     wire.Hash         `kdom:"id"`
	From   wire.AgentID      `kdom:"from"`
	To     wire.AgentID      `kdom:"to"`
	Amount uint64            `kdom:"amount"`
	Tax    uint64            `kdom:"tax"`
	Kind   wire.TransferKind `kdom:"kind"`
	Memo   []byte            `kdom:"memo"`
	Tick   wire.Tick         `kdom:"tick"`
	Reason []byte            `kdom:"reason"` // as in transfer_completed
}

// Escrow is the record of money locked for a beneficiary. Ended escrows are kept, without their conditions, so that a
// second release is refused because of the status.
type Escrow struct {
	ID          wire.Hash              `kdom:"id"`
	Owner       wire.AgentID           `kdom:"owner"`
	Amount      uint64                 `kdom:"amount"`
	Tax         uint64                 `kdom:"tax"`
	Beneficiary *wire.AgentID          `kdom:"beneficiary"`
	Conditions  []wire.EscrowCondition `kdom:"conditions"`
	Deadline    wire.Tick              `kdom:"deadline"`
	Bounty      bool                   `kdom:"bounty"`
	Status      wire.EscrowStatus      `kdom:"status"`
}

// lockedAmount returns the ⚡ that the owner has locked for e.
func (e *Escrow) lockedAmount() uint64 { return e.Amount + e.Tax }

// open reports whether the money is still locked.
func (e *Escrow) open() bool {
	return e.Status == wire.EscrowStatusLocked || e.Status == wire.EscrowStatusDisputed
}

// Stake is a bet on an open proposal; it is deleted when it is resolved.
type Stake struct {
	ID        wire.Hash           `kdom:"id"`
	Agent     wire.AgentID        `kdom:"agent"`
	Proposal  wire.Hash           `kdom:"proposal"`
	Amount    uint64              `kdom:"amount"`
	Direction wire.StakeDirection `kdom:"direction"`
}

// Purchases are what an agent has bought: storage for good, the rest for the cycle after
// the one named.
type Purchases struct {
	Cycle      wire.Cycle `kdom:"cycle"`
	Ticks      uint64     `kdom:"ticks"`
	ForgeTicks uint64     `kdom:"forge_ticks"`
	Storage    uint64     `kdom:"storage"` // bytes
}

// Reward is a payment noted for the end of the cycle. Settled ones are kept, so that nothing is rewarded twice.
type Reward struct {
	Payee   wire.AgentID `kdom:"payee"`
	Amount  uint64       `kdom:"amount"`
	Lamport uint64       `kdom:"lamport"` // place in the event log where it was earned
	Settled bool         `kdom:"settled"` // paid or forfeited
	Waited  uint8        `kdom:"waited"`  // cycle ends at which its payee had reached the cap
}

// Pair says when a pair of agents last counted.
type Pair struct {
	Cycle wire.Cycle `kdom:"cycle"`
}

// Earned is the amount that a payee has received from one payer for work, at most countedEarnings.
type Earned struct {
	Amount uint64 `kdom:"amount"`
}
