package nexus_test

import (
	"testing"

	"kingdom/wire"
	"kingdom/world/realm"
	"kingdom/world/worldtest"
)

var statuses = []wire.AgentStatus{wire.StatusEmbryo, wire.StatusActive, wire.StatusDormant, wire.StatusDead}

// at returns a world at tick 256 with one agent in the status asked for.
func at(t *testing.T, s wire.AgentStatus) (*realm.Realm, wire.AgentID) {
	t.Helper()
	r := realm.New(worldtest.Rules(8))
	a := r.Bootstrap(worldtest.Eight(8)).Agents[0]
	r.StartCycle(1)
	r.OpenTick(256)
	switch s {
	case wire.StatusEmbryo:
		b, refusal := r.Spawn(256, worldtest.Newcomer(worldtest.Eight(1)[0]))
		if refusal != nil {
			t.Fatal(refusal)
		}
		a = b.AgentID
	case wire.StatusDormant, wire.StatusDead:
		if refusal := r.SetStatus(256, a, s, "operator", 1); refusal != nil {
			t.Fatal(refusal)
		}
	default: // nothing to do for the others
	}
	if got, _ := r.Nexus().Status(a); got != s {
		t.Fatalf("status is %v, want %v", got, s)
	}
	return r, a
}

// TestSetStatus_EveryTransition drives every pair through the operator's door:
// ACTIVE to DORMANT, and any living status to DEAD; nothing else.
func TestSetStatus_EveryTransition(t *testing.T) {
	for _, from := range statuses {
		for _, to := range statuses {
			r, a := at(t, from)
			before := r.Nexus().State().Hash()
			refusal := r.SetStatus(256, a, to, "operator", 256<<32|1)
			allowed := from == wire.StatusActive && to == wire.StatusDormant || from != wire.StatusDead && to == wire.StatusDead
			if got := refusal == nil; got != allowed {
				t.Errorf("%v to %v: done %t, want %t", from, to, got, allowed)
			}
			if refusal != nil {
				if refusal.Category != wire.CategoryConflict || refusal.Reason != "bad_transition" {
					t.Errorf("%v to %v: refused with %v, want CONFLICT bad_transition", from, to, refusal)
				}
				if r.Nexus().State().Hash() != before {
					t.Errorf("%v to %v: the refusal changed the state", from, to)
				}
			}
		}
	}
}

// TestMaintain_WakesOnlyDormantAgents: a wake request moves DORMANT agents only.
func TestMaintain_WakesOnlyDormantAgents(t *testing.T) {
	for _, from := range statuses {
		r, a := at(t, from)
		end := r.EndCycle([]realm.Wake{{Agent: a, Cause: wire.WakeOperator}})
		if got, want := len(end.Woken) == 1, from == wire.StatusDormant; got != want {
			t.Errorf("%v: woken %t, want %t", from, got, want)
		}
	}
}

func TestMaintain_LowestWakeCauseIsKept(t *testing.T) {
	r, a := at(t, wire.StatusDormant)
	end := r.EndCycle([]realm.Wake{
		{Agent: a, Cause: wire.WakeMessage}, {Agent: a, Cause: wire.WakeMention}, {Agent: a, Cause: wire.WakeGoal}, {Agent: a, Cause: wire.WakeMention},
	})
	if len(end.Woken) != 1 || end.Woken[0].Cause != wire.WakeGoal || end.Woken[0].Reason != "goal" {
		t.Errorf("woken %v, want once, by goal", end.Woken)
	}
}

// TestMaintain_EmbryoIsActiveAfterTwoCycles: spawned in cycle c, ACTIVE at the end of c + 1,
// first budget in c + 2.
func TestMaintain_EmbryoIsActiveAfterTwoCycles(t *testing.T) {
	r, a := at(t, wire.StatusEmbryo)
	for c, want := range []wire.AgentStatus{1: wire.StatusEmbryo, 2: wire.StatusActive} {
		if c == 0 {
			continue
		}
		if c > 1 {
			r.StartCycle(wire.Cycle(c))
		}
		r.EndCycle(nil)
		if got, _ := r.Nexus().Status(a); got != want {
			t.Errorf("at the end of cycle %d: %v, want %v", c, got, want)
		}
	}
	for _, x := range r.StartCycle(3) {
		if x.AgentID == a && x.Budget == 64 {
			return
		}
	}
	t.Error("no budget in cycle 3")
}

// TestAutoSpawn_WakesSleepersBeforeSpawning: below min(4, n) living agents a sleeper wakes first, one per cycle
// end; newcomers come only where nobody sleeps.
func TestAutoSpawn_WakesSleepersBeforeSpawning(t *testing.T) {
	rules := worldtest.Rules(4)
	rules.WakeAfter = 0
	r := realm.New(rules)
	ids := r.Bootstrap(worldtest.Eight(4)).Agents
	r.StartCycle(1)
	r.OpenTick(256)
	set := func(tick wire.Tick, a wire.AgentID, s wire.AgentStatus) {
		if refusal := r.SetStatus(tick, a, s, "operator", 1); refusal != nil {
			t.Fatal(refusal)
		}
	}
	set(256, ids[0], wire.StatusDormant)
	set(256, ids[1], wire.StatusDead)
	if end := r.EndCycle(nil); len(end.Woken) != 1 || end.Woken[0].Agent != ids[0] || end.Woken[0].Cause != wire.WakeTimer || len(end.Spawned) != 0 {
		t.Fatalf("with a sleeper: woken %v, spawned %v; want it woken by TIMER, nobody spawned", end.Woken, end.Spawned)
	}
	r.StartCycle(2)
	r.OpenTick(512)
	set(512, ids[2], wire.StatusDead)
	end := r.EndCycle(nil)
	if len(end.Spawned) != 2 || end.Embryo != 2 {
		t.Fatalf("without sleepers: spawned %d, want 2 to have 4 again", len(end.Spawned))
	}
	for _, a := range end.Spawned {
		x := r.Agent(a)
		if balance, _ := r.Balance(a); x.Role != wire.RoleGeneralist || x.Parent != wire.SystemID(wire.SystemNexus) || balance != 100 {
			t.Errorf("newcomer %v: role %v, parent %v, balance %d; want a GENERALIST of NEXUS_0 with the grant", a.Alias(), x.Role, x.Parent.Alias(), balance)
		}
	}
}

// TestMaintain_Inactivity: ten cycles without a consumed tick are allowed, the
// eleventh ends in sleep; one consumed tick starts the count anew.
func TestMaintain_Inactivity(t *testing.T) {
	rules := worldtest.Rules(8)
	rules.WakeAfter = 0
	r := realm.New(rules)
	a := r.Bootstrap(worldtest.Eight(8)).Agents[0]
	for c := wire.Cycle(1); c <= 16; c++ {
		r.StartCycle(c)
		if c == 5 {
			first := rules.Calendar.First(c)
			r.OpenTick(first)
			r.Commit(first, []realm.Seat{{Agent: a}})
		}
		end := r.EndCycle(nil)
		want := 0
		switch c {
		case 11:
			want = 7
		case 16:
			want = 1
		}
		if len(end.Slept) != want {
			t.Errorf("cycle %d: %d fell asleep, want %d", c, len(end.Slept), want)
		}
		for _, x := range end.Slept {
			if x.Reason != "inactive" {
				t.Errorf("cycle %d: reason %q, want inactive", c, x.Reason)
			}
		}
	}
}
