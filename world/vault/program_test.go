package vault

import (
	"bytes"
	"testing"

	"kingdom/wire"
)

// The program in the root of a snap comes with the snap if it is a stored ATOM that its reader may read, and if it fits
// into one object's length together with the snap and its root.
func TestSnapGet_Program(t *testing.T) {
	atom := func(name string, id wire.Hash) wire.TreeEntry {
		return wire.TreeEntry{Key: []byte(name), Kind: wire.TreeEntryKindAtom, Value: id}
	}
	secret := []byte("emit('secret')")
	for _, c := range []struct {
		what   string
		reader int
		entry  func(l *lab) wire.TreeEntry
		want   string
	}{
		{"there", 1, func(l *lab) wire.TreeEntry { return atom(wire.ProgramFile, l.put(wire.ObjectAtom, []byte("emit(1)"))) }, "emit(1)"},
		{"under another name", 1, func(l *lab) wire.TreeEntry { return atom("other.star", l.put(wire.ObjectAtom, []byte("emit(1)"))) }, ""},
		{"linked", 1, func(l *lab) wire.TreeEntry {
			return wire.TreeEntry{Key: []byte(wire.ProgramFile), Kind: wire.TreeEntryKindLink, Value: l.put(wire.ObjectAtom, []byte("emit(1)"))}
		}, ""},
		{"not stored", 1, func(*lab) wire.TreeEntry { return atom(wire.ProgramFile, wire.Hash{9}) }, ""},
		{"a tree", 1, func(l *lab) wire.TreeEntry { return atom(wire.ProgramFile, l.put(wire.ObjectTree, emptyTree)) }, ""},
		{"of a private repo", 1, func(l *lab) wire.TreeEntry { return atom(wire.ProgramFile, l.private(secret)) }, ""},
		{"of one's own private repo", 0, func(l *lab) wire.TreeEntry { return atom(wire.ProgramFile, l.private(secret)) }, string(secret)},
	} {
		l := newLab(t)
		repo := l.repo("r", files{})
		snap := l.commitTree(repo, repo, []wire.TreeEntry{c.entry(l)})
		if got := must[*wire.SnapGetReply](l, c.reader, &wire.SnapGet{SnapID: snap}); string(got.Program) != c.want || len(got.Entries) != 1 {
			t.Errorf("%s: %q, want %q; %d entries", c.what, got.Program, c.want, len(got.Entries))
		}
	}
}

// private stores a text as a file of a repo of agent 0 that nobody else may read.
func (l *lab) private(text []byte) wire.Hash {
	l.t.Helper()
	root, objects := files{"x": string(text)}.objects()
	l.ack(0, &wire.RepoCreate{Name: []byte("private"), AccessPolicy: wire.AccessPolicy{Read: wire.ReadAccess{OwnerOnly: true}, Write: wire.WriteAccess{OwnerOnly: true}}, Root: &root, Objects: objects})
	return wire.ObjectID(wire.ObjectAtom, text)
}

func TestSnapGet_ProgramUnlessTooLong(t *testing.T) {
	for over, want := range map[int]bool{0: true, 1: false} {
		l := newLab(t)
		l.n.bought[l.ids[0]] = maxStorage
		repo := l.repo("r", files{})
		entry := func(program wire.Hash) []wire.TreeEntry {
			return []wire.TreeEntry{{Key: []byte(wire.ProgramFile), Kind: wire.TreeEntryKindAtom, Value: program}}
		}
		m := l.history.commits.find(l.commitTree(repo, repo, entry(wire.Hash{1}))) // as long as that of the program
		program := bytes.Repeat([]byte{' '}, wire.MaxObject-int(l.history.sizeWith(m))+over)
		snap := l.commitTree(repo, repo, entry(l.put(wire.ObjectAtom, program)))
		if l.history.sizeWith(l.history.commits.find(snap)) != l.history.sizeWith(m) {
			t.Fatal("the snaps have different lengths")
		}
		if got := must[*wire.SnapGetReply](l, 1, &wire.SnapGet{SnapID: snap}); (len(got.Program) > 0) != want || len(got.Entries) != 1 {
			t.Errorf("%d bytes over: a program of %d bytes, %d entries", over, len(got.Program), len(got.Entries))
		}
	}
}

// What was stored in this very tick does not count, so that no answer depends on the order within a tick: a snap comes
// without its program, and a tree does not show that the program of a proof is in it.
func TestSnap_OfThisTick(t *testing.T) {
	program := []byte("emit(1)")
	id := wire.ObjectID(wire.ObjectAtom, program)
	tree := treeData(&wire.Tree{Entries: []wire.TreeEntry{{Key: []byte(wire.ProgramFile), Kind: wire.TreeEntryKindAtom, Value: id}}})
	p := wire.ExecutionProof{Program: id}
	p.Sign()
	proof := wire.ExecutionProofCodec.Append(nil, &p)
	for _, later := range []bool{false, true} {
		l := newLab(t)
		repo := l.repo("r", files{})
		l.store.proofs = made{p}
		l.put(wire.ObjectAtom, program)
		root := l.put(wire.ObjectTree, tree)
		if later {
			l.at(l.c.Tick + 1)
		}
		q := &wire.SnapCreate{RepoID: repo, Parent: &repo, Root: root, Proof: &proof}
		l.sign(0, q)
		if r := l.Apply(l.c, q); (word(r) == "") != later || !later && word(r) != "proof" {
			t.Errorf("a proof with a tree of an earlier tick (%t): %q", later, word(r))
		}
		snap := l.commitTree(repo, repo, []wire.TreeEntry{{Key: []byte(wire.ProgramFile), Kind: wire.TreeEntryKindAtom, Value: id}, {Key: []byte("z"), Kind: wire.TreeEntryKindAtom, Value: id}})
		if later {
			l.at(l.c.Tick + 1)
		}
		r := l.Apply(l.c, &wire.SnapGet{SnapID: snap})
		if got := string(r.Body.(*wire.SnapGetReply).Program); (got != "") != later {
			t.Errorf("a snap of an earlier tick (%t) has the program %q", later, got)
		}
	}
}

// Whoever reads the store sees which snaps are proven.
func TestProof_IsInTheRecordOfTheSnap(t *testing.T) {
	l := newLab(t)
	repo := l.repo("r", files{})
	root, objects := files{wire.ProgramFile: "emit(1)"}.objects()
	p := wire.ExecutionProof{Program: wire.ObjectID(wire.ObjectAtom, []byte("emit(1)"))}
	p.Sign()
	l.store.proofs = made{p}
	proof := wire.ExecutionProofCodec.Append(nil, &p)
	proven := must[*wire.SnapCreateAck](l, 0, &wire.SnapCreate{RepoID: repo, Parent: &repo, Root: root, Objects: objects, Proof: &proof}).SnapID
	l.State().Hash()
	snaps := 0
	for _, r := range l.State().TakeRows() {
		if r.Table != "snaps" {
			continue
		}
		var m Commit
		if err := commitCodec.Decode(r.Body, &m); err != nil {
			t.Fatal(err)
		}
		if snaps++; m.Proven != (m.ID == proven) {
			t.Errorf("snap %v of %v: proven %t", m.ID, repo, m.Proven)
		}
	}
	if snaps != 2 {
		t.Errorf("%d snaps, want 2", snaps)
	}
}
