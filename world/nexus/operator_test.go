package nexus

import (
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// endOf brings the lab through the end of a cycle in which these agents are asked to wake.
func (l *lab) endOf(n wire.Cycle, wake ...wire.AgentID) {
	l.c.CycleEnd(l.rules.Calendar.Last(n))
	wishes := make([]Wake, 0, len(wake))
	for _, a := range wake {
		wishes = append(wishes, Wake{Agent: a, Cause: wire.WakeMention})
	}
	l.BeginCycleEnd()
	l.Maintain(l.c, wishes)
}

// held is until when an agent is kept asleep, 0 if it is not.
func (l *lab) held(a wire.AgentID) wire.Cycle {
	if r := l.Agent(a); r != nil && r.HeldUntil != nil {
		return *r.HeldUntil
	}
	return 0
}

// No wake request and no timer ends a hold sooner; then it ends by itself.
func TestHold_EndsExactlyAtItsCycle(t *testing.T) {
	l := newLab(t, 4)
	l.rules.WakeAfter = 1
	held, free := l.ids[0], l.ids[1]
	if refusal := Hold(l.Daemon, l.c, held, 4, "operator"); refusal != nil { // in cycle 1, for cycles 1 to 3
		t.Fatal(refusal)
	}
	if refusal := l.SetStatus(l.c, free, wire.StatusDormant, "operator", 1); refusal != nil {
		t.Fatal(refusal)
	}
	for n := wire.Cycle(1); n <= 2; n++ {
		l.endOf(n, held, free)
		if s, _ := l.Status(held); s != wire.StatusDormant || l.held(held) != 4 {
			t.Errorf("after cycle %d the held agent is %s, held until %d", n, s, l.held(held))
		}
		if s, _ := l.Status(free); s != wire.StatusActive {
			t.Errorf("after cycle %d the other sleeper is %s", n, s)
		}
	}
	l.endOf(3)
	if s, _ := l.Status(held); s != wire.StatusActive || l.held(held) != 0 {
		t.Errorf("after cycle 3 the agent is %s, held until %d, want ACTIVE and free", s, l.held(held))
	}
	changes, _ := l.Changes()
	if len(changes) != 1 || changes[0].Cause != wire.WakeOperator {
		t.Errorf("changes %+v, want a wake by the operator", changes)
	}
}

func TestHold_OfDormantAndOtherAgents(t *testing.T) {
	l := newLab(t, 4)
	asleep, dead := l.ids[0], l.ids[1]
	l.SetStatus(l.c, asleep, wire.StatusDormant, "operator", 1)
	l.SetStatus(l.c, dead, wire.StatusDead, "operator", 2)
	for _, c := range []struct {
		who   wire.AgentID
		until wire.Cycle
		want  string
		held  wire.Cycle
	}{
		{asleep, 5, "", 5}, // who sleeps already is held as well
		{asleep, 3, "", 5}, // the later end counts
		{asleep, 7, "", 7},
		{asleep, 1, "until", 7}, // it is cycle 1
		{dead, 5, "bad_transition", 0},
		{wire.AgentID{9}, 5, "agent", 0},
	} {
		got := ""
		if refusal := Hold(l.Daemon, l.c, c.who, c.until, "operator"); refusal != nil {
			got = refusal.Reason
		}
		if got != c.want || l.held(c.who) != c.held {
			t.Errorf("hold %v until %d: %q, held until %d; want %q and %d", c.who.Alias(), c.until, got, l.held(c.who), c.want, c.held)
		}
	}
	l.SetStatus(l.c, asleep, wire.StatusDead, "operator", 3)
	if l.held(asleep) != 0 {
		t.Error("a dead agent is held asleep")
	}
}

// If too few agents live, a held agent is not woken: another one is, or newcomers are spawned.
func TestHold_IsNotEndedByAutoSpawn(t *testing.T) {
	l := newLab(t, 4)
	Hold(l.Daemon, l.c, l.ids[0], 9, "operator")
	l.SetStatus(l.c, l.ids[1], wire.StatusDead, "operator", 1)
	l.endOf(1)
	if s, _ := l.Status(l.ids[0]); s != wire.StatusDormant || l.Count().Embryo != 1 {
		t.Errorf("the held agent is %s, and %d were born; want DORMANT and 1", s, l.Count().Embryo)
	}
}

func TestSetParam(t *testing.T) {
	l := newLab(t, 20) // scale 3
	for _, c := range []struct {
		name  string
		value int64
		want  string
	}{
		{"agora.channel_fee", 1, ""},
		{"agora.channel_fee", 50, ""},
		{"agora.channel_fee", 0, "value"},
		{"agora.channel_fee", 51, "value"},
		{"population.cap", 12, ""},
		{"population.cap", 11, "value"},
		{"population.cap", 192, ""},
		{"population.cap", 193, "value"},
		{"mint.reward.entry", 0, ""},
		{"mint.reward.entry", 20, ""},
		{"mint.reward.entry", 21, "value"},
		{"mint.reward.fun", 1, "param"},
		{"", 1, "param"},
	} {
		before := l.State().Hash()
		got := ""
		if refusal := SetParam(l.Daemon, l.c, c.name, c.value); refusal != nil {
			got = refusal.Reason
		}
		if got != c.want || c.want != "" && l.State().Hash() != before {
			t.Errorf("%s = %d: %q, want %q", c.name, c.value, got, c.want)
		}
		if c.want == "" && l.Param(c.name, -1) != c.value {
			t.Errorf("%s is %d, want %d", c.name, l.Param(c.name, -1), c.value)
		}
	}
	for _, name := range world.ParamNames() {
		if _, ok := l.params.bounds(name); !ok {
			t.Errorf("%s has no bounds", name)
		}
	}
}
