package vault

import (
	"bytes"
	"encoding/binary"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// Largest number of conflicts in a reply, and of their bytes.
const (
	maxConflicts = 1024
	replyBytes   = 262_144
)

// merge carries out MERGE: it combines the changes of left and right since base into a snap that follows left and is
// signed by VAULT_0. It moves no branch.
func (d *Daemon) merge(c *world.Context, q *wire.Merge) wire.Reply {
	base, r1 := d.findReadable(c, "base", q.Base)
	left, r2 := d.findReadable(c, "left", q.Left)
	right, r3 := d.findReadable(c, "right", q.Right)
	if r := world.FirstRefusal(r1, r2, r3); r != nil {
		return c.Relay(sys, r)
	}
	repo := d.store.repos.Get(left.repo)
	if !repo.mayWrite(c.Source) {
		return refuse(c, wire.CategoryUnauthorized, "write")
	}
	w := d.store.walk(c.Tick, c.Source, preparedFor(c).trees)
	ours, theirs := w.diff(base.root, left.root), w.diff(base.root, right.root)
	if r := w.refusal(); r != nil {
		return c.Relay(sys, r)
	}
	changes, conflicts := mergeChanges(ours, theirs)
	in := &pendingObjects{}
	root := w.patch(base.root, changes, 0, in)
	for i := range in.list {
		if r := check(in.list[i].tag, in.list[i].data); r != nil { // a merged directory may be too large
			return c.Relay(sys, r)
		}
	}
	note := wire.MergeNote{Merge: wire.MergedSnaps{Base: q.Base, Left: q.Left, Right: q.Right, Resolver: c.Source}}
	snap := wire.Snap{Parent: &q.Left, Root: root, Author: me, Message: wire.MergeNoteCodec.Append(nil, &note)}
	snap.Sign(wire.SystemKey(sys))
	id := in.add(wire.ObjectSnap, wire.SnapCodec.Append(nil, &snap))
	if r := d.store.charge(c, in, 0); r != nil {
		return c.Relay(sys, r)
	}
	d.store.putAll(c, in, d.store.privateHome(left, right, base))
	if d.history.commits.find(id) == nil {
		d.history.addSnap(c, repo.ID, id, &snap)
	}
	emit(c, wire.KindMergeCompleted, &wire.MergeCompletedEvent{
		RepoID: repo.ID, Base: q.Base, Left: q.Left, Right: q.Right, Result: id, ConflictCount: uint32(len(conflicts)), Tick: c.Tick,
	})
	return c.Answer(wire.TypeMerge, &wire.MergeReply{Result: id, Conflicts: firstConflicts(conflicts)})
}

// firstConflicts returns the first conflicts, as many as a reply may hold.
func firstConflicts(conflicts []wire.Conflict) []wire.Conflict {
	size := 0
	for i := range conflicts {
		if size += len(wire.AppendPayload(nil, &wire.MergeReply{Conflicts: conflicts[i : i+1]})); i == maxConflicts || i > 0 && size > replyBytes {
			return conflicts[:i]
		}
	}
	return conflicts
}

// mergeChanges combines the changes of two sides. A change that both made is taken once. It is a conflict if both changed
// a path differently, or if one changed a path above one that the other changed; then neither change is taken.
func mergeChanges(left, right []change) (changes []change, conflicts []wire.Conflict) {
	ours, theirs := byPath(left), byPath(right)
	for i := range left {
		x := &left[i]
		if y := theirs[pathKey(x.path)]; y != nil {
			if !x.same(y) {
				conflicts = append(conflicts, conflict(x.path, x, y))
				x.dropped, y.dropped = true, true
			} else {
				y.dropped = true // taken from the left
			}
		}
		findConflictAbove(x, theirs, func(y *change) { conflicts = append(conflicts, conflict(x.path, x, y)) })
	}
	for i := range right {
		y := &right[i]
		findConflictAbove(y, ours, func(x *change) { conflicts = append(conflicts, conflict(y.path, x, y)) })
	}
	for i := range left {
		if !left[i].dropped {
			changes = append(changes, left[i])
		}
	}
	for i := range right {
		if !right[i].dropped {
			changes = append(changes, right[i])
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int { return comparePaths(a.path, b.path) })
	slices.SortStableFunc(conflicts, func(a, b wire.Conflict) int { return comparePaths(a.Path, b.Path) })
	return changes, conflicts
}

// findConflictAbove calls clash for the other side's change of a path above x's path, if there is one. There is at most
// one.
func findConflictAbove(x *change, others map[string]*change, clash func(y *change)) {
	key, end := pathKey(x.path), 0
	for n := 1; n < len(x.path); n++ {
		end += 2 + len(x.path[n-1])
		if y := others[key[:end]]; y != nil {
			x.dropped, y.dropped = true, true
			clash(y)
		}
	}
}

func conflict(path [][]byte, left, right *change) wire.Conflict {
	return wire.Conflict{Path: path, LeftOp: left.op(), RightOp: right.op()}
}

func byPath(list []change) map[string]*change {
	m := make(map[string]*change, len(list))
	for i := range list {
		m[pathKey(list[i].path)] = &list[i]
	}
	return m
}

// pathKey encodes a path as a unique text that begins with the texts of the paths above it.
func pathKey(path [][]byte) string {
	size := 0
	for _, k := range path {
		size += 2 + len(k)
	}
	b := make([]byte, 0, size)
	for _, k := range path {
		b = append(binary.BigEndian.AppendUint16(b, uint16(len(k))), k...)
	}
	return string(b)
}

func comparePaths(a, b [][]byte) int { return slices.CompareFunc(a, b, bytes.Compare) }

// patch applies changes, which are sorted by path, to a tree and returns the id of the result. It adds the trees that it
// makes to in. depth is the number of keys of the paths that lead to this tree.
func (w *walk) patch(root wire.Hash, changes []change, depth int, in *pendingObjects) wire.Hash {
	if len(changes) == 0 {
		return root
	}
	old := w.tree(root).Entries
	out := make([]wire.TreeEntry, 0, len(old)+len(changes))
	for len(changes) > 0 {
		key := changes[0].path[depth]
		i := 0
		for i < len(old) && bytes.Compare(old[i].Key, key) < 0 {
			i++
		}
		out = append(out, old[:i]...)
		old = old[i:]
		n := 1
		for n < len(changes) && bytes.Equal(changes[n].path[depth], key) {
			n++
		}
		var here *wire.TreeEntry
		if len(old) > 0 && bytes.Equal(old[0].Key, key) {
			here, old = &old[0], old[1:]
		}
		if len(changes[0].path) == depth+1 {
			here = changes[0].new
		} else {
			here = &wire.TreeEntry{Key: key, Kind: here.Kind, Value: w.patch(here.Value, changes[:n], depth+1, in)}
		}
		if here != nil {
			out = append(out, *here)
		}
		changes = changes[n:]
	}
	return in.add(wire.ObjectTree, wire.TreeCodec.Append(nil, &wire.Tree{Entries: append(out, old...)}))
}
