package vault

import (
	"kingdom/wire"
	"kingdom/world"
)

// Prepare reads the trees that comparisons, merges and proofs need. They follow from ids, so they are the same at the
// commit, whatever is committed before in the tick.
func (d *Daemon) Prepare(t wire.Tick, requests []world.Request) (tasks []world.Task) {
	for i := range requests {
		r := &requests[i]
		var look func(w *walk)
		switch q := r.Payload.(type) {
		case *wire.DeltaCompute:
			look = d.diffReads(t, q.Base, q.Target)
		case *wire.Merge:
			look = d.diffReads(t, q.Base, q.Left, q.Right)
		case *wire.SnapCreate:
			look = d.proofReads(q)
		}
		if look != nil {
			tasks = append(tasks, d.readTask(t, r.Seat, look))
		}
	}
	return tasks
}

// readTask returns the task that reads the trees that look visits.
func (d *Daemon) readTask(t wire.Tick, seat int, look func(w *walk)) world.Task {
	read := trees{}
	return world.Task{
		Seats: []int{seat},
		Reads: func() []wire.Missing {
			w := &walk{store: d.store, tick: t, inline: &pendingObjects{}, read: read, preview: true}
			look(w)
			return w.missing
		},
		Run: func(world.Answer) []any { return []any{read} },
	}
}

// diffReads returns a function that compares the tree of the first snap with those of the others, nil if a snap does not
// exist.
func (d *Daemon) diffReads(t wire.Tick, snaps ...wire.Hash) func(w *walk) {
	roots := make([]wire.Hash, len(snaps))
	for i, id := range snaps {
		m := d.history.commits.find(id)
		if m == nil || m.tick >= t {
			return nil
		}
		roots[i] = m.root
	}
	return func(w *walk) {
		for _, root := range roots[1:] {
			w.diff(roots[0], root)
		}
	}
}

// proofReads returns a function that searches the program of a proof, nil if there is no proof of FORGE_0.
func (d *Daemon) proofReads(q *wire.SnapCreate) func(w *walk) {
	var p wire.ExecutionProof
	if q.Proof == nil || wire.ExecutionProofCodec.DecodeCanonical(*q.Proof, &p) != nil || !p.Verify() {
		return nil
	}
	in, r := d.store.checkInline(q.Objects)
	if r != nil {
		return nil
	}
	return func(w *walk) {
		w.inline = in
		w.contains(q.Root, p.Program, 0)
	}
}
