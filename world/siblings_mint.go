package world

import "kingdom/wire"

// Escrow is money locked until a condition holds (docs/WORLD.md, Mint).
type Escrow struct {
	ID          wire.Hash
	Owner       wire.AgentID // agent, or the treasury's owner (MINT_0)
	Amount      uint64       // ⚡ to the beneficiary on release
	Tax         uint64       // ⚡ locked on top, to the treasury on release
	Beneficiary *wire.AgentID
	Conditions  []wire.EscrowCondition
	Deadline    wire.Tick
	Bounty      bool // released and refunded by AGORA_0 only; never expires before Agora decided
}

// Reward is a payment from the treasury. It is noted when it is earned, and settled at the end of the cycle.
type Reward struct {
	Label     string    // "review", "entry", "bug", "royalty", "vote"
	Subject   wire.Hash // what it is for; label ‖ subject is paid once
	Payee     wire.AgentID
	Amount    uint64         // ⚡
	Class     PairClass      // of the pairs; PairReward, or PairVote
	Approvers []wire.AgentID // each pair approver → payee must be unused
}

// Accounts is the part of Mint that keeps balances.
type Accounts interface {
	// Available is balance − locked; 0 for unknown owners.
	Available(a wire.AgentID) int64
	// CanLock refuses what Lock would refuse.
	CanLock(a wire.AgentID, amount uint64) *Refusal
	// Lock and Unlock set amount ⚡ of a's balance aside and back.
	Lock(c *Context, a wire.AgentID, amount uint64) *Refusal
	Unlock(c *Context, a wire.AgentID, amount uint64)
	// PayLocked moves amount ⚡ of from's locked money to to, untaxed.
	PayLocked(c *Context, from, to wire.AgentID, amount uint64, kind wire.TransferKind)
	// Fee moves amount ⚡ of a's available money to the treasury, untaxed.
	Fee(c *Context, a wire.AgentID, amount uint64) *Refusal
	// Debit moves amount ⚡ of a to the treasury, untaxed, whether it has them or not: the
	// balance may become negative.
	Debit(c *Context, a wire.AgentID, amount uint64)
	// CanPayService refuses a call of a service whose caller has not its fee and tax;
	// PayService pays them, as a SERVICE_FEE, and must be asked for before.
	CanPayService(caller wire.AgentID, fee uint64) *Refusal
	PayService(c *Context, caller, owner wire.AgentID, fee uint64)
}

// Escrows is the part of Mint that keeps money until a condition holds.
type Escrows interface {
	// OpenEscrow locks Amount + Tax of the owner.
	OpenEscrow(c *Context, e Escrow) *Refusal
	// ReleaseEscrow pays the beneficiary and the tax; as a BOUNTY_REWARD when Escrow.Bounty.
	ReleaseEscrow(c *Context, id wire.Hash, to wire.AgentID)
	// ExpireEscrow gives the amount back and the tax to the treasury.
	ExpireEscrow(c *Context, id wire.Hash)
	// DisputeEscrow freezes it; disputer is who asked.
	DisputeEscrow(c *Context, id wire.Hash, disputer wire.AgentID)
	// ReopenEscrow makes a disputed escrow LOCKED again.
	ReopenEscrow(c *Context, id wire.Hash)
}

// Rewards is the part of Mint that pays rewards at the end of a cycle.
type Rewards interface {
	// AddReward notes a reward; false when it was noted before or a pair is used up.
	AddReward(c *Context, r Reward) bool
	// ReturnBudget gives the reward of a bounty that was opened from the budget and expired
	// back to it.
	ReturnBudget(c *Context, amount uint64)
	// TakeBudget takes amount ⚡ out of the half of the reward pool that is for documentation
	// bounties; false when it holds less.
	TakeBudget(c *Context, amount uint64) bool
}

// Pairs is the part of Mint that remembers which agent's judgement has counted for which other agent. Rewards from
// the treasury and gains of reputation that depend on judgements need an unused pair: one agent's judgement about
// another counts once in Rules.PairCycles cycles, separately for each class.
type Pairs interface {
	// PairFree says whether from → to would count in cycle now. If not, until is the first
	// cycle in which it may, or 0 if it never does: kin, an agent with itself, systems.
	PairFree(class PairClass, from, to wire.AgentID, now wire.Cycle) (free bool, until wire.Cycle)
	// UsePair uses a pair up; false if it does not count, and then nothing has changed.
	UsePair(c *Context, class PairClass, from, to wire.AgentID) bool
}

// PairClass is the kind of judgement for which a pair of agents counts. Each class has pairs of its own, so that a
// verdict in one does not use up the pair in another. The numbers are part of stored keys.
type PairClass uint8

// The classes.
const (
	PairReward PairClass = iota // approver → payee of a reward
	PairVote                    // author of a proposal → voter; systems count as authors
	PairMerit                   // who used or reviewed a work → its author
	PairVerify                  // verifier → author of an entry
	PairJudge                   // reviewer of a bounty → claimer
	PairPeer                    // peer reviewer → author of an entry
	PairAsk                     // who wants an answer → who asked
	PairBug                     // owner of a repo → who approved the faulty snap
)

// AccountLifecycle is the part of Mint that is used when an agent is spawned or dies.
type AccountLifecycle interface {
	// Open creates an account holding balance ⚡ that was minted with it (genesis)
	// or 0.
	Open(c *Context, a wire.AgentID, balance uint64)
	// Grant pays a newcomer 100 earmarked ⚡ from the reserve; returns what was paid, 0 or 100.
	Grant(c *Context, to wire.AgentID) uint64
	// Sweep moves all that a DEAD agent owns to the treasury.
	Sweep(c *Context, dead wire.AgentID)
}

// MonetaryPolicy is the part of Mint that is used after a vote or a change of epoch.
type MonetaryPolicy interface {
	// ResolveStakes settles the stakes on a proposal: passed, failed, or expired (outcome nil).
	// It returns who had staked, ascending, each once.
	ResolveStakes(c *Context, proposal wire.Hash, outcome *bool) []wire.AgentID
	// Inflate mints ⌊2 %⌋ of the supply into the treasury at an epoch change.
	Inflate(c *Context, epoch uint32)
	// Intervene carries out a passed intervention.
	Intervene(c *Context, kind wire.InterventionKind)
}

// Standing is the part of Mint that knows what decides an agent's budget and reputation.
type Standing interface {
	// Insolvent is the count of consecutive cycle ends with a negative balance, 0 to
	// InsolventFatal.
	Insolvent(a wire.AgentID) uint32
	// TakeExtra returns and clears the ticks a bought for the coming cycle.
	TakeExtra(c *Context, a wire.AgentID) uint64
	// Earnings is the ⚡ received as SERVICE_FEE and BOUNTY_REWARD, at most 15 from each agent and 50 from each system
	// that is no kin, less all ⚡ ever paid to agents.
	Earnings(a wire.AgentID) uint64
}

// Purchases is the part of Mint that knows what an agent has bought besides ticks.
type Purchases interface {
	// Storage is the bytes of storage that a has bought, beside what everybody has.
	Storage(a wire.AgentID) uint64
	// TakeForgeTicks returns and clears the forge ticks that a bought in the cycle that ends, for
	// the next one.
	TakeForgeTicks(c *Context, a wire.AgentID) uint64
}

// Thresholds of the bankruptcy counter (docs/WORLD.md, bankruptcy), in consecutive cycle ends
// with a negative balance: below InsolventSevere an agent gets a warning and half its budget,
// from InsolventSevere on a quarter, at InsolventFatal it dies.
const (
	InsolventSevere = 4
	InsolventFatal  = 5
)
