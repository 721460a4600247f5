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

func (h *history) getSnap(c *world.Context, q *wire.SnapGet) wire.Reply {
	objects := h.shelf.objects
	switch {
	case !objects.is(q.SnapID, wire.ObjectSnap):
		return refuse(c, wire.CategoryNotFound, "snap")
	case !h.shelf.readable(q.SnapID, c.Source):
		return refuse(c, wire.CategoryUnauthorized, "read")
	}
	reply := &wire.SnapGetReply{Entries: []wire.TreeEntry{}}
	var missing []wire.Missing
	objects.show(&missing, q.SnapID, func(data []byte) { reply.Snap = *decoded(wire.SnapCodec, data) })
	if m := h.commits.find(q.SnapID); m != nil && h.listable(m, c.Source) {
		objects.show(&missing, m.root, func(data []byte) { reply.Entries = decoded(wire.TreeCodec, data).Entries })
	}
	return c.Answer(wire.TypeSnapGet, reply).Without(missing)
}

// listable says whether a may read what is in the root of a snap, and an answer holds it beside the snap.
func (h *history) listable(m *commit, a wire.AgentID) bool {
	snap, root := h.shelf.objects.find(m.id), h.shelf.objects.find(m.root)
	return snap.size+root.size <= wire.MaxObject && h.shelf.readable(m.root, a)
}
