package vault

import (
	"kingdom/wire"
	"kingdom/world"
)

// old finds a snap that was stored before the tick and that the sender may read. What is
// compared and merged is of before the tick, since it is read in the prepare stage.
func (d *Daemon) old(c *world.Context, field string, id wire.Hash) (*commit, *world.Refusal) {
	m := d.history.commits.find(id)
	switch {
	case m == nil || m.tick >= c.Tick:
		return nil, no(wire.CategoryNotFound, field)
	case !d.shelf.readable(id, c.Source):
		return nil, no(wire.CategoryUnauthorized, "read")
	}
	return m, nil
}

// refusal says why a walk came to nothing, or nil.
func (w *walk) refusal() *world.Refusal {
	switch {
	case w.denied:
		return no(wire.CategoryUnauthorized, "read")
	case w.tooFar:
		return no(wire.CategoryQuotaExceeded, "size", world.Limit(maxVisited))
	}
	return nil
}

func (d *Daemon) computeDelta(c *world.Context, q *wire.DeltaCompute) wire.Reply {
	base, r1 := d.old(c, "base", q.Base)
	target, r2 := d.old(c, "target", q.Target)
	if r := world.FirstRefusal(r1, r2); r != nil {
		return c.Relay(sys, r)
	}
	w := d.shelf.walk(c.Tick, c.Source, prepared(c))
	changes := w.diff(base.root, target.root)
	if r := w.refusal(); r != nil {
		return c.Relay(sys, r)
	}
	delta := wire.Delta{Base: q.Base, Target: q.Target, Ops: make([]wire.DeltaOp, 0, len(changes))}
	for i := range changes {
		delta.Ops = append(delta.Ops, changes[i].op())
	}
	data := wire.DeltaCodec.Append(nil, &delta)
	if len(data) > wire.MaxObject {
		return refuse(c, wire.CategoryQuotaExceeded, "size", world.Limit(wire.MaxObject), world.Have(uint64(len(data))))
	}
	in := &intake{}
	in.add(wire.ObjectDelta, data)
	if r := d.shelf.charge(c, in, 0); r != nil {
		return c.Relay(sys, r)
	}
	d.shelf.keep(c, in, d.shelf.narrower(target, base))
	return c.Answer(wire.TypeDeltaCompute, &wire.DeltaComputeReply{Delta: delta})
}

// narrower is the home of what is made of two snaps: that of the first whose repo is not PUBLIC.
func (d *shelf) narrower(snaps ...*commit) *wire.Hash {
	for _, m := range snaps {
		if home := d.repos.Get(m.repo).home(); home != nil {
			return home
		}
	}
	return nil
}

// op is the form in which a change is stored and shown.
func (x *change) op() wire.DeltaOp {
	switch {
	case x.old == nil:
		return wire.DeltaOp{Insert: &wire.InsertOp{Path: x.path, ObjectID: x.new.Value}}
	case x.new == nil:
		return wire.DeltaOp{Delete: &wire.DeleteOp{Path: x.path}}
	}
	return wire.DeltaOp{Replace: &wire.ReplaceOp{Path: x.path, OldID: x.old.Value, NewID: x.new.Value}}
}
