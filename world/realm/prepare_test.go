package realm_test

import (
	"testing"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/realm"
)

// counting is a Mint that has transfers prepared: what is prepared is the balance of the
// payee before the tick.
type counting struct {
	world.Daemon
	r       *realm.Realm
	seen    []world.Request
	applied []any // Context.Prepared, by request
}

func (m *counting) Prepare(_ wire.Tick, requests []world.Request) (tasks []world.Task) {
	m.seen = requests
	for _, q := range requests {
		if p, ok := q.Payload.(*wire.Transfer); ok {
			tasks = append(tasks, world.Task{Seats: []int{q.Seat}, Run: func(world.Answer) []any {
				balance, _ := m.r.Balance(p.To)
				return []any{balance}
			}})
		}
	}
	return tasks
}

func (m *counting) Apply(c *world.Context, req any) wire.Reply {
	m.applied = append(m.applied, c.Prepared)
	return m.Daemon.Apply(c, req)
}

// TestPrepare_ValueReachesApplyOfItsRequest: a daemon sees the requests to itself in commit order, its tasks
// work on the state before the tick, and each value comes to the Apply of its own request.
func TestPrepare_ValueReachesApplyOfItsRequest(t *testing.T) {
	x := newTown(t, 8)
	m := &counting{r: x.Realm}
	x.Wrap(wire.SystemMint, func(d world.Daemon) world.Daemon { m.Daemon = d; return m })
	payee := x.ids[7]
	live := x.ids[:4]
	x.Order(x.tick, live)
	pay := func(a wire.AgentID) realm.Sent {
		return x.sent(a, wire.TypeTransfer, &wire.Transfer{To: payee, Amount: 10, Kind: wire.TransferKindDirect})
	}
	seats := []realm.Seat{
		{Agent: live[0], Sent: pay(live[0])},
		{Agent: live[1], Sent: x.sent(live[1], wire.TypeMsgPost, x.message("hi", channel("general")))},
		{Agent: live[2], Sent: x.sent(live[2], wire.TypeBalanceQuery, &wire.BalanceQuery{AgentID: payee})},
		{Agent: live[3], Sent: pay(live[3])},
	}
	seats[0].Runtime = []realm.Sent{x.sent(live[0], wire.TypeBalanceQuery, &wire.BalanceQuery{AgentID: payee})}
	for _, i := range []int{1, 3} {
		seats[i].Runtime = []realm.Sent{x.sent(live[i], wire.TypeBalanceQuery, &wire.BalanceQuery{AgentID: payee})}
	}
	before := x.Components()
	tasks := x.Prepare(x.tick, seats)
	if len(m.seen) != 3 || m.seen[0].Seat != 0 || m.seen[1].Seat != 2 || m.seen[2].Source != live[3] || m.seen[2].Msg != seats[3].Sent.Envelope.MsgID {
		t.Errorf("Mint was shown %+v, want seats 0, 2 and 3", m.seen)
	}
	for _, task := range tasks {
		for i, v := range task.Run(world.Answer{}) {
			seats[task.Seats[i]].Prepared = v
		}
	}
	if x.Components() != before {
		t.Error("to prepare changed the state")
	}
	for i, reply := range x.Commit(x.tick, seats) {
		if reply.Err != nil {
			t.Errorf("seat %d: %s", i, reply.Err.Message)
		}
	}
	// The runtime's requests of a seat come first and have nothing prepared, also after a seat that has.
	want := []any{nil, int64(100), nil, nil, nil, int64(100)}
	if len(m.applied) != len(want) {
		t.Fatalf("applied %v, want %v", m.applied, want)
	}
	for i := range want {
		if m.applied[i] != want[i] {
			t.Errorf("request %d to Mint was applied with %v, want %v", i, m.applied[i], want[i])
		}
	}
	if got, _ := x.Balance(payee); got != 120 {
		t.Errorf("the payee has %d ⚡, want both payments", got)
	}
}

// A world in which no daemon prepares anything has no tasks.
func TestPrepare_WithoutPreparersHasNoTasks(t *testing.T) {
	x := newTown(t, 8)
	a := x.ids[0]
	if tasks := x.Prepare(x.tick, []realm.Seat{{Agent: a, Sent: x.sent(a, wire.TypePing, &wire.Ping{})}, {Agent: x.ids[1]}}); tasks != nil {
		t.Errorf("%d tasks", len(tasks))
	}
}
