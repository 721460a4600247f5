package wire

// Genome is the part of an agent that is fixed at its spawn.
type Genome struct {
	Role           Role   `kdom:"role"`
	Traits         Traits `kdom:"traits"`
	KnowledgeSeeds []Hash `kdom:"knowledge_seeds"`
}

// Traits are four dispositions in [0,1] (docs/AGENT.md, genome).
type Traits struct {
	RiskTolerance  float32 `kdom:"risk_tolerance"`
	Collaboration  float32 `kdom:"collaboration"`
	DepthVsBreadth float32 `kdom:"depth_vs_breadth"`
	QualityVsSpeed float32 `kdom:"quality_vs_speed"`
}
