package society

import (
	"math"
	"slices"
	"testing"

	"kingdom/wire"
)

func TestMeasureGroups(t *testing.T) {
	r := small()
	r.Agents[1].Reputation, r.Agents[2].Reputation = .5, .25
	want := map[string][2]float64{ // of agent 0, and of agents 1 and 2
		"balance": {129, 52.5}, "reputation": {0, .375}, "rewarded": {0, 10}, "earned": {0, 20. / 6}, "spent": {7, 35. / 6},
		"acts": {4. / 3, 1}, "productive": {1, 4. / 6}, "failed": {.25, 1. / 6}, "answers": {0, 2. / 6}, "entries": {1. / 3, 2. / 6},
		"accuracy": {.7, .55}, "bounties": {0, 0}, "dormant_spells": {0, 200. / 6},
	}
	got := r.MeasureGroups([][]int{{0}, {1, 2}})
	for i, m := range GroupCatalogue() {
		for g := range got {
			if x, y := got[g][i], want[m.Key][g]; math.Abs(x-y) > 1e-12 {
				t.Errorf("%s of group %d is %v; want %v", m.Key, g, x, y)
			}
		}
	}
	if len(want) != len(GroupCatalogue()) {
		t.Errorf("%d figures; want %d", len(GroupCatalogue()), len(want))
	}
}

// The property of the dead went to the treasury, so they have no balance; what they did still counts.
func TestMeasureGroups_TheDead(t *testing.T) {
	r := small()
	r.Agents[1].Status = wire.StatusDead
	r.Events = append(r.Events, Event{Tick: 20, Payload: &wire.AgentStatusChangeEvent{AgentID: agentN(1), NewStatus: wire.StatusDead}})
	got := r.MeasureGroups([][]int{{1, 2}, {1}, {}})
	at := func(group int, key string) float64 {
		return got[group][slices.IndexFunc(GroupCatalogue(), func(m GroupMeasure) bool { return m.Key == key })]
	}
	if at(0, "balance") != 90 || at(0, "acts") != 6./4 {
		t.Errorf("one of two dead: balance %v, %v acts a cycle; want that of the other, 90, and 6 acts in 3 + 1 cycles", at(0, "balance"), at(0, "acts"))
	}
	if !math.IsNaN(at(1, "balance")) || at(1, "acts") != 3 {
		t.Errorf("all dead: balance %v, %v acts a cycle; want none, and 3 acts in the one cycle", at(1, "balance"), at(1, "acts"))
	}
	for i, x := range got[2] {
		if !math.IsNaN(x) {
			t.Errorf("%s of nobody is %v", GroupCatalogue()[i].Key, x)
		}
	}
}

func TestBalancesOf(t *testing.T) {
	r := small()
	if got := r.BalancesOf([]int{1, 2}); !slices.Equal(got, []float64{30, 40, 52.5, 52.5}) { // 30 and 30; 50 and 30; 15 and 90
		t.Errorf("balances %v; want 30, 40, 52.5, 52.5", got)
	}
	r.Events = append(r.Events, Event{Tick: 26, Payload: &wire.AgentStatusChangeEvent{AgentID: agentN(1), NewStatus: wire.StatusDead}})
	if got := r.BalancesOf([]int{1, 2}); got[3] != 90 {
		t.Errorf("%v beside a dead agent; want the other's balance, 90", got[3])
	}
	if got := r.BalancesOf([]int{1}); !math.IsNaN(got[3]) {
		t.Errorf("the dead have %v", got[3])
	}
	r.Agents[0].Balance++
	if got := r.BalancesOf([]int{1, 2}); got != nil {
		t.Errorf("payments that do not add up give balances %v", got)
	}
}

func TestProductiveOf(t *testing.T) {
	if got := small().ProductiveOf([]int{0, 1}); !slices.Equal(got, []float64{0, 1, 1.5, 0}) { // a publication and an answer; two claims and a verdict
		t.Errorf("productive acts %v; want 0, 1, 1.5, 0", got)
	}
}
