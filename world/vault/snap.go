package vault

import (
	"kingdom/wire"
	"kingdom/world"
)

func (h *history) createSnap(c *world.Context, q *wire.SnapCreate) wire.Reply {
	repo, r := h.store.findWritable(c, q.RepoID)
	if r != nil {
		return c.Relay(sys, r)
	}
	if q.Parent == nil || h.snapOf(repo.ID, *q.Parent) == nil { // only REPO_CREATE makes first snaps
		return refuse(c, wire.CategoryNotFound, "parent")
	}
	in, r := h.store.checkInline(q.Objects)
	if r != nil {
		return c.Relay(sys, r)
	}
	if r := h.store.isTree(in, q.Root); r != nil {
		return c.Relay(sys, r)
	}
	snap := q.Snap()
	id := in.add(wire.ObjectSnap, wire.SnapCodec.Append(nil, &snap))
	if h.commits.find(id) != nil { // an identical snap changes nothing
		return c.Ack(&wire.SnapCreateAck{SnapID: id})
	}
	if _, r := h.store.checkQuota(c, in, 0); r != nil {
		return c.Relay(sys, r)
	}
	if !preparedFor(c).signed && !snap.VerifyOwn(h.store.roster.PublicKey(c.Source)) { // the most expensive check comes last
		return refuse(c, wire.CategoryInvalidRequest, "signature", world.Field("signature"))
	}
	if q.Proof != nil && !h.proves(c, in, q) {
		return refuse(c, wire.CategoryInvalidRequest, "proof", world.Field("proof"))
	}
	if r := h.store.charge(c, in, 0); r != nil {
		return c.Relay(sys, r)
	}
	h.store.putAll(c, in, repo.home())
	h.addSnap(c, repo.ID, id, &snap)
	if head := h.refs.branchAt(repo.ID, *q.Parent); head != nil {
		h.advance(c, head, id)
	}
	return c.Ack(&wire.SnapCreateAck{SnapID: id})
}

// proves reports whether Forge made the proof of a snap and the snap's tree contains the program.
func (h *history) proves(c *world.Context, in *pendingObjects, q *wire.SnapCreate) bool {
	var p wire.ExecutionProof
	if wire.ExecutionProofCodec.DecodeCanonical(*q.Proof, &p) != nil || h.store.proofs == nil || !h.store.proofs.Proved(&p) {
		return false
	}
	w := h.store.walk(c.Tick, c.Source, preparedFor(c).trees)
	w.inline = in
	return w.contains(q.Root, p.Program, 0)
}

func (h *history) getSnap(c *world.Context, q *wire.SnapGet) wire.Reply {
	objects := h.store.objects
	switch {
	case !objects.is(q.SnapID, wire.ObjectSnap):
		return refuse(c, wire.CategoryNotFound, "snap")
	case !h.store.readable(q.SnapID, c.Source):
		return refuse(c, wire.CategoryUnauthorized, "read")
	}
	reply := &wire.SnapGetReply{Entries: []wire.TreeEntry{}}
	var missing []wire.Missing
	objects.show(&missing, q.SnapID, func(data []byte) { reply.Snap = *decoded(wire.SnapCodec, data) })
	if m := h.commits.find(q.SnapID); m != nil && h.listable(m, c.Source) {
		objects.show(&missing, m.root, func(data []byte) { reply.Entries = decoded(wire.TreeCodec, data).Entries })
		if p := h.program(c, m); p != nil {
			reply.Program = zeros[:p.size:p.size]
			objects.show(&missing, p.id, func(data []byte) { reply.Program = data })
		}
	}
	return c.Answer(wire.TypeSnapGet, reply).Without(missing)
}

// program returns the program in the root of a snap that c's sender may list. It is nil if there is none that the sender
// may read and that fits into a reply with the snap and the root, or if the snap was stored in this tick.
func (h *history) program(c *world.Context, m *commit) *object {
	if m.tick >= c.Tick {
		return nil
	}
	w := h.store.walk(c.Tick, c.Source, preparedFor(c).trees)
	for _, e := range w.tree(m.root).Entries {
		if string(e.Key) != wire.ProgramFile || e.Kind != wire.TreeEntryKindAtom {
			continue
		}
		p := h.store.objects.find(e.Value)
		if p != nil && p.tag == wire.ObjectAtom && h.sizeWith(m)+p.size <= wire.MaxObject && h.store.readable(p.id, c.Source) {
			return p
		}
	}
	return nil
}

// listable reports whether a may read the root of a snap, and whether both fit into one reply.
func (h *history) listable(m *commit, a wire.AgentID) bool {
	return h.sizeWith(m) <= wire.MaxObject && h.store.readable(m.root, a)
}

// sizeWith is the size of a snap together with its root, in bytes.
func (h *history) sizeWith(m *commit) uint32 {
	return h.store.objects.find(m.id).size + h.store.objects.find(m.root).size
}
