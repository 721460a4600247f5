package oracle

import (
	"bytes"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// PendingTicks is how long the author of an entry may reject another agent's update.
const PendingTicks = 256

func (d *Daemon) update(c *world.Context, q *wire.EntryUpdate) wire.Reply {
	e := d.entries.Get(q.EntryID)
	switch {
	case e == nil:
		return d.refuse(c, wire.CategoryNotFound, "entry")
	case q.EntryID == EntryZero:
		return d.refuse(c, wire.CategoryConflict, "immutable")
	case !e.live():
		return d.refuse(c, wire.CategoryConflict, "unpublished")
	case q.RejectVersion != nil:
		return d.reject(c, e, *q.RejectVersion)
	case e.Pending != nil:
		return d.refuse(c, wire.CategoryConflict, "pending")
	}
	list, err := parse(q.NewBody)
	if err != nil {
		return d.refuse(c, wire.CategoryInvalidRequest, "body")
	}
	e = d.entries.Edit(q.EntryID)
	e.Versions++
	d.versions.Append(&Version{
		EntryID: q.EntryID, Version: e.Versions, Author: c.Source, Body: Body(list),
		ChangeNote: bytes.Clone(q.ChangeNote), Tick: c.Tick, MsgID: c.Msg,
	})
	if c.Source == e.Head.Author {
		d.apply(c, e, e.Versions, c.Source, list)
	} else {
		e.Pending = &Pending{Version: e.Versions, Author: c.Source, Due: c.Tick + PendingTicks}
		d.entries.waiting[q.EntryID] = struct{}{}
		d.tell(c, &e.Head, e.Versions, c.Source)
	}
	return c.Ack(&wire.EntryUpdateAck{Version: e.Versions})
}

// reject refuses the pending update while its window is open.
func (d *Daemon) reject(c *world.Context, e *Entry, version uint32) wire.Reply {
	switch {
	case c.Source != e.Head.Author:
		return d.refuse(c, wire.CategoryUnauthorized, "reject")
	case e.Pending == nil || e.Pending.Version != version || c.Tick > e.Pending.Due:
		return d.refuse(c, wire.CategoryNotFound, "version")
	}
	e = d.entries.Edit(e.Head.ID)
	e.Pending = nil
	delete(d.entries.waiting, e.Head.ID)
	d.emit(c, wire.KindEntryUpdateRejected, c.Source, &wire.EntryUpdateRejectedEvent{
		EntryID: e.Head.ID, Version: version, RejectedBy: c.Source, Tick: c.Tick,
	})
	return c.Ack(&wire.EntryUpdateAck{Version: version})
}

// apply makes a recorded version the entry's text.
func (d *Daemon) apply(c *world.Context, e *Entry, version uint32, author wire.AgentID, list []wire.ContentBlock) {
	h, x := &e.Head, d.entries.untouch(e)
	h.Version, h.UpdatedAt, h.Freshness = version, c.Tick, 1
	h.Completeness = completeness(list)
	if author != h.Author && !slices.Contains(h.Contributors, author) {
		h.Contributors = append(slices.Clone(h.Contributors), author)
	}
	d.entries.touch(x, d.rules.Calendar)
	d.tell(c, h, version, author)
}

// tell announces a version: a pending one when it is recorded, so that the author can
// reject it, and every one when it takes effect.
func (d *Daemon) tell(c *world.Context, h *wire.OracleEntry, version uint32, author wire.AgentID) {
	d.emit(c, wire.KindEntryUpdated, author, &wire.EntryUpdatedEvent{
		EntryID: h.ID, Version: version, Author: author, Tick: c.Tick,
	})
}
