package realm_test

import (
	"slices"
	"testing"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/realm"
	"kingdom/world/worldtest"
)

// workshop is an Agora that acknowledges a MSG_POST and delivers its result with the next
// request of anybody, or at cycle end.
type workshop struct {
	world.Daemon
	author wire.AgentID
	waits  wire.Hash // msg_id of the request without a result
}

func (w *workshop) Apply(c *world.Context, req any) wire.Reply {
	w.finish(c)
	if _, ok := req.(*wire.MsgPost); ok {
		w.author, w.waits = c.Source, c.Msg
	}
	return w.Daemon.Apply(c, req)
}

func (w *workshop) CycleEnd(c *world.Context) { w.finish(c) }

func (w *workshop) finish(c *world.Context) {
	if !w.waits.IsZero() {
		c.Deliver(w.author, wire.TypeBalanceQuery, w.waits, &wire.BalanceQueryReply{Balance: 7})
		w.waits = wire.Hash{}
	}
}

// results are the deliveries to a that answer a request.
func (x *town) results(a wire.AgentID) (out []wire.Reply) {
	var v wire.View
	x.View(a, nil, &v)
	for _, m := range v.Deliveries {
		if !m.Ref.IsZero() {
			out = append(out, m)
		}
	}
	return out
}

func newWorkshop(t *testing.T) (*town, *workshop) {
	x, w := newTown(t, 8), &workshop{}
	x.Wrap(wire.SystemAgora, func(d world.Daemon) world.Daemon { w.Daemon = d; return w })
	return x, w
}

// A result of a later tick comes once, with the msg_id of its request, only to the sender, in the view after the tick
// in which the daemon delivered it.
func TestDeliver_LaterResultReachesItsSender(t *testing.T) {
	x, _ := newWorkshop(t)
	a, b := x.ids[0], x.ids[1]
	post := x.sent(a, wire.TypeMsgPost, x.message("hi", channel("general")))
	x.do(map[wire.AgentID]realm.Sent{a: post})
	if got := x.results(a); len(got) != 0 {
		t.Fatalf("%d results before the daemon had one", len(got))
	}
	query := x.sent(b, wire.TypeMsgQuery, &wire.MsgQuery{Sort: 1})
	x.Commit(x.tick, []realm.Seat{{Agent: b, Sent: query}})
	got := x.results(a)
	if len(got) != 1 || got[0].Ref != post.Envelope.MsgID || got[0].Type != wire.TypeBalanceQuery || got[0].Body.(*wire.BalanceQueryReply).Balance != 7 {
		t.Errorf("the sender got %+v, want the result of its request", got)
	}
	if got := x.results(b); len(got) != 0 {
		t.Errorf("somebody else got %+v", got)
	}
	if got := x.results(a); len(got) != 0 {
		t.Errorf("the sender got it again: %+v", got)
	}
}

// A result of a cycle end waits in the stored rows.
func TestDeliver_WaitingResultSurvivesRestore(t *testing.T) {
	x, _ := newWorkshop(t)
	a := x.ids[0]
	db := &store{tables: map[string]world.Row{}}
	db.keep(x.TakeRows())
	post := x.sent(a, wire.TypeMsgPost, x.message("hi", channel("general")))
	x.do(map[wire.AgentID]realm.Sent{a: post})
	end := x.EndCycle(nil)
	db.keep(x.TakeRows())
	again := realm.New(x.Rules())
	if err := again.Restore(db.rows, x.Heads()); err != nil {
		t.Fatal(err)
	}
	y := &town{t: t, Realm: again, ids: x.ids}
	if again.BusHash() != end.BusHash {
		t.Error("the restored bus has another hash")
	}
	want, got := x.results(a), y.results(a)
	if len(want) != 1 || len(got) != 1 || got[0].Ref != post.Envelope.MsgID || *got[0].Body.(*wire.BalanceQueryReply) != *want[0].Body.(*wire.BalanceQueryReply) {
		t.Errorf("after the restore %+v waits, before it %+v", got, want)
	}
}

// A result for a DEAD or unknown agent is dropped without an error.
func TestDeliver_ToDeadOrUnknownAgentIsDropped(t *testing.T) {
	x, w := newWorkshop(t)
	a := x.ids[0]
	x.ok(a, wire.TypeMsgPost, x.message("hi", channel("general")))
	x.SetStatus(x.tick, a, wire.StatusDead, "operator", 1)
	x.ok(x.ids[1], wire.TypeMsgQuery, &wire.MsgQuery{Sort: 1})
	w.author, w.waits = wire.AgentID{1, 2, 3}, wire.Hash{1}
	x.ok(x.ids[1], wire.TypeMsgQuery, &wire.MsgQuery{Sort: 1})
	if got := x.results(a); len(got) != 0 {
		t.Errorf("the dead got %+v", got)
	}
}

