package goals

import (
	"math"
	"testing"

	"kingdom/wire"
	"kingdom/wire/action"
)

// The eight founders: role, traits (risk, collaboration, breadth, speed), and what the
// rules say follows from them.
var founders = []struct {
	role                              wire.Role
	risk, collab, breadth, speed      float32
	reward, capability, novel, social float64
	threshold                         float64
}{
	{wire.RoleCompilerSmith, 0.3, 0.5, 0.2, 0.2, 0.90, 0.90, 0.15, 0.25, 16},
	{wire.RoleCompilerSmith, 0.7, 0.3, 0.3, 0.6, 0.70, 0.85, 0.35, 0.15, 24},
	{wire.RoleLibrarian, 0.4, 0.7, 0.5, 0.3, 0.85, 0.75, 0.20, 0.35, 18},
	{wire.RoleLibrarian, 0.5, 0.6, 0.8, 0.4, 0.80, 0.60, 0.25, 0.30, 20},
	{wire.RoleArchitect, 0.3, 0.8, 0.4, 0.1, 0.95, 0.80, 0.15, 0.40, 16},
	{wire.RoleExplorer, 0.9, 0.4, 0.7, 0.7, 0.65, 0.65, 0.45, 0.20, 28},
	{wire.RoleGeneralist, 0.5, 0.5, 0.5, 0.5, 0.75, 0.75, 0.25, 0.25, 20},
	{wire.RoleGeneralist, 0.6, 0.6, 0.6, 0.4, 0.80, 0.70, 0.30, 0.30, 22},
}

func TestWeightsOf_Founders(t *testing.T) {
	for i, f := range founders {
		w := WeightsOf(f.risk, f.collab, f.breadth, f.speed)
		got := []float64{w.Urgency, w.Reward, w.Capability, w.Novelty, w.Social, CuriosityThreshold(f.risk)}
		want := []float64{1, f.reward, f.capability, f.novel, f.social, f.threshold}
		for j := range want {
			if math.Abs(got[j]-want[j]) > 1e-6 {
				t.Errorf("founder %d: weights %v, want %v", i+1, got, want)
				break
			}
		}
		for _, x := range got {
			if k := x * (1 << 20); k != math.Floor(k) {
				t.Errorf("founder %d: %v is not quantised", i+1, x)
			}
		}
	}
}

func TestAffinity(t *testing.T) {
	// LANGUAGE LIBRARY DOCUMENTATION DESIGN REVIEW EXPERIMENT ECONOMY GOVERNANCE SOCIAL
	want := map[wire.Role][9]float64{
		wire.RoleGeneralist:    {0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6},
		wire.RoleCompilerSmith: {1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.3, 0.3},
		wire.RoleLibrarian:     {0.5, 1, 1, 0.5, 0.5, 0.3, 0.3, 0.5, 0.5},
		wire.RoleArchitect:     {0.5, 0.5, 0.5, 1, 1, 0.3, 0.3, 0.5, 0.5},
		wire.RoleExplorer:      {0.5, 0.5, 0.3, 0.5, 0.5, 1, 0.5, 0.3, 0.5},
	}
	for role, row := range want {
		for i, w := range row {
			d := action.Domain(i + 1)
			if got := affinity(role, d); got != w {
				t.Errorf("affinity(%s, %s) = %v, want %v", role, d, got, w)
			}
		}
	}
}
