package vault

import (
	"kingdom/wire"
	"kingdom/world"
)

// findReadable returns a snap that was stored before the tick and that the sender may read, or a refusal. Snaps of the
// current tick cannot be compared or merged, because trees are read in the prepare stage.
func (d *Daemon) findReadable(c *world.Context, field string, id wire.Hash) (*commit, *world.Refusal) {
	m := d.history.commits.find(id)
	switch {
	case m == nil || m.tick >= c.Tick:
		return nil, refusal(wire.CategoryNotFound, field)
	case !d.store.readable(id, c.Source):
		return nil, refusal(wire.CategoryUnauthorized, "read")
	}
	return m, nil
}

// refusal returns the reason why a walk was cut short, or nil.
func (w *walk) refusal() *world.Refusal {
	switch {
	case w.denied:
		return refusal(wire.CategoryUnauthorized, "read")
	case w.overLimit:
		return refusal(wire.CategoryQuotaExceeded, "size", world.Limit(maxVisited))
	}
	return nil
}

func (d *Daemon) computeDelta(c *world.Context, q *wire.DeltaCompute) wire.Reply {
	base, r1 := d.findReadable(c, "base", q.Base)
	target, r2 := d.findReadable(c, "target", q.Target)
	if r := world.FirstRefusal(r1, r2); r != nil {
		return c.Relay(sys, r)
	}
	w := d.store.walk(c.Tick, c.Source, preparedFor(c).trees)
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
	in := &pendingObjects{}
	in.add(wire.ObjectDelta, data)
	if r := d.store.charge(c, in, 0); r != nil {
		return c.Relay(sys, r)
	}
	d.store.putAll(c, in, d.store.privateHome(target, base))
	return c.Answer(wire.TypeDeltaCompute, &wire.DeltaComputeReply{Delta: delta})
}

// privateHome returns the home of an object made of several snaps: that of the first one whose repo is not PUBLIC.
func (d *store) privateHome(snaps ...*commit) *wire.Hash {
	for _, m := range snaps {
		if home := d.repos.Get(m.repo).home(); home != nil {
			return home
		}
	}
	return nil
}

// op returns the form in which a change is stored and sent.
func (x *change) op() wire.DeltaOp {
	switch {
	case x.old == nil:
		return wire.DeltaOp{Insert: &wire.InsertOp{Path: x.path, ObjectID: x.new.Value}}
	case x.new == nil:
		return wire.DeltaOp{Delete: &wire.DeleteOp{Path: x.path}}
	}
	return wire.DeltaOp{Replace: &wire.ReplaceOp{Path: x.path, OldID: x.old.Value, NewID: x.new.Value}}
}
