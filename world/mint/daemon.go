package mint

import (
	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// Treasury owns the account that takes taxes and pays rewards.
var Treasury = wire.SystemID(wire.SystemMint)

var (
	supplyCodec      = codec.New[Supply]()
	accountCodec     = codec.New[Account]()
	transactionCodec = codec.New[Transaction]()
	escrowCodec      = codec.New[Escrow]()
	stakeCodec       = codec.New[Stake]()
	purchasesCodec   = codec.New[Purchases]()
	rewardCodec      = codec.New[Reward]()
	pairCodec        = codec.New[Pair]()
	earnedCodec      = codec.New[Earned]()
)

// Daemon is MINT_0. It implements world.Daemon and world.Ledger.
type Daemon struct {
	rules    *world.Rules
	roster   world.Roster
	approved func(review wire.Hash) bool

	state        *world.State
	supply       *world.Table[string, Supply]
	accounts     *world.Table[wire.AgentID, Account]
	transactions *world.Chain[Transaction]
	escrows      *world.Table[wire.Hash, Escrow]
	stakes       *world.Table[wire.Hash, Stake]
	purchases    *world.Table[wire.AgentID, Purchases]
	rewards      *world.Table[string, Reward] // label ‖ subject
	pairs        *world.Table[string, Pair]   // approver ‖ beneficiary
	earned       *world.Table[string, Earned] // payee ‖ payer

	index
}

var (
	_ world.Daemon = (*Daemon)(nil)
	_ world.Ledger = (*Daemon)(nil)
)

// New returns Mint before genesis.
func New(r *world.Rules) *Daemon {
	s := world.NewState(wire.SystemMint)
	d := &Daemon{
		rules:        r,
		state:        s,
		supply:       world.NewTable[string](s, "supply", supplyCodec),
		accounts:     world.NewTable[wire.AgentID](s, "accounts", accountCodec),
		transactions: world.NewChain(s, "transactions", transactionCodec, nil),
		escrows:      world.NewTable[wire.Hash](s, "escrows", escrowCodec),
		stakes:       world.NewTable[wire.Hash](s, "stakes", stakeCodec),
		purchases:    world.NewTable[wire.AgentID](s, "purchases", purchasesCodec),
		rewards:      world.NewTable[string](s, "rewards", rewardCodec),
		pairs:        world.NewTable[string](s, "pairs", pairCodec),
		earned:       world.NewTable[string](s, "earned", earnedCodec),
	}
	d.index.clear()
	return d
}

// Attach gives Mint its siblings: the roster, and Agora's answer to whether a code
// review has an APPROVE (nil: no review has).
func (d *Daemon) Attach(roster world.Roster, approved func(review wire.Hash) bool) {
	d.roster, d.approved = roster, approved
}

// System names the daemon.
func (d *Daemon) System() wire.System { return wire.SystemMint }

// State is Mint's hashed state.
func (d *Daemon) State() *world.State { return d.state }

// Apply carries out one request.
func (d *Daemon) Apply(c *world.Context, req any) wire.Reply {
	switch q := req.(type) {
	case *wire.Transfer:
		return d.transfer(c, q)
	case *wire.BalanceQuery:
		return d.balanceQuery(c, q)
	case *wire.EscrowCreate:
		return d.escrowCreate(c, q)
	case *wire.EscrowRelease:
		return d.escrowRelease(c, q)
	case *wire.EscrowRefund:
		return d.escrowRefund(c, q)
	case *wire.StakeCreate:
		return d.stakeCreate(c, q)
	}
	return c.RefuseCode(wire.CodeUnknownType, wire.CategoryInvalidRequest, "unknown_type")
}

func (d *Daemon) refuse(c *world.Context, cat wire.Category, reason string) wire.Reply {
	return c.Refuse(wire.SystemMint, cat, reason)
}
