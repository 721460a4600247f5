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
		{"hard code", ThinkContext{CodeComplexity: 0.71}, Tier1},
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

func TestSpent_AddsEveryCount(t *testing.T) {
	sum := Spent{1, 2, 3, 4, 5, 6, false}
	sum.Add(&Spent{10, 20, 30, 40, 50, 60, false})
	if want := (Spent{11, 22, 33, 44, 55, 66, false}); sum != want {
		t.Errorf("sum %+v, want %+v", sum, want)
	}
	for _, c := range [][2]bool{{true, false}, {false, true}, {true, true}} {
		s := Spent{Estimated: c[0]}
		if s.Add(&Spent{Estimated: c[1]}); !s.Estimated {
			t.Errorf("the sum of counts of which one is estimated, %v, is not", c)
		}
	}
}
