package nexus

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// The numbers of docs/WORLD.md (governance, agents, spawning), each at its exact edge.

func param(name string, value int64) []byte {
	return wire.ParamProposalCodec.Append(nil, &wire.ParamProposal{Param: name, Value: value})
}

func spawn(fund uint64, g wire.Genome) []byte {
	return wire.SpawnProposalCodec.Append(nil, &wire.SpawnProposal{Role: g.Role, Genome: wire.GenomeCodec.Append(nil, &g), InitialFund: fund})
}

func newcomer() wire.Genome {
	return wire.Genome{Role: wire.RoleExplorer, KnowledgeSeeds: []wire.Hash{}}
}

func TestSubmit_Limits(t *testing.T) {
	const now = 256
	vote := param("population.cap", 9)
	for _, tt := range []struct {
		name     string
		kind     wire.ProposalKind
		text     []byte
		deadline wire.Tick
		want     string
	}{
		{"no deadline: 512 ticks", wire.ProposalKindChangeParam, vote, 0, ""},
		{"at once", wire.ProposalKindChangeParam, vote, now, "deadline"},
		{"the next tick", wire.ProposalKindChangeParam, vote, now + 1, ""},
		{"the longest", wire.ProposalKindChangeParam, vote, now + 2560, ""},
		{"too long", wire.ProposalKindChangeParam, vote, now + 2561, "deadline"},
		{"zero", wire.ProposalKindChangeParam, param("population.cap", 0), 0, ""},
		{"below zero", wire.ProposalKindChangeParam, param("population.cap", -1), 0, "description"},
		{"fund of 49", wire.ProposalKindSpawnAgent, spawn(49, newcomer()), 0, "fund_below_50"},
		{"fund of 50", wire.ProposalKindSpawnAgent, spawn(50, newcomer()), 0, ""},
	} {
		l := newLab(t, 8)
		if got := l.do(l.ids[0], &wire.ProposalSubmit{Author: l.ids[0], Kind: tt.kind, Description: tt.text, VoteDeadline: tt.deadline}); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if tt.deadline == 0 && tt.want == "" && l.governance.due[l.c.Msg] != now+512 {
			t.Errorf("%s: deadline %d, want %d", tt.name, l.governance.due[l.c.Msg], now+512)
		}
	}
}

func TestSubmit_TwoOpenPerAuthor(t *testing.T) {
	l := newLab(t, 8)
	submit := func(deadline wire.Tick) string {
		return l.do(l.ids[0], &wire.ProposalSubmit{
			Author: l.ids[0], Kind: wire.ProposalKindChangeParam, Description: param("population.cap", 9), VoteDeadline: deadline,
		})
	}
	for i, want := range []string{"", "", "two_open"} {
		if got := submit(wire.Tick(400 + 400*i)); got != want {
			t.Errorf("proposal %d: %q, want %q", i+1, got, want)
		}
	}
	l.end(1) // the first one is due
	l.at(512)
	for i, want := range []string{"", "two_open"} {
		if got := submit(900); got != want {
			t.Errorf("after one was decided, proposal %d: %q, want %q", i+1, got, want)
		}
	}
}

func TestVote_OnceUntilTheDeadline(t *testing.T) {
	l := newLab(t, 8)
	l.do(l.ids[0], &wire.ProposalSubmit{
		Author: l.ids[0], Kind: wire.ProposalKindChangeParam, Description: param("population.cap", 9), VoteDeadline: 300,
	})
	id := l.c.Msg
	for _, tt := range []struct {
		tick  wire.Tick
		voter int
		id    wire.Hash
		want  string
	}{
		{299, 1, id, ""}, {299, 1, id, "already_voted"}, {299, 1, wire.Hash{9}, "proposal"}, {300, 2, id, ""}, {301, 3, id, "closed"},
	} {
		l.at(tt.tick)
		if got := l.do(l.ids[tt.voter], &wire.ProposalVote{ProposalID: tt.id, Vote: true, Weight: 0.5}); got != tt.want {
			t.Errorf("agent %d at tick %d: %q, want %q", tt.voter, tt.tick, got, tt.want)
		}
	}
	l.end(1)
	for i, a := range l.ids {
		m := l.Agent(a).Merit
		votes := uint64(0)
		if i == 1 || i == 2 {
			votes = 1
		}
		if m.Votes != votes || m.Ballots != 1 {
			t.Errorf("agent %d: %d votes in %d ballots, want %d in 1", i, m.Votes, m.Ballots, votes)
		}
	}
	if s, _ := l.ProposalStatus(id); s != wire.ProposalStatusExpired || len(l.treasury.noted) != 0 {
		t.Errorf("two of eight voted: %v, %d rewards", s, len(l.treasury.noted))
	}
}

