package world

import "kingdom/wire"

// Rules are the values of the scenario for one world. They never change during a run. docs/SCENARIOS.md has defaults
// and ranges.
type Rules struct {
	Seed           wire.Hash // world seed, 32 bytes
	Calendar       wire.Calendar
	Population     uint64 // n, the initial number of agents
	Gates          uint8  // gate profile: index into action.Row.Epoch (0 default, 1 strict, 2 open)
	Epoch          uint32 // epoch at genesis (0)
	BaseBudget     uint64 // ticks per agent and cycle (64)
	MaxExtra       uint64 // purchased ticks per agent and cycle (192)
	InitialBalance uint64 // ⚡ of each bootstrap agent (100)
	WakeAfter      uint64 // cycles a DORMANT agent sleeps before its TIMER wake (8); 0 = never
	AutoSpawn      bool   // keep at least min(4, n) living agents
	ClaimLimit     uint64 // open bounty claims per agent (2)
	ClaimLease     uint64 // cycles that a claim lasts at most without a submission in review (4)
	ClaimBar       uint64 // cycles without claims after one that ran out, failed or lost its dispute (8)
	PairCycles     uint64 // cycles in which a pair of agents counts once (DefaultPairCycles)
	AgoraText      uint64 // bytes of text that an agent may add to Agora in a cycle (65 536)
	OracleText     uint64 // the same for Oracle (131 072)
	Upkeep         uint64 // ⚡ that an ACTIVE agent pays at a cycle's end, as far as it has them (0)
	BudgetShare    uint64 // a cycle adds treasury/BudgetShare to the reward pool, beside what agents paid in (500)
	PopulationCap  uint64 // cap for governed spawns at epoch 0 (n); grows by 4·s per epoch, at most 64·s
	ChannelFee     uint64 // ⚡ (5)

	UpkeepWithinRewards bool // upkeep is due only while no more of it was taken than rewards were paid (false)

	PortalAllow    []DomainRule // domains that Portal may ask
	PortalBlock    []DomainRule // domains that it may not, whatever PortalAllow says
	PortalUnlisted bool         // it may ask domains of neither list

	// Balances are the ⚡ of single bootstrap agents, in spawn order; who is not among them has
	// InitialBalance.
	Balances []uint64
}

// DomainRule is a rule about a domain and those below it.
type DomainRule struct {
	Pattern  string // a host name in lower case
	Category string // of what is there
}

// Scale returns s = max(1, ⌈n/8⌉). World-wide caps and genesis amounts are multiples of it.
func (r *Rules) Scale() uint64 { return max(1, (r.Population+7)/8) }

// DefaultPairCycles returns the default of Rules.PairCycles for n agents: n, because more agents form more pairs, but
// at least 16 and at most 128.
func DefaultPairCycles(n uint64) uint64 { return min(max(n, 16), 128) }

// BalanceOf returns the initial balance in ⚡ of the i-th bootstrap agent in spawn order, from 0.
func (r *Rules) BalanceOf(i int) uint64 {
	if i < len(r.Balances) {
		return r.Balances[i]
	}
	return r.InitialBalance
}
