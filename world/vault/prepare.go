package vault

import (
	"crypto/ed25519"

	"kingdom/wire"
	"kingdom/world"
)

// prepared is what a task found for a request.
type prepared struct {
	trees  trees
	signed bool // the signature of what it makes is right
}

// preparedFor returns what was found for the current request.
func preparedFor(c *world.Context) prepared {
	p, _ := c.Prepared.(prepared)
	return p
}

// Prepare reads the trees that comparisons, merges, proofs and looks at snaps need, and verifies the signatures of snaps and tags. Both
// follow from the request and from ids, so they are the same at the commit, whatever is committed before in the tick.
func (d *Daemon) Prepare(t wire.Tick, requests []world.Request) (tasks []world.Task) {
	for i := range requests {
		r := &requests[i]
		var look func(w *walk)
		var verify func(pub ed25519.PublicKey) bool
		switch q := r.Payload.(type) {
		case *wire.DeltaCompute:
			look = d.diffReads(t, q.Base, q.Target)
		case *wire.Merge:
			look = d.diffReads(t, q.Base, q.Left, q.Right)
		case *wire.SnapGet:
			look = d.rootReads(t, q.SnapID)
		case *wire.SnapCreate:
			snap := q.Snap()
			look, verify = d.proofReads(q), snap.VerifyOwn
		case *wire.TagCreate:
			tag := q.Tag(r.Source)
			verify = tag.VerifyOwn
		case *wire.RepoCreate:
			if q.ForkOf != nil && q.Root == nil {
				continue // its root is the newest of the forked repo, which may change in the tick
			}
			root := wire.EmptyTree
			if q.Root != nil {
				root = *q.Root
			}
			snap := q.Snap(root)
			verify = snap.VerifyOwn
		}
		if look != nil || verify != nil {
			tasks = append(tasks, d.task(t, r, look, verify))
		}
	}
	return tasks
}

// task returns the task that reads the trees that look visits, and verifies a signature of the sender; either may be nil.
func (d *Daemon) task(t wire.Tick, r *world.Request, look func(w *walk), verify func(pub ed25519.PublicKey) bool) world.Task {
	p := prepared{}
	task := world.Task{Seats: []int{r.Seat}}
	if look != nil {
		p.trees = trees{}
		task.Reads = func() []wire.Missing {
			w := &walk{store: d.store, tick: t, inline: &pendingObjects{}, read: p.trees, preview: true}
			look(w)
			return w.missing
		}
	}
	task.Run = func(world.Answer) []any {
		p.signed = verify != nil && verify(d.store.roster.PublicKey(r.Source))
		return []any{p}
	}
	return task
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

// rootReads returns a function that reads the root of a snap, nil if the snap does not exist.
func (d *Daemon) rootReads(t wire.Tick, snap wire.Hash) func(w *walk) {
	m := d.history.commits.find(snap)
	if m == nil || m.tick >= t {
		return nil
	}
	return func(w *walk) { w.tree(m.root) }
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