func TestEpochAdvance_FromFiveOnByVoteAfterSixteenCycles(t *testing.T) {
	for _, tt := range []struct {
		epoch, to uint32
		now       wire.Cycle
		want      bool
	}{
		{5, 6, 26, true}, {5, 6, 25, false}, {5, 7, 40, false}, {4, 5, 40, false}, {6, 7, 26, true},
	} {
		l := newLab(t, 8)
		k := l.clock.edit()
		k.Epoch, k.Changed = tt.epoch, 10
		if got := l.mayAdvance(tt.to, tt.now); got != tt.want {
			t.Errorf("from %d to %d in cycle %d: %t", tt.epoch, tt.to, tt.now, got)
		}
	}
}

func TestMaintain_FiveCyclesInDebtAreTheEnd(t *testing.T) {
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

// The timer stands between a mention and a message in the order of causes.
func TestMaintain_TimerAmongOtherCauses(t *testing.T) {
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

func TestAutoSpawn_FourAreEnough(t *testing.T) {
	for living, want := range map[int]int{3: 1, 4: 0} {
		l := newLab(t, 8)
		for _, a := range l.ids[living:] {
			l.c.Boundary(256, 0)
			if no := l.SetStatus(l.c, a, wire.StatusDead, "operator", 1); no != nil {
				t.Fatal(no)
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

// A sponsor's newcomers get the grant once in sixteen cycles, and the reserve must have it.
func TestGoverned_GrantRests(t *testing.T) {
	l := newLab(t, 8)
	p := &Proposal{Author: l.ids[0]}
	grants := []struct {
		cycle   wire.Cycle
		reserve uint64
		want    uint64
	}{{2, 99, 0}, {3, 1000, 100}, {18, 1000, 0}, {19, 1000, 100}, {20, 1000, 0}}
	for _, g := range grants {
		l.treasury.reserve = g.reserve
		l.c.CycleEnd(l.rules.Calendar.Last(g.cycle))
		l.governed(l.c, p, &wire.SpawnProposal{InitialFund: 50}, newcomer())
		if got := g.reserve - l.treasury.reserve; got != g.want {
			t.Errorf("cycle %d with a reserve of %d: granted %d, want %d", g.cycle, g.reserve, got, g.want)
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
			l.params.set("population.cap", tt.param)
		}
		if got := l.populationCap(); got != tt.want {
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

func TestAllocate_RecordsWhatChanged(t *testing.T) {
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
		{20, 4, Budget{a, 21, 20}},
		{300, 0, Budget{a, 256, 192}},
		{192, 0, Budget{a, 256, 192}},
	} {
		l.treasury.extra[a], l.treasury.insolvent[a] = tt.extra, tt.insolvent
		got := l.Allocate(l.c, 1)
		if b := *l.budgets.Get(a); b != tt.want || got[1] != (wire.TickAlloc{AgentID: a, Budget: b.Ticks, Cycle: 1}) {
			t.Errorf("extra %d, %d cycles in debt: %+v and %+v, want %+v", tt.extra, tt.insolvent, b, got[1], tt.want)
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

func TestSubscribe_SixteenPerAgentAndNumbers(t *testing.T) {
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
	if no := l.SetStatus(l.c, a, wire.StatusDead, "operator", 1); no != nil {
		t.Fatal(no)
	}
	if got := numbers(); got != "b1 " {
		t.Errorf("after a's death: %q", got)
	}
}

// The weight of a reviewer is its reputation, at least 0.1; a confirmed bug costs a tenth.
func TestMerit_QualityByWeight(t *testing.T) {
	l := newLab(t, 4)
	l.agents.Edit(l.ids[2]).Reputation = 0.5
	l.Reviewed(l.c, l.ids[0], l.ids[1], 1)   // weight 0.1
	l.Reviewed(l.c, l.ids[0], l.ids[2], 0.5) // weight 0.5
	l.Reviewed(l.c, wire.AgentID{1}, l.ids[2], 1)
	m := l.Agent(l.ids[0]).Merit
	if got := float64(m.ReviewScore) / float64(m.ReviewWeight); math.Abs(got-0.35/0.6) > 1e-5 {
		t.Errorf("quality %v, want (1·0.1 + 0.5·0.5) / 0.6", got)
	}
	l.BugConfirmed(l.c, l.ids[0])
	l.Valued(l.c, l.ids[0], 4)
	if got := l.Agent(l.ids[0]).Merit.raw(7); math.Abs(got[0]-(0.35/0.6-0.1)) > 1e-5 || got[1] != 1 || got[2] != 7 || got[3] != 0 {
		t.Errorf("parts %v", got)
	}
	var _ world.Merits = l.Daemon
}
