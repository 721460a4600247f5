package scenarios_test

import (
	"fmt"

	"kingdom/scenarios"
)

// A scenario comes by name or by path; overrides set single values. The digest names
// the resolved scenario: two that resolve alike are one.
func ExampleLoad() {
	s, err := scenarios.Load("epoch0")
	if err != nil {
		fmt.Println(err)
		return
	}
	digest := s.Digest()
	fmt.Println(s.Name, "has", s.Agents(), "agents and", s.Cycles, "cycles of", s.Time.TicksPerCycle, "ticks")

	if err := s.Override("time.ticks_per_cycle=128", "population[0].count=4"); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Name, "has", s.Agents(), "agents and", s.Cycles, "cycles of", s.Time.TicksPerCycle, "ticks")
	fmt.Println("the same scenario:", s.Digest() == digest)

	fmt.Println(s.Override("time.ticks_per_cycel=128"))
	// Output:
	// epoch0 has 8 agents and 50 cycles of 256 ticks
	// epoch0 has 11 agents and 50 cycles of 128 ticks
	// the same scenario: false
	// --set time.ticks_per_cycel=128: time.ticks_per_cycel: unknown key; did you mean time.ticks_per_cycle?
}
