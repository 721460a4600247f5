package vault

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kingdom/wire"
)

// contents returns the files of a snap's tree, and its links, without a text.
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
		if e.Kind == wire.TreeEntryKindLink {
			out[prefix+string(e.Key)] = ""
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

// What a merge takes from each side, at any depth, and which conflicts it reports in which order.
func TestMerge_KeepsAndConflicts(t *testing.T) {
	for _, c := range []struct {
		name                    string
		base, left, right, want files
		conflicts               []string // path, what the left did, what the right did
	}{
		{
			"each side changes another file of a directory",
			files{"d/e/a": "1", "d/e/b": "1", "z": "1"},
			files{"d/e/a": "2", "d/e/b": "1", "z": "1"},
			files{"d/e/a": "1", "d/e/b": "3", "z": "1"},
			files{"d/e/a": "2", "d/e/b": "3", "z": "1"},
			nil,
		},
		{
			"each side adds and removes",
			files{"b": "1", "m": "1"},
			files{"a": "2", "b": "1"},
			files{"b": "1", "m": "1", "z": "3"},
			files{"a": "2", "b": "1", "z": "3"},
			nil,
		},
		{
			"the left removes a directory in which the right changes a file",
			files{"a": "1", "d/e/f": "1"},
			files{"a": "2"},
			files{"a": "1", "d/e/f": "3"},
			files{"a": "2", "d/e/f": "1"},
			[]string{"d/e/f DELETE REPLACE"},
		},
		{
			"the right removes a directory in which the left changes files",
			files{"a": "1", "d/e": "1", "d/f": "1"},
			files{"a": "1", "d/e": "2", "d/f": "2"},
			files{"a": "3"},
			files{"a": "3", "d/e": "1", "d/f": "1"},
			[]string{"d/e REPLACE DELETE", "d/f REPLACE DELETE"},
		},
		{
			"a directory becomes a file and gets a file",
			files{"d/e": "1"},
			files{"d": "2"},
			files{"d/e": "1", "d/f": "3"},
			files{"d/e": "1"},
			[]string{"d/f REPLACE INSERT"},
		},
		{
			"a name that begins with the other's is another",
			files{"d/e": "1", "da": "1"},
			files{"da": "2"},
			files{"d/e": "1", "da": "1", "d.": "3"},
			files{"da": "2", "d.": "3"},
			nil,
		},
		{
			"both add a file with different texts",
			files{"b": "1"},
			files{"a": "2", "b": "1"},
			files{"a": "3", "b": "1"},
			files{"b": "1"},
			[]string{"a INSERT INSERT"},
		},
		{
			"both remove, both add, both change in the same way",
			files{"b": "1", "c": "1"},
			files{"a": "2", "c": "2"},
			files{"a": "2", "c": "2"},
			files{"a": "2", "c": "2"},
			nil,
		},
		{
			"conflicts come by path, whichever side is above",
			files{"a": "1", "k/x": "1", "z/y": "1"},
			files{"a": "2", "k/x": "2"},
			files{"a": "3", "z/y": "3"},
			files{"a": "1", "k/x": "1", "z/y": "1"},
			[]string{"a REPLACE REPLACE", "k/x REPLACE DELETE", "z/y DELETE REPLACE"},
		},
		{
			"conflicts come by path, also if the left is above the first",
			files{"b/x": "1", "z": "1"},
			files{"z": "2"},
			files{"b/x": "3", "z": "3"},
			files{"b/x": "1", "z": "1"},
			[]string{"b/x DELETE REPLACE", "z REPLACE REPLACE"},
		},
	} {
		l := newLab(t)
		base := l.repo("r", c.base)
		left, right := l.snap(base, base, c.left), l.snap(base, base, c.right)
		root, reply := l.merged(base, left, right)
		var conflicts []string
		for _, x := range reply.Conflicts {
			conflicts = append(conflicts, fmt.Sprintf("%s %s %s", bytes.Join(x.Path, []byte("/")), kindOf(&x.LeftOp), kindOf(&x.RightOp)))
		}
		if d := cmp.Diff(c.want, l.contents(reply.Result)); d != "" || !slices.Equal(conflicts, c.conflicts) {
			t.Errorf("%s: conflicts %q, want %q (-want +got): %s", c.name, conflicts, c.conflicts, d)
		}
		if want, _ := c.want.objects(); root != want {
			t.Errorf("%s: the tree is not the one of these files", c.name)
		}
		want := []any{wire.KindMergeCompleted, &wire.MergeCompletedEvent{
			RepoID: base, Base: base, Left: left, Right: right, Result: reply.Result, ConflictCount: uint32(len(conflicts)), Tick: l.c.Tick,
		}}
		if d := cmp.Diff(want, l.told()); d != "" {
			t.Errorf("%s: events (-want +got): %s", c.name, d)
		}
		if main, _ := l.MainRoot(base); main != l.history.commits.find(left).root {
			t.Errorf("%s: the merge moved main", c.name)
		}
	}
}

func kindOf(o *wire.DeltaOp) string {
	switch {
	case o.Insert != nil:
		return "INSERT"
	case o.Delete != nil:
		return "DELETE"
	case o.Replace != nil:
		return "REPLACE"
	}
	return "none"
}

// A reply names at most 1,024 conflicts and at most 256 KiB of them; the event counts all.
func TestMerge_ReplyHoldsTheFirstConflicts(t *testing.T) {
	for _, c := range []struct{ files, most int }{{1024, 1024}, {1025, 1024}} {
		l := newLab(t)
		l.n.bought[l.ids[0]] = maxStorage
		first := l.repo("r", files{})
		base := l.commitTree(first, first, atoms(c.files, 4, "", 1))
		left, right := l.commitTree(first, base, nil), l.commitTree(first, base, atoms(c.files, 4, "", 3)) // removed, changed
		root, reply := l.merged(base, left, right)
		if got := len(reply.Conflicts); got != c.most || string(reply.Conflicts[got-1].Path[0]) != fmt.Sprintf("%04d", got-1) {
			t.Errorf("%d conflicts are told of %d, want the first %d", got, c.files, c.most)
		}
		if e := l.c.Events[0].Payload.(*wire.MergeCompletedEvent); int(e.ConflictCount) != c.files {
			t.Errorf("the event counts %d conflicts, want %d", e.ConflictCount, c.files)
		}
		if root != l.history.commits.find(base).root {
			t.Error("the base does not stay")
		}
	}
	l := newLab(t)
	l.n.bought[l.ids[0]] = maxStorage
	first := l.repo("r", files{})
	base := l.commitTree(first, first, atoms(400, 250, "", 1))
	left, right := l.commitTree(first, base, atoms(400, 250, "", 2)), l.commitTree(first, base, atoms(400, 250, "", 3))
	_, reply := l.merged(base, left, right)
	if size := len(wire.AppendPayload(nil, reply)); len(reply.Conflicts) == 400 || size > replyBytes || size < replyBytes*4/5 {
		t.Errorf("%d long conflicts of 400 in %d bytes, want what fits into %d", len(reply.Conflicts), size, replyBytes)
	}
}

// Two directories that are small enough can make one that is too large for an object, and is then refused.
func TestMerge_DirectoryTooLarge(t *testing.T) {
	l := newLab(t)
	l.n.bought[l.ids[0]] = maxStorage
	base := l.repo("r", files{})
	left, right := l.commitTree(base, base, atoms(2000, 250, "a", 1)), l.commitTree(base, base, atoms(2000, 250, "b", 1))
	union := len(treeData(&wire.Tree{Entries: append(atoms(2000, 250, "a", 1), atoms(2000, 250, "b", 1)...)}))
	l.refused(0, &wire.Merge{Base: base, Left: left, Right: right}, wire.CategoryQuotaExceeded, fmt.Sprintf("size have=%d limit=%d", union, wire.MaxObject))
	l.merged(base, left, base)
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
