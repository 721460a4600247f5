package vault

import (
	"fmt"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kingdom/wire"
)

// contents returns the files of a snap's tree, and that directories are there.
func (l *lab) contents(snap wire.Hash) files {
	out := files{}
	l.spread(l.history.commits.find(snap).root, "", out)
	return out
}

func (l *lab) spread(root wire.Hash, prefix string, out files) {
	w := l.store.walk(l.c.Tick+1, l.ids[0], nil)
	for _, e := range w.tree(root).Entries {
		if e.Kind == wire.TreeEntryKindTree {
			l.spread(e.Value, prefix+string(e.Key)+"/", out)
			continue
		}
		l.store.objects.show(nil, e.Value, func(data []byte) { out[prefix+string(e.Key)] = string(data) })
	}
}

var paths = []string{"a", "b", "c", "d/a", "d/b", "e/a", "e/b", "f"}

func drawFiles(t *rapid.T, label string) files {
	f := files{}
	for _, p := range paths {
		if n := rapid.IntRange(0, 3).Draw(t, label+p); n > 0 {
			f[p] = fmt.Sprint(n)
		}
	}
	return f
}

func (l *lab) merged(base, left, right wire.Hash) (root wire.Hash, reply *wire.MergeReply) {
	r := l.send(0, &wire.Merge{Base: base, Left: left, Right: right})
	if r.Err != nil {
		l.t.Fatalf("no merge: %s %v", r.Err.Message, r.Err.Context)
	}
	reply = r.Body.(*wire.MergeReply)
	return l.history.commits.find(reply.Result).root, reply
}

// Merging with an unchanged side gives the other side to the byte, the same change on both sides counts once, and a
// delta applied to its base gives its target.
func TestMerge_UnchangedSideGivesTheOther(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := newLab(t)
		base := l.repo("r", drawFiles(rt, "base "))
		x := l.snap(base, base, drawFiles(rt, "x "))
		want := l.history.commits.find(x).root
		for _, c := range [][3]wire.Hash{{base, x, base}, {base, base, x}, {base, x, x}} {
			root, reply := l.merged(c[0], c[1], c[2])
			if root != want || len(reply.Conflicts) > 0 {
				rt.Fatalf("merge of one changed side: %v with %d conflicts, want %v", l.contents(reply.Result), len(reply.Conflicts), l.contents(x))
			}
		}
		r := l.send(0, &wire.DeltaCompute{Base: base, Target: x})
		got := applied(l, l.contents(base), r.Body.(*wire.DeltaComputeReply).Delta)
		if d := cmp.Diff(l.contents(x), got); d != "" {
			rt.Fatalf("the delta leads elsewhere (-want +got): %s", d)
		}
	})
}

// applied applies a delta to files.
func applied(l *lab, f files, d wire.Delta) files {
	out := maps.Clone(f)
	set := func(path [][]byte, id *wire.Hash) {
		name := string(path[0])
		for _, k := range path[1:] {
			name += "/" + string(k)
		}
		for p := range out {
			if p == name || len(p) > len(name) && p[:len(name)+1] == name+"/" {
				delete(out, p)
			}
		}
		switch {
		case id == nil:
		case l.store.objects.is(*id, wire.ObjectTree):
			l.spread(*id, name+"/", out)
		default:
			l.store.objects.show(nil, *id, func(data []byte) { out[name] = string(data) })
		}
	}
	for i := range d.Ops {
		switch o := &d.Ops[i]; {
		case o.Insert != nil:
			set(o.Insert.Path, &o.Insert.ObjectID)
		case o.Delete != nil:
			set(o.Delete.Path, nil)
		case o.Replace != nil:
			set(o.Replace.Path, &o.Replace.NewID)
		}
	}
	return out
}

