package vault

import (
	"bytes"
	"encoding/binary"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// How many conflicts a reply shows at most, and their bytes.
const (
	maxConflicts = 1024
	replyBytes   = 262_144
)

// merge carries out MERGE: what left and right changed since base, joined into a snap on left that
// VAULT_0 signs. No head moves.
func (d *Daemon) merge(c *world.Context, q *wire.Merge) wire.Reply {
	base, r1 := d.old(c, "base", q.Base)
	left, r2 := d.old(c, "left", q.Left)
	right, r3 := d.old(c, "right", q.Right)
	if r := world.FirstRefusal(r1, r2, r3); r != nil {
		return c.Relay(sys, r)
	}
	repo := d.shelf.repos.Get(left.repo)
	if !repo.mayWrite(c.Source) {
		return refuse(c, wire.CategoryUnauthorized, "write")
	}
	w := d.shelf.walk(c.Tick, c.Source, prepared(c))
	ours, theirs := w.diff(base.root, left.root), w.diff(base.root, right.root)
	if r := w.refusal(); r != nil {
		return c.Relay(sys, r)
	}
	changes, conflicts := join(ours, theirs)
	in := &intake{}
	root := w.patch(base.root, changes, 0, in)
	for i := range in.list {
		if r := check(in.list[i].tag, in.list[i].data); r != nil { // a directory of both may be too large
			return c.Relay(sys, r)
		}
	}
	note := wire.MergeNote{Merge: wire.MergedSnaps{Base: q.Base, Left: q.Left, Right: q.Right, Resolver: c.Source}}
	snap := wire.Snap{Parent: &q.Left, Root: root, Author: me, Message: wire.MergeNoteCodec.Append(nil, &note)}
	snap.Sign(wire.SystemKey(sys))
	id := in.add(wire.ObjectSnap, wire.SnapCodec.Append(nil, &snap))
	if r := d.shelf.charge(c, in, 0); r != nil {
		return c.Relay(sys, r)
	}
	d.shelf.keep(c, in, d.shelf.narrower(left, right, base))
	if d.history.commits.find(id) == nil {
		d.history.commit(c, repo.ID, id, &snap)
	}
	emit(c, wire.KindMergeCompleted, &wire.MergeCompletedEvent{
		RepoID: repo.ID, Base: q.Base, Left: q.Left, Right: q.Right, Result: id, ConflictCount: uint32(len(conflicts)), Tick: c.Tick,
	})
	return c.Answer(wire.TypeMerge, &wire.MergeReply{Result: id, Conflicts: shown(conflicts)})
}

// shown are the first conflicts, as many as a reply may hold.
func shown(conflicts []wire.Conflict) []wire.Conflict {
	size := 0
	for i := range conflicts {
		if size += len(wire.AppendPayload(nil, &wire.MergeReply{Conflicts: conflicts[i : i+1]})); i == maxConflicts || i > 0 && size > replyBytes {
			return conflicts[:i]
		}
	}
	return conflicts
}

// join takes the changes of two sides: equal ones once, those of one side as they are. Where both
// changed a path differently, or one changed what the other changed something under, is a
// conflict, and neither is taken.
func join(left, right []change) (changes []change, conflicts []wire.Conflict) {
	ours, theirs := byPath(left), byPath(right)
	for i := range left {
		x := &left[i]
		if y := theirs[pathKey(x.path)]; y != nil {
			if !x.same(y) {
				conflicts = append(conflicts, conflict(x.path, x, y))
				x.lost, y.lost = true, true
			} else {
				y.lost = true // taken from the left
			}
		}
		above(x, theirs, func(y *change) { conflicts = append(conflicts, conflict(x.path, x, y)) })
	}
	for i := range right {
		y := &right[i]
		above(y, ours, func(x *change) { conflicts = append(conflicts, conflict(y.path, x, y)) })
	}
	for i := range left {
		if !left[i].lost {
			changes = append(changes, left[i])
		}
	}
	for i := range right {
		if !right[i].lost {
			changes = append(changes, right[i])
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int { return comparePaths(a.path, b.path) })
	slices.SortStableFunc(conflicts, func(a, b wire.Conflict) int { return comparePaths(a.Path, b.Path) })
	return changes, conflicts
}

// above finds the other side's change of something that x's path lies under; there is one at
// most.
func above(x *change, others map[string]*change, clash func(y *change)) {
	key, end := pathKey(x.path), 0
	for n := 1; n < len(x.path); n++ {
		end += 2 + len(x.path[n-1])
		if y := others[key[:end]]; y != nil {
			x.lost, y.lost = true, true
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

// pathKey is a path as one text; different paths have different ones, and that of a path begins with
// those of the paths above it.
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

// patch applies changes, by path ascending, to a tree and returns the id of what comes out. The
// trees that it makes are added to in. depth is how many keys of the paths lead to this tree.
func (w *walk) patch(root wire.Hash, changes []change, depth int, in *intake) wire.Hash {
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
