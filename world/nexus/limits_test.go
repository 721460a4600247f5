package nexus

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"kingdom/wire"
)

// The numbers of docs/WORLD.md (governance, agents, spawning), each at its exact edge.

func TestMaintain_AgentDiesAfterFiveCyclesInDebt(t *testing.T) {
	l := newLab(t, 8)
	l.sleep(2, 256)
	l.sleep(3, 256)
	for i, n := range []uint32{4, 5, 4, 5} {
		l.treasury.insolvent[l.ids[i]] = n
	}
	l.end(1)
	want := []wire.AgentStatus{wire.StatusActive, wire.StatusDead, wire.StatusDormant, wire.StatusDead}
	for i, w := range want {
		if got := l.statusOf(i); got != w {
			t.Errorf("agent %d with %d cycles in debt is %v, want %v", i, l.treasury.insolvent[l.ids[i]], got, w)
		}
	}
	l.end(2)
	if len(l.treasury.swept) != 2 {
		t.Errorf("%d sweeps, want one of each dead agent", len(l.treasury.swept))
	}
}

// The timer ranks between a mention and a message in the order of causes.
func TestMaintain_TimerWakeRanksBetweenMentionAndMessage(t *testing.T) {
	for _, tt := range []struct {
		cycle wire.Cycle
		asked wire.WakeCause
		want  wire.WakeCause // 0: sleeps on
	}{
		{8, 0, 0},
		{8, wire.WakeMessage, wire.WakeMessage},
		{9, 0, wire.WakeTimer},
		{9, wire.WakeMessage, wire.WakeTimer},
		{9, wire.WakeTimer, wire.WakeTimer},
		{9, wire.WakeMention, wire.WakeMention},
	} {
		l := newLab(t, 8)
		l.sleep(0, 256) // in cycle 1; the timer rings eight cycles later
		var wakes []Wake
		if tt.asked != 0 {
			wakes = []Wake{{Agent: l.ids[0], Cause: tt.asked}}
		}
		l.end(tt.cycle, wakes...)
		changes, _ := l.Changes()
		var got wire.WakeCause
		for _, x := range changes {
			if x.Agent == l.ids[0] && x.New == wire.StatusActive {
				got = x.Cause
			}
		}
		if got != tt.want {
			t.Errorf("cycle %d, asked by %q: woken by %q, want %q", tt.cycle, tt.asked, got, tt.want)
		}
	}
}

func TestLongestDormant(t *testing.T) {
	l := newLab(t, 8)
	if a, ok := l.longestDormant(); ok {
		t.Errorf("%v sleeps in a world where nobody does", a)
	}
	for i, at := range map[int]wire.Tick{1: 300, 4: 290, 5: 290, 6: 310} {
		l.sleep(i, at)
	}
	if a, _ := l.longestDormant(); a != l.ids[4] {
		t.Errorf("agent %v, want the one of lower id of those that sleep since tick 290", a.Alias())
	}
}

func TestAutoSpawn_OnlyBelowFourLiving(t *testing.T) {
	for living, want := range map[int]int{3: 1, 4: 0} {
		l := newLab(t, 8)
		for _, a := range l.ids[living:] {
			l.c.Boundary(256, 0)
			if refusal := l.SetStatus(l.c, a, wire.StatusDead, "operator", 1); refusal != nil {
				t.Fatal(refusal)
			}
		}
		l.end(1)
		if _, newcomers := l.Changes(); len(newcomers) != want {
			t.Errorf("%d living: %d newcomers, want %d", living, len(newcomers), want)
		}
		if n := l.Count(); int(n.Living()) != living+want || int(n.Dead) != 8-living || int(n.Embryo) != want {
			t.Errorf("%d living: counts %+v", living, n)
		}
	}
}

// The cap is n + 4·s per epoch, at most 64·s, where s is the scale of the world.
func TestPopulationCap_GrowsWithTheScale(t *testing.T) {
	for _, tt := range []struct {
		epoch uint32
		param int64
		want  uint64
	}{{0, -1, 24}, {2, -1, 48}, {20, -1, 192}, {2, 1000, 192}, {2, 7, 7}} {
		l := newLab(t, 24) // scale 3
		l.clock.edit().Epoch = tt.epoch
		if tt.param >= 0 {
			l.params.set("population.cap", tt.param, 0)
		}
		if got := l.spawning.populationCap(); got != tt.want {
			t.Errorf("epoch %d, voted %d: %d, want %d", tt.epoch, tt.param, got, tt.want)
		}
	}
}

func TestValidGenome(t *testing.T) {
	nan := float32(math.NaN())
	for _, tt := range []struct {
		trait float32
		role  wire.Role
		want  bool
	}{
		{0, wire.RoleGeneralist, true},
		{1, wire.RoleExplorer, true},
		{-0.01, wire.RoleGeneralist, false},
		{1.01, wire.RoleGeneralist, false},
		{nan, wire.RoleGeneralist, false},
		{0.5, 0, false},
		{0.5, wire.RoleExplorer + 1, false},
	} {
		for i := range 4 {
			g := wire.Genome{Role: tt.role}
			*[]*float32{&g.Traits.RiskTolerance, &g.Traits.Collaboration, &g.Traits.DepthVsBreadth, &g.Traits.QualityVsSpeed}[i] = tt.trait
			if got := validGenome(&g); got != tt.want {
				t.Errorf("trait %d of %v, role %v: valid %t", i, tt.trait, tt.role, got)
			}
		}
	}
}

