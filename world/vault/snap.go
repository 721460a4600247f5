package vault

import (
	"kingdom/wire"
	"kingdom/world"
)

func (h *history) createSnap(c *world.Context, q *wire.SnapCreate) wire.Reply {
	repo, r := h.shelf.writable(c, q.RepoID)
	if r != nil {
		return c.Relay(sys, r)
	}
	if q.Parent == nil || h.snapOf(repo.ID, *q.Parent) == nil { // only REPO_CREATE makes first snaps
		return refuse(c, wire.CategoryNotFound, "parent")
	}
	in, r := h.shelf.take(q.Objects)
	if r != nil {
		return c.Relay(sys, r)
	}
	if r := h.shelf.isTree(in, q.Root); r != nil {
		return c.Relay(sys, r)
	}
	snap := q.Snap()
	id := in.add(wire.ObjectSnap, wire.SnapCodec.Append(nil, &snap))
	if h.commits.find(id) != nil { // the same again, byte by byte, changes nothing
		return c.Ack(&wire.SnapCreateAck{SnapID: id})
	}
	if _, r := h.shelf.room(c, in, 0); r != nil {
		return c.Relay(sys, r)
	}
	if !snap.VerifyOwn(h.shelf.roster.PublicKey(c.Source)) { // dearer than all other checks together
		return refuse(c, wire.CategoryInvalidRequest, "signature", world.Field("signature"))
	}
	if q.Proof != nil && !h.proves(c, in, q) {
		return refuse(c, wire.CategoryInvalidRequest, "proof", world.Field("proof"))
	}
	if r := h.shelf.charge(c, in, 0); r != nil {
		return c.Relay(sys, r)
	}
	h.shelf.keep(c, in, repo.home())
	h.commit(c, repo.ID, id, &snap)
	if head := h.refs.headed(repo.ID, *q.Parent); head != nil {
		h.advance(c, head, id)
	}
	return c.Ack(&wire.SnapCreateAck{SnapID: id})
}

// proves says whether the proof of a snap is one that Forge made and about a program in its tree.
func (h *history) proves(c *world.Context, in *intake, q *wire.SnapCreate) bool {
	var p wire.ExecutionProof
	if wire.ExecutionProofCodec.DecodeCanonical(*q.Proof, &p) != nil || h.shelf.proofs == nil || !h.shelf.proofs.Proved(&p) {
		return false
	}
	w := h.shelf.walk(c.Tick, c.Source, prepared(c))
	w.inline = in
	return w.holds(q.Root, p.Program, 0)
}
