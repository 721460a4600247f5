package vault

import (
	"kingdom/wire"
	"kingdom/world"
)

func (d *Daemon) createSnap(c *world.Context, q *wire.SnapCreate) wire.Reply {
	repo, r := d.writable(c, q.RepoID)
	if r != nil {
		return c.Relay(sys, r)
	}
	if q.Parent == nil || d.snapOf(repo.ID, *q.Parent) == nil { // only REPO_CREATE makes first snaps
		return refuse(c, wire.CategoryNotFound, "parent")
	}
	in, r := d.take(q.Objects)
	if r != nil {
		return c.Relay(sys, r)
	}
	if r := d.isTree(in, q.Root); r != nil {
		return c.Relay(sys, r)
	}
	snap := q.Snap()
	id := in.add(wire.ObjectSnap, wire.SnapCodec.Append(nil, &snap))
	if d.commits.find(id) != nil { // the same again, byte by byte, changes nothing
		return c.Ack(&wire.SnapCreateAck{SnapID: id})
	}
	if _, r := d.room(c, in, 0); r != nil {
		return c.Relay(sys, r)
	}
	if !snap.VerifyOwn(d.roster.PublicKey(c.Source)) { // dearer than all other checks together
		return refuse(c, wire.CategoryInvalidRequest, "signature", world.Field("signature"))
	}
	if q.Proof != nil && !d.proves(c, in, q) {
		return refuse(c, wire.CategoryInvalidRequest, "proof", world.Field("proof"))
	}
	if r := d.charge(c, in, 0); r != nil {
		return c.Relay(sys, r)
	}
	d.keep(c, in, repo.home())
	d.commit(c, repo.ID, id, &snap)
	if head := d.refs.headed(repo.ID, *q.Parent); head != nil {
		d.advance(c, head, id)
	}
	return c.Ack(&wire.SnapCreateAck{SnapID: id})
}

// proves says whether the proof of a snap is one that Forge made and about a program in its tree.
func (d *Daemon) proves(c *world.Context, in *intake, q *wire.SnapCreate) bool {
	var p wire.ExecutionProof
	if wire.ExecutionProofCodec.DecodeCanonical(*q.Proof, &p) != nil || d.proofs == nil || !d.proofs.Proved(&p) {
		return false
	}
	w := d.walk(c.Tick, c.Source, prepared(c))
	w.inline = in
	return w.holds(q.Root, p.Program, 0)
}