// StartCycle returns the budgets; the view does not deliver them again.
func TestDeliver_NoTickAllocInView(t *testing.T) {
	r, boot := start(8, open)
	alloc := r.StartCycle(1)
	if len(alloc) != 8 || alloc[0].Budget == 0 || alloc[0].Cycle != 1 {
		t.Errorf("allocated %+v", alloc)
	}
	var v wire.View
	r.View(boot.Agents[0], nil, &v)
	for _, m := range v.Deliveries {
		if m.Type == wire.TypeTickAlloc {
			t.Error("the view brings TICK_ALLOC a second time")
		}
	}
}

// TestDeliver_QueueCap: the oldest of more than 4 096 deliveries is dropped and counted.
func TestDeliver_QueueCap(t *testing.T) {
	x := newTown(t, 8)
	w := &flood{}
	x.Wrap(wire.SystemAgora, func(d world.Daemon) world.Daemon { w.Daemon = d; return w })
	a := x.ids[0]
	x.Commit(x.tick, []realm.Seat{{Agent: a, Sent: worldtest.Seal(a, x.tick, wire.TypeMsgQuery, &wire.MsgQuery{Sort: 1}, 0)}})
	got := x.results(a)
	if len(got) != 4096 || x.Dropped() != 3 {
		t.Fatalf("%d deliveries wait, %d are dropped; want 4096 and 3", len(got), x.Dropped())
	}
	if got[0].Ref != (wire.Hash{4}) {
		t.Errorf("the first is that of %v; the oldest must be dropped", got[0].Ref)
	}
	x.SetStatus(x.tick, a, wire.StatusDead, "operator", 1)
	x.EndCycle(nil)
	if x.Dropped() != 3 {
		t.Errorf("%d deliveries are dropped after the death of who lost two", x.Dropped())
	}
}

// WORLD_STATE and ECONOMY_REPORT come once after a cycle's end. An agent that slept through several gets only the
// newest of each; a newcomer gets the next ones.
func TestDeliver_OnlyNewestBroadcastAfterSleep(t *testing.T) {
	x := newTown(t, 8)
	states := func(a wire.AgentID) (cycles []wire.Cycle) {
		var v wire.View
		x.View(a, nil, &v)
		reports := 0
		for _, m := range v.Deliveries {
			switch b := m.Body.(type) {
			case *wire.WorldState:
				cycles = append(cycles, b.Cycle)
			case *wire.EconomicReport:
				reports++
			}
		}
		if reports != len(cycles) {
			t.Errorf("%d reports with %d states", reports, len(cycles))
		}
		return cycles
	}
	var newcomer wire.AgentID
	for c := wire.Cycle(1); c < 6; c++ {
		if c == 3 {
			ack, refusal := x.Spawn(x.tick, worldtest.Newcomer(worldtest.Eight(1)[0]))
			if refusal != nil {
				t.Fatal(refusal)
			}
			newcomer = ack.AgentID
			if got := states(newcomer); len(got) != 0 {
				t.Errorf("a newcomer of cycle 3 got the states of %v", got)
			}
		}
		x.EndCycle(nil)
		if got := states(x.ids[0]); !slices.Equal(got, []wire.Cycle{c}) {
			t.Errorf("after cycle %d: states of %v", c, got)
		}
		if got := states(x.ids[0]); len(got) != 0 {
			t.Errorf("after cycle %d, a second time: states of %v", c, got)
		}
		x.StartCycle(c + 1)
		x.tick = x.Rules().Calendar.First(c + 1)
		x.OpenTick(x.tick)
	}
	for _, a := range []wire.AgentID{x.ids[1], newcomer} {
		if got := states(a); !slices.Equal(got, []wire.Cycle{5}) {
			t.Errorf("%v read nothing for cycles and got the states of %v", a.Alias(), got)
		}
	}
}

// flood is an Agora that delivers 4 098 messages at once.
type flood struct{ world.Daemon }

func (f *flood) Apply(c *world.Context, req any) wire.Reply {
	for i := range 4099 {
		c.Deliver(c.Source, wire.TypeBalanceQuery, wire.Hash{byte(i + 1), byte((i + 1) >> 8)}, &wire.BalanceQueryReply{})
	}
	return f.Daemon.Apply(c, req)
}
