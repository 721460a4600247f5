package goals_test

import (
	"fmt"

	"kingdom/goals"
	"kingdom/wire"
)

// What a goal is worth depends on who has it and when: a careful smith and a daring
// explorer look at the same bounty.
func ExampleAppraisal_Priority() {
	deadline := wire.Tick(1000 + 128)
	goal := goals.New(wire.AgentID{1}, goals.LayerObjective, goals.SourceOpportunity, goals.Description{
		Kind: goals.KindClaimBounty, Text: "document three patterns", Reward: 60,
	}, 1000)
	goal.Deadline = &deadline

	for _, who := range []struct {
		role    wire.Role
		weights goals.Weights
	}{
		{wire.RoleCompilerSmith, goals.WeightsOf(0.3, 0.5, 0.2, 0.2)}, // risk, collaboration, breadth, speed
		{wire.RoleExplorer, goals.WeightsOf(0.9, 0.4, 0.7, 0.7)},
	} {
		a := goals.Appraisal{Tick: 1000, Balance: 100, Reputation: 0.5, Role: who.role, Weights: who.weights, Learning: &goals.Learning{}}
		t := a.Terms(&goal)
		fmt.Printf("%-14s urgency %.2f, reward %.2f, capability %.2f, novelty %.2f, social %.2f: priority %.3f\n",
			who.role, t.Urgency, t.Reward, t.Capability, t.Novelty, t.Social, a.Priority(&goal))
	}
	// Output:
	// COMPILER_SMITH urgency 0.75, reward 0.50, capability 0.75, novelty 1.00, social 0.38: priority 2.119
	// EXPLORER       urgency 0.75, reward 0.50, capability 0.50, novelty 1.00, social 0.38: priority 1.925
}
