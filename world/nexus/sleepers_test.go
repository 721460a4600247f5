package nexus

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world"
)

// What a runtime may report: a warning of its streak, that its agent falls asleep of it, or why else it does.
func TestStatus_Reports(t *testing.T) {
	ptr := func(n uint32) *uint32 { return &n }
	dormant, active := wire.StatusDormant, wire.StatusActive
	why := func(s string) *string { return &s }
	const no = "bad_transition"
	for _, tt := range []struct {
		name   string
		q      wire.AgentStatusMsg
		want   string
		asleep bool
	}{
		{"a question", wire.AgentStatusMsg{}, "", false},
		{"a warning", wire.AgentStatusMsg{NopStreak: ptr(wire.NOPWarning)}, "", false},
		{"another streak", wire.AgentStatusMsg{NopStreak: ptr(wire.NOPWarning + 1)}, no, false},
		{"a warning with a status", wire.AgentStatusMsg{NopStreak: ptr(wire.NOPWarning), Status: &dormant}, no, false},
		{"a warning with a reason", wire.AgentStatusMsg{NopStreak: ptr(wire.NOPWarning), Reason: why("nop_limit")}, no, false},
		{"asleep of NOPs", wire.AgentStatusMsg{NopStreak: ptr(wire.NOPDormant), Status: &dormant, Reason: why("nop_limit")}, "", true},
		{"too short a streak", wire.AgentStatusMsg{NopStreak: ptr(wire.NOPDormant - 1), Status: &dormant, Reason: why("nop_limit")}, no, false},
		{"a streak that wakes", wire.AgentStatusMsg{NopStreak: ptr(wire.NOPDormant), Status: &active, Reason: why("nop_limit")}, no, false},
		{"a streak without a status", wire.AgentStatusMsg{NopStreak: ptr(wire.NOPDormant), Reason: why("nop_limit")}, no, false},
		{"a streak without a reason", wire.AgentStatusMsg{NopStreak: ptr(wire.NOPDormant), Status: &dormant}, no, false},
		{"asleep of poverty", wire.AgentStatusMsg{NopStreak: ptr(3), Status: &dormant, Reason: why("poverty")}, "", true},
		{"awake of poverty", wire.AgentStatusMsg{NopStreak: ptr(3), Status: &active, Reason: why("poverty")}, no, false},
		{"asleep of boredom", wire.AgentStatusMsg{NopStreak: ptr(3), Status: &dormant, Reason: why("boredom")}, no, false},
		{"poverty without a status", wire.AgentStatusMsg{NopStreak: ptr(3), Reason: why("poverty")}, no, false},
		{"a status alone", wire.AgentStatusMsg{Status: &dormant}, no, false},
		{"a reason alone", wire.AgentStatusMsg{Reason: why("poverty")}, no, false},
		{"poverty without a streak", wire.AgentStatusMsg{Status: &dormant, Reason: why("poverty")}, no, false},
	} {
		l := newLab(t, 4)
		tt.q.AgentID = l.ids[0]
		if got := l.do(l.ids[0], &tt.q); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if (l.statusOf(0) == wire.StatusDormant) != tt.asleep {
			t.Errorf("%s: the agent is %v", tt.name, l.statusOf(0))
		}
		if !tt.asleep {
			continue
		}
		if got := l.do(l.ids[0], &tt.q); got != no {
			t.Errorf("%s, again: %q", tt.name, got)
		}
	}
	l := newLab(t, 4)
	if got := l.do(l.ids[0], &wire.AgentStatusMsg{AgentID: wire.AgentID{9}}); got != "agent" {
		t.Errorf("a question about nobody: %q", got)
	}
	if s, ok := l.Status(wire.AgentID{9}); ok || s != 0 {
		t.Errorf("nobody is %v, %t", s, ok)
	}
}

