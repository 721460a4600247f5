package agent

import (
	"fmt"
	"math"

	"kingdom/goals"
	"kingdom/wire"
)

// CheckGenome reports what is wrong with a genome: an unknown role or a trait outside
// [0,1].
func CheckGenome(g *wire.Genome) error {
	if g.Role < wire.RoleGeneralist || g.Role > wire.RoleExplorer {
		return fmt.Errorf("check genome: unknown role %s", g.Role)
	}
	t := &g.Traits
	for _, f := range [...]struct {
		name  string
		value float32
	}{
		{"risk_tolerance", t.RiskTolerance},
		{"collaboration", t.Collaboration},
		{"depth_vs_breadth", t.DepthVsBreadth},
		{"quality_vs_speed", t.QualityVsSpeed},
	} {
		if v := float64(f.value); math.IsNaN(v) || v < 0 || v > 1 {
			return fmt.Errorf("check genome: trait %s is %v, must lie in [0,1]", f.name, f.value)
		}
	}
	return nil
}

// WeightsOf returns the priority weights that a genome gives.
func WeightsOf(g *wire.Genome) goals.Weights {
	t := &g.Traits
	return goals.WeightsOf(t.RiskTolerance, t.Collaboration, t.DepthVsBreadth, t.QualityVsSpeed)
}
