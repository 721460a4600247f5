package engine_test

import (
	"context"
	"fmt"

	"kingdom/engine"
	"kingdom/llm/scripted"
	"kingdom/ooda"
	"kingdom/scenarios"
)

// A world in memory: a scenario, the offline mind, two cycles. With a run directory
// and a store in the options it would be kept, and could be resumed and replayed.
func ExampleStart() {
	sc, err := scenarios.Load("epoch0")
	if err != nil {
		fmt.Println(err)
		return
	}
	rules := sc.WorldRules()
	turn := ooda.DefaultRules(rules.Seed)
	turn.Calendar, turn.Gates = rules.Calendar, rules.Gates
	cfg := engine.Config{
		Name: sc.Name, ScenarioDigest: sc.Digest(), SeedText: string(sc.Seed),
		Rules: rules, Turn: turn, Genomes: sc.Genomes(rules.Seed), SignaturesLazy: true,
	}

	ctx := context.Background()
	e, err := engine.Start(ctx, cfg, engine.Options{Mind: scripted.New(rules.Seed, scripted.Knobs{})})
	if err != nil {
		fmt.Println(err)
		return
	}
	sum, err := e.Run(ctx, 2)
	if err != nil {
		fmt.Println(err)
	}
	if err := e.Close(); err != nil {
		fmt.Println(err)
	}
	fmt.Println(sum.Cycles, "cycles,", sum.Ticks, "ticks,", sum.AgentTicks, "slots,", sum.Agents.Active, "active")
	fmt.Println("world", sum.WorldHash)
	// Output:
	// 2 cycles, 768 ticks, 1024 slots, 8 active
	// world 6579d86e9ad0e5e8236d730e39e6b5952c041461d0755f385b17274a7874968e
}
