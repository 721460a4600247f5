package oracle

import (
	"crypto/sha256"

	"kingdom/wire"
	"kingdom/world"
)

// maxProof is the maximum size of an encoded ExecutionProof, in bytes.
const maxProof = 1024

// Prepare returns the tasks that read the proofs named by drafts with verified examples. They are read whether or not the
// sender may read them, because an earlier request of the tick may let everybody read them.
func (d *Daemon) Prepare(t wire.Tick, requests []world.Request) (tasks []world.Task) {
	for i := range requests {
		r := &requests[i]
		var body []byte
		var proof *wire.Hash
		switch q := r.Payload.(type) {
		case *wire.EntryPublish:
			body, proof = q.Entry.Body, q.Entry.ProofHash
		case *wire.EntryUpdate:
			if e := d.entries.find(q.EntryID); e != nil {
				body, proof = q.NewBody, d.entries.textOf(e).ProofHash
			}
		}
		if list, err := decodeBody(body); err != nil || !anyVerified(list) || !d.writer.isProof(proof, t) {
			continue
		}
		var found wire.ExecutionProof
		read := false
		tasks = append(tasks, world.Task{
			Seats: []int{r.Seat},
			Reads: func() (missing []wire.Missing) {
				if !read {
					read = true
					d.objects.ShowObject(&missing, *proof, func(data []byte) { found = decodeProof(data) })
				}
				return missing
			},
			Run: func(world.Answer) []any { return []any{&found} },
		})
	}
	return tasks
}

// isProof reports whether id names an ATOM that was stored before tick t and is short enough for a proof.
func (x *writer) isProof(id *wire.Hash, t wire.Tick) bool {
	if id == nil || x.objects == nil {
		return false
	}
	o, ok := x.objects.Object(*id)
	return ok && o.Type == wire.ObjectAtom && o.Size <= maxProof && o.Tick < t
}

// proofOf returns the id of the proof that an entry names. An entry of this tick has none: its proof was not read in the
// prepare stage, when the entry was not there.
func (x *writer) proofOf(c *world.Context, e *packedEntry) *wire.Hash {
	if e.created.Tick() == c.Tick {
		return nil
	}
	return x.entries.textOf(e).ProofHash
}

// decodeProof decodes a proof; it returns an empty one if data is not a proof.
func decodeProof(data []byte) wire.ExecutionProof {
	var p wire.ExecutionProof
	if wire.ExecutionProofCodec.DecodeCanonical(data, &p) != nil {
		return wire.ExecutionProof{}
	}
	return p
}

// clearUnproved clears forge_verified in the examples of a draft whose input and output are not those of the stored
// proof that the draft names.
func (x *writer) clearUnproved(c *world.Context, list []wire.ContentBlock, proof *wire.Hash) {
	if !anyVerified(list) {
		return
	}
	var p wire.ExecutionProof
	if x.isProof(proof, c.Tick) && x.objects.MayRead(*proof, c.Source) {
		if prepared, ok := c.Prepared.(*wire.ExecutionProof); ok {
			p = *prepared
		} else {
			var missing []wire.Missing
			x.objects.ShowObject(&missing, *proof, func(data []byte) { p = decodeProof(data) })
			if len(missing) > 0 {
				panic("oracle: the proof " + proof.String() + " was not read in the prepare stage")
			}
		}
	}
	if x.proofs == nil || !x.proofs.Proved(&p) {
		p = wire.ExecutionProof{} // not made by Forge: anybody can store a proof with the signature of FORGE_0
	}
	keepProved(list, &p)
}

func keepProved(list []wire.ContentBlock, p *wire.ExecutionProof) {
	for i := range list {
		if e := list[i].Example; e != nil {
			e.ForgeVerified = e.ForgeVerified && !p.Program.IsZero() &&
				p.Input == sha256.Sum256([]byte(e.Input)) && p.Output == sha256.Sum256([]byte(e.ExpectedOutput))
		}
		if s := list[i].Section; s != nil {
			keepProved(s.Children, p)
		}
	}
}

func anyVerified(list []wire.ContentBlock) bool {
	for i := range list {
		if e := list[i].Example; e != nil && e.ForgeVerified {
			return true
		}
		if s := list[i].Section; s != nil && anyVerified(s.Children) {
			return true
		}
	}
	return false
}
