package realm_test

import (
	"fmt"
	"strings"
	"testing"

	"kingdom/internal/golden"
	"kingdom/wire"
	"kingdom/world/realm"
	"kingdom/world/worldtest"
)

// TestBootstrap_Golden pins cycle 0 of the epoch-0 population: every event with its
// id, and the hashes. A change here changes every world.
func TestBootstrap_Golden(t *testing.T) {
	var b strings.Builder
	for _, seed := range []string{"42", "43"} {
		rules := worldtest.Rules(8)
		rules.Seed = wire.WorldSeed(seed)
		r := realm.New(rules)
		boot := r.Bootstrap(worldtest.Eight(8))
		fmt.Fprintf(&b, "seed %s\nworld %v\n", seed, boot.End.WorldHash)
		for i, h := range boot.End.Components {
			fmt.Fprintf(&b, "%v %v\n", wire.System(i+1), h)
		}
		for _, a := range boot.Agents {
			fmt.Fprintf(&b, "agent %v\n", a)
		}
		for _, e := range r.TakeEvents() {
			fmt.Fprintf(&b, "event %d %#x %v %v\n", e.Timestamp, e.ID.Lamport&0xFFFFFFFF, e.Kind, e.Origin.Alias())
		}
	}
	golden.File(t, "testdata/cycle0.golden", b.String())
}

func TestBootstrap_Amounts(t *testing.T) {
	for n, supply := range map[int]uint64{8: 10_000, 64: 80_000} {
		_, boot := start(n, 0)
		if got := boot.End.Report.TotalSupply; got != supply {
			t.Errorf("%d agents: supply %d ⚡, want %d", n, got, supply)
		}
		if e := boot.End; e.Active != uint32(n) || e.Tick != 255 || e.TotalTicks != 0 || e.Components[1] == (wire.Hash{}) || e.Components[4] == (wire.Hash{}) {
			t.Errorf("%d agents: end of cycle 0 is %+v", n, e)
		}
	}
}

func TestBootstrap_AgentIDsAreDerivedFromKeys(t *testing.T) {
	r, boot := start(8, 0)
	for i, a := range boot.Agents {
		x := r.Agent(a)
		if want := wire.AgentIDAt(r.Rules().Seed, uint64(i+1)); a != want || x.SpawnIndex != uint64(i+1) || wire.IDOf(x.PublicKey) != a {
			t.Errorf("agent %d is %v with index %d, want %v", i+1, a, x.SpawnIndex, want)
		}
	}
}

func TestBootstrap_PanicsIfCycleIsTooShort(t *testing.T) {
	rules := worldtest.Rules(8)
	rules.Calendar.TicksPerCycle = 92
	if end := realm.New(rules).Bootstrap(worldtest.Eight(8)).End; end.Tick != 91 {
		t.Errorf("cycle 0 of 92 ticks ends at %d, want 91", end.Tick)
	}
	defer func() {
		if recover() == nil {
			t.Error("a cycle of 91 ticks has no room for the Big Bang but was accepted")
		}
	}()
	rules.Calendar.TicksPerCycle = 91
	realm.New(rules).Bootstrap(worldtest.Eight(8))
}

func TestWorldHash_DependsOnTheSeed(t *testing.T) {
	hash := func(seed string) wire.Hash {
		rules := worldtest.Rules(8)
		rules.Seed = wire.WorldSeed(seed)
		return realm.New(rules).Bootstrap(worldtest.Eight(8)).End.WorldHash
	}
	if first, again := hash("42"), hash("42"); first != again || first == hash("43") {
		t.Error("the world hash must be a function of the seed, and no constant")
	}
}