// Until the cycle's end others see an agent that fell asleep as ACTIVE, unless it dies; the daemons learn of it then.
func TestSleepers_ArePublicAtTheCycleEnd(t *testing.T) {
	l := newLab(t, 6)
	public := func(i int) wire.AgentStatus { return l.publicStatus(l.Agent(l.ids[i])) }
	for i := range 3 {
		l.sleep(i, 300)
	}
	if public(0) != wire.StatusActive || l.statusOf(0) != wire.StatusDormant {
		t.Errorf("others see %v", public(0))
	}
	if awake := l.AwakeInCycle(); len(awake) != 6 || !slices.IsSortedFunc(awake, wire.AgentID.Compare) {
		t.Errorf("awake in the cycle: %v", awake)
	}
	if refusal := l.SetStatus(l.c, l.ids[1], wire.StatusDead, "operator", 2); refusal != nil {
		t.Fatal(refusal)
	}
	if public(1) != wire.StatusDead || len(l.AwakeInCycle()) != 5 {
		t.Errorf("others see a dead agent as %v; %d were awake", public(1), len(l.AwakeInCycle()))
	}
	l.end(1)
	if public(0) != wire.StatusDormant {
		t.Errorf("after the cycle's end others see %v", public(0))
	}
	want := []string{l.ids[1].Alias() + " DEAD", l.ids[0].Alias() + " DORMANT", l.ids[2].Alias() + " DORMANT"}
	if diff := cmp.Diff(want, l.treasury.left); diff != "" {
		t.Errorf("who left (-want +got):\n%s", diff)
	}
}

// stopper is a Forge that notes of whom it stops the services.
type stopper struct {
	world.Forge
	of []wire.AgentID
}

func (f *stopper) AgentLeft(_ *world.Context, a wire.AgentID) { f.of = append(f.of, a) }

// Forge learns of deaths only.
func TestKill_StopsServices(t *testing.T) {
	l := newLab(t, 4)
	f := &stopper{}
	l.forge = f
	l.sleep(0, 300)
	l.end(1)
	l.c.Boundary(600, 0)
	l.SetStatus(l.c, l.ids[1], wire.StatusDead, "operator", 1)
	if !slices.Equal(f.of, l.ids[1:2]) {
		t.Errorf("services of %v end", f.of)
	}
}

// Who has no tick in eleven cycles falls asleep, and its claims are given back. Who is awake again begins anew.
func TestMaintain_InactiveAgentLeaves(t *testing.T) {
	l := newLab(t, 4)
	idle := func(n wire.Cycle, wakes ...Wake) {
		last := l.rules.Calendar.Last(n)
		l.Advance(last)
		l.c.CycleEnd(last)
		for _, a := range l.Active() {
			if a != l.ids[0] {
				l.MarkActive(a, n)
			}
		}
		l.BeginCycleEnd()
		l.Maintain(l.c, wakes)
	}
	l.MarkActive(wire.AgentID{9}, 1) // unknown: nothing happens
	for n := wire.Cycle(1); n <= 10; n++ {
		idle(n)
	}
	if l.statusOf(0) != wire.StatusActive {
		t.Error("asleep after ten cycles")
	}
	idle(11)
	if diff := cmp.Diff([]string{l.ids[0].Alias() + " DORMANT"}, l.treasury.left); diff != "" {
		t.Errorf("who left (-want +got):\n%s", diff)
	}
	idle(12, Wake{l.ids[0], wire.WakeMention})
	if a := l.Agent(l.ids[0]); a.Status != wire.StatusActive || a.LastActiveCycle != 12 || a.InactiveCycles != 0 {
		t.Errorf("after it woke: %v, active in cycle %d, %d cycles inactive", a.Status, a.LastActiveCycle, a.InactiveCycles)
	}
	idle(13)
	if a := l.Agent(l.ids[0]); a.InactiveCycles != 1 {
		t.Errorf("%d cycles inactive, want 1", a.InactiveCycles)
	}
	l.MarkActive(l.ids[0], 14)
	idle(14)
	if a := l.Agent(l.ids[0]); a.InactiveCycles != 0 {
		t.Errorf("%d cycles inactive after a tick, want none", a.InactiveCycles)
	}
}

