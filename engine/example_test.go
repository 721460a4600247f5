package engine_test

import (
	"context"
	"fmt"

	"kingdom/engine"
	"kingdom/llm/scripted"
	"kingdom/ooda"
	"kingdom/scenarios"
)

// epoch0 is the configuration of a world in memory.
func epoch0() (engine.Config, engine.Options, error) {
	sc, err := scenarios.Load("epoch0")
	if err != nil {
		return engine.Config{}, engine.Options{}, err
	}
	rules := sc.WorldRules()
	turn := ooda.DefaultRules(rules.Seed)
	turn.Calendar, turn.Gates = rules.Calendar, rules.Gates
	return engine.Config{
		Name: sc.Name, ScenarioDigest: sc.Digest(), SeedText: string(sc.Seed),
		Rules: rules, Turn: turn, Genomes: sc.Genomes(rules.Seed), SignaturesLazy: true,
	}, engine.Options{Mind: scripted.New(rules.Seed, scripted.Knobs{})}, nil
}

// A world in memory: a scenario, the offline mind, two cycles. With a run directory
// and a store in the options it would be kept, and could be resumed and replayed.
func ExampleStart() {
	cfg, opt, err := epoch0()
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	e, err := engine.Start(ctx, cfg, opt)
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
	// world c614f3f6b09777a433e1b4b79ea2a73c5197aecfa0ef2c14181315aafd18075f
}

// One agent alone: its first slot, its goals afterwards, and what it did.
func ExampleEngine_Runtime() {
	cfg, opt, err := epoch0()
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	e, err := engine.Start(ctx, cfg, opt)
	if err != nil {
		fmt.Println(err)
		return
	}
	id := e.Inspect().Agents[0].ID
	did, err := e.Runtime().Tick(ctx, id)
	if err != nil {
		fmt.Println(err)
		return
	}
	list, err := e.Runtime().Goals(ctx, id)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(did.Type, "of", len(list), "goals")
	if err := e.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// REPO_CREATE of 3 goals
}
