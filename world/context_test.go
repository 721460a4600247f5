package world

import (
	"crypto/sha256"
	"encoding/binary"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
)

func testContext() *Context {
	return &Context{Rules: &Rules{Calendar: wire.Calendar{TicksPerCycle: 256}}}
}

func emit(c *Context) uint64 {
	return c.Emit(wire.SystemNexus, wire.KindTick, wire.AgentID{}, &wire.TickEvent{}, nil).Lamport
}

// TestContext_EventIDs checks the table of docs/WORLD.md: one counter per tick for
// the boundary, rank and index for seats, one counter from 0xF0000000 at cycle end.
func TestContext_EventIDs(t *testing.T) {
	c := testContext()
	const tick = 511
	for _, tc := range []struct {
		name string
		move func()
		want uint64 // low half of the first id
	}{
		{"boundary", func() { c.Boundary(tick, 0) }, 0},
		{"boundary, after 5 events", func() { c.Boundary(tick, 5) }, 5},
		{"first seat", func() { c.Seat(tick, 1) }, 1025 << 12},
		{"last seat", func() { c.Seat(tick, 982_014) }, 983_038 << 12},
		{"cycle end", func() { c.CycleEnd(tick) }, 0xF0000000},
	} {
		tc.move()
		if first, second := emit(c), emit(c); first != tick<<32|tc.want || second != first+1 {
			t.Errorf("%s: ids %x, %x; want %x and the next", tc.name, first, second, uint64(tick)<<32|tc.want)
		}
		if c.Cycle != 1 {
			t.Errorf("%s: cycle %d, want 1", tc.name, c.Cycle)
		}
	}
	if len(c.Events) != 10 {
		t.Errorf("%d events of 10 are kept", len(c.Events))
	}
	for i := 1; i < len(c.Events); i++ {
		if c.Events[i-1].ID.Compare(c.Events[i].ID) >= 0 && i != 2 { // 2: the boundary is entered twice
			t.Errorf("event %d does not come after the one before", i)
		}
	}
}

// The ids of a part of a tick end where those of the next part begin.
func TestContext_EventsLeft(t *testing.T) {
	c := testContext()
	for _, tc := range []struct {
		name string
		move func()
		want uint64
	}{
		{"boundary", func() { c.Boundary(3, 0) }, 1024 << 12},
		{"boundary, after 5 events", func() { c.Boundary(3, 5) }, 1024<<12 - 5},
		{"seat", func() { c.Seat(3, 9) }, 4096},
		{"cycle end", func() { c.CycleEnd(3) }, 0x10000000},
	} {
		if tc.move(); c.EventsLeft() != tc.want {
			t.Errorf("%s: room for %d events, want %d", tc.name, c.EventsLeft(), tc.want)
		}
	}
}

// The agent that caused an event is the sender, else the agent that it is about, and a system only if there is none.
func TestContext_Origin(t *testing.T) {
	sender, other, none := wire.AgentID{1}, wire.AgentID{2}, wire.AgentID{}
	mint, nexus := wire.SystemID(wire.SystemMint), wire.SystemID(wire.SystemNexus)
	for _, tc := range []struct {
		name                string
		source, about, want wire.AgentID
	}{
		{"a request", sender, other, sender},
		{"a request about nobody", sender, none, sender},
		{"an act of a system about an agent", nexus, other, other},
		{"an act of a system about a system", nexus, nexus, mint},
		{"an act of a system about nobody", nexus, none, mint},
		{"no source, about an agent", none, other, other},
		{"no source, about nobody", none, none, mint},
	} {
		c := testContext()
		c.Source = tc.source
		if got := c.Origin(wire.SystemMint, tc.about); got != tc.want {
			t.Errorf("%s: origin %v, want %v", tc.name, got, tc.want)
		}
	}
}

func TestContext_ActAs(t *testing.T) {
	c := testContext()
	if c.ActAs(wire.SystemMint); c.Source != wire.SystemID(wire.SystemMint) {
		t.Errorf("source %v", c.Source)
	}
}

func TestContext_DeliveriesStayInOrder(t *testing.T) {
	c := testContext()
	body := &wire.TickEvent{}
	c.Deliver(wire.AgentID{1}, wire.TypeAck, wire.Hash{9}, body)
	c.Deliver(wire.AgentID{2}, wire.TypeAck, wire.Hash{}, nil)
	want := []Delivery{
		{To: wire.AgentID{1}, Message: wire.Reply{Ref: wire.Hash{9}, Type: wire.TypeAck, Body: body}},
		{To: wire.AgentID{2}, Message: wire.Reply{Type: wire.TypeAck}},
	}
	if d := cmp.Diff(want, c.Deliveries); d != "" {
		t.Errorf("deliveries (-want +got):\n%s", d)
	}
}

func TestContext_RoomEndsWithThePanic(t *testing.T) {
	c := testContext()
	c.Seat(3, 1)
	if got := c.EventsLeft(); got != EventsPerSeat {
		t.Fatalf("a fresh seat has room for %d events, want %d", got, EventsPerSeat)
	}
	for range EventsPerSeat {
		emit(c)
	}
	if got := c.EventsLeft(); got != 0 {
		t.Errorf("room left: %d, want 0", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("event 4097 of a seat was accepted; it would carry the next seat's id")
		}
	}()
	emit(c)
}

func TestContext_BoundaryCountGoesOn(t *testing.T) {
	c := testContext()
	c.Boundary(7, 0)
	emit(c)
	emit(c)
	n := c.BoundaryCount()
	c.Seat(6, 9)
	emit(c)
	c.Boundary(7, n)
	if got := emit(c); got != 7<<32|2 {
		t.Errorf("the boundary goes on at %x, want index 2", got)
	}
}

func TestContext_InternalTxIsThatOfTheNextEvent(t *testing.T) {
	c := testContext()
	c.CycleEnd(255)
	tx := c.InternalTx()
	id := emit(c)
	if want := wire.Hash(sha256.Sum256(binary.BigEndian.AppendUint64([]byte("tx:"), id))); tx != want {
		t.Errorf("transaction id %v, want %v", tx, want)
	}
	if c.InternalTx() == tx {
		t.Error("two transactions have one id")
	}
}

func TestDerived(t *testing.T) {
	parent := wire.Hash{1, 2, 3}
	if got, want := Derived("escrow:", parent), wire.Hash(sha256.Sum256(append([]byte("escrow:"), parent[:]...))); got != want {
		t.Errorf("derived id %v, want %v", got, want)
	}
}

func TestRules_Scale(t *testing.T) {
	for n, want := range map[uint64]uint64{0: 1, 1: 1, 8: 1, 9: 2, 64: 8, 1000: 125} {
		if got := (&Rules{Population: n}).Scale(); got != want {
			t.Errorf("scale of %d agents is %d, want %d", n, got, want)
		}
	}
}
