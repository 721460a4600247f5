package realm_test

import (
	"testing"

	"kingdom/wire"
	"kingdom/world/realm"
)

// TestSubscribe_Filters: explicit filters add to the defaults, count to 16, and end.
func TestSubscribe_Filters(t *testing.T) {
	x := newTown(t, 8)
	a, b, c := x.ids[0], x.ids[1], x.ids[2]
	sub := x.ok(c, wire.TypeSubscribe, &wire.Subscribe{
		Systems: []wire.System{wire.SystemMint}, Kinds: []wire.EventKind{wire.KindTransferCompleted}, Origins: []wire.AgentID{a},
	}).Body.(*wire.SubscribeAck).SubscriberID
	pay := func(from, to wire.AgentID) {
		x.ok(from, wire.TypeTransfer, &wire.Transfer{To: to, Amount: 1, Kind: wire.TransferKindDirect})
	}
	pay(a, b)
	pay(b, a)
	if got := x.kinds(c)[wire.KindTransferCompleted]; got != 1 {
		t.Errorf("got %d transfers, want that of the named origin", got)
	}
	x.ok(c, wire.TypeUnsubscribe, &wire.Unsubscribe{SubscriberID: sub})
	pay(a, b)
	if got := x.kinds(c)[wire.KindTransferCompleted]; got != 0 {
		t.Errorf("got %d transfers after UNSUBSCRIBE, want none", got)
	}
	for i := range 17 {
		s := x.sent(c, wire.TypeSubscribe, &wire.Subscribe{Kinds: []wire.EventKind{wire.KindTick}})
		reply := x.do(map[wire.AgentID]realm.Sent{c: s})[c]
		if refused := reply.Err != nil; refused != (i == 16) {
			t.Errorf("subscription %d: refused %t (%+v)", i+1, refused, reply.Err)
		}
	}
	if got := x.kinds(c)[wire.KindTick]; got != 17 {
		t.Errorf("got %d ticks through 16 equal filters, want each of 17 once", got)
	}
	for name, q := range map[string]*wire.Subscribe{
		"nothing named":  {Systems: []wire.System{wire.SystemMint}},
		"17 kinds":       {Kinds: make([]wire.EventKind, 17)},
		"65 origins":     {Origins: make([]wire.AgentID, 65)},
		"no such filter": nil,
	} {
		s := x.sent(a, wire.TypeUnsubscribe, &wire.Unsubscribe{SubscriberID: 99})
		if q != nil {
			s = x.sent(a, wire.TypeSubscribe, q)
		}
		if reply := x.do(map[wire.AgentID]realm.Sent{a: s})[a]; reply.Err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestSubscribe_FiltersAreIndependent: a filter by origin passes no other kinds of that origin, and
// UNSUBSCRIBE ends one filter of one agent.
func TestSubscribe_FiltersAreIndependent(t *testing.T) {
	x := newTown(t, 8)
	a, b, c := x.ids[0], x.ids[1], x.ids[2]
	m := x.ok(b, wire.TypeMsgPost, x.message("hi", channel("general"))).Body.(*wire.MsgPostAck).MessageID
	subscribe := func(who wire.AgentID, k wire.EventKind) uint64 {
		q := &wire.Subscribe{Kinds: []wire.EventKind{k}, Origins: []wire.AgentID{a}}
		return x.ok(who, wire.TypeSubscribe, q).Body.(*wire.SubscribeAck).SubscriberID
	}
	transfers := subscribe(c, wire.KindTransferCompleted)
	act := func(kind wire.SignalKind) {
		x.ok(a, wire.TypeTransfer, &wire.Transfer{To: b, Amount: 1, Kind: wire.TransferKindDirect})
		x.ok(a, wire.TypeSignalSend, &wire.SignalSend{Target: m, Kind: kind})
	}
	x.see(c)
	act(wire.SignalKindAgree)
	if got := x.kinds(c); got[wire.KindTransferCompleted] != 1 || got[wire.KindSignalSent] != 0 {
		t.Errorf("through a filter of transfers came %v", got)
	}
	subscribe(c, wire.KindSignalSent)
	subscribe(x.ids[3], wire.KindTransferCompleted)
	x.ok(c, wire.TypeUnsubscribe, &wire.Unsubscribe{SubscriberID: transfers})
	x.see(c)
	x.see(x.ids[3])
	act(wire.SignalKindHelpful)
	if got := x.kinds(c); got[wire.KindTransferCompleted] != 0 || got[wire.KindSignalSent] != 1 {
		t.Errorf("after the end of one of two filters came %v", got)
	}
	if got := x.kinds(x.ids[3])[wire.KindTransferCompleted]; got != 1 {
		t.Errorf("another agent's filter passed %d transfers", got)
	}
}

// UNSUBSCRIBE ends a filter by kind as it does one by origin, and no other of its kind.
func TestUnsubscribe_EndsAFilterByKind(t *testing.T) {
	x := newTown(t, 8)
	readers := x.ids[2:4]
	q := &wire.Subscribe{Kinds: []wire.EventKind{wire.KindTransferCompleted}}
	sub := x.ok(readers[0], wire.TypeSubscribe, q).Body.(*wire.SubscribeAck).SubscriberID
	x.ok(readers[1], wire.TypeSubscribe, q)
	for i, want := range [][2]int{{1, 1}, {0, 1}} {
		x.ok(x.ids[0], wire.TypeTransfer, &wire.Transfer{To: x.ids[1], Amount: 1, Kind: wire.TransferKindDirect})
		for j, a := range readers {
			if got := x.kinds(a)[wire.KindTransferCompleted]; got != want[j] {
				t.Errorf("transfer %d: reader %d got %d, want %d", i, j, got, want[j])
			}
		}
		if i == 0 {
			x.ok(readers[0], wire.TypeUnsubscribe, &wire.Unsubscribe{SubscriberID: sub})
		}
	}
}

// TestSubscribe_SinceGivesStoredThenLiveEvents: the stored events after since, then live ones; no gap, no
// duplicate.
func TestSubscribe_SinceGivesStoredThenLiveEvents(t *testing.T) {
	x := newTown(t, 8)
	a, b, c := x.ids[0], x.ids[1], x.ids[2]
	pay := func() {
		x.ok(a, wire.TypeTransfer, &wire.Transfer{To: b, Amount: 1, Kind: wire.TransferKindDirect})
	}
	pay()
	var first wire.EventID
	for _, e := range x.TakeEvents() {
		if e.Kind == wire.KindTransferCompleted {
			first = e.ID
		}
	}
	pay()
	pay()
	x.see(c)
	// One more in the very tick of the subscription, by another agent.
	x.do(map[wire.AgentID]realm.Sent{
		a: x.sent(a, wire.TypeTransfer, &wire.Transfer{To: b, Amount: 1, Kind: wire.TransferKindDirect}),
		c: x.sent(c, wire.TypeSubscribe, &wire.Subscribe{Kinds: []wire.EventKind{wire.KindTransferCompleted}, Since: &first}),
	})
	pay()
	events := x.see(c)
	n := 0
	for i, e := range events {
		if i > 0 && events[i-1].ID.Compare(e.ID) >= 0 {
			t.Error("events are out of order or doubled")
		}
		if e.Kind == wire.KindTransferCompleted {
			n++
		}
	}
	if n != 4 {
		t.Errorf("got %d transfers, want the two stored ones after since, that of the tick, and the live one", n)
	}
}

// TestSubscribe_ThirtyTwoPerKindAndTick: a filter without origins passes the first 32 events of
// a kind and tick, one with origins all of theirs; stored events as live ones.
func TestSubscribe_ThirtyTwoPerKindAndTick(t *testing.T) {
	x := newTown(t, 44)
	payers := x.ids[:40]
	pay := func() {
		acts := map[wire.AgentID]realm.Sent{}
		for _, a := range payers {
			acts[a] = x.sent(a, wire.TypeTransfer, &wire.Transfer{To: x.ids[41], Amount: 1, Kind: wire.TransferKindDirect})
		}
		for a, reply := range x.do(acts) {
			if reply.Err != nil {
				t.Fatalf("%v: %s", a.Alias(), reply.Err.Message)
			}
		}
	}
	pay()
	readers := []struct {
		id      wire.AgentID
		origins []wire.AgentID
		want    int
	}{{x.ids[42], nil, 32}, {x.ids[43], payers, 40}}
	for _, r := range readers {
		x.ok(r.id, wire.TypeSubscribe, &wire.Subscribe{
			Kinds: []wire.EventKind{wire.KindTransferCompleted}, Origins: r.origins, Since: &wire.EventID{Lamport: 256 << 32},
		})
	}
	for _, when := range []string{"stored", "live"} {
		for _, r := range readers {
			if got := x.kinds(r.id)[wire.KindTransferCompleted]; got != r.want {
				t.Errorf("%d %s events through a filter with %d origins, want %d", got, when, len(r.origins), r.want)
			}
		}
		pay()
	}
}

// Events before the open cycle are not stored any more, and a gap must not go unnoticed. A place after the request's
// own is refused too, since such a filter would differ after a restore.
func TestSubscribe_SinceMustLieInTheOpenCycle(t *testing.T) {
	x := newTown(t, 8)
	x.EndCycle(nil)
	x.StartCycle(2)
	x.tick = 512
	const place = 512<<32 | 1025<<12 // of the first seat's events
	for since, want := range map[uint64]string{
		0: "since", 512<<32 - 1: "since", 512 << 32: "", place - 1: "", place: "since", place + 1: "since", 1 << 60: "since",
	} {
		s := x.sent(x.ids[0], wire.TypeSubscribe, &wire.Subscribe{
			Kinds: []wire.EventKind{wire.KindTransferCompleted}, Since: &wire.EventID{Lamport: since},
		})
		got, reply := "", x.Commit(x.tick, []realm.Seat{{Agent: x.ids[0], Sent: s}})[0]
		if reply.Err != nil {
			got = string(reply.Err.Message)
		}
		if got != want {
			t.Errorf("since %x: %q, want %q", since, got, want)
		}
	}
}

// TestSubscribe_SinceGivesUnreadEventOnce: an event that waits already and is stored too
// comes once.
func TestSubscribe_SinceGivesUnreadEventOnce(t *testing.T) {
	x := newTown(t, 8)
	a, c := x.ids[0], x.ids[2]
	x.ok(a, wire.TypeBountyCreate, bounty(10))
	x.ok(c, wire.TypeSubscribe, &wire.Subscribe{Kinds: []wire.EventKind{wire.KindBountyCreated}, Since: &wire.EventID{Lamport: 256 << 32}})
	if got := x.kinds(c)[wire.KindBountyCreated]; got != 1 {
		t.Errorf("got the bounty %d times, want once", got)
	}
}
