package llm

import "fmt"

// Tier chooses the class of models for a thought. In MessagePack and in the store its number is the value minus one.
type Tier uint8

// The three tiers: strategic, standard, reflex.
const (
	Tier1 Tier = iota + 1
	Tier2
	Tier3
)

// String returns TIER_1, TIER_2 or TIER_3.
func (t Tier) String() string {
	switch t {
	case Tier1:
		return "TIER_1"
	case Tier2:
		return "TIER_2"
	case Tier3:
		return "TIER_3"
	default:
		return fmt.Sprintf("TIER(%d)", uint8(t))
	}
}

// ThinkContext is what decides the tier of a thought.
type ThinkContext struct {
	InvolvesNewDesign bool    // the top goal has no plan yet, or the action designs something
	CodeComplexity    float32 // [0,1]; 0 for goals that need no code
	IsRoutine         bool    // the same action succeeded at least 3 times in this cycle or in the one before
	IsSimpleDecision  bool    // a vote, a signal, or at most two affordances
}

// complexCode is the code complexity above which a thought is strategic.
const complexCode = 0.7

// Classify returns the tier of a thought (docs/AGENT.md, think tier).
func Classify(c ThinkContext) Tier {
	switch {
	case c.InvolvesNewDesign || c.CodeComplexity > complexCode:
		return Tier1
	case c.IsRoutine || c.IsSimpleDecision:
		return Tier3
	default:
		return Tier2
	}
}
