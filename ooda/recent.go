package ooda

import (
	"slices"

	"kingdom/memory"
	"kingdom/wire"
)

// recentMax is how many events the CURRENT STATE section can show.
const recentMax = 24

// recent are the events that a prompt can tell: of the running cycle, and those about the agent that the cycle before had not
// told it.
type recent struct {
	list  []recentEvent // newest last, at most recentMax
	asked wire.Tick     // when the mind was asked last in this cycle: it was told what had happened before; 0: not yet
	open  bool          // the cycle has begun and not ended for this agent
}

// recentEvent is an event, and whether it is about this agent or something of its own.
type recentEvent struct {
	*wire.Event
	mine bool
}

// keepEvents keeps the events of a view that may be news. In place of what does not fit go the oldest that are not about the
// agent: at the end of a cycle many things happen at once, and to others.
func keepEvents(x items, events []*wire.Event) {
	r := &x.seen.recent
	for _, e := range events {
		if dull[e.Kind] || x.ownAct(e) || plainPayment(x.agent.ID, e) {
			continue
		}
		if len(r.list) >= recentMax {
			i := slices.IndexFunc(r.list, func(had recentEvent) bool { return !had.mine })
			r.list = slices.Delete(r.list, max(i, 0), max(i, 0)+1)
		}
		r.list = append(r.list, recentEvent{e, x.concernsMe(e, eventSubject(e))})
	}
}

// plainPayment reports whether an event is a payment that another event tells, or that is between others.
func plainPayment(me wire.AgentID, e *wire.Event) bool {
	p, ok := e.Payload.(*wire.TransferCompletedEvent)
	return ok && p.Memo == nil && (p.To != me || p.Kind != wire.TransferKindGrant)
}

// begin begins a cycle with what the one before had not told.
func (r *recent) begin(notes *memory.Notebook) {
	r.list, r.asked, r.open = r.list[:0], 0, true
	for i := range notes.News {
		n := &notes.News[i]
		kind := wire.EventKind(n.Kind)
		payload, err := wire.DecodePayload(kind, n.Payload)
		if err != nil {
			continue // it was written by this code, so this cannot be
		}
		r.list = append(r.list, recentEvent{&wire.Event{Kind: kind, Timestamp: n.At, Origin: n.Origin, Payload: payload}, true})
	}
	notes.News = nil
}

// end ends a cycle: it notes the newest events about the agent that happened after it was asked last.
func (r *recent) end(notes *memory.Notebook) {
	if !r.open {
		return
	}
	for _, e := range r.list {
		if e.mine && e.Timestamp >= r.asked {
			notes.News = append(notes.News, memory.NewsNote{Kind: uint16(e.Kind), At: e.Timestamp, Origin: e.Origin, Payload: wire.AppendPayload(nil, e.Payload)})
		}
	}
	notes.News = slices.Clone(notes.News[max(0, len(notes.News)-memory.NewsMax):])
	r.list, r.open = r.list[:0], false
}
