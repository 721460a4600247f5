package world

import (
	"crypto/sha256"
	"encoding/binary"

	"kingdom/wire"
)

// Bounds of the low half of a Lamport value (docs/WORLD.md, event ids).
const (
	// EventsPerSeat is how many events all envelopes of one agent may cause in one tick.
	EventsPerSeat = 4096
	// EventsPerEnvelope is the most events one request causes; an envelope that
	// could pass EventsPerSeat is refused before it is applied.
	EventsPerEnvelope = 64

	firstSeat     = 1024
	cycleEndFloor = 0xF0000000
)

// Context says where and when a request is applied, and collects its events. One Context serves a whole commit; the
// realm moves it from seat to seat.
type Context struct {
	Rules *Rules
	Tick  wire.Tick
	Cycle wire.Cycle
	Epoch uint32

	Source wire.AgentID // sender of the envelope; the daemon itself at cycle end
	Msg    wire.Hash    // msg_id of the envelope: the id of what it creates

	// Prepared is what a Task of this daemon made for the request; nil if there was none.
	Prepared any

	// Events collects what was emitted, in id order.
	Events []*wire.Event
	// Deliveries collects what was handed over by Deliver, in that order.
	Deliveries []Delivery

	next uint64 // next Lamport value
	end  uint64 // first Lamport value that is no longer ours
}

// Boundary moves the context to the events of bootstrap, inputs and tick start.
// n is how many of them tick t has had already.
func (c *Context) Boundary(t wire.Tick, n uint64) {
	c.at(t, n, firstSeat<<12)
}

// Seat moves the context to the rank-th (from 1) agent of tick t in commit order.
func (c *Context) Seat(t wire.Tick, rank uint64) {
	low := (firstSeat + rank) << 12
	c.at(t, low, low+EventsPerSeat)
}

// CycleEnd moves the context to the maintenance after the last tick t of a cycle.
func (c *Context) CycleEnd(t wire.Tick) {
	c.at(t, cycleEndFloor, 1<<32)
}

func (c *Context) at(t wire.Tick, low, end uint64) {
	c.Tick, c.Cycle = t, c.Rules.Calendar.Cycle(t)
	c.next = uint64(t)<<32 | low
	c.end = uint64(t)<<32 + end
}

// ActAs makes a daemon the source of what follows, for acts of its own.
func (c *Context) ActAs(s wire.System) { c.Source = wire.SystemID(s) }

// Origin returns the agent that caused an event of a system: the sender of the request; for what the system does by
// itself the agent that it is about, else the system.
func (c *Context) Origin(s wire.System, about wire.AgentID) wire.AgentID {
	switch {
	case !c.Source.IsZero() && !wire.IsSystem(c.Source):
		return c.Source
	case !about.IsZero() && !wire.IsSystem(about):
		return about
	default:
		return wire.SystemID(s)
	}
}

// EventsLeft returns how many more events can be emitted here.
func (c *Context) EventsLeft() uint64 { return c.end - c.next }

// Next returns the Lamport value of the next event.
func (c *Context) Next() uint64 { return c.next }

// BoundaryCount returns n for the next call of Boundary in the same tick.
func (c *Context) BoundaryCount() uint64 { return c.next & 0xFFFFFFFF }

// Emit appends an event of daemon s. origin is the agent that caused it; payload
// is a pointer to the payload struct of kind and must not be changed afterwards.
func (c *Context) Emit(s wire.System, kind wire.EventKind, origin wire.AgentID, payload any, parent *wire.EventID) wire.EventID {
	if c.next >= c.end {
		panic("world: event ids of this seat are used up; the receive pipeline must refuse first")
	}
	id := wire.EventID{Lamport: c.next, Agent: wire.SystemID(s)}
	c.next++
	c.Events = append(c.Events, &wire.Event{
		ID: id, Timestamp: c.Tick, Origin: origin, System: s, Kind: kind, Payload: payload, Parent: parent,
	})
	return id
}

// Delivery is a message to an agent other than the reply to its request.
type Delivery struct {
	To      wire.AgentID
	Message wire.Reply
}

// Deliver sends a message to an agent: the result of a request that was acknowledged before (ref is that request's
// msg_id), or a notice (ref is zero). body is a pointer to the payload struct of t and must not be changed
// afterwards. The agent gets it with its next View, in a later tick. Unknown and DEAD agents get nothing.
func (c *Context) Deliver(to wire.AgentID, t wire.MsgType, ref wire.Hash, body any) {
	c.Deliveries = append(c.Deliveries, Delivery{To: to, Message: wire.Reply{Ref: ref, Type: t, Body: body}})
}

// InternalTx returns the id of a transaction that a daemon makes on its own. It is derived from the event that
// reports it, which must be emitted next.
func (c *Context) InternalTx() wire.Hash {
	var b [11]byte
	copy(b[:], "tx:")
	binary.BigEndian.PutUint64(b[3:], c.next)
	return sha256.Sum256(b[:])
}

// Derived returns the id of an entity that a request creates besides its main one: SHA-256(label ‖ parent).
func Derived(label string, parent wire.Hash) wire.Hash {
	b := make([]byte, 0, 64)
	b = append(b, label...)
	return sha256.Sum256(append(b, parent[:]...))
}
