package oracle

import (
	"bytes"

	"kingdom/wire"
	"kingdom/world"
)

// PendingTicks is how long the author of an entry may reject another agent's update, in ticks.
const PendingTicks = 256

func (x *writer) update(c *world.Context, q *wire.EntryUpdate) wire.Reply {
	e := x.entries.find(q.EntryID)
	switch {
	case e == nil:
		return refuse(c, wire.CategoryNotFound, "entry", world.Field("entry_id"))
	case q.EntryID == EntryZero:
		return refuse(c, wire.CategoryConflict, "immutable", world.Field("entry_id"))
	case !e.live():
		return refuse(c, wire.CategoryConflict, "unpublished", world.Field("entry_id"))
	case q.RejectVersion != nil:
		return x.reject(c, e, *q.RejectVersion, q.ChangeNote)
	}
	own := c.Source == x.entries.author(e)
	if refusal := x.cooldowns.refuseUpdate(c, x.entries, e); !own && refusal != nil {
		return c.Relay(wire.SystemOracle, refusal)
	}
	list, err := decodeBody(q.NewBody)
	if err != nil {
		return c.Relay(wire.SystemOracle, world.InvalidIf(true, "new_body"))
	}
	x.clearUnproved(c, list, x.proofOf(c, e))
	body := Body(list)
	text := len(body) + len(q.ChangeNote)
	if refusal := x.counters.mayWrite(c, text); refusal != nil {
		return c.Relay(wire.SystemOracle, refusal)
	}
	e.versions++ // what follows marks the record as changed
	x.versions.Append(&Version{
		EntryID: q.EntryID, Version: e.versions, Author: c.Source, Body: body,
		ChangeNote: bytes.Clone(q.ChangeNote), Tick: c.Tick, MsgID: c.Msg,
	})
	x.counters.countWrite(c, text)
	if own {
		if x.entries.foreignEdits[e.number].pending != nil { // the author's update replaces the pending one
			x.rejectPending(c, e, q.ChangeNote)
		}
		x.apply(c, e, e.versions, c.Source, q.ChangeNote, list)
	} else {
		p := &Pending{Version: e.versions, Author: c.Source, Due: c.Tick + PendingTicks}
		x.entries.setPending(e, p)
		x.entries.pending.Schedule(x.rules.Calendar.Cycle(p.Due), q.EntryID)
		x.emitUpdated(c, q.EntryID, e.versions, c.Source, q.ChangeNote)
	}
	return c.Ack(&wire.EntryUpdateAck{Version: e.versions})
}

// restCycles is for how many cycles an agent whose update was rejected may not update the same entry.
const restCycles = 16

// rejectPending rejects the pending update of e in the name of its author, and starts the cooldown of who proposed it.
func (x *writer) rejectPending(c *world.Context, e *packedEntry, note []byte) {
	x.cooldowns.set(x.entries.idOf(e), x.dropPending(c, e, c.Source, note).Author, c.Cycle+restCycles)
}

// dropPending ends the pending update of e without effect and returns it; by is who rejected it.
func (x *writer) dropPending(c *world.Context, e *packedEntry, by wire.AgentID, note []byte) *Pending {
	p := x.entries.takePending(e)
	emit(c, wire.KindEntryUpdateRejected, by, &wire.EntryUpdateRejectedEvent{
		EntryID: x.entries.idOf(e), Version: p.Version, RejectedBy: by, ChangeNote: wire.EventText(note), Tick: c.Tick,
	})
	return p
}

// reject carries out the author's rejection of the pending update, which is possible until it is due.
func (x *writer) reject(c *world.Context, e *packedEntry, version uint32, note []byte) wire.Reply {
	switch p := x.entries.foreignEdits[e.number].pending; {
	case c.Source != x.entries.author(e):
		return refuse(c, wire.CategoryUnauthorized, "reject")
	case p == nil || p.Version != version || c.Tick > p.Due:
		return refuse(c, wire.CategoryNotFound, "version", world.Field("reject_version"))
	}
	if refusal := x.counters.mayAdd(c, len(note)); refusal != nil {
		return c.Relay(wire.SystemOracle, refusal)
	}
	x.counters.countText(c, len(note))
	x.rejectPending(c, e, note)
	return c.Ack(&wire.EntryUpdateAck{Version: version})
}

// apply makes a recorded version the current text of the entry. The new text has no verdicts yet. Rewards that the
// entry has earned are kept and cannot be earned again.
func (x *writer) apply(c *world.Context, e *packedEntry, version uint32, author wire.AgentID, note []byte, list []wire.ContentBlock) {
	x.entries.markChanged(e)
	x.entries.unindexUpdate(e, x.rules.Calendar)
	e.version, e.updated, e.freshness = version, world.StampOf(c.Tick), 1
	e.completeness = completeness(list)
	e.accuracy, e.verified = 0, 0 // there are no verdicts on this text yet
	if author != x.entries.author(e) {
		x.entries.addContributor(e, author)
	}
	x.entries.indexUpdate(e, x.rules.Calendar)
	x.emitUpdated(c, x.entries.idOf(e), version, author, note)
}

// emitUpdated announces a version: a pending one when it is recorded, so that the author can reject it, and every
// version when it takes effect.
func (x *writer) emitUpdated(c *world.Context, entry wire.Hash, version uint32, author wire.AgentID, note []byte) {
	emit(c, wire.KindEntryUpdated, author, &wire.EntryUpdatedEvent{
		EntryID: entry, Version: version, Author: author, ChangeNote: wire.EventText(note), Tick: c.Tick,
	})
}
