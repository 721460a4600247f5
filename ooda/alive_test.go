package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/llm/scripted"
	"kingdom/wire"
)

func TestDebugVillage(t *testing.T) {
	v := newVillage(8, "42")
	m := scripted.New(v.rules.WorldSeed, scripted.Knobs{})
	for c := wire.Cycle(1); c <= 50; c++ {
		v.cycle(t, m, c, 64)
		if c == 5 || c == 20 || c == 50 {
			t.Logf("cycle %d bounty %v entries %d messages %d", c, v.bounty.Status, len(v.entries), len(v.messages))
			for i, p := range v.people {
				t.Logf("%d %v acted %d nops %d streak %d status %v bal %d rep %.2f done %v failed %v", i+1, p.a.Genome.Role, p.acted, p.nops, p.a.NOPStreak, p.a.Status, p.balance, p.rep, p.done, p.failed)
				for _, g := range p.a.Goals.Living() {
					t.Logf("      %v %v %v %.2f", g.Layer, g.Source, g.Kind(), g.Priority)
				}
			}
		}
	}
	for i, p := range v.people {
		got := map[string]int{}
		for _, s := range p.sats {
			k := s.Kind.String()
			if s.Outcome == goals.OutcomeSuccess {
				k = "+" + k
			}
			got[k]++
		}
		t.Logf("%d sats %v faults %v plans %d", i+1, got, len(p.t.Faults()), len(p.a.Memory.Plans.Living()))
	}
}
