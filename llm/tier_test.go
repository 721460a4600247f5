package llm

import "testing"

func TestClassify(t *testing.T) {
	for _, c := range []struct {
		name string
		ctx  ThinkContext
		want Tier
	}{
		{"nothing special", ThinkContext{}, Tier2},
		{"new design", ThinkContext{InvolvesNewDesign: true}, Tier1},
		{"design beats routine", ThinkContext{InvolvesNewDesign: true, IsRoutine: true, IsSimpleDecision: true}, Tier1},
		{"hard code", ThinkContext{CodeComplexity: 0.8}, Tier1},
		{"0.7 is not above 0.7", ThinkContext{CodeComplexity: 0.7}, Tier2},
		{"hard code beats simple", ThinkContext{CodeComplexity: 1, IsSimpleDecision: true}, Tier1},
		{"moderate code", ThinkContext{CodeComplexity: 0.5}, Tier2},
		{"routine", ThinkContext{IsRoutine: true}, Tier3},
		{"simple decision", ThinkContext{IsSimpleDecision: true}, Tier3},
		{"routine easy code", ThinkContext{CodeComplexity: 0.3, IsRoutine: true}, Tier3},
	} {
		if got := Classify(c.ctx); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
