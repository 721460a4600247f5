package realm_test

import (
	"slices"
	"testing"

	"kingdom/wire"
	"kingdom/world/realm"
	"kingdom/world/worldtest"
)

// What an operator does at a boundary goes out at once, to those it concerns too, and each event has an id of its own.
func TestBoundary_EventsGoOutAtOnce(t *testing.T) {
	x := newTown(t, 8)
	x.TakeEvents()
	var ids []wire.EventID
	take := func(name string, want wire.EventKind, about wire.AgentID) {
		t.Helper()
		events := x.TakeEvents()
		for _, e := range events {
			if slices.Contains(ids, e.ID) {
				t.Errorf("%s: event %v has the id of another", name, e.Kind)
			}
			ids = append(ids, e.ID)
		}
		if !slices.ContainsFunc(events, func(e *wire.Event) bool { return e.Kind == want }) {
			t.Errorf("%s: among %d events is no %v", name, len(events), want)
		}
		if got := x.kinds(about); got[want] == 0 {
			t.Errorf("%s: the agent sees %v", name, got)
		}
	}
	a, b, c, tick := x.ids[0], x.ids[1], x.ids[2], x.tick
	o := realm.Operator{World: x.Realm}
	x.SetStatus(tick, a, wire.StatusDormant, "operator", 1)
	take("to put to sleep", wire.KindAgentStatusChange, a)
	o.Hold(tick, b, 5, "operator")
	take("to keep asleep", wire.KindAgentStatusChange, b)
	o.Grant(tick, c, 5, 3)
	take("to grant", wire.KindTransferCompleted, c)
	ack, refusal := x.Spawn(tick, worldtest.Newcomer(worldtest.Eight(1)[0]))
	if refusal != nil {
		t.Fatal(refusal)
	}
	take("to spawn", wire.KindAgentSpawn, ack.AgentID)
	o.Post(tick, "general", wire.MessageKindStatement, "hi")
	if events := x.TakeEvents(); len(events) != 1 || events[0].Kind != wire.KindMessagePosted {
		t.Errorf("to post emits %v", events)
	}
	if got := x.kinds(c)[wire.KindMessagePosted]; got != 0 {
		t.Errorf("an agent hears of %d messages of Nexus, which nobody follows", got)
	}
	if refusal := o.SetParam(tick, "forge.cpu_quota", 900); refusal != nil {
		t.Fatal(refusal)
	}
	if events := x.TakeEvents(); len(events) > 0 {
		t.Errorf("to set a parameter emits %v", events[0].Kind)
	}
}

// What all agents are to read is cut to 4,096 events when there are twice as many.
func TestFeed_IsCutAtTwiceItsSize(t *testing.T) {
	x := newTown(t, 8)
	realm.Pile(x.Realm, 8191-realm.Waiting(x.Realm))
	for _, want := range []int{8191, 4096} {
		x.tick++
		x.OpenTick(x.tick)
		if got := realm.Waiting(x.Realm); got != want {
			t.Errorf("%d events wait for all, want %d", got, want)
		}
		realm.Pile(x.Realm, 1)
	}
}

// A view is of the tick that was opened, and of its agent.
func TestView_OfTheOpenTick(t *testing.T) {
	x := newTown(t, 8)
	for _, tick := range []wire.Tick{256, 257, 300} {
		x.OpenTick(tick)
		var v wire.View
		x.View(x.ids[0], nil, &v)
		if v.Tick != tick || v.Cycle != 1 {
			t.Errorf("opened tick %d, the view is of tick %d of cycle %d", tick, v.Tick, v.Cycle)
		}
		if v.Status != wire.StatusActive || v.Balance != 100 {
			t.Errorf("status %v, balance %d; want ACTIVE and 100", v.Status, v.Balance)
		}
	}
}

// An operator's hold says until when, and nobody else is held.
func TestOperator_Held(t *testing.T) {
	x := newTown(t, 8)
	o := realm.Operator{World: x.Realm}
	o.Hold(x.tick, x.ids[0], 5, "operator")
	for a, want := range map[wire.AgentID]wire.Cycle{x.ids[0]: 5, x.ids[1]: 0, {1}: 0} {
		if got := o.Held(a); got != want {
			t.Errorf("%v is held until %d, want %d", a.Alias(), got, want)
		}
	}
}

// A view that is used again has nothing of the agent before.
func TestView_ReusedHoldsOneAgent(t *testing.T) {
	x := newTown(t, 8)
	a := x.ids[0]
	box, stopped := x.served(a, false)
	x.ok(a, wire.TypeSandboxKill, &wire.SandboxKill{SandboxID: box})
	x.served(a, false)
	var v wire.View
	for range 2 {
		x.View(a, []wire.Subject{{ID: stopped}}, &v)
		if len(v.Sandboxes) != 1 || len(v.Subjects) != 1 || len(v.Bounties) != 7 {
			t.Errorf("%d sandboxes, %d subjects and %d bounties, want 1, 1 and 7", len(v.Sandboxes), len(v.Subjects), len(v.Bounties))
		}
	}
	x.View(x.ids[1], nil, &v)
	if len(v.Services) != 1 {
		t.Errorf("another agent sees %d services, want 1", len(v.Services))
	}
	x.View(wire.AgentID{1}, nil, &v)
	if len(v.Events)+len(v.Deliveries)+len(v.Sandboxes)+len(v.Subjects)+len(v.Services)+len(v.Bounties) > 0 {
		t.Errorf("an unknown agent sees %+v", v)
	}
}

