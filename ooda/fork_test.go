package ooda

import (
	"crypto/ed25519"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

// TestProgrammer_ForkIsChangedPublishedAndMerged: a fork is changed, published, and merged with each new tag of the repo that it was made
// of; what both changed is written anew.
func TestProgrammer_ForkIsChangedPublishedAndMerged(t *testing.T) {
	from, repo := wire.Hash{0xF0}, wire.Hash{0xF1}
	library := wire.LibraryView{Repo: from, Author: peerA, Description: []byte("d"), Tag: wire.Hash{0x71}, Snap: from}
	s, o := offering(t, func(s *solo) { s.view.ForgeTicks = 1_000 })
	s.t.slotView.libraries = []wire.LibraryView{library}
	g := s.about(goals.KindBuildLibrary, wire.Hash{})
	offered := func(action string) any {
		t.Helper()
		o.reset()
		programmer{o}.forks(g)
		if len(o.list) != 1 || o.list[0].Name() != action {
			t.Fatalf("%d affordances, want %s alone: %+v", len(o.list), action, o.list)
		}
		return o.list[0].Params
	}
	reply := func(payload any, r wire.Reply) { workReader{&s.t.replies}.noteWork(&pending{payload: payload}, &r) }

	reply(&wire.RepoCreate{ForkOf: &from}, wire.Reply{Body: &wire.RepoCreateAck{RepoID: repo, SnapID: repo}})
	if q := offered("snap_create").(*wire.SnapCreate); q.RepoID != repo || *q.Parent != repo {
		t.Errorf("the copy is changed by %+v", q)
	}
	w := s.a.Notebook.WorkOf(repo)
	w.Stage, w.Snap = memory.WorkTagged, wire.Hash{0xF2}
	o.reset()
	if (programmer{o}).forks(g); len(o.list) > 0 {
		t.Errorf("%s without anything new", o.list[0].Name())
	}
	s.t.slotView.libraries[0].Tag, s.t.slotView.libraries[0].Snap = wire.Hash{0x72}, wire.Hash{0xF3}
	q := offered("merge").(*wire.Merge)
	if q.Base != repo || q.Left != w.Snap || q.Right != (wire.Hash{0xF3}) {
		t.Errorf("merged as %+v", q)
	}
	reply(q, wire.Reply{Body: &wire.MergeReply{Conflicts: make([]wire.Conflict, 1)}})
	if w.Stage != memory.WorkFaulty || w.First != q.Right {
		t.Errorf("after conflicts the note is %+v", w)
	}
	if q := offered("snap_create").(*wire.SnapCreate); *q.Parent != w.Snap {
		t.Errorf("conflicts are ended on %v", *q.Parent)
	}
	w.Stage = memory.WorkTagged
	s.t.slotView.libraries[0].Tag, s.t.slotView.libraries[0].Snap = wire.Hash{0x73}, wire.Hash{0xF4}
	q = offered("merge").(*wire.Merge)
	if q.Base != (wire.Hash{0xF3}) {
		t.Errorf("the second merge begins at %v, not at what the first one took in", q.Base)
	}
	reply(q, wire.Reply{Body: &wire.MergeReply{}})
	o.reset()
	if (programmer{o}).forks(g); len(o.list) > 0 || w.Stage != memory.WorkTagged {
		t.Errorf("%d affordances after a merge without conflicts, stage %v", len(o.list), w.Stage)
	}
}

// A fork names the tree that its owner signs: the forked repo may have another one by the time the request is served.
func TestFork_NamesTheTreeThatIsSigned(t *testing.T) {
	s := newSolo(t, genomes[0])
	from, root := wire.Hash{0xF1}, wire.Hash{0x42}
	s.t.rules.MainRoot = func(repo wire.Hash) (wire.Hash, bool) { return root, repo == from }
	for _, c := range []struct {
		q    wire.RepoCreate
		want *wire.Hash
	}{
		{wire.RepoCreate{Name: []byte("copy"), ForkOf: &from}, &root},
		{wire.RepoCreate{Name: []byte("copy"), ForkOf: &from, Root: &wire.EmptyTree}, &wire.EmptyTree},
		{wire.RepoCreate{Name: []byte("new")}, nil},
	} {
		q := c.q
		sender{&s.t.self}.fillRuntime(&q)
		if d := cmp.Diff(c.want, q.Root); d != "" {
			t.Errorf("%s: %s", q.Name, d)
		}
		tree := wire.EmptyTree
		if q.Root != nil {
			tree = *q.Root
		}
		if snap := q.Snap(tree); !snap.VerifyOwn(s.a.Key.Public().(ed25519.PublicKey)) {
			t.Errorf("%s: the signature is not for the tree %v", q.Name, tree)
		}
	}
}
