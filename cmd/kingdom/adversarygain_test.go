//go:build unix && !race

package main

import (
	"fmt"
	"slices"
	"testing"

	"kingdom/scenarios"
	"kingdom/wire"
)

// Where living costs money, nobody lives better by playing against the rules than by honest work: no adversary
// has more at the end than the best honest agent of both worlds, everybody pays for each cycle in which it lives,
// and those of one strategy have no more in the mean than honest agents. Only who sleeps through most cycles has:
// it pays for fewer of them, as an honest agent would that does the same.
//
// Short runs look only at who pays for its life: in the first P cycles all words of accomplices are fresh, so a
// ring has an early start that it does not keep. From 100 cycles on worlds are compared.
func TestAdversaries_OfTheMarket(t *testing.T) {
	for seed := range *advSeeds {
		sc, err := scenarios.Load("adversaries-market")
		if err != nil {
			t.Fatal(err)
		}
		override(t, sc, fmt.Sprintf("seed=%d", seed+1))
		where := fmt.Sprintf("seed %d", seed+1)
		if *advCycles < 100 {
			p := play(t, sc, min(*advCycles, 24))
			checkLife(t, where, &p)
			continue
		}
		base, p := baselinesOf(t, sc), play(t, sc, *advCycles)
		base.bounties, base.rewards = false, true
		base.check(t, where, p, true)
		t.Logf("%s: honest agents drew %d ⚡ among themselves, %d beside sleeping adversaries, %d beside adversaries; they gained %.1f, %.1f and %.1f ⚡ in the mean, and thought %.1f, %.1f and %.1f times a cycle",
			where, sum(base.honest.drawn, p.honest), sum(base.asleep.drawn, p.honest), sum(p.drawn, p.honest),
			mean(base.honest.gains(p.honest)), mean(base.asleep.gains(p.honest)), mean(p.gains(p.honest)),
			base.honest.thinking(p.honest), base.asleep.thinking(p.honest), p.thinking(p.honest))
		checkLife(t, where, &p)
		checkGain(t, where, &p, append(base.honest.gains(base.honest.honest), p.gains(p.honest)...))
	}
}

// initialBalance is what each agent of the market begins with, in ⚡; a cycle of life costs one.
const initialBalance = 60

// checkLife: every adversary has paid for each cycle in which it was awake and had money while upkeep was due, or owes it: what
// is locked pays when it comes back.
func checkLife(t *testing.T, where string, p *playground) {
	t.Helper()
	for id, name := range p.strategy { //house:sorted the checks do not depend on the order
		if due := p.due[id]; p.upkeep[id]+p.locked[id] < due {
			t.Errorf("%s: %s of %s has %d ⚡ and paid %d for %d cycles of life", where, id.Alias(), name, p.net[id]+initialBalance, p.upkeep[id], due)
		}
	}
}

// checkGain compares what adversaries have gained with what honest agents have.
func checkGain(t *testing.T, where string, p *playground, honest []int64) {
	t.Helper()
	most, usual := slices.Max(honest), mean(honest)
	t.Logf("%s: honest agents gained %.1f ⚡ in the mean, %d at most", where, usual, most)
	by := map[string][]int64{}
	for id, name := range p.strategy { //house:sorted the checks do not depend on the order
		by[name] = append(by[name], p.net[id])
		if p.net[id] > most {
			t.Errorf("%s: %s of %s gained %d ⚡, honest agents at most %d", where, id.Alias(), name, p.net[id], most)
		}
	}
	for _, name := range market {
		got := by[name]
		t.Logf("%s: %s gained %v ⚡", where, name, got)
		if len(got) == 0 {
			t.Errorf("%s: nobody plays %s", where, name)
		} else if name != "upkeep-dodger" && mean(got) > usual {
			t.Errorf("%s: %s gained %.1f ⚡ in the mean, honest agents %.1f", where, name, mean(got), usual)
		}
	}
}

// gains is by how much the money of agents grew from the beginning to the end.
func (p *playground) gains(who []wire.AgentID) (out []int64) {
	for _, id := range who {
		out = append(out, p.net[id])
	}
	return out
}

// thinking is how many thoughts an agent has had in a cycle.
func (p *playground) thinking(who []wire.AgentID) float64 {
	return float64(sum(p.thoughts, who)) / float64(len(who)) / float64(len(p.treasury)-1)
}

func mean(list []int64) float64 {
	total := 0.0
	for _, n := range list {
		total += float64(n)
	}
	return total / float64(len(list))
}
