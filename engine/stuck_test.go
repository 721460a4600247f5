package engine

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"kingdom/memory"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/llm/scripted"
	"kingdom/wire"
	"kingdom/wire/codec"
)

// diary is an observer that keeps warnings, NOP streaks, status changes and inputs.
type diary struct {
	warned  map[wire.AgentID]int
	streaks []uint32
	changes []StatusChange
	inputs  []InputReport
}

func (d *diary) Commit(c *Commit) {
	for i := range c.Seats {
		if n := c.Seats[i].NOP; n != nil {
			d.streaks = append(d.streaks, n.Streak)
		}
	}
	d.inputs = append(d.inputs, c.Inputs...)
	for _, ev := range c.Events {
		switch p := ev.Payload.(type) {
		case *wire.AgentNopWarningEvent:
			d.warned[p.AgentID]++
		case *wire.AgentStatusChangeEvent:
			d.changes = append(d.changes, StatusChange{Agent: p.AgentID, From: p.OldStatus, To: p.NewStatus, Reason: p.Reason})
		}
	}
}

func (d *diary) Cycle(r *CycleReport) { d.changes = append(d.changes, r.Changes...) }

// find returns the changes of an agent to a status.
func (d *diary) find(a wire.AgentID, to wire.AgentStatus) (out []StatusChange) {
	for _, c := range d.changes {
		if c.Agent == a && c.To == to {
			out = append(out, c)
		}
	}
	return out
}

// A mind that never makes sense: a warning at 3, sleep at 10, for each agent.
func TestEngine_MalformedAnswersPutToSleep(t *testing.T) {
	cfg := testConfig("42", 8)
	cfg.Rules.WakeAfter, cfg.Rules.AutoSpawn = 0, false
	d := &diary{warned: map[wire.AgentID]int{}}
	e, err := Start(t.Context(), cfg, Options{
		Mind:      scripted.New(cfg.Rules.Seed, scripted.Knobs{MalformedRate: 1}),
		Observers: []Observer{d},
	})
	if err != nil {
		t.Fatal(err)
	}
	sum, err := e.Run(t.Context(), 3)
	if err != nil {
		t.Fatal(err)
	}
	seats := e.agents.seats
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if sum.Agents.Dormant != 8 || sum.AgentTicks != 80 || sum.NOPs != 80 || sum.Warnings != 8 || sum.Slept != 8 {
		t.Errorf("summary %+v, want 8 dormant after a warning and 10 NOPs each", sum)
	}
	for _, s := range seats {
		if d.warned[s.id] != 1 {
			t.Errorf("agent %s was warned %d times", s.id.Alias(), d.warned[s.id])
		}
		if c := d.find(s.id, wire.StatusDormant); len(c) != 1 || c[0].Reason != "nop_limit" {
			t.Errorf("agent %s fell asleep %+v", s.id.Alias(), c)
		}
	}
}

