package vault

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kingdom/wire"
)

// ops renders the operations of a delta: what is done to which path.
func ops(d *wire.Delta) (out []string) {
	for i := range d.Ops {
		o := &d.Ops[i]
		out = append(out, fmt.Sprintf("%s %s", kindOf(o), bytes.Join(pathsOf(o)[0], []byte("/"))))
	}
	return out
}

// What a comparison reports: each file that differs, in the order of paths, and a directory as a whole where one side
// has none or where it cannot be entered.
func TestDelta_ReportsEachDifference(t *testing.T) {
	for _, c := range []struct {
		what         string
		base, target files
		want         []string
	}{
		{"nothing", files{"a": "1"}, files{"a": "1"}, nil},
		{"a file comes, one goes, one changes", files{"b": "1", "c": "1"}, files{"a": "1", "c": "2"}, []string{"INSERT a", "DELETE b", "REPLACE c"}},
		{"deep below", files{"d/e/f/g": "1", "d/e/h": "1"}, files{"d/e/f/g": "2", "d/e/h": "1"}, []string{"REPLACE d/e/f/g"}},
		{"a directory comes", files{"a": "1"}, files{"a": "1", "d/e": "1"}, []string{"INSERT d"}},
		{"a directory goes", files{"a": "1", "d/e": "1"}, files{"a": "1"}, []string{"DELETE d"}},
		{"a file becomes a directory", files{"d": "1"}, files{"d/e": "1"}, []string{"REPLACE d"}},
		{"a directory becomes a file", files{"d/e": "1"}, files{"d": "1"}, []string{"REPLACE d"}},
		{"the same subdirectory under two names", files{"d/x": "1", "e/x": "1"}, files{"d/x": "2", "e/x": "2"}, []string{"REPLACE d/x", "REPLACE e/x"}},
	} {
		for _, restored := range []bool{false, true} {
			l := newLab(t)
			base := l.repo("r", c.base)
			target := base
			if len(c.want) > 0 {
				target = l.snap(base, base, c.target)
			}
			if restored {
				l = l.restored() // the trees are in the store alone
			}
			r := must[*wire.DeltaComputeReply](l, 1, &wire.DeltaCompute{Base: base, Target: target})
			if got := ops(&r.Delta); !slices.Equal(got, c.want) || r.Delta.Base != base || r.Delta.Target != target {
				t.Errorf("%s: %q, want %q", c.what, got, c.want)
			}
			data := wire.DeltaCodec.Append(nil, &r.Delta)
			stored, ok := Objects(l.Daemon).Object(wire.ObjectID(wire.ObjectDelta, data))
			if !ok || stored.Type != wire.ObjectDelta || l.store.storage.of(l.ids[1]) != uint64(len(data))+objectBytes {
				t.Errorf("%s: the delta is not stored by who asked: %+v", c.what, stored)
			}
		}
	}
}

// Entries of one value and different kinds differ; a directory whose tree is not stored, or was stored in this very tick,
// is one thing.
func TestDelta_KindsAndTreesThatAreNotThere(t *testing.T) {
	l := newLab(t)
	_, objects := files{"x": "1"}.objects()
	inner := (*objects)[len(*objects)-1]
	l.put(inner.TypeTag, inner.Data)
	late := treeData(&wire.Tree{Entries: atoms(1, 4, "y", 1)})
	lateID := wire.ObjectID(wire.ObjectTree, late)
	first := l.repo("r", files{})
	of := func(kind wire.TreeEntryKind, id wire.Hash) wire.Hash {
		return l.commitTree(first, first, []wire.TreeEntry{{Key: []byte("k"), Kind: kind, Value: id}})
	}
	tree, link, file, unknown := of(wire.TreeEntryKindTree, inner.ID()), of(wire.TreeEntryKindLink, inner.ID()), of(wire.TreeEntryKindAtom, inner.ID()), of(wire.TreeEntryKindTree, lateID)
	for _, c := range [][2]wire.Hash{{tree, link}, {link, tree}, {file, link}, {tree, unknown}, {unknown, tree}} {
		r := must[*wire.DeltaComputeReply](l, 0, &wire.DeltaCompute{Base: c[0], Target: c[1]})
		if got := ops(&r.Delta); !slices.Equal(got, []string{"REPLACE k"}) {
			t.Errorf("delta %q, want the entry replaced", got)
		}
	}
	l.put(wire.ObjectTree, late)
	q := &wire.DeltaCompute{Base: tree, Target: unknown}
	r := l.Apply(l.c, q)
	if r.Err != nil || len(ops(&r.Body.(*wire.DeltaComputeReply).Delta)) != 1 {
		t.Errorf("in the tick in which the tree was stored: %q", word(r))
	}
	after := must[*wire.DeltaComputeReply](l, 0, q)
	if got := ops(&after.Delta); !slices.Equal(got, []string{"DELETE k/x", "INSERT k/y0000"}) {
		t.Errorf("in the next tick: %q", got)
	}
	// A merge in which the sides make a file and a link of one value is a conflict.
	l.at(l.c.Tick + 1)
	if _, reply := l.merged(tree, link, file); len(reply.Conflicts) != 1 {
		t.Errorf("%d conflicts of a link and a file", len(reply.Conflicts))
	}
}

