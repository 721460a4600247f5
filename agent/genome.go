package agent

import (
	"kingdom/goals"
	"kingdom/wire"
)

// WeightsOf returns the priority weights that a genome gives.
func WeightsOf(g *wire.Genome) goals.Weights {
	t := &g.Traits
	return goals.WeightsOf(t.RiskTolerance, t.Collaboration, t.DepthVsBreadth, t.QualityVsSpeed)
}
