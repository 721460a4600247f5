package engine

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"kingdom/agent"
	"kingdom/goals"
	"kingdom/ooda"
	"kingdom/wire"
)

// While the engine runs, changes through the runtime interface wait for the next cycle boundary, and so do reads.
func TestRuntime_CallsWhileRunIsRunning(t *testing.T) {
	store, dir := newMemStore(), t.TempDir()
	opt := Options{Dir: dir, Store: store, Mind: testMind("42")}
	e, err := Start(t.Context(), testConfig("42", 8), opt)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := e.Run(ctx, 1_000_000)
		ended <- err
	}()
	first := e.cfg.Rules.Seed
	id := wire.AgentIDAt(first, 1)
	newcomer, err := e.Runtime().Spawn(t.Context(), eight()[0], 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	child, err := e.Runtime().Spawn(t.Context(), eight()[1], 60, &id)
	if err != nil {
		t.Fatal(err)
	}
	var no *RefusedError
	if _, err := e.Runtime().Spawn(t.Context(), eight()[1], 49, nil); !errors.As(err, &no) || no.Reason != "fund_below_50" {
		t.Errorf("a fund of 49: %v", err)
	}
	if err := e.Runtime().SetStatus(t.Context(), wire.AgentIDAt(first, 2), wire.StatusDormant); err != nil {
		t.Error(err)
	}
	goal := goals.New(id, goals.LayerTask, goals.SourceOpportunity, goals.Description{Kind: goals.KindOperator, Text: "say hello"}, 0)
	if err := e.Runtime().InjectGoal(t.Context(), id, goal); err != nil {
		t.Error(err)
	}
	if gs, err := e.Runtime().Goals(t.Context(), id); err != nil || !hasGoal(gs, goals.KindOperator) {
		t.Errorf("injected goal: %v", err)
	}
	if _, err := e.Runtime().ActivePlan(t.Context(), id); err != nil {
		t.Error(err)
	}
	if _, err := e.Runtime().PeerModel(t.Context(), id, newcomer); err != nil {
		t.Error(err)
	}
	if err := e.Runtime().FlushMemory(t.Context(), id); err != nil {
		t.Error(err)
	}
	if a, err := e.Runtime().Load(t.Context(), id); err != nil || a.ID != id {
		t.Errorf("load: %v", err)
	}
	if _, err := e.Runtime().Tick(t.Context(), id); !errors.Is(err, ErrRunning) {
		t.Errorf("tick while running: %v", err)
	}
	if _, err := e.Runtime().Status(t.Context(), wire.AgentID{9}); !errors.Is(err, &agent.Error{Kind: agent.KindNotFound}) {
		t.Errorf("status of nobody: %v", err)
	}
	if err := e.Runtime().SetStatus(t.Context(), newcomer, wire.StatusEmbryo); err == nil {
		t.Error("somebody became an embryo")
	}
	stop()
	var interrupted *InterruptedError
	if err := <-ended; !errors.As(err, &interrupted) {
		t.Fatal(err)
	}
	if r := e.realm.Agent(child); r.Parent != id || r.House != id {
		t.Errorf("the newcomer that agent 1 paid for is a child of %v, of house %v", r.Parent, r.House)
	}
	e.Close()
	until := store.cycles[len(store.cycles)-1].Cycle + 3
	sameFromHere(t, testConfig("42", 8), opt, until)
}