// Who may read a delta: the readers of the first of the two repos, target before base, that is not for everybody.
func TestDelta_OfPrivateRepoIsPrivate(t *testing.T) {
	madeOf := func(l *lab, name string, p wire.AccessPolicy) wire.Hash {
		root, objects := files{"a": name}.objects()
		return must[*wire.RepoCreateAck](l, 0, &wire.RepoCreate{Name: []byte(name), AccessPolicy: p, Root: &root, Objects: objects}).RepoID
	}
	for _, c := range []struct {
		base, target wire.AccessPolicy
		public       bool
	}{{openToAll, openToAll, true}, {private, openToAll, false}, {openToAll, private, false}, {private, private, false}} {
		l := newLab(t)
		base, target := madeOf(l, "base", c.base), madeOf(l, "target", c.target)
		r := must[*wire.DeltaComputeReply](l, 0, &wire.DeltaCompute{Base: base, Target: target})
		id := wire.ObjectID(wire.ObjectDelta, wire.DeltaCodec.Append(nil, &r.Delta))
		if got := l.Public(id); got != c.public {
			t.Errorf("%+v: everybody may read the delta: %t", c, got)
		}
		merged := must[*wire.MergeReply](l, 0, &wire.Merge{Base: target, Left: target, Right: base}).Result
		if got := l.Public(merged); got != c.public {
			t.Errorf("%+v: everybody may read the merge: %t", c, got)
		}
	}
}

