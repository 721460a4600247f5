package vault

import (
	"bytes"

	"kingdom/wire"
)

// maxVisited is the largest number of tree entries that one request may visit, counted along paths: a shared subtree
// counts each time. It also bounds the total number of keys in the paths of a list of changes.
const maxVisited = 4_096

// trees are the trees that were read in the prepare stage.
type trees map[wire.Hash]*wire.Tree

// walk visits trees for one request. It enters only trees that were stored before the tick and those that the request
// carries, so the result does not depend on the other requests of the tick.
type walk struct {
	store  *store
	tick   wire.Tick
	reader *wire.AgentID // whose rights count; nil: all may be read
	inline *pendingObjects
	read   trees

	visited   int
	searched  map[wire.Hash]struct{} // trees that contains has searched without success
	overLimit bool                   // more entries or deeper than a request may look at
	denied    bool                   // a tree that reader may not read; no other is read behind it
	missing   []wire.Missing
	preview   bool // in the prepare stage: missing trees will be read
}

func (d *store) walk(t wire.Tick, reader wire.AgentID, read trees) *walk {
	if read == nil {
		read = trees{} // all contents are in memory
	}
	return &walk{store: d, tick: t, reader: &reader, inline: &pendingObjects{}, read: read}
}

// isStoredTree reports whether an entry is a tree that the walk may enter.
func (w *walk) isStoredTree(e *wire.TreeEntry) bool {
	return e.Kind == wire.TreeEntryKindTree && w.isTree(e.Value)
}

// isTree reports whether id is a TREE of the request, or one that was stored before the tick.
func (w *walk) isTree(id wire.Hash) bool {
	if in := w.inline.find(id); in != nil {
		return in.tag == wire.ObjectTree
	}
	o := w.store.objects.find(id)
	return o != nil && o.tag == wire.ObjectTree && o.tick.Tick() < w.tick
}

// tree returns a tree for which isTree holds. In the prepare stage it is empty until it was read. At the commit all stored
// trees are empty from the first on that the reader may not read: the prepare stage enters that one, and may reach its limit
// in it, so it is not known whether what comes behind it was read.
func (w *walk) tree(id wire.Hash) *wire.Tree {
	if in := w.inline.find(id); in != nil {
		return decoded(wire.TreeCodec, in.data)
	}
	w.denied = w.denied || w.reader != nil && !w.store.readable(id, *w.reader)
	if w.denied {
		return &wire.Tree{}
	}
	if t := w.read[id]; t != nil {
		return t
	}
	var missing []wire.Missing
	t := &wire.Tree{}
	w.store.objects.show(&missing, id, func(data []byte) {
		t = decoded(wire.TreeCodec, data)
		w.read[id] = t
	})
	if len(missing) > 0 && !w.preview {
		panic("vault: tree " + id.String() + " was not read in the prepare stage")
	}
	w.missing = append(w.missing, missing...)
	return t
}

// visit counts an entry. It returns false if there were too many.
func (w *walk) visit() bool {
	w.visited++
	w.overLimit = w.overLimit || w.visited > maxVisited
	return !w.overLimit
}

// contains reports whether an ATOM is anywhere under a tree.
func (w *walk) contains(root, atom wire.Hash, depth int) bool {
	if _, done := w.searched[root]; done || depth >= wire.MaxPath || !w.isTree(root) {
		return false
	}
	if w.searched == nil {
		w.searched = map[wire.Hash]struct{}{}
	}
	w.searched[root] = struct{}{}
	for _, e := range w.tree(root).Entries {
		if !w.visit() {
			return false
		}
		if e.Kind == wire.TreeEntryKindAtom && e.Value == atom && w.isAtom(atom) || w.isStoredTree(&e) && w.contains(e.Value, atom, depth+1) {
			return true
		}
	}
	return false
}

func (w *walk) isAtom(id wire.Hash) bool {
	if in := w.inline.find(id); in != nil {
		return in.tag == wire.ObjectAtom
	}
	return w.store.objects.is(id, wire.ObjectAtom)
}

// change is a difference at a path: the old and the new entry, nil if there is none.
type change struct {
	path     [][]byte
	old, new *wire.TreeEntry
	dropped  bool // in a merge: the change is not taken from this side
}

// same reports whether two changes of a path have the same result.
func (x *change) same(y *change) bool {
	if x.new == nil || y.new == nil {
		return x.new == y.new
	}
	return x.new.Value == y.new.Value && x.new.Kind == y.new.Kind
}

// eachPair calls do for the entries of two trees in the order of their keys, until do returns false. An entry that one
// tree does not have is nil.
func eachPair(a, b []wire.TreeEntry, do func(old, now *wire.TreeEntry) bool) {
	for len(a) > 0 || len(b) > 0 {
		order := 0
		switch {
		case len(a) == 0:
			order = 1
		case len(b) == 0:
			order = -1
		default:
			order = bytes.Compare(a[0].Key, b[0].Key)
		}
		var old, now *wire.TreeEntry
		if order <= 0 {
			old, a = &a[0], a[1:]
		}
		if order >= 0 {
			now, b = &b[0], b[1:]
		}
		if !do(old, now) {
			return
		}
	}
}
