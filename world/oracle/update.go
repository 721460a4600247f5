package oracle

import (
	"bytes"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// PendingTicks is how long the author of an entry may reject another agent's update.
const PendingTicks = 256

func (x *texts) update(c *world.Context, q *wire.EntryUpdate) wire.Reply {
	e := x.entries.Get(q.EntryID)
	switch {
	case e == nil:
		return refuse(c, wire.CategoryNotFound, "entry", world.Field("entry_id"))
	case q.EntryID == EntryZero:
		return refuse(c, wire.CategoryConflict, "immutable", world.Field("entry_id"))
	case !e.live():
		return refuse(c, wire.CategoryConflict, "unpublished", world.Field("entry_id"))
	case q.RejectVersion != nil:
		return x.reject(c, e, *q.RejectVersion)
	}
	own := c.Source == e.Head.Author
	if no := x.rests.stranger(c, e); !own && no != nil {
		return c.Relay(wire.SystemOracle, no)
	}
	list, err := parse(q.NewBody)
	if err != nil {
		return c.Relay(wire.SystemOracle, world.Bad(true, "new_body"))
	}
	x.confirm(c, list, e.Head.ProofHash)
	body := Body(list)
	text := len(body) + len(q.ChangeNote)
	if no := x.counters.mayWrite(c, text); no != nil {
		return c.Relay(wire.SystemOracle, no)
	}
	e = x.entries.Edit(q.EntryID)
	e.Versions++
	x.versions.Append(&Version{
		EntryID: q.EntryID, Version: e.Versions, Author: c.Source, Body: body,
		ChangeNote: bytes.Clone(q.ChangeNote), Tick: c.Tick, MsgID: c.Msg,
	})
	x.counters.wrote(c, text)
	if own {
		if e.Pending != nil { // the author's own text comes first
			x.drop(c, e)
		}
		x.apply(c, e, e.Versions, c.Source, list)
	} else {
		e.Pending = &Pending{Version: e.Versions, Author: c.Source, Due: c.Tick + PendingTicks}
		x.entries.pending.Add(x.rules.Calendar.Cycle(e.Pending.Due), q.EntryID)
		x.tell(c, &e.Head, e.Versions, c.Source)
	}
	return c.Ack(&wire.EntryUpdateAck{Version: e.Versions})
}

// restCycles is how long an agent whose update was rejected makes none for the same entry.
const restCycles = 16

// drop rejects the pending update of e, an entry to be edited.
func (x *texts) drop(c *world.Context, e *Entry) {
	p := *e.Pending
	e.Pending = nil
	x.rests.set(e.Head.ID, p.Author, c.Cycle+restCycles)
	emit(c, wire.KindEntryUpdateRejected, c.Source, &wire.EntryUpdateRejectedEvent{
		EntryID: e.Head.ID, Version: p.Version, RejectedBy: c.Source, Tick: c.Tick,
	})
}

// reject refuses the pending update while its window is open.
func (x *texts) reject(c *world.Context, e *Entry, version uint32) wire.Reply {
	switch {
	case c.Source != e.Head.Author:
		return refuse(c, wire.CategoryUnauthorized, "reject")
	case e.Pending == nil || e.Pending.Version != version || c.Tick > e.Pending.Due:
		return refuse(c, wire.CategoryNotFound, "version", world.Field("reject_version"))
	}
	x.drop(c, x.entries.Edit(e.Head.ID))
	return c.Ack(&wire.EntryUpdateAck{Version: version})
}

// apply makes a recorded version the entry's text. It has no verdicts yet; what the entry
// has earned stays earned and is not earned again.
func (x *texts) apply(c *world.Context, e *Entry, version uint32, author wire.AgentID, list []wire.ContentBlock) {
	h, placed := &e.Head, x.entries.untouch(e, x.rules.Calendar)
	h.Version, h.UpdatedAt, h.Freshness = version, c.Tick, 1
	h.Completeness = completeness(list)
	h.Accuracy, h.VerifiedBy = 0, []wire.AgentID{} // nobody has judged this text
	if author != h.Author && len(h.Contributors) < maxNamed && !slices.Contains(h.Contributors, author) {
		h.Contributors = append(slices.Clone(h.Contributors), author)
	}
	x.entries.touch(placed, x.rules.Calendar)
	x.tell(c, h, version, author)
}

// tell announces a version: a pending one when it is recorded, so that the author can
// reject it, and every one when it takes effect.
func (x *texts) tell(c *world.Context, h *wire.OracleEntry, version uint32, author wire.AgentID) {
	emit(c, wire.KindEntryUpdated, author, &wire.EntryUpdatedEvent{
		EntryID: h.ID, Version: version, Author: author, Tick: c.Tick,
	})
}
