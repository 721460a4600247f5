package worldtest

import (
	"kingdom/wire"
	"kingdom/world"
)

// Rules are the defaults of a test world with n agents: those of the scenarios, with room for
// eight newcomers.
func Rules(n uint64) *world.Rules {
	return &world.Rules{
		Seed: wire.WorldSeed("42"), Calendar: wire.Calendar{TicksPerCycle: wire.DefaultTicksPerCycle}, Population: n,
		BaseBudget: 64, MaxExtra: 192, InitialBalance: 100, WakeAfter: 8, AutoSpawn: n >= 4,
		ClaimLimit: 2, ClaimLease: 4, ClaimBar: 8, PairCycles: world.DefaultPairCycles(n), AgoraText: 65_536, OracleText: 131_072, BudgetShare: 500, PopulationCap: n + 8, ChannelFee: 5,
		PortalAllow: world.DefaultAllow(), PortalBlock: world.DefaultBlock(),
	}
}

// Newcomer is an operator's request for an agent with a genome and the least fund.
func Newcomer(g wire.Genome) *wire.AgentSpawnReq {
	return &wire.AgentSpawnReq{Role: g.Role, InitialFund: 50, Parent: wire.SystemID(wire.SystemNexus), Genome: wire.GenomeCodec.Append(nil, &g)}
}

// Eight are the genomes of the epoch-0 population (docs/WORLD.md, bootstrap). Larger
// populations repeat them.
func Eight(n int) []wire.Genome {
	entry0, err := wire.ParseHash("2581660d31bbe31b165bdda939e15b422da7d8731fd97d336dac487184c20588")
	if err != nil {
		panic(err)
	}
	traits := [...]wire.Traits{
		{RiskTolerance: 0.3, Collaboration: 0.5, DepthVsBreadth: 0.2, QualityVsSpeed: 0.2},
		{RiskTolerance: 0.7, Collaboration: 0.3, DepthVsBreadth: 0.3, QualityVsSpeed: 0.6},
		{RiskTolerance: 0.4, Collaboration: 0.7, DepthVsBreadth: 0.5, QualityVsSpeed: 0.3},
		{RiskTolerance: 0.5, Collaboration: 0.6, DepthVsBreadth: 0.8, QualityVsSpeed: 0.4},
		{RiskTolerance: 0.3, Collaboration: 0.8, DepthVsBreadth: 0.4, QualityVsSpeed: 0.1},
		{RiskTolerance: 0.9, Collaboration: 0.4, DepthVsBreadth: 0.7, QualityVsSpeed: 0.7},
		{RiskTolerance: 0.5, Collaboration: 0.5, DepthVsBreadth: 0.5, QualityVsSpeed: 0.5},
		{RiskTolerance: 0.6, Collaboration: 0.6, DepthVsBreadth: 0.6, QualityVsSpeed: 0.4},
	}
	roles := [...]wire.Role{
		wire.RoleCompilerSmith, wire.RoleCompilerSmith, wire.RoleLibrarian, wire.RoleLibrarian,
		wire.RoleArchitect, wire.RoleExplorer, wire.RoleGeneralist, wire.RoleGeneralist,
	}
	out := make([]wire.Genome, n)
	for i := range out {
		out[i] = wire.Genome{Role: roles[i%8], Traits: traits[i%8], KnowledgeSeeds: []wire.Hash{entry0}}
	}
	return out
}