// asleep starts a world whose agents all fall asleep in the first cycle.
func asleep(t *testing.T, wakeAfter uint64, opt Options) (*Engine, *diary) {
	t.Helper()
	cfg := testConfig("42", 8)
	cfg.Rules.WakeAfter, cfg.Rules.AutoSpawn = wakeAfter, false
	d := &diary{warned: map[wire.AgentID]int{}}
	opt.Observers = []Observer{d}
	opt.Mind = scripted.New(cfg.Rules.Seed, scripted.Knobs{FailureBursts: scripted.FailureBursts{EveryCycles: 1, LengthSlots: 16}})
	e, err := Start(t.Context(), cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := e.Run(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if sum.Agents.Dormant != 8 {
		t.Fatalf("%+v", sum)
	}
	return e, d
}

func TestWake_ByTimer(t *testing.T) {
	e, d := asleep(t, 2, Options{})
	id := e.agents.seats[0].id
	for _, want := range []wire.AgentStatus{wire.StatusDormant, wire.StatusActive} {
		if _, err := e.Run(t.Context(), e.cycle+1); err != nil {
			t.Fatal(err)
		}
		if got, _ := e.Runtime().Status(t.Context(), id); got != want {
			t.Errorf("after cycle %d the agent is %v, want %v", e.cycle, got, want)
		}
	}
	if n, _ := e.Runtime().NopCount(t.Context(), id); n != 0 {
		t.Errorf("streak %d after waking", n)
	}
	gs, err := e.Runtime().Goals(t.Context(), id)
	if err != nil || !hasGoal(gs, goals.KindExplore) {
		t.Errorf("no explore goal after waking: %v", err)
	}
	e.Close()
	if c := d.find(id, wire.StatusActive); len(c) != 2 || c[1].Cause != wire.WakeTimer || c[1].Reason != "timer" {
		t.Errorf("changes %+v", c)
	}
}

func hasGoal(gs []goals.Goal, k goals.Kind) bool {
	for i := range gs {
		if gs[i].Kind() == k {
			return true
		}
	}
	return false
}

func TestWake_ByOperatorAndGoalInputs(t *testing.T) {
	e, d := asleep(t, 0, Options{})
	byOperator, byGoal, byBoth, dead := e.agents.seats[0].id, e.agents.seats[1].id, e.agents.seats[2].id, e.agents.seats[3].id
	goal := goals.New(byGoal, goals.LayerObjective, goals.SourceOpportunity, goals.Description{Kind: goals.KindOperator, Text: "look around"}, 0)
	inputs := []Input{
		{Kind: InputWake, Agent: byOperator},
		{Kind: InputGoal, Agent: byGoal, Goal: &goal},
		{Kind: InputGoal, Agent: byBoth, Goal: &goal},
		{Kind: InputStatus, Agent: byBoth, Status: wire.StatusActive},
		{Kind: InputStatus, Agent: dead, Status: wire.StatusDead, Reason: "operator"},
		{Kind: InputWake, Agent: wire.AgentID{1}},
	}
	var results []<-chan Applied
	for _, in := range inputs {
		results = append(results, e.Input(in))
	}
	if _, err := e.Run(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		a := <-r
		if a.Seq != uint64(i+1) || e.cal.Cycle(a.Tick) != 2 {
			t.Errorf("input %d: %+v", i, a)
		}
		if (a.Err != nil) != (i == 5) {
			t.Errorf("input %d: %v", i, a.Err)
		}
	}
	want := map[wire.AgentID]wire.AgentStatus{byOperator: wire.StatusActive, byGoal: wire.StatusActive, byBoth: wire.StatusActive, dead: wire.StatusDead, e.agents.seats[5].id: wire.StatusDormant}
	for id, st := range want {
		if got, _ := e.Runtime().Status(t.Context(), id); got != st {
			t.Errorf("agent %s is %v, want %v", id.Alias(), got, st)
		}
	}
	e.Close()
	for id, cause := range map[wire.AgentID]wire.WakeCause{byOperator: wire.WakeOperator, byGoal: wire.WakeGoal, byBoth: wire.WakeOperator} {
		if c := d.find(id, wire.StatusActive); len(c) != 2 || c[1].Cause != cause {
			t.Errorf("agent %s woke by %+v, want %v", id.Alias(), c, cause)
		}
	}
	if len(d.inputs) != len(inputs) || d.inputs[5].Refused == "" {
		t.Errorf("inputs seen %+v", d.inputs)
	}
}

// An operator's word that a goal is reached ends the goal; for a goal that the agent does not have it is refused.
func TestInput_DoneEndsOperatorGoal(t *testing.T) {
	e, err := Start(t.Context(), testConfig("42", 8), Options{Mind: testMind("42")})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	id := e.agents.seats[0].id
	goal := func(text string) *goals.Goal {
		g := goals.New(id, goals.LayerObjective, goals.SourceOpportunity, goals.Description{Kind: goals.KindOperator, Text: text}, 0)
		return &g
	}
	given := e.Input(Input{Kind: InputGoal, Agent: id, Goal: goal("look around")})
	if _, err := e.Run(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if a := <-given; a.Err != nil {
		t.Fatal(a.Err)
	}
	if gs, _ := e.Runtime().Goals(t.Context(), id); !hasGoal(gs, goals.KindOperator) {
		t.Fatal("the goal was not given")
	}
	other := e.Input(Input{Kind: InputDone, Agent: id, Goal: goal("look away")})
	reached := e.Input(Input{Kind: InputDone, Agent: id, Goal: goal("look around")})
	again := e.Input(Input{Kind: InputDone, Agent: id, Goal: goal("look around")})
	empty := e.Input(Input{Kind: InputDone, Agent: id})
	if _, err := e.Run(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]<-chan Applied{"another goal": other, "a goal reached before": again} {
		var no *RefusedError
		if a := <-got; !errors.As(a.Err, &no) || no.Reason != "no_such_goal" {
			t.Errorf("%s: %v", name, a.Err)
		}
	}
	if a := <-reached; a.Err != nil {
		t.Errorf("the goal: %v", a.Err)
	}
	if a := <-empty; a.Err == nil {
		t.Error("no goal: accepted")
	}
	if gs, _ := e.Runtime().Goals(t.Context(), id); hasGoal(gs, goals.KindOperator) {
		t.Error("the goal lives on")
	}
}

// An input may name its tick: that tick is stepped even if no agent has a slot there.
func TestInput_IsAppliedAtItsTick(t *testing.T) {
	e, _ := asleep(t, 0, Options{Dir: t.TempDir(), Store: newMemStore()})
	defer e.Close()
	at := e.cal.First(3) + 77
	later, sooner := e.Input(Input{Kind: InputWake, Agent: e.agents.seats[0].id, Earliest: at}), e.Input(Input{Kind: InputWake, Agent: e.agents.seats[1].id})
	if _, err := e.Run(t.Context(), 4); err != nil {
		t.Fatal(err)
	}
	if a := <-sooner; a.Tick != e.cal.First(2) || a.Err != nil || a.Seq != 1 {
		t.Errorf("sooner: %+v", a)
	}
	if a := <-later; a.Tick != at || a.Err != nil || a.Seq != 2 {
		t.Errorf("later: %+v, want tick %d", a, at)
	}
}

// A mention wakes only where the author is trusted, by id or by alias.
func TestWake_ByMention(t *testing.T) {
	e, _ := asleep(t, 0, Options{})
	defer e.Close()
	sleeper, friend, stranger := e.agents.seats[0], e.agents.seats[1].id, e.agents.seats[2].id
	sleeper.a.Memory.Peers.Interact(friend, memory.DealAnswer, true, 1)
	sleeper.a.Memory.Peers.Interact(friend, memory.DealAnswer, false, 2)
	contents := codec.New[wire.Content]()
	content := func(text string) []byte {
		return contents.Append(nil, &wire.Content{Text: &text})
	}
	for _, tc := range []struct {
		name string
		from wire.AgentID
		post wire.MsgPost
		want bool
	}{
		{"alias by a friend", friend, wire.MsgPost{Content: content("ask " + sleeper.id.Alias() + " about it")}, true},
		{"alias within other digits", friend, wire.MsgPost{Content: content("0" + sleeper.id.Alias() + "f")}, true},
		{"reference by a friend", friend, wire.MsgPost{Content: content("hi"), References: []wire.Hash{wire.Hash(sleeper.id)}}, true},
		{"alias by a stranger", stranger, wire.MsgPost{Content: content(sleeper.id.Alias())}, false},
		{"alias of no agent", friend, wire.MsgPost{Content: content("deadbeef")}, false},
		{"first half of an alias", friend, wire.MsgPost{Content: content(sleeper.id.Alias()[:7])}, false},
	} {
		clear(e.wakes.requests)
		e.wakes.wakeNamed(tc.from, &tc.post)
		if _, got := e.wakes.requests[sleeper.id]; got != tc.want {
			t.Errorf("%s: wakes %v, want %v", tc.name, got, tc.want)
		}
	}
	e.wakes.wakeNamed(friend, &wire.MsgPost{Content: content(sleeper.id.Alias())})
	if _, err := e.Run(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if got, _ := e.Runtime().Status(t.Context(), sleeper.id); got != wire.StatusActive {
		t.Errorf("the sleeper is %v", got)
	}
}

// moody is a mind that panics, fails or has an outage for one agent at one tick.
type moody struct {
	Mind
	tick  wire.Tick
	err   error
	panic bool
	out   llm.Outcome
	once  bool // what goes wrong is no outage
}

func (m *moody) Recomputable(wire.Cycle) bool { return m.out == 0 }

func (m *moody) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	if p.Tick >= m.tick {
		switch {
		case m.panic && m.err != nil:
			panic(m.err)
		case m.panic:
			panic("lost my mind")
		case m.err != nil:
			return llm.Thought{}, m.err
		case m.out != 0:
			return llm.Thought{Outcome: m.out, Outage: !m.once, Error: "503"}, nil
		}
	}
	return m.Mind.Think(ctx, p)
}

// A mind that panics or fails stops the run with an error that says who and when;
// the store keeps the last whole cycle, and resume goes on.
func TestEngine_FailingMindStopsRunNamingAgentAndTick(t *testing.T) {
	for name, mind := range map[string]*moody{
		"panic":               {Mind: testMind("42"), tick: 300, panic: true},
		"error":               {Mind: testMind("42"), tick: 300, err: errors.New("no such model")},
		"panic with an error": {Mind: testMind("42"), tick: 300, panic: true, err: errors.New("lost my mind")},
	} {
		store, dir := newMemStore(), t.TempDir()
		e, err := Start(t.Context(), testConfig("42", 8), Options{Dir: dir, Store: store, Mind: mind})
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.Run(t.Context(), 5)
		var broken *AgentError
		if !errors.As(err, &broken) || broken.Agent.IsZero() || broken.Tick < 300 || broken.Cycle != 2 || mind.err != nil && !errors.Is(err, mind.err) || mind.panic != (broken.Stack != nil) {
			t.Errorf("%s: %v", name, err)
		}
		if _, again := e.Run(t.Context(), 5); again == nil || !errors.Is(again, err) {
			t.Errorf("%s: second run: %v", name, again)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		if n := len(store.cycles); n != 2 {
			t.Errorf("%s: %d cycles in the store", name, n)
		}
		if card, err := ReadRunFile(dir); err != nil || card.Status != StatusFailed || !strings.Contains(card.Error, broken.Agent.Alias()) {
			t.Errorf("%s: run.json %+v, %v", name, card, err)
		}
		want := mustRun(t, testConfig("42", 8), Options{}, 4)
		if e, err = Resume(t.Context(), testConfig("42", 8), Options{Dir: dir, Store: store, Mind: testMind("42")}); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Run(t.Context(), 4); err != nil || resultOf(e) != want {
			t.Errorf("%s: resumed to %+v, %v; want %+v", name, resultOf(e), err, want)
		}
		e.Close()
	}
}

// An outage pauses the run or makes the slots idle; it never counts as NOPs.
func TestEngine_OutagePausesRunOrIdlesSlots(t *testing.T) {
	for _, out := range []llm.Outcome{llm.TimedOut, llm.ProviderError} {
		cfg := testConfig("42", 4)
		store, dir := newMemStore(), t.TempDir()
		mind := &moody{Mind: testMind("42"), tick: 300, out: out}
		e, err := Start(t.Context(), cfg, Options{Dir: dir, Store: store, Mind: mind})
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.Run(t.Context(), 4)
		var paused *PausedError
		if !errors.As(err, &paused) || paused.Cycle != 2 || paused.Reason != out.String()+": 503" {
			t.Errorf("pause: %v", err)
		}
		e.Close()
		if card, _ := ReadRunFile(dir); card.Status != StatusPaused {
			t.Errorf("run.json says %s", card.Status)
		}
		mind.tick = ^wire.Tick(0) // the provider is back
		if e, err = Resume(t.Context(), cfg, Options{Dir: dir, Store: store, Mind: mind}); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Run(t.Context(), 4); err != nil || resultOf(e) != mustRun(t, cfg, Options{}, 4) {
			t.Errorf("after the outage: %v", err)
		}
		e.Close()

		mind.tick, mind.once = 300, true // policy pause, but nobody says that the endpoint is out
		if e, err = Start(t.Context(), cfg, Options{Mind: mind}); err != nil {
			t.Fatal(err)
		}
		if sum, err := e.Run(t.Context(), 4); err != nil || sum.Agents.Active != 4 {
			t.Errorf("single failures: %+v, %v", sum, err)
		}
		e.Close()

		cfg.OnOutage = OutageIdle
		mind.tick, mind.once = 300, false
		if e, err = Start(t.Context(), cfg, Options{Mind: mind}); err != nil {
			t.Fatal(err)
		}
		sum, err := e.Run(t.Context(), 4)
		if err != nil || sum.Agents.Active != 4 {
			t.Errorf("idle: %+v, %v", sum, err)
		}
		e.Close()
	}
}

// A journal that cannot be closed is told beside the reason of the stop, and by Close.
func TestEngine_JournalThatCannotBeClosed(t *testing.T) {
	cause := errors.New("the cause")
	for name, stop := range map[string]func(*Engine) error{
		"fail":  func(e *Engine) error { return e.fail(t.Context(), cause) },
		"Close": func(e *Engine) error { return errors.Join(cause, e.Close()) },
	} {
		e, err := Start(t.Context(), testConfig("42", 4), Options{Dir: t.TempDir(), Store: newMemStore(), Mind: testMind("42")})
		if err != nil {
			t.Fatal(err)
		}
		if err := e.journal.w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := stop(e); !errors.Is(err, cause) || !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: %v", name, err)
		}
		_ = e.Close()
	}
}
