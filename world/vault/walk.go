package vault

import (
	"bytes"

	"kingdom/wire"
	"kingdom/world"
)

// maxVisited is how many entries of trees one request may look at, counted along paths: a subtree
// that is shared counts each time. The paths of the changes that a comparison lists hold no more names, either.
const maxVisited = 4_096

// trees are contents that were read in the prepare stage.
type trees map[wire.Hash]*wire.Tree

// prepared is what was read for the request that is applied.
func prepared(c *world.Context) trees {
	t, _ := c.Prepared.(trees)
	return t
}

// walk goes through trees for one request. It enters those that were stored before the tick, and
// those that the request brings along, so that what it meets does not depend on the other
// requests of the tick.
type walk struct {
	shelf  *shelf
	tick   wire.Tick
	reader *wire.AgentID // whose rights count; nil: all may be read
	inline *intake
	read   trees

	visited int
	barren  map[wire.Hash]struct{} // trees in which holds has looked in vain
	tooFar  bool                   // more entries or deeper than a request may look at
	denied  bool                   // a tree that reader may not read
	missing []wire.Missing
	preview bool // in the prepare stage: what is missing will be read
}

func (d *shelf) walk(t wire.Tick, reader wire.AgentID, read trees) *walk {
	if read == nil {
		read = trees{} // the whole world is in memory
	}
	return &walk{shelf: d, tick: t, reader: &reader, inline: &intake{}, read: read}
}

// enterable says whether an entry is a tree to be looked into.
func (w *walk) enterable(e *wire.TreeEntry) bool {
	return e.Kind == wire.TreeEntryKindTree && w.known(e.Value)
}

func (w *walk) known(id wire.Hash) bool {
	if in := w.inline.find(id); in != nil {
		return in.tag == wire.ObjectTree
	}
	o := w.shelf.objects.find(id)
	return o != nil && o.tag == wire.ObjectTree && o.tick.Tick() < w.tick
}

// tree returns a tree that is known. In the prepare stage it is empty until it was read.
func (w *walk) tree(id wire.Hash) *wire.Tree {
	if in := w.inline.find(id); in != nil {
		return decoded(wire.TreeCodec, in.data)
	}
	if w.reader != nil && !w.shelf.readable(id, *w.reader) {
		w.denied = true
		return &wire.Tree{}
	}
	if t := w.read[id]; t != nil {
		return t
	}
	var missing []wire.Missing
	t := &wire.Tree{}
	w.shelf.objects.show(&missing, id, func(data []byte) {
		t = decoded(wire.TreeCodec, data)
		w.read[id] = t
	})
	if len(missing) > 0 && !w.preview {
		panic("vault: tree " + id.String() + " was not read in the prepare stage")
	}
	w.missing = append(w.missing, missing...)
	return t
}

// visit counts an entry; false when there were too many.
func (w *walk) visit() bool {
	w.visited++
	w.tooFar = w.tooFar || w.visited > maxVisited
	return !w.tooFar
}

// holds says whether an ATOM is somewhere under a tree.
func (w *walk) holds(root, atom wire.Hash, depth int) bool {
	if _, done := w.barren[root]; done || depth >= wire.MaxPath || !w.known(root) {
		return false
	}
	if w.barren == nil {
		w.barren = map[wire.Hash]struct{}{}
	}
	w.barren[root] = struct{}{}
	for _, e := range w.tree(root).Entries {
		if !w.visit() {
			return false
		}
		if e.Kind == wire.TreeEntryKindAtom && e.Value == atom && w.isAtom(atom) || w.enterable(&e) && w.holds(e.Value, atom, depth+1) {
			return true
		}
	}
	return false
}

func (w *walk) isAtom(id wire.Hash) bool {
	if in := w.inline.find(id); in != nil {
		return in.tag == wire.ObjectAtom
	}
	return w.shelf.objects.is(id, wire.ObjectAtom)
}

// change is a difference at a path: what was there, what is there now; nil for nothing.
type change struct {
	path     [][]byte
	old, new *wire.TreeEntry
	lost     bool // in a merge: not taken from this side
}

// same says whether two changes of a path are one.
func (x *change) same(y *change) bool {
	if x.new == nil || y.new == nil {
		return x.new == y.new
	}
	return x.new.Value == y.new.Value && x.new.Kind == y.new.Kind
}

// each goes through the entries of two trees by key, as long as do says so; those that one of them
// lacks are nil.
func each(a, b []wire.TreeEntry, do func(old, now *wire.TreeEntry) bool) {
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
