package realm_test

import (
	"fmt"

	"kingdom/wire"
	"kingdom/world/realm"
	"kingdom/world/worldtest"
)

// A realm is the daemons of one world wired together. Its bootstrap is cycle 0: eight
// agents are born, money is minted, channels are founded.
func ExampleRealm_Bootstrap() {
	rules := worldtest.Rules(8) // the defaults of the scenarios, seed 42
	r := realm.New(rules)
	boot := r.Bootstrap(worldtest.Eight(8))
	for _, id := range boot.Agents[:3] {
		balance, _ := r.Balance(id)
		fmt.Println(id.Alias(), r.Agent(id).Genome.Role, balance, "⚡")
	}
	fmt.Println("tick", boot.End.Tick, "epoch", boot.End.Epoch, "active", boot.End.Active, "supply", boot.End.Report.TotalSupply, "⚡")
	fmt.Println("world", boot.End.WorldHash)

	again := realm.New(rules).Bootstrap(worldtest.Eight(8))
	others := *rules
	others.Seed = wire.WorldSeed("43")
	other := realm.New(&others).Bootstrap(worldtest.Eight(8))
	fmt.Println("same seed, same world:", again.End.WorldHash == boot.End.WorldHash)
	fmt.Println("another seed, the same world:", other.End.WorldHash == boot.End.WorldHash)
	// Output:
	// e4de742b COMPILER_SMITH 100 ⚡
	// a85e8733 COMPILER_SMITH 100 ⚡
	// 5a6f860e LIBRARIAN 100 ⚡
	// tick 255 epoch 0 active 8 supply 10000 ⚡
	// world cb2a2fc0dd66f0e1de7e17fc4a92a0bec8d28c0b9d12d49ae10ad7f937e6d98b
	// same seed, same world: true
	// another seed, the same world: false
}
