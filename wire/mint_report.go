package wire

// EconomyReport is the trigger that Nexus sends to Mint; the answer is [EconomicReport].
type EconomyReport struct {
	Cycle Cycle `kdom:"cycle"`
}

// EconomicReport describes the economy at a cycle end (docs/WORLD.md, Mint).
type EconomicReport struct {
	Cycle             Cycle    `kdom:"cycle"`
	TotalSupply       uint64   `kdom:"total_supply"`
	CirculatingSupply int64    `kdom:"circulating_supply"`
	TreasuryBalance   int64    `kdom:"treasury_balance"`
	TotalEscrow       uint64   `kdom:"total_escrow"`
	GiniCoefficient   float32  `kdom:"gini_coefficient"`
	Velocity          float32  `kdom:"velocity"`
	AvgBalance        float32  `kdom:"avg_balance"`
	MedianBalance     float32  `kdom:"median_balance"`
	TopEarners        []Earner `kdom:"top_earners"`
	BountiesCompleted uint32   `kdom:"bounties_completed"`
	BountiesOpen      uint32   `kdom:"bounties_open"`
	RewardsPaid       uint64   `kdom:"rewards_paid"`
	RewardsForfeited  uint64   `kdom:"rewards_forfeited"`
}

// Earner is a pair [agent, amount] of a report's top list.
type Earner struct {
	Agent  AgentID `kdom:"agent"`
	Amount uint64  `kdom:"amount"`
}

// Tuple marks the type as encoded like a list of its fields.
func (Earner) Tuple() {}