// Only the best ACTIVE agent is what others are compared with. One that sleeps and has more is worth as much as if it were
// awake: else it could sleep through the end of a cycle to weigh more in all votes of the next.
func TestReputation_SleeperIsNotTheBest(t *testing.T) {
	l := newLab(t, 4)
	l.AddContribution(l.c, l.ids[0], 400)
	l.AddContribution(l.c, l.ids[1], 80)
	l.AddContribution(l.c, l.ids[2], 40)
	l.sleep(0, 300)
	l.end(1)
	l.UpdateReputations(l.c)
	if one, half := l.Reputation(l.ids[1]), l.Reputation(l.ids[2]); !near(one, 0.3) || !near(half, 0.15) {
		t.Errorf("reputations %v and %v, want 0.3 and 0.15", one, half)
	}
	if !near(l.Reputation(l.ids[0]), 0.3) {
		t.Errorf("the sleeper has %v, want 0.3", l.Reputation(l.ids[0]))
	}
}

// With as many living agents as there must be, a sleeper sleeps on; newcomers have middling traits.
func TestAutoSpawn_WakesNobodyWithoutNeed(t *testing.T) {
	l := newLab(t, 4)
	l.sleep(0, 256)
	l.end(1)
	if l.statusOf(0) != wire.StatusDormant {
		t.Error("woken, though four live")
	}
	l = newLab(t, 4)
	l.SetStatus(l.c, l.ids[0], wire.StatusDead, "operator", 1)
	l.end(1)
	_, newcomers := l.Changes()
	half := wire.Traits{RiskTolerance: 0.5, Collaboration: 0.5, DepthVsBreadth: 0.5, QualityVsSpeed: 0.5}
	if len(newcomers) != 1 || l.Agent(newcomers[0]).Genome.Traits != half {
		t.Errorf("newcomers %v", newcomers)
	}
	if l.Kin(l.ids[1], wire.AgentID{9}) || l.Kin(wire.AgentID{9}, l.ids[1]) || !l.Kin(l.ids[1], l.ids[1]) {
		t.Error("only known agents are kin")
	}
}

// A newcomer and its parent are told. Of two refusals the first counts. A treasury without money pays nothing.
func TestSpawn_TellsBothAndPaysOnce(t *testing.T) {
	l := newLab(t, 4)
	l.clock.edit().Epoch = 1
	g := newcomer()
	ask := func(parent wire.AgentID, fund uint64) *wire.AgentSpawnReq {
		return &wire.AgentSpawnReq{Role: g.Role, Genome: wire.GenomeCodec.Append(nil, &g), Parent: parent, InitialFund: fund}
	}
	l.c.Deliveries = nil
	ack, refusal := l.Spawn(l.c, ask(l.ids[0], 60))
	if refusal != nil {
		t.Fatal(refusal)
	}
	var told []wire.AgentID
	for _, d := range l.c.Deliveries {
		told = append(told, d.To)
	}
	if !slices.Equal(told, []wire.AgentID{ack.AgentID, l.ids[0]}) || !slices.Equal(l.treasury.paid, []uint64{60}) {
		t.Errorf("told %v, paid %v", told, l.treasury.paid)
	}
	l.treasury.paid = nil
	l.treasury.spent[wire.SystemID(wire.SystemMint)] = purse - 59
	if _, refusal := l.Spawn(l.c, ask(selfID, 60)); refusal != nil || len(l.treasury.paid) != 0 {
		t.Errorf("a treasury without money: %v, paid %v", refusal, l.treasury.paid)
	}
	l.params.set("population.cap", 4, 0)
	for _, parent := range []wire.AgentID{selfID, l.ids[0]} {
		if _, refusal := l.Spawn(l.c, ask(parent, 1)); refusal == nil || refusal.Reason != "population_cap" {
			t.Errorf("in a full world, with too little money: %+v", refusal)
		}
	}
	l.params.set("population.cap", 64, 0)
	if _, refusal := l.Spawn(l.c, ask(selfID, 49)); refusal == nil || refusal.Reason != "fund_below_50" {
		t.Errorf("with too little money: %+v", refusal)
	}
}
