package agora

import (
	"kingdom/wire"
	"kingdom/world"
)

// signal carries out SIGNAL_SEND: one per message, agent and kind, with the sender's reputation as weight.
func (d *Daemon) signal(c *world.Context, q *wire.SignalSend) wire.Reply {
	e := d.archive.find(q.Target)
	if e == nil || !d.CanRead(d.archive.logOf(e).id, c.Source) { // do not reveal that a message exists which the sender may not read
		return refuse(c, wire.CategoryNotFound, "not_found", world.Field("target"))
	}
	if d.archive.reactions.hasSignal(e, c.Source, q.Kind) {
		return refuse(c, wire.CategoryConflict, "already", world.Field("kind"))
	}
	accuses := q.Kind == wire.SignalKindIncorrect || q.Kind == wire.SignalKindDuplicate
	if accuses && q.Reference == nil {
		return refuse(c, wire.CategoryInvalidRequest, "reference_required", world.Field("reference"))
	}
	s := &Signal{
		Target: q.Target, Author: c.Source, Kind: q.Kind,
		Weight: float32(d.roster.Reputation(c.Source)), Reference: q.Reference, Tick: c.Tick,
	}
	d.archive.signals.Append(s)
	c.Emit(sys, wire.KindSignalSent, c.Source, &wire.SignalSentEvent{
		TargetID: s.Target, Author: s.Author, Kind: s.Kind, Weight: s.Weight, Tick: c.Tick,
	}, nil)
	d.reviews.approvePost(c, e, s)
	d.reviews.confirmBug(c, e, s)
	return c.Ack(nil)
}