// A request visits 4,096 entries, lists 4,096 keys of paths of at most 32 names, and its delta is an object of at most
// 1,047,552 bytes.
func TestCompare_AtAndOnePastEachLimit(t *testing.T) {
	inside := func(entries []wire.TreeEntry) func(l *lab) []wire.TreeEntry {
		return func(l *lab) []wire.TreeEntry {
			id := l.put(wire.ObjectTree, treeData(&wire.Tree{Entries: entries}))
			return []wire.TreeEntry{{Key: []byte("d"), Kind: wire.TreeEntryKindTree, Value: id}}
		}
	}
	flat := func(entries []wire.TreeEntry) func(l *lab) []wire.TreeEntry {
		return func(*lab) []wire.TreeEntry { return entries }
	}
	changed := func(n int) []wire.TreeEntry { // only the last
		out := atoms(n, 4, "", 1)
		out[n-1].Value = wire.Hash{2}
		return out
	}
	deep := func(names int, value byte) func(l *lab) []wire.TreeEntry {
		return func(l *lab) []wire.TreeEntry {
			e := wire.TreeEntry{Key: []byte("f"), Kind: wire.TreeEntryKindAtom, Value: wire.Hash{value}}
			for range names - 1 {
				e = wire.TreeEntry{Key: []byte("d"), Kind: wire.TreeEntryKindTree, Value: l.put(wire.ObjectTree, treeData(&wire.Tree{Entries: []wire.TreeEntry{e}}))}
			}
			return []wire.TreeEntry{e}
		}
	}
	shared := func(names, more int, entries []wire.TreeEntry) func(l *lab) []wire.TreeEntry { // one directory under many names
		return func(l *lab) []wire.TreeEntry {
			id := l.put(wire.ObjectTree, treeData(&wire.Tree{Entries: entries}))
			out := atoms(more, 4, "", 1)
			for i := range names {
				out = append(out, wire.TreeEntry{Key: fmt.Append(nil, "d", i), Kind: wire.TreeEntryKindTree, Value: id})
			}
			return out
		}
	}
	const limit = "size limit=4096"
	for _, c := range []struct {
		what         string
		base, target func(l *lab) []wire.TreeEntry
		want         string
		ops          int
	}{
		{"4,096 new files", flat(nil), flat(atoms(4096, 4, "", 1)), "", 4096},
		{"4,097 new files", flat(nil), flat(atoms(4097, 4, "", 1)), limit, 0},
		{"one of 4,096 files", flat(atoms(4096, 4, "", 1)), flat(changed(4096)), "", 1},
		{"one of 4,097 files", flat(atoms(4097, 4, "", 1)), flat(changed(4097)), limit, 0},
		{"one of 4,095 files in a directory", inside(atoms(4095, 4, "", 1)), inside(changed(4095)), "", 1},
		{"one of 4,096 files in a directory", inside(atoms(4096, 4, "", 1)), inside(changed(4096)), limit, 0},
		{"2,048 files in a directory", inside(nil), inside(atoms(2048, 4, "", 1)), "", 2048},
		{"2,049 files in a directory", inside(nil), inside(atoms(2049, 4, "", 1)), limit, 0},
		{"one of 1,023 files in a directory with four names", shared(4, 0, atoms(1023, 4, "", 1)), shared(4, 0, changed(1023)), "", 4},
		{"and a file beside it", shared(4, 1, atoms(1023, 4, "", 1)), shared(4, 1, changed(1023)), limit, 0},
		{"one of 1,024 files in a directory with four names", shared(4, 0, atoms(1024, 4, "", 1)), shared(4, 0, changed(1024)), limit, 0},
		{"a path of 32 names", deep(32, 1), deep(32, 2), "", 1},
		{"a path of 33 names", deep(33, 1), deep(33, 2), limit, 0},
	} {
		l := newLab(t)
		l.n.bought[l.ids[0]] = maxStorage
		first := l.repo("r", files{})
		base := l.commitTree(first, first, c.base(l))
		target := l.commitTree(first, base, c.target(l))
		q := &wire.DeltaCompute{Base: base, Target: target}
		if c.want != "" {
			l.refused(0, q, wire.CategoryQuotaExceeded, c.want)
			l.refused(0, &wire.Merge{Base: base, Left: base, Right: target}, wire.CategoryQuotaExceeded, c.want)
			continue
		}
		if r := l.send(0, q); r.Err != nil || len(r.Body.(*wire.DeltaComputeReply).Delta.Ops) != c.ops {
			t.Errorf("%s: %q, want %d operations", c.what, word(r), c.ops)
		}
		if r := l.send(0, &wire.Merge{Base: base, Left: base, Right: target}); r.Err != nil {
			t.Errorf("%s: the merge: %q", c.what, word(r))
		}
	}

	// Both comparisons of a merge count together.
	l := newLab(t)
	l.n.bought[l.ids[0]] = maxStorage
	base := l.repo("r", files{})
	left, right, more := l.commitTree(base, base, atoms(2048, 4, "a", 1)), l.commitTree(base, base, atoms(2048, 4, "b", 1)), l.commitTree(base, base, atoms(2049, 4, "b", 1))
	must[*wire.MergeReply](l, 0, &wire.Merge{Base: base, Left: left, Right: right})
	l.refused(0, &wire.Merge{Base: base, Left: left, Right: more}, wire.CategoryQuotaExceeded, limit)
	l.refused(0, &wire.Merge{Base: base, Left: more, Right: left}, wire.CategoryQuotaExceeded, limit)

	// Long names make a long delta.
	long := bytes.Repeat([]byte("d"), 256)
	id := l.put(wire.ObjectTree, treeData(&wire.Tree{Entries: atoms(2000, 256, "", 1)}))
	empty := l.put(wire.ObjectTree, emptyTree)
	one := l.commitTree(base, base, []wire.TreeEntry{{Key: long, Kind: wire.TreeEntryKindTree, Value: empty}})
	two := l.commitTree(base, base, []wire.TreeEntry{{Key: long, Kind: wire.TreeEntryKindTree, Value: id}})
	before := l.State().Hash()
	r := l.send(0, &wire.DeltaCompute{Base: one, Target: two})
	if word(r) != "size" || !strings.Contains(fmt.Sprintf("%s", r.Err.Context), "1047552") || l.State().Hash() != before {
		t.Errorf("a delta of more than an object: %q", word(r))
	}
}