// served makes a service of an agent.
func (x *town) served(a wire.AgentID, autoFund bool) (box, service wire.Hash) {
	x.t.Helper()
	code := x.ok(a, wire.TypeObjectPut, &wire.ObjectPut{TypeTag: wire.ObjectAtom, Data: []byte("def f(data, state):\n    return data\n")}).Body.(*wire.ObjectPutAck).ObjectID
	box = x.ok(a, wire.TypeSandboxCreate, &wire.SandboxCreate{Code: code, MemoryQuota: 65_536, TickBudget: 100, Persistent: true}).Body.(*wire.SandboxCreateAck).SandboxID
	x.ok(a, wire.TypeExecStart, &wire.ExecStart{SandboxID: box})
	q := &wire.ServiceCreate{Sandbox: box, Name: []byte("s"), TickBudget: 100, AutoFund: autoFund, Endpoints: []wire.Endpoint{{Name: []byte("f")}}}
	return box, x.ok(a, wire.TypeServiceCreate, q).Body.(*wire.ServiceCreateAck).ServiceID
}

// Of the first 64 things about which an agent asks, a view has those that are closed, if the system is theirs or none is named.
func TestView_SubjectsThatAreClosed(t *testing.T) {
	x := newTown(t, 8)
	box, stopped := x.served(x.ids[0], false)
	_, running := x.served(x.ids[1], false)
	x.ok(x.ids[0], wire.TypeSandboxKill, &wire.SandboxKill{SandboxID: box})
	many := make([]wire.Subject, wire.MaxSubjects, wire.MaxSubjects+1)
	for name, c := range map[string]struct {
		asked []wire.Subject
		want  int
	}{
		"one that runs":     {[]wire.Subject{{ID: running}}, 0},
		"one that stopped":  {[]wire.Subject{{ID: stopped}}, 1},
		"it and unknown":    {[]wire.Subject{{ID: wire.Hash{1}}, {ID: stopped}}, 1},
		"of its system":     {[]wire.Subject{{ID: stopped, System: wire.SystemForge}}, 1},
		"of another system": {[]wire.Subject{{ID: stopped, System: wire.SystemAgora}}, 0},
		"the last of 64":    {append(many[:wire.MaxSubjects-1:wire.MaxSubjects-1], wire.Subject{ID: stopped}), 1},
		"one more than 64":  {append(many, wire.Subject{ID: stopped}), 0},
		"twice":             {[]wire.Subject{{ID: stopped}, {ID: stopped}}, 2},
	} {
		var v wire.View
		x.View(x.ids[2], c.asked, &v)
		if len(v.Subjects) != c.want || c.want > 0 && v.Subjects[0] != (wire.SubjectView{ID: stopped, Kind: "service", Status: "STOPPED"}) {
			t.Errorf("%s: %+v, want %d", name, v.Subjects, c.want)
		}
	}
}

// A program has to be read from the store once the world has forgotten it, and not before.
func TestForget_ContentsAreReadAgain(t *testing.T) {
	x := newTown(t, 8)
	a := x.ids[0]
	id := x.ok(a, wire.TypeObjectPut, &wire.ObjectPut{TypeTag: wire.ObjectAtom, Data: []byte("x = 1")}).Body.(*wire.ObjectPutAck).ObjectID
	x.EndCycle(nil)
	x.TakeRows()
	stored := x.Heads()
	x.StartCycle(2)
	x.tick = 512
	x.OpenTick(x.tick)
	for _, want := range []int{0, 1} {
		if want == 1 {
			x.Forget(stored)
		}
		missing := 0
		for _, task := range x.Prepare(x.tick, []realm.Seat{{Agent: a, Sent: x.sent(a, wire.TypeSandboxCreate, &wire.SandboxCreate{Code: id, MemoryQuota: 1, TickBudget: 1})}}) {
			if task.Reads != nil {
				missing += len(task.Reads())
			}
		}
		if missing != want {
			t.Errorf("%d contents are missing, want %d", missing, want)
		}
	}
}

// CycleEnd names those who died of their debts at its end.
func TestEndCycle_ListsTheBankrupt(t *testing.T) {
	x := newTown(t, 8)
	a := x.ids[0]
	x.served(a, true) // its owner goes into debt for it
	balance, _ := x.Balance(a)
	if refusal := (realm.Operator{World: x.Realm}).Grant(x.tick, a, -balance, 1); refusal != nil {
		t.Fatal(refusal)
	}
	for c := wire.Cycle(1); c < 10; c++ {
		end := x.EndCycle(nil)
		if len(end.Died) > 0 {
			if len(end.Died) != 1 || end.Died[0].Agent != a || end.Died[0].New != wire.StatusDead || len(end.Slept) != 0 || end.Dead != 1 {
				t.Errorf("cycle %d: died %+v, slept %+v", c, end.Died, end.Slept)
			}
			return
		}
		x.StartCycle(c + 1)
		x.OpenTick(x.Rules().Calendar.First(c + 1))
	}
	balance, _ = x.Balance(a)
	t.Errorf("with %d ⚡ the agent lives on", balance)
}
