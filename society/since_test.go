package society

import (
	"math"
	"testing"

	"kingdom/wire"
)

// windowed is the small world with the counts of its cycles.
func windowed() *Run {
	r := small()
	r.Cycles = []CycleCount{{Alive: 3, Velocity: 9}, {Alive: 3, Idle: 1, Velocity: .1}, {Alive: 3, Idle: 2, Velocity: .2}, {Alive: 3, Idle: 4, Velocity: .45}}
	r.addUp()
	r.Bounties[0].ID, r.Bounties[1].ID, r.Bounties[2].ID = id(22), id(20), id(21)
	r.Goals[0].Tick, r.Goals[1].Tick, r.Goals[2].Tick = 12, 25, 30
	r.Proposals[0].Tick, r.Proposals[1].Tick, r.Proposals[2].Tick = 12, 20, 35
	return r
}

func TestSince_CountsFromACycleOn(t *testing.T) {
	of := func(r *Run) map[string]Value {
		out := map[string]Value{}
		for _, v := range r.Measure() {
			out[v.Key] = v
		}
		return out
	}
	whole, late := of(windowed()), of(windowed().Since(2))
	for key, want := range map[string]struct {
		whole, late float64
		n           int // of late
	}{
		"thoughts_per_act":   {14. / 7, 9. / 4, 4},
		"failed":             {3. / 7, 3. / 4, 4}, // one of them an update that was rejected
		"velocity":           {.25, .325, 2},
		"bounties_created":   {100. / 9, 100. / 6, 1},
		"bounties_completed": {.5, 1, 1},
		"verdicts_per_entry": {1, .5, 2}, // one verdict is on the entry of cycle 1
		"titles_distinct":    {2. / 3, 1, 2},
		"goals_completed":    {.5, 0, 1},
		"proposals":          {200. / 9, 100. / 6, 1},
		"ever_poor":          {1. / 3, 1. / 3, 3},
		"gini_balances":      {whole["gini_balances"].X, whole["gini_balances"].X, 3},
	} {
		if w, l := whole[key], late[key]; math.Abs(w.X-want.whole) > 1e-9 || math.Abs(l.X-want.late) > 1e-9 || l.N != want.n {
			t.Errorf("%s is %v in all and %v (of %d) from cycle 2 on (%s%s); want %v", key, w.X, l.X, l.N, w.Why, l.Why, want)
		}
	}
	if l := late["questions_answered"]; l.Why != "" || l.X != 0 || l.N != 1 {
		t.Errorf("the one question from cycle 2 on has no answer: %+v", l)
	}
}

// Who was poor only before does not count, and who was poor then and is not paid since does.
func TestSince_CarriesBalancesOn(t *testing.T) {
	r := windowed()
	r.Events[2].Payload.(*wire.AccountCreatedEvent).InitialBalance = 10
	r.Agents[2].Balance = 70
	for _, tt := range []struct {
		from uint64
		poor float64
	}{{0, 2. / 3}, {2, 2. / 3}, {3, 1. / 3}} {
		w := r
		if tt.from > 0 {
			w = r.Since(tt.from)
		}
		if got := everPoor(w); math.Abs(got.x-tt.poor) > 1e-9 {
			t.Errorf("from cycle %d on %v were poor (%s); want %v", tt.from, got.x, got.why, tt.poor)
		}
	}
}

// An agent that died before does not live in the cycles that count.
func TestSince_CountsLives(t *testing.T) {
	r := windowed()
	r.Events = append(r.Events, Event{15, &wire.AgentStatusChangeEvent{AgentID: agentN(1), NewStatus: wire.StatusDead, Tick: 15}})
	for a, want := range []struct{ cycles, acts int }{{2, 2}, {0, 2}, {2, 2}} {
		if l := r.Since(2).Lives()[a]; l.Cycles != want.cycles || l.Acts != want.acts {
			t.Errorf("agent %d has %d cycles and %d acts from cycle 2 on; want %+v", a, l.Cycles, l.Acts, want)
		}
	}
}