func TestAllocate_WritesOnlyChangedBudgets(t *testing.T) {
	l := newLab(t, 4)
	a := l.ids[1]
	for _, tt := range []struct {
		extra     uint64
		insolvent uint32
		want      Budget
	}{
		{0, 0, Budget{a, 64, 0}},
		{20, 0, Budget{a, 84, 20}},
		{20, 1, Budget{a, 42, 20}},
		{21, 1, Budget{a, 42, 21}}, // as many ticks
		{20, 4, Budget{a, 21, 20}},
		{300, 0, Budget{a, 256, 192}},
		{192, 0, Budget{a, 256, 192}},
	} {
		l.treasury.extra[a], l.treasury.insolvent[a] = tt.extra, tt.insolvent
		got := l.Allocate(l.c, 1)
		if b := *l.budgets.Get(a); b != tt.want || got[1] != (wire.TickAlloc{AgentID: a, Budget: b.Ticks, Cycle: 1}) {
			t.Errorf("extra %d, %d cycles in debt: %+v and %+v, want %+v", tt.extra, tt.insolvent, b, got[1], tt.want)
		}
		l.State().Hash()
		l.State().TakeRows()
		l.Allocate(l.c, 2)
		l.State().Hash()
		if rows := l.State().TakeRows(); len(rows) != 0 {
			t.Errorf("extra %d, %d cycles in debt: %d rows are written for equal budgets", tt.extra, tt.insolvent, len(rows))
		}
	}
}

func TestSubscribe_Limits(t *testing.T) {
	first := wire.EventID{Lamport: 256 << 32}
	old := wire.EventID{Lamport: 256<<32 - 1}
	kinds := slices.Repeat([]wire.EventKind{wire.KindTick}, 17)
	origins := make([]wire.AgentID, 65)
	systems := slices.Repeat([]wire.System{wire.SystemNexus}, systemsPerSub+1)
	for _, tt := range []struct {
		name string
		q    wire.Subscribe
		want string
	}{
		{"nothing asked", wire.Subscribe{Systems: systems[:1]}, "filter"},
		{"kinds only", wire.Subscribe{Kinds: kinds[:16]}, ""},
		{"origins only", wire.Subscribe{Origins: origins[:64]}, ""},
		{"17 kinds", wire.Subscribe{Kinds: kinds}, "filter"},
		{"65 origins", wire.Subscribe{Origins: origins}, "filter"},
		{"all systems", wire.Subscribe{Kinds: kinds[:1], Systems: systems[:systemsPerSub]}, ""},
		{"more systems than there are", wire.Subscribe{Kinds: kinds[:1], Systems: systems}, "filter"},
		{"since the open cycle began", wire.Subscribe{Kinds: kinds[:1], Since: &first}, ""},
		{"since before", wire.Subscribe{Kinds: kinds[:1], Since: &old}, "since"},
	} {
		l := newLab(t, 4)
		if got := l.do(l.ids[0], &tt.q); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestSubscribe_AtMostSixteenPerAgent(t *testing.T) {
	l := newLab(t, 4)
	a, b := l.ids[0], l.ids[1]
	q := &wire.Subscribe{Kinds: []wire.EventKind{wire.KindTick}}
	for i := range 17 {
		want := ""
		if i == 16 {
			want = "too_many"
		}
		if got := l.do(a, q); got != want {
			t.Errorf("subscription %d: %q, want %q", i+1, got, want)
		}
	}
	l.do(b, q)
	numbers := func() (s string) {
		l.Subscriptions(func(x *Subscription) {
			if x.Agent == a {
				s += fmt.Sprint(x.ID, " ")
			} else {
				s += fmt.Sprint("b", x.ID, " ")
			}
		})
		return s
	}
	if got := l.do(a, &wire.Unsubscribe{SubscriberID: 17}); got != "subscription" {
		t.Errorf("an unknown number: %q", got)
	}
	for _, n := range []uint64{3, 16} {
		l.do(a, &wire.Unsubscribe{SubscriberID: n})
	}
	l.do(a, q)
	want := "1 2 4 5 6 7 8 9 10 11 12 13 14 15 16 b1 "
	if a.Compare(b) > 0 {
		want = "b1 " + want[:len(want)-3]
	}
	if got := numbers(); got != want {
		t.Errorf("numbers %q, want %q", got, want)
	}
	l.Restored()
	if l.do(a, q); l.subscriptions.of[a][15] != 17 {
		t.Errorf("after a restore: %v", l.subscriptions.of[a])
	}
	l.c.Boundary(300, 0)
	if refusal := l.SetStatus(l.c, a, wire.StatusDead, "operator", 1); refusal != nil {
		t.Fatal(refusal)
	}
	if got := numbers(); got != "b1 " {
		t.Errorf("after a's death: %q", got)
	}
}