// sameFromHere resumes a stopped run and replays it whole.
func sameFromHere(t *testing.T, cfg Config, opt Options, until wire.Cycle) {
	t.Helper()
	e, err := Resume(t.Context(), cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Run(t.Context(), until); err != nil {
		t.Fatal(err)
	}
	want := e.last
	e.Close()
	sum, err := Replay(t.Context(), cfg, ReplayOptions{Dir: opt.Dir, Store: opt.Store, Mind: opt.Mind})
	if err != nil || sum.WorldHash != want.WorldHash || sum.AgentsHash != want.AgentsHash {
		t.Errorf("replay: %+v, %v", sum, err)
	}
}

// What the runtime interface shows of an agent is what the agent has; nil for nothing.
func TestRuntime_ShowsPlansAndPeers(t *testing.T) {
	e, err := Start(t.Context(), testConfig("42", 8), Options{Mind: testMind("42")})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for until := range wire.Cycle(4) {
		if _, err := e.Run(t.Context(), until); err != nil {
			t.Fatal(err)
		}
		for _, s := range e.agents.seats {
			plan, err := e.Runtime().ActivePlan(t.Context(), s.id)
			if err != nil || !reflect.DeepEqual(plan, s.a.Memory.Plans.Active()) {
				t.Errorf("cycle %d: the plan of %s is shown as %+v, %v", until, s.id.Alias(), plan, err)
			}
			for _, peer := range e.agents.seats {
				model, err := e.Runtime().PeerModel(t.Context(), s.id, peer.id)
				if err != nil || !reflect.DeepEqual(model, s.a.Memory.Peers.Get(peer.id)) {
					t.Errorf("cycle %d: the peer %s of %s is shown as %+v, %v", until, peer.id.Alias(), s.id.Alias(), model, err)
				}
			}
		}
	}
}

// Driving one agent by hand is part of history like anything else.
func TestRuntime_TickAndRunCycle(t *testing.T) {
	store, dir := newMemStore(), t.TempDir()
	opt := Options{Dir: dir, Store: store, Mind: testMind("42")}
	e, err := Start(t.Context(), testConfig("42", 8), opt)
	if err != nil {
		t.Fatal(err)
	}
	a, b := e.agents.seats[0].id, e.agents.seats[1].id
	acted := 0
	for i := range 16 {
		did, err := e.Runtime().Tick(t.Context(), a)
		if err != nil {
			t.Fatalf("tick %d: %v", i, err)
		}
		s := e.agents.seat(a)
		if sent := s.step.Kind == ooda.StepSend && s.step.NOP == nil; sent != (did != nil) {
			t.Errorf("tick %d: sent %v, told %+v", i, sent, did)
		}
		if did != nil {
			acted++
			if did.Type != s.step.Envelope.Type || did.Msg != s.step.Envelope.MsgID || did.Reply.Type != s.reply.Type || did.Reply.Body != s.reply.Body {
				t.Errorf("tick %d: %+v is not what was sent", i, did)
			}
		}
	}
	if acted == 0 || acted == 16 || e.count.agentTicks != 16 {
		t.Errorf("%d actions in %d agent-ticks", acted, e.count.agentTicks)
	}
	if e.count.inputSeq != 16 {
		t.Errorf("16 ticks by hand are inputs up to number %d", e.count.inputSeq)
	}
	if _, err := e.Runtime().Tick(t.Context(), a); !errors.Is(err, &agent.Error{Kind: agent.KindBudgetExhausted}) {
		t.Errorf("17th tick: %v", err)
	}
	if _, err := e.Run(t.Context(), 1); err != nil { // ends the open cycle
		t.Fatal(err)
	}
	if e.count.agentTicks != 16 {
		t.Errorf("%d agent-ticks; the others' slots were skipped", e.count.agentTicks)
	}
	before := e.count.agentTicks
	if err := e.Runtime().RunCycle(t.Context(), b, 5); err != nil {
		t.Fatal(err)
	}
	if e.cycle != 2 || e.count.agentTicks != before+5 {
		t.Errorf("after RunCycle: cycle %d, %d agent-ticks", e.cycle, e.count.agentTicks-before)
	}
	if _, err := e.Run(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Runtime().Tick(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	e.Close() // in mid-cycle: the slot is in the journal only
	if e, err = Resume(t.Context(), testConfig("42", 8), opt); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Runtime().Tick(t.Context(), b); err == nil {
		t.Error("a tick by hand in the middle of recorded history")
	}
	e.Close()
	sameFromHere(t, testConfig("42", 8), opt, 5)
}

// heldStore does not store cycle 1 before release is closed, and then fails.
type heldStore struct {
	*memStore
	release chan struct{}
	err     error
}

func (s *heldStore) CommitCycle(ctx context.Context, b *Batch) error {
	if b.Cycle.Cycle != 1 {
		return s.memStore.CommitCycle(ctx, b)
	}
	<-s.release
	return s.err
}

// Who waits for a flush learns why there will be none, also if it is the cycle before that cannot be stored.
func TestRuntime_FlushMemoryFailsWithTheRun(t *testing.T) {
	store := &heldStore{newMemStore(), make(chan struct{}), errors.New("the disk is gone")}
	e, err := Start(t.Context(), testConfig("42", 4), Options{Dir: t.TempDir(), Store: store, Mind: testMind("42")})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	flushed := make(chan error, 1)
	e.check = func(_ context.Context, row *CycleRow, _ bool) error {
		if row.Cycle == 2 { // it ends while cycle 1 is still being stored
			e.control.flushes = append(e.control.flushes, flushed)
			close(store.release)
		}
		return nil
	}
	if _, err := e.Run(t.Context(), 3); !errors.Is(err, store.err) {
		t.Fatal(err)
	}
	select {
	case err := <-flushed:
		if !errors.Is(err, store.err) {
			t.Error(err)
		}
	default:
		t.Error("it still waits after the run has stopped")
	}
}

var errInvariant = errors.New("an invariant of the store")

// brokenStore panics where it should store cycle 1.
type brokenStore struct{ *memStore }

func (s *brokenStore) CommitCycle(ctx context.Context, b *Batch) error {
	if b.Cycle.Cycle == 1 {
		panic(errInvariant)
	}
	return s.memStore.CommitCycle(ctx, b)
}

// A cycle whose writing panicked is not stored, and who waits for it is told so. It is no fault of the disk that may pass: the
// error says where it broke and asks for a report.
func TestRuntime_FlushMemoryFailsWithAPanicOfTheStore(t *testing.T) {
	e, err := Start(t.Context(), testConfig("42", 4), Options{Dir: t.TempDir(), Store: &brokenStore{newMemStore()}, Mind: testMind("42")})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	flushed := make(chan error, 1)
	e.control.flushes = append(e.control.flushes, flushed)
	_, err = e.Run(t.Context(), 2)
	broken, ok := errors.AsType[*WorldError](err)
	if !ok || !errors.Is(err, errInvariant) || broken.Cycle != 1 || broken.Tick != e.cal.First(2)-1 || !strings.Contains(string(broken.Stack), "brokenStore") {
		t.Fatalf("got %v, want that the store is broken at the last tick of cycle 1", err)
	}
	if _, ok := errors.AsType[*WriteError](err); ok || strings.Contains(err.Error(), "kingdom resume") {
		t.Errorf("it is told as a fault that passes: %v", err)
	}
	select {
	case err := <-flushed:
		if err == nil {
			t.Error("it was told that the cycle is stored")
		}
	default:
		t.Error("it still waits after the run has stopped")
	}
}
