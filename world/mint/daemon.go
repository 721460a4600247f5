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

// Daemon is MINT_0. Its exported methods, which the realm and other daemons call, belong to parts that keep their own
// tables and indexes.
type Daemon struct {
	rules *world.Rules
	state *world.State

	*ledger
	escrows
	stakes
	purchases
	rewards
	*pairs
	policy
	upkeep
}

var (
	_ world.Daemon           = (*Daemon)(nil)
	_ world.Accounts         = (*Daemon)(nil)
	_ world.Escrows          = (*Daemon)(nil)
	_ world.Rewards          = (*Daemon)(nil)
	_ world.Pairs            = (*Daemon)(nil)
	_ world.AccountLifecycle = (*Daemon)(nil)
	_ world.MonetaryPolicy   = (*Daemon)(nil)
	_ world.Standing         = (*Daemon)(nil)
)

// New returns Mint before genesis.
func New(r *world.Rules) *Daemon {
	s := world.NewState(wire.SystemMint)
	l := &ledger{
		supply:       world.NewTable[string](s, "supply", supplyCodec),
		accounts:     world.NewTable[wire.AgentID](s, "accounts", accountCodec),
		transactions: world.NewChain(s, "transactions", transactionCodec, nil),
	}
	d := &Daemon{
		rules: r, state: s, ledger: l,
		escrows:   escrows{rules: r, ledger: l, table: world.NewTable[wire.Hash](s, "escrows", escrowCodec)},
		stakes:    stakes{ledger: l, table: world.NewTable[wire.Hash](s, "stakes", stakeCodec)},
		purchases: purchases{rules: r, table: world.NewTable[wire.AgentID](s, "purchases", purchasesCodec)},
		rewards:   rewards{rules: r, ledger: l, table: world.NewTable[string](s, "rewards", rewardCodec)},
		pairs:     newPairs(r, s),
		policy:    policy{ledger: l},
		upkeep:    upkeep{rules: r, ledger: l},
	}
	d.rewards.pairs = d.pairs
	l.earned = world.NewTable[string](s, "earned", earnedCodec)
	d.Restored()
	return d
}

// Attach gives Mint its siblings.
func (d *Daemon) Attach(s *world.Siblings) {
	d.ledger.nexus, d.pairs.kin = s.Nexus, s.Nexus.Kin
	d.escrows.code, d.escrows.forum, d.escrows.proofs = s.Vault, s.Agora, s.Proofs
}

// nexus is what Mint asks of Nexus.
type nexus interface {
	world.Roster
	world.Votes
	world.Milestones
}

// Restored rebuilds the indexes from the tables.
func (d *Daemon) Restored() {
	d.ledger.restore()
	d.escrows.restore()
	d.stakes.restore()
	d.rewards.restore()
	d.pairs.restore()
}

// System names the daemon.
func (d *Daemon) System() wire.System { return wire.SystemMint }

// State is Mint's hashed state.
func (d *Daemon) State() *world.State { return d.state }

// Apply carries out one request.
func (d *Daemon) Apply(c *world.Context, req any) wire.Reply {
	if refusal := world.CheckBounds(req); refusal != nil {
		return c.Relay(wire.SystemMint, refusal)
	}
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

func (d *Daemon) refuse(c *world.Context, cat wire.Category, reason string, details ...world.Detail) wire.Reply {
	return c.Refuse(wire.SystemMint, cat, reason, details...)
}

// invalidField refuses a request because of the value of a field. The field's name is the reason.
func (d *Daemon) invalidField(c *world.Context, field string, details ...world.Detail) wire.Reply {
	return d.refuse(c, wire.CategoryInvalidRequest, field, append(details, world.Field(field))...)
}
