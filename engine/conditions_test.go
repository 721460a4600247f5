package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"kingdom/memory"

	"kingdom/agent"
	"kingdom/ooda"
	"kingdom/wire"
	"kingdom/world/nexus"
	"kingdom/world/realm"
)

// clockOf is a cycle of 12 ticks from tick 12 on, with a seat per budget.
func clockOf(budgets ...uint64) (*clock, []*seat) {
	c := &clock{}
	seats := make([]*seat, len(budgets))
	for i, b := range budgets {
		seats[i] = &seat{id: wire.AgentID{byte(i + 1)}, status: wire.StatusActive, alloc: wire.TickAlloc{Budget: b}}
	}
	c.start(wire.Calendar{TicksPerCycle: 12}, 1, seats)
	return c, seats
}

// play steps a clock to its end: "tick:seats" of every stepped tick, counted from the cycle's first.
func play(c *clock) string {
	var out []string
	for {
		t, ok := c.next()
		if !ok {
			return strings.Join(out, " ")
		}
		c.pass(t)
		var ids []string
		for _, s := range c.live(t, nil) {
			ids = append(ids, fmt.Sprint(s.id[0]))
		}
		slices.Sort(ids)
		out = append(out, fmt.Sprintf("%d:%s", t-c.first, strings.Join(ids, ",")))
	}
}