// The program of a proof must be an ATOM in the tree of the snap, at most 32 names deep and among the first 4,096 entries;
// a subtree that is there many times is searched once.
func TestProof_ProgramMustBeInTheTree(t *testing.T) {
	program := []byte("emit(1)")
	id := wire.ObjectID(wire.ObjectAtom, program)
	entry := func(key string, kind wire.TreeEntryKind, id wire.Hash) wire.TreeEntry {
		return wire.TreeEntry{Key: []byte(key), Kind: kind, Value: id}
	}
	atom := entry("zz", wire.TreeEntryKindAtom, id)
	deep := func(l *lab, names int) []wire.TreeEntry {
		e := atom
		for range names - 1 {
			e = entry("d", wire.TreeEntryKindTree, l.put(wire.ObjectTree, treeData(&wire.Tree{Entries: []wire.TreeEntry{e}})))
		}
		return []wire.TreeEntry{e}
	}
	for _, c := range []struct {
		what    string
		entries func(l *lab) []wire.TreeEntry
		stored  bool // the program was stored before
		want    string
	}{
		{"stored before", func(*lab) []wire.TreeEntry { return []wire.TreeEntry{atom} }, true, ""},
		{"behind others", func(*lab) []wire.TreeEntry { return append(atoms(3, 4, "", 1), atom) }, true, ""},
		{"not stored at all", func(*lab) []wire.TreeEntry { return []wire.TreeEntry{atom} }, false, "proof"},
		{"in no entry", func(*lab) []wire.TreeEntry { return atoms(3, 4, "", 1) }, true, "proof"},
		{"as a link", func(*lab) []wire.TreeEntry { return []wire.TreeEntry{entry("x", wire.TreeEntryKindLink, id)} }, true, "proof"},
		{"as a directory", func(*lab) []wire.TreeEntry { return []wire.TreeEntry{entry("x", wire.TreeEntryKindTree, id)} }, true, "proof"},
		{"in a directory that is not stored", func(*lab) []wire.TreeEntry {
			return []wire.TreeEntry{entry("x", wire.TreeEntryKindTree, wire.ObjectID(wire.ObjectTree, treeData(&wire.Tree{Entries: []wire.TreeEntry{atom}})))}
		}, true, "proof"},
		{"in a directory that is only linked", func(l *lab) []wire.TreeEntry {
			e := deep(l, 2)[0]
			return []wire.TreeEntry{entry("x", wire.TreeEntryKindLink, e.Value)}
		}, true, "proof"},
		{"32 names deep", func(l *lab) []wire.TreeEntry { return deep(l, 32) }, true, ""},
		{"33 names deep", func(l *lab) []wire.TreeEntry { return deep(l, 33) }, true, "proof"},
		{"the 4,096th entry", func(*lab) []wire.TreeEntry { return append(atoms(4095, 4, "", 1), atom) }, true, ""},
		{"the 4,097th entry", func(*lab) []wire.TreeEntry { return append(atoms(4096, 4, "", 1), atom) }, true, "proof"},
		{"the 4,097th entry, in directories", func(l *lab) []wire.TreeEntry {
			d := l.put(wire.ObjectTree, treeData(&wire.Tree{Entries: atoms(4095, 4, "", 1)}))
			return []wire.TreeEntry{entry("a", wire.TreeEntryKindTree, d), atom}
		}, true, "proof"},
		{"behind a directory that is there very often", func(l *lab) []wire.TreeEntry {
			below := l.put(wire.ObjectTree, emptyTree)
			for range 20 {
				below = l.put(wire.ObjectTree, treeData(&wire.Tree{Entries: []wire.TreeEntry{entry("a", wire.TreeEntryKindTree, below), entry("b", wire.TreeEntryKindTree, below)}}))
			}
			return []wire.TreeEntry{entry("a", wire.TreeEntryKindTree, below), atom}
		}, true, ""},
	} {
		for _, where := range []struct{ restored, inline bool }{{false, true}, {true, false}, {true, true}} {
			l := newLab(t)
			l.n.bought[l.ids[0]] = maxStorage
			repo := l.repo("r", files{})
			if c.stored {
				l.put(wire.ObjectAtom, program)
			}
			p := wire.ExecutionProof{Program: id}
			p.Sign()
			l.store.proofs = made{p}
			proof := wire.ExecutionProofCodec.Append(nil, &p)
			q := &wire.SnapCreate{RepoID: repo, Parent: &repo, Proof: &proof}
			tree := treeData(&wire.Tree{Entries: c.entries(l)})
			if q.Root = wire.ObjectID(wire.ObjectTree, tree); where.inline {
				q.Objects = &[]wire.InlineObject{{TypeTag: wire.ObjectTree, Data: tree}}
			} else {
				l.put(wire.ObjectTree, tree)
			}
			if where.restored { // so that stored trees come from the store
				l = l.restored()
			}
			r := l.send(0, q)
			if word(r) != c.want {
				t.Errorf("%s (%+v): %q, want %q", c.what, where, word(r), c.want)
			}
			if x := l.store.repos.Get(repo); r.Err == nil && (x.Snaps != 2 || x.Proven != 1) {
				t.Errorf("%s: %d of %d snaps are proven", c.what, x.Proven, x.Snaps)
			}
		}
	}
	// A Forge that this world has not proves nothing.
	l := newLab(t)
	repo := l.repo("r", files{})
	p := wire.ExecutionProof{Program: id}
	p.Sign()
	proof := wire.ExecutionProofCodec.Append(nil, &p)
	tree := treeData(&wire.Tree{Entries: []wire.TreeEntry{atom}})
	l.refused(0, &wire.SnapCreate{RepoID: repo, Parent: &repo, Root: wire.ObjectID(wire.ObjectTree, tree), Proof: &proof, Objects: &[]wire.InlineObject{
		{TypeTag: wire.ObjectTree, Data: tree}, {TypeTag: wire.ObjectAtom, Data: program},
	}}, wire.CategoryInvalidRequest, "proof field=proof")
}