// Changes of different files commute. A file that both sides changed differently keeps the base's text, and the
// conflict is reported.
func TestMerge_ConflictsKeepTheBase(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := newLab(t)
		all := files{}
		for _, p := range paths { // no directory comes or goes
			all[p] = "base"
		}
		left, right, want := maps.Clone(all), maps.Clone(all), maps.Clone(all)
		conflicts := 0
		for _, p := range paths {
			switch rapid.IntRange(0, 4).Draw(rt, p) {
			case 0:
				left[p], want[p] = "left", "left"
			case 1:
				right[p], want[p] = "right", "right"
			case 2:
				left[p], right[p] = "left", "right"
				conflicts++
			case 3:
				left[p], right[p], want[p] = "both", "both", "both"
			}
		}
		base := l.repo("r", all)
		x, y := l.snap(base, base, left), l.snap(base, base, right)
		one, reply := l.merged(base, x, y)
		two, _ := l.merged(base, y, x)
		if d := cmp.Diff(want, l.contents(reply.Result)); d != "" || one != two || len(reply.Conflicts) != conflicts {
			rt.Fatalf("%d conflicts, want %d; the other way round equal %t (-want +got): %s", len(reply.Conflicts), conflicts, one == two, d)
		}
		if c := l.history.commits.find(reply.Result); c.author != me || c.parent.id != x {
			rt.Fatalf("the result is by %v on %v", c.author, c.parent.id)
		}
	})
}

// A directory that one side removed and in which the other side changed something stays as it was.
func TestMerge_RemovedAndChangedDirectoryStays(t *testing.T) {
	l := newLab(t)
	base := l.repo("r", files{"d/a": "1", "d/b": "1", "x": "1"})
	gone := l.snap(base, base, files{"x": "2"})
	changed := l.snap(base, base, files{"d/a": "2", "d/b": "2", "x": "1"})
	_, reply := l.merged(base, gone, changed)
	if d := cmp.Diff(files{"d/a": "1", "d/b": "1", "x": "2"}, l.contents(reply.Result)); d != "" || len(reply.Conflicts) != 2 {
		t.Errorf("%d conflicts, want 2 (-want +got): %s", len(reply.Conflicts), d)
	}
	for _, c := range reply.Conflicts {
		if len(c.Path) != 2 || c.LeftOp.Delete == nil || c.RightOp.Replace == nil {
			t.Errorf("conflict %+v", c)
		}
	}
}

// A tree of shared subtrees is small and has very many paths, so the work is counted along the paths.
func TestMerge_SharedSubtreesAreCountedAlongPaths(t *testing.T) {
	l := newLab(t)
	tower := func(text string, height int) wire.Hash {
		id, kind := l.put(wire.ObjectAtom, []byte(text)), wire.TreeEntryKindAtom
		for range height {
			id = l.put(wire.ObjectTree, wire.TreeCodec.Append(nil, &wire.Tree{Entries: []wire.TreeEntry{
				{Key: []byte("a"), Value: id, Kind: kind}, {Key: []byte("b"), Value: id, Kind: kind},
			}}))
			kind = wire.TreeEntryKindTree
		}
		return id
	}
	for _, c := range []struct {
		height int // 2^(height+1) − 2 entries, 2^height changes with paths of height names
		want   string
	}{{8, ""}, {9, "size"}, {12, "size"}, {31, "size"}} {
		one, two := tower("1", c.height), tower("2", c.height)
		base := l.send(0, &wire.RepoCreate{Name: fmt.Append(nil, c.height), AccessPolicy: openToAll, Root: &one}).Body.(*wire.RepoCreateAck).RepoID
		x := l.send(0, &wire.SnapCreate{RepoID: base, Parent: &base, Root: two}).Body.(*wire.SnapCreateAck).SnapID
		l.n.bought[l.ids[0]] = maxStorage
		before := l.State().Hash()
		r := l.send(0, &wire.Merge{Base: base, Left: x, Right: base})
		if got := word(r); got != c.want || got != "" && l.State().Hash() != before {
			t.Errorf("height %d: %q, want %q", c.height, got, c.want)
		}
		if r := l.send(0, &wire.DeltaCompute{Base: base, Target: x}); word(r) != c.want {
			t.Errorf("height %d: compared: %q, want %q", c.height, word(r), c.want)
		}
	}
}

func (l *lab) put(t wire.ObjectType, data []byte) wire.Hash {
	l.t.Helper()
	r := l.send(0, &wire.ObjectPut{TypeTag: t, Data: data})
	if r.Err != nil {
		l.t.Fatalf("not put: %s", r.Err.Message)
	}
	return r.Body.(*wire.ObjectPutAck).ObjectID
}