func TestClock_AgentsLiveAtEachTick(t *testing.T) {
	for name, tc := range map[string]struct {
		budgets []uint64
		do      func(c *clock, s []*seat)
		want    string
	}{
		"shared and jumped ticks": {[]uint64{2, 3, 2}, nil, "0:1,2,3 4:2 6:1,3 8:2"},
		"no budgets":              {[]uint64{0, 0}, nil, ""},
		"more than the cycle has": {[]uint64{99}, nil, "0:1 1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1 9:1 10:1 11:1"},
		"one sleeps":              {[]uint64{2, 3}, func(_ *clock, s []*seat) { s[1].status = wire.StatusDormant }, "0:1 6:1"},
		"all sleep": {[]uint64{2, 2}, func(_ *clock, s []*seat) {
			s[0].status, s[1].status = wire.StatusDormant, wire.StatusDead
		}, ""},
		"skip to the second slot of the first agent":       {[]uint64{2, 3}, func(c *clock, s []*seat) { c.pass(12); c.skipTo(s[0]) }, "6:1 8:2"},
		"skip to a shared tick, where only one agent acts": {[]uint64{2, 3}, func(c *clock, s []*seat) { c.skipTo(s[1]) }, "0:2 4:2 6:1 8:2"},
		"only one agent, with two slots":                   {[]uint64{2, 3}, func(c *clock, s []*seat) { c.restrictTo(s[1], 2) }, "0:2 4:2"},
		"only one agent, no slots":                         {[]uint64{2, 3}, func(c *clock, s []*seat) { c.restrictTo(s[1], 0) }, ""},
		"only one agent, more slots than it has":           {[]uint64{2, 3}, func(c *clock, s []*seat) { c.restrictTo(s[1], 9) }, "0:2 4:2 8:2"},
	} {
		c, seats := clockOf(tc.budgets...)
		if tc.do != nil {
			tc.do(c, seats)
		}
		if got := play(c); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

func TestClock_PositionAndHasSlot(t *testing.T) {
	c, seats := clockOf(2, 1)
	if !c.atStart() || c.position() != 12 || !c.hasSlot(seats[0]) || c.hasSlot(&seat{}) {
		t.Errorf("at the start: %+v", c)
	}
	c.pass(12)
	if c.atStart() || c.position() != 13 || !c.hasSlot(seats[0]) || c.hasSlot(seats[1]) {
		t.Errorf("after the first tick: %+v", c)
	}
	c.skipTo(seats[1]) // has no slot left: nothing happens
	if c.position() != 13 || c.soloNext != nil {
		t.Errorf("skipped to a slot that is over: %+v", c)
	}
	c.start(wire.Calendar{TicksPerCycle: 12}, 2, seats)
	if !c.atStart() || c.position() != 24 || len(c.groups) != 2 {
		t.Errorf("next cycle: %+v", c)
	}
}

func TestInputQueue_GivesInputsThatAreDue(t *testing.T) {
	var b inputQueue
	for _, in := range []Input{{Earliest: 20, plan: 2}, {Earliest: 10, plan: 1}, {Earliest: 15}} {
		b.put(in)
	}
	for now, want := range map[wire.Tick]wire.Tick{0: 10, 10: 10, 11: 15, 16: 20, 20: 20, 21: 0} {
		if got, ok := b.scheduled(now); got != want || ok != (want != 0) {
			t.Errorf("from %d on: %d, %v; want %d", now, got, ok, want)
		}
	}
	if b.hasOverdue(10) || !b.hasOverdue(11) {
		t.Error("an input is overdue at its tick, or not after it")
	}
	if got := b.take(9, true); len(got) != 0 {
		t.Errorf("%d inputs before their time", len(got))
	}
	if got := b.take(15, true); len(got) != 2 || got[0].in.Earliest != 10 || got[1].in.Earliest != 15 || len(b.inputs) != 1 {
		t.Errorf("at 15: %+v", got)
	}
	out := b.put(Input{})
	b.put(Input{plan: 3})
	if b.dropApplied(&inputRecord{Plan: 2}); len(b.inputs) != 2 || b.inputs[0].in.plan != 0 || b.inputs[1].in.plan != 3 {
		t.Errorf("after forgetting two planned ones: %+v", b.inputs)
	}
	b.failAll(errors.New("over"))
	if a := <-out; a.Err == nil || len(b.inputs) != 0 {
		t.Errorf("refused: %+v", a)
	}
	b.failAll(errors.New("later"))
	select {
	case a := <-b.put(Input{}):
		if a.Err == nil || a.Err.Error() != "over" {
			t.Errorf("put after failAll: %+v", a)
		}
	default:
		t.Error("an input that is put after failAll waits for ever")
	}
}

// A run that has failed still writes its files. Who closes the engine meanwhile must wait.
func TestEngine_CloseWhileAFailedRunEnds(t *testing.T) {
	e, err := Start(t.Context(), testConfig("42", 4), Options{Mind: testMind("42")})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.control.acquire(); err != nil {
		t.Fatal(err)
	}
	failure := errors.New("failed")
	e.control.setFailure(failure)
	if err := e.Close(); !errors.Is(err, ErrRunning) {
		t.Errorf("Close while the failed run ends: %v, want ErrRunning", err)
	}
	e.control.release()
	if _, err := e.Run(t.Context(), 1); !errors.Is(err, failure) {
		t.Errorf("Run after the failure: %v", err)
	}
	if err := e.Close(); err != nil {
		t.Errorf("Close after the failed run: %v", err)
	}
	if a := <-e.Input(Input{Kind: InputWake}); a.Err == nil {
		t.Error("an input after Close was applied")
	}
}

func TestWakes_LowestCauseOfSeveralIsKept(t *testing.T) {
	w := wakes{requests: map[wire.AgentID]wire.WakeCause{}}
	s := &seat{id: wire.AgentID{2}, status: wire.StatusDormant}
	other := &seat{id: wire.AgentID{1}, status: wire.StatusDormant}
	causes := []wire.WakeCause{wire.WakeOperator, wire.WakeGoal, wire.WakeMention}
	slices.Sort(causes)
	for _, order := range [][]int{{0, 1}, {1, 0}, {1, 1, 0, 2}} {
		for _, i := range order {
			if err := w.request(s, causes[i]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.request(other, causes[2]); err != nil {
			t.Fatal(err)
		}
		got := w.take()
		if want := []nexus.Wake{{Agent: other.id, Cause: causes[2]}, {Agent: s.id, Cause: causes[0]}}; !slices.Equal(got, want) {
			t.Errorf("wished in order %v: %+v", order, got)
		}
		if len(w.take()) != 0 {
			t.Error("wishes are taken twice")
		}
	}
	var no *RefusedError
	if err := w.request(&seat{status: wire.StatusActive}, causes[0]); !errors.As(err, &no) || no.Reason != "not_dormant" {
		t.Errorf("a wish for somebody awake: %v", err)
	}
}

func TestWakes_CountsDormantAgents(t *testing.T) {
	var w wakes
	for _, tc := range []struct {
		from, to wire.AgentStatus
		want     int
	}{
		{0, wire.StatusDormant, 1},
		{wire.StatusActive, wire.StatusDormant, 2},
		{wire.StatusDormant, wire.StatusDormant, 2},
		{wire.StatusDormant, wire.StatusActive, 1},
		{wire.StatusDormant, wire.StatusDead, 0},
		{wire.StatusActive, wire.StatusDead, 0},
	} {
		if w.countStatus(tc.from, tc.to); w.dormant != tc.want {
			t.Errorf("%v to %v: %d asleep, want %d", tc.from, tc.to, w.dormant, tc.want)
		}
	}
}

// A mention wakes if at least half of the interactions with who mentions went well.
func TestTrusted_AtLeastHalfOfInteractionsWentWell(t *testing.T) {
	peer := wire.AgentID{7}
	for _, tc := range []struct {
		met, well uint64
		want      bool
	}{{0, 0, false}, {1, 0, false}, {1, 1, true}, {2, 1, true}, {3, 1, false}, {3, 2, true}} {
		a := agent.New(agent.NewIdentity(wire.Hash{}, 1, 0, eight()[0]), agent.DefaultLimits)
		for i := range tc.met {
			a.Memory.Peers.Interact(peer, memory.DealAnswer, i < tc.well, 1)
		}
		if got := trusted(a, peer); got != tc.want {
			t.Errorf("%d of %d interactions went well: trusted %v", tc.well, tc.met, got)
		}
	}
}

// The best peers are those with the most interactions, then the lowest ids; 24 of them.
func TestBestPeers_MostInteractionsFirst(t *testing.T) {
	a := agent.New(agent.NewIdentity(wire.Hash{}, 1, 0, eight()[0]), agent.DefaultLimits)
	for i := range byte(30) {
		for range 1 + i/10 { // ids 0 to 9 are met once, 10 to 19 twice, 20 to 29 three times
			a.Memory.Peers.Interact(wire.AgentID{i}, memory.DealAnswer, true, 1)
		}
	}
	var got []byte
	for _, id := range bestPeers(a, nil) {
		got = append(got, id[0])
	}
	want := []byte{20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 0, 1, 2, 3}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestEachAlias_FindsEightHexDigitsInText(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "",
		"1234567":                  "",
		"12345678":                 "12345678",
		"@09afz 0123456789":        "01234567 12345678 23456789",
		"0123456g 89abcdef":        "89abcdef",
		"ABCDEF01 /0000000 :90123": "",
		"`aaaaaaa aaaaaaaf":        "aaaaaaaf",
	} {
		var got []string
		eachAlias(text, func(a string) { got = append(got, a) })
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestControl_OnlyOneCallerRunsTheEngine(t *testing.T) {
	var c control
	if err := c.acquire(); err != nil {
		t.Fatal(err)
	}
	if err := c.acquire(); !errors.Is(err, ErrRunning) {
		t.Errorf("acquired twice: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	looked := 0
	if err := c.runWhenIdle(ctx, func() { looked++ }); !errors.Is(err, context.Canceled) {
		t.Errorf("runWhenIdle with an ended context: %v", err)
	}
	ended := make(chan error)
	go func() { ended <- c.runWhenIdle(t.Context(), func() { looked += 10 }) }()
	for queued := false; !queued; {
		c.mu.Lock()
		queued = len(c.pending) == 1
		c.mu.Unlock()
	}
	c.runPending()
	if err := <-ended; err != nil || looked != 10 {
		t.Errorf("looked %d, %v", looked, err)
	}
	done := make(chan error, 1)
	c.awaitFlush(done)
	if w := c.takeFlushes(); len(w) != 1 || len(c.takeFlushes()) != 0 {
		t.Errorf("%d wait for the cycle", len(w))
	}
	c.awaitFlush(done)
	c.release()
	if len(done) != 0 {
		t.Errorf("who waits for a cycle was told %v before the end of one", <-done)
	}
	first := errors.New("first")
	c.setFailure(first)
	c.setFailure(errors.New("second"))
	if err := c.acquire(); !errors.Is(err, first) || !errors.Is(c.failed(), first) {
		t.Errorf("acquire after a failure: %v", err)
	}
	if c.release(); !errors.Is(<-done, first) {
		t.Error("who waited for a cycle was not told of the failure")
	}
	if c.awaitFlush(done); !errors.Is(<-done, first) {
		t.Error("who comes later waits for ever")
	}
}

func TestChangedSeats_TouchedOrWithBudgetThisCycle(t *testing.T) {
	mk := func(id byte, touched bool, cycle wire.Cycle, budget uint64) *seat {
		return &seat{id: wire.AgentID{id}, touched: touched, alloc: wire.TickAlloc{Cycle: cycle, Budget: budget}}
	}
	a, b := mk(1, true, 5, 3), mk(2, false, 5, 3) // with a budget in cycle 5
	old, idle, poor := mk(3, true, 4, 3), mk(4, false, 4, 3), mk(5, true, 5, 0)
	got := changedSeats(5, []*seat{b, a}, []*seat{a, b, old, idle, poor})
	if !slices.Equal(got, []*seat{a, b, old, poor}) {
		t.Errorf("%d seats changed", len(got))
	}
	for _, s := range got {
		if s.touched {
			t.Errorf("seat %d stays touched", s.id[0])
		}
	}
}

// pagedStore has n cycle rows and notes which were asked for.
type pagedStore struct {
	Store
	n     wire.Cycle
	asked [][2]wire.Cycle
}

func (p *pagedStore) Cycles(_ context.Context, from, to wire.Cycle) (out []CycleRow, err error) {
	p.asked = append(p.asked, [2]wire.Cycle{from, to})
	for c := from; c <= to && c < p.n; c++ {
		out = append(out, CycleRow{Cycle: c})
	}
	return out, nil
}

// A long history is read page by page, every row once.
func TestCycleReader_ReadsEveryRowOnceInPages(t *testing.T) {
	db := &pagedStore{n: 600}
	rows := &cycleReader{db: db}
	for want := range db.n {
		r, err := rows.next(t.Context())
		if err != nil || r.Cycle != want {
			t.Fatalf("row %d: %+v, %v", want, r, err)
		}
	}
	if more, err := rows.more(t.Context()); more || err != nil {
		t.Errorf("behind the last row: %v, %v", more, err)
	}
	if _, err := rows.next(t.Context()); err == nil || !strings.Contains(err.Error(), "cycle 600") {
		t.Errorf("behind the last row: %v", err)
	}
	if want := [][2]wire.Cycle{{0, 255}, {256, 511}, {512, 767}, {600, 855}, {600, 855}}; !slices.Equal(db.asked, want) {
		t.Errorf("asked for %v, want %v", db.asked, want)
	}
}

// Rows that come after they were bounded are not read.
func TestCycleReader_StopsAtEndSetBefore(t *testing.T) {
	for _, n := range []wire.Cycle{1, 255, 256, 257, 600} {
		db := &pagedStore{n: n}
		rows := &cycleReader{db: db}
		if err := rows.setEnd(t.Context()); err != nil {
			t.Fatal(err)
		}
		db.n += 300
		read := wire.Cycle(0)
		for ; ; read++ {
			if more, err := rows.more(t.Context()); err != nil {
				t.Fatal(err)
			} else if !more {
				break
			}
			if _, err := rows.next(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if read != n {
			t.Errorf("of %d rows, and 300 that came later, %d are read", n, read)
		}
	}
}

func TestFlags_IncludeAllUpToPhysicsVersion(t *testing.T) {
	for physics, want := range map[uint32][]Flag{
		1: {FlagOrigin},
		2: {FlagOrigin, FlagCorrectedRules},
		3: {FlagOrigin, FlagCorrectedRules, FlagWholeRules},
		4: {FlagOrigin, FlagCorrectedRules, FlagWholeRules, FlagWholeWorld},
		5: {FlagOrigin, FlagCorrectedRules, FlagWholeRules, FlagWholeWorld, FlagMinds},
		6: {FlagOrigin, FlagCorrectedRules, FlagWholeRules, FlagWholeWorld, FlagMinds, FlagSociety},
		7: {FlagOrigin, FlagCorrectedRules, FlagWholeRules, FlagWholeWorld, FlagMinds, FlagSociety, FlagPatience},
	} {
		if got := flags(physics); !slices.Equal(got, want) {
			t.Errorf("physics %d: %v, want %v", physics, got, want)
		}
	}
}

func TestMetricsOf(t *testing.T) {
	end := &realm.CycleEnd{Cycle: 3}
	end.Metrics.CirculatingSupply = -5
	events := []*wire.Event{{Kind: wire.KindMessagePosted}, {Kind: wire.KindGenesis}, {Kind: wire.KindMessagePosted}}
	m := metricsOf(end, counters{agentTicks: 30, nops: 7}, counters{agentTicks: 10, nops: 5}, events)
	if m.Cycle != 3 || m.CirculatingSupply != 0 || m.Messages != 2 || m.NOPs != 2 || m.AgentTicks != 20 {
		t.Errorf("%+v", m)
	}
	if end.Metrics.CirculatingSupply = 5; metricsOf(end, counters{}, counters{}, nil).CirculatingSupply != 5 {
		t.Error("the supply is lost")
	}
}

// Where a tick differs from its record, the first seat is named, else what differs.
func TestCompareTick(t *testing.T) {
	live := []*seat{{id: wire.AgentID{1}}, {id: wire.AgentID{2}}}
	live[0].step.NOP = &ooda.NOPRecord{Reason: ooda.NOPRest}
	live[1].step.Kind, live[1].step.Envelope.Type = ooda.StepSend, wire.TypeMsgPost
	chose := map[byte]string{1: "rest", 2: "msg_post"}
	base := tickRecord{Tick: 9, Seats: []byte("envAthoAenvBthoB")}
	for name, tc := range map[string]struct {
		change    func(r *tickRecord)
		component string
		agent     byte
	}{
		"same":       {func(*tickRecord) {}, "", 0},
		"envelope":   {func(r *tickRecord) { r.Seats[8] = 'x' }, "envelope", 2},
		"thought":    {func(r *tickRecord) { r.Seats[4] = 'x' }, "thought", 1},
		"both":       {func(r *tickRecord) { r.Seats[15], r.Seats[8] = 'x', 'x' }, "thought", 2},
		"fewer":      {func(r *tickRecord) { r.Seats = r.Seats[:8] }, "seats", 0},
		"chain":      {func(r *tickRecord) { r.Chain[0] = 1; r.Thoughts[0] = 1 }, "envelopes", 0},
		"an old one": {func(r *tickRecord) { r.Thoughts[0] = 1 }, "thoughts", 0},
	} {
		got := base
		got.Seats = slices.Clone(base.Seats)
		tc.change(&got)
		err := compareTick(4, &base, &got, live)
		if tc.component == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		var d *DivergenceError
		if !errors.As(err, &d) || d.Component != tc.component || d.Agent[0] != tc.agent || d.Chose != chose[tc.agent] || d.Want == d.Got || d.Cycle != 4 || d.Tick != 9 {
			t.Errorf("%s: %v", name, err)
		}
		if name == "fewer" && (d.Want != "2" || d.Got != "1") {
			t.Errorf("%s: want %s, got %s; it is seats that are counted", name, d.Want, d.Got)
		}
	}
}

type fullStore bool

func (fullStore) Error() string    { return "full" }
func (f fullStore) DiskFull() bool { return bool(f) }

// A slot in which an agent goes on to rest has no record of its own, and is told from one in which an action was running.
func TestChose_OfSlotsThatSendNothing(t *testing.T) {
	for _, c := range []struct {
		step ooda.Step
		want string
	}{
		{ooda.Step{Resting: true}, "rest"},
		{ooda.Step{Resting: true, NOP: &ooda.NOPRecord{Reason: ooda.NOPRest}}, "rest"},
		{ooda.Step{NOP: &ooda.NOPRecord{Reason: ooda.NOPChosen}}, "nop"},
		{ooda.Step{}, ""},
	} {
		if got := chose(&c.step); got != c.want {
			t.Errorf("%+v chose %q, want %q", c.step, got, c.want)
		}
	}
}

func TestIsDiskFull(t *testing.T) {
	for err, want := range map[error]bool{
		syscall.ENOSPC: true, syscall.EDQUOT: true, syscall.EIO: false, fullStore(true): true, fullStore(false): false,
	} {
		if got := isDiskFull(fmt.Errorf("write: %w", err)); got != want {
			t.Errorf("%v: %v", err, got)
		}
	}
}

func TestAliases_SharedAliasResolvesToNobody(t *testing.T) {
	n := aliases{}
	a, b := wire.AgentID{1, 2, 3, 4, 5}, wire.AgentID{1, 2, 3, 4, 6}
	n.add(a)
	n.add(a)
	if id, ok := n.resolve(a.Alias()); !ok || id != a {
		t.Errorf("%v, %v", id, ok)
	}
	if n.add(b); a.Alias() == b.Alias() {
		if _, ok := n.resolve(a.Alias()); ok {
			t.Error("an alias of two agents names one")
		}
	} else {
		t.Error("the test shows nothing: the aliases differ")
	}
	if _, ok := n.resolve("ffffffff"); ok {
		t.Error("nobody's alias names somebody")
	}
}
