package vault

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world"
)

// What an object of each type may hold, at each bound and one past it; the same holds for objects that a request carries.
func TestObjects_BoundsOfEachType(t *testing.T) {
	text := func(n int) []byte { return bytes.Repeat([]byte("x"), n) }
	path := func(names, size int) (out [][]byte) {
		for range names {
			out = append(out, text(size))
		}
		return out
	}
	op := func(o wire.DeltaOp) []byte {
		return wire.DeltaCodec.Append(nil, &wire.Delta{Ops: []wire.DeltaOp{{Delete: &wire.DeleteOp{Path: path(1, 1)}}, o}})
	}
	snap := func(n int) []byte { return wire.SnapCodec.Append(nil, &wire.Snap{Message: text(n)}) }
	tree := func(keys ...string) []byte {
		t := &wire.Tree{}
		for _, k := range keys {
			t.Entries = append(t.Entries, wire.TreeEntry{Key: []byte(k), Kind: wire.TreeEntryKindAtom})
		}
		return wire.TreeCodec.Append(nil, t)
	}
	tag := func(name, message int) []byte {
		return wire.TagCodec.Append(nil, &wire.Tag{Name: text(name), Message: text(message)})
	}
	chain := func(n int) []byte { return wire.ChainExportCodec.Append(nil, &wire.ChainExport{Name: text(n)}) }
	const malformed = "malformed field=data"
	for _, c := range []struct {
		what string
		tag  wire.ObjectType
		data []byte
		want string
	}{
		{"no bytes", wire.ObjectAtom, nil, ""},
		{"any bytes", wire.ObjectAtom, []byte{0xC1, 0xFF}, ""},
		{"snap", wire.ObjectSnap, snap(1024), ""},
		{"snap, long message", wire.ObjectSnap, snap(1025), "too_long field=message have=1025 limit=1024"},
		{"chain", wire.ObjectChain, chain(64), ""},
		{"chain without a name", wire.ObjectChain, chain(0), "name field=name"},
		{"chain, long name", wire.ObjectChain, chain(65), "too_long field=name have=65 limit=64"},
		{"tag", wire.ObjectTag, tag(64, 1024), ""},
		{"tag without a name", wire.ObjectTag, tag(0, 0), "name field=name"},
		{"tag, long name", wire.ObjectTag, tag(65, 0), "too_long field=name have=65 limit=64"},
		{"tag, long message", wire.ObjectTag, tag(1, 1025), "too_long field=message have=1025 limit=1024"},
		{"tree", wire.ObjectTree, tree("a", "aa", "b"), ""},
		{"tree, empty key", wire.ObjectTree, tree("", "a"), malformed},
		{"tree, key twice", wire.ObjectTree, tree("a", "a"), malformed},
		{"tree, out of order", wire.ObjectTree, tree("b", "aa", "a"), ""}, // OBJECT_PUT sorts
		{"tree, long key behind others", wire.ObjectTree, tree("a", "b"+string(text(256))), "too_long field=key have=257 limit=256"},
		{"insert", wire.ObjectDelta, op(wire.DeltaOp{Insert: &wire.InsertOp{Path: path(32, 256)}}), ""},
		{"insert, long key", wire.ObjectDelta, op(wire.DeltaOp{Insert: &wire.InsertOp{Path: path(1, 257)}}), "too_long field=path have=257 limit=256"},
		{"insert without a path", wire.ObjectDelta, op(wire.DeltaOp{Insert: &wire.InsertOp{}}), malformed},
		{"delete, deep", wire.ObjectDelta, op(wire.DeltaOp{Delete: &wire.DeleteOp{Path: path(33, 1)}}), "too_many field=path have=33 limit=32"},
		{"replace", wire.ObjectDelta, op(wire.DeltaOp{Replace: &wire.ReplaceOp{Path: path(32, 1)}}), ""},
		{"replace, deep", wire.ObjectDelta, op(wire.DeltaOp{Replace: &wire.ReplaceOp{Path: path(33, 1)}}), "too_many field=path have=33 limit=32"},
		{"move", wire.ObjectDelta, op(wire.DeltaOp{Move: &wire.MoveOp{From: path(32, 1), To: path(32, 1)}}), ""},
		{"move from too deep", wire.ObjectDelta, op(wire.DeltaOp{Move: &wire.MoveOp{From: path(33, 1), To: path(1, 1)}}), "too_many field=path have=33 limit=32"},
		{"move to too deep", wire.ObjectDelta, op(wire.DeltaOp{Move: &wire.MoveOp{From: path(1, 1), To: path(33, 1)}}), "too_many field=path have=33 limit=32"},
		{"transform", wire.ObjectDelta, op(wire.DeltaOp{Transform: &wire.TransformOp{Path: path(32, 1)}}), ""},
		{"transform without a path", wire.ObjectDelta, op(wire.DeltaOp{Transform: &wire.TransformOp{}}), malformed},
		{"more than a map", wire.ObjectTag, append(tag(1, 0), 0), malformed},
		{"no type", 0, nil, "malformed field=type_tag"},
		{"an unknown type", 8, nil, "malformed field=type_tag"},
	} {
		l := newLab(t)
		repo := l.repo("r", files{})
		q := &wire.ObjectPut{TypeTag: c.tag, Data: c.data}
		inline := &wire.SnapCreate{RepoID: repo, Parent: &repo, Root: wire.EmptyTree, Objects: &[]wire.InlineObject{{TypeTag: c.tag, Data: c.data}}}
		if c.want != "" {
			l.refused(0, q, wire.CategoryInvalidRequest, c.want)
			l.refused(0, inline, wire.CategoryInvalidRequest, c.want)
			continue
		}
		if r := l.send(0, q); r.Err != nil {
			t.Errorf("%s: %s %s", c.what, r.Err.Message, r.Err.Context)
			continue
		}
		want := []any{wire.KindObjectStored, &wire.ObjectStoredEvent{
			ObjectID: wire.ObjectID(c.tag, q.Data), TypeTag: c.tag, SizeBytes: uint64(len(q.Data)), Tick: l.c.Tick,
		}}
		if d := cmp.Diff(want, l.told()); d != "" {
			t.Errorf("%s: events (-want +got): %s", c.what, d)
		}
		got := must[*wire.ObjectGetReply](l, 1, &wire.ObjectGet{ObjectID: wire.ObjectID(c.tag, q.Data)})
		if got.TypeTag != c.tag || !bytes.Equal(got.Data, q.Data) {
			t.Errorf("%s: read back as type %d with %d bytes", c.what, got.TypeTag, len(got.Data))
		}
		before := l.store.storage.of(l.ids[0])
		if r := l.send(0, q); r.Err != nil || len(l.c.Events) > 0 || l.store.storage.of(l.ids[0]) != before {
			t.Errorf("%s: put again: %q with %d events, %d bytes more", c.what, word(r), len(l.c.Events), l.store.storage.of(l.ids[0])-before)
		}
	}
}

// A claim is taken from the owner of its repo, who must have signed it; the newest is the repo's, and one that is there
// can be stored by anybody, which changes nothing.
func TestClaim_OnlyByTheOwnerAndSigned(t *testing.T) {
	l := newLab(t)
	repo := l.made(0, "lib", openToAll)
	claim := func(of wire.Hash, owner int, key ed25519.PrivateKey, text string) *wire.ObjectPut {
		c := wire.Claim{RepoID: of, Owner: l.ids[owner], License: []byte(text)}
		if key != nil {
			c.Sign(key)
		}
		return &wire.ObjectPut{TypeTag: wire.ObjectClaim, Data: wire.ClaimCodec.Append(nil, &c)}
	}
	key := func(a int) ed25519.PrivateKey { return l.n.keys[l.ids[a]] }
	for what, c := range map[string]struct {
		by int
		q  *wire.ObjectPut
	}{
		"on no repo":                {0, claim(wire.Hash{1}, 0, key(0), "x")},
		"by another":                {1, claim(repo, 1, key(1), "x")},
		"in the owner's name":       {1, claim(repo, 0, key(0), "x")},
		"in another's name":         {0, claim(repo, 1, key(1), "x")},
		"for another":               {0, claim(repo, 1, key(0), "x")},
		"without a signature":       {0, claim(repo, 0, nil, "x")},
		"with another's signature":  {0, claim(repo, 0, key(1), "x")},
		"with the words of another": {0, &wire.ObjectPut{TypeTag: wire.ObjectClaim, Data: []byte("words")}},
	} {
		t.Run(what, func(t *testing.T) {
			l.t = t
			l.refused(c.by, c.q, wire.CategoryInvalidRequest, "malformed field=data")
		})
	}
	l.t = t
	for _, text := range []string{"one", "two"} {
		q := claim(repo, 0, key(0), text)
		id := must[*wire.ObjectPutAck](l, 0, q).ObjectID
		if got := l.Repo(repo).Claim; got == nil || *got != id {
			t.Errorf("the claim of the repo is %v, want %v", got, id)
		}
		want := []any{
			wire.KindObjectStored, &wire.ObjectStoredEvent{ObjectID: id, TypeTag: wire.ObjectClaim, SizeBytes: uint64(len(q.Data)), Tick: l.c.Tick},
			wire.KindClaimCreated, &wire.ClaimCreatedEvent{RepoID: repo, Owner: l.ids[0], ClaimID: id, Tick: l.c.Tick},
		}
		if d := cmp.Diff(want, l.told()); d != "" {
			t.Errorf("events (-want +got): %s", d)
		}
	}
	for _, by := range []int{0, 1} {
		before := l.State().Hash()
		if r := l.send(by, claim(repo, 0, key(0), "one")); r.Err != nil || len(l.c.Events) > 0 || l.State().Hash() != before {
			t.Errorf("an old claim, stored again by agent %d: %q with %d events", by, word(r), len(l.c.Events))
		}
	}
}

// A snap is read with the entries of its tree as long as both fit into one object's length.
func TestSnapGet_EntriesUnlessTooLong(t *testing.T) {
	l := newLab(t)
	l.n.bought[l.ids[0]] = maxStorage
	repo := l.repo("r", files{})
	base := len(wire.SnapCodec.Append(nil, &wire.Snap{Parent: &repo}))
	encoded := func(entries []wire.TreeEntry) []byte { return wire.TreeCodec.Append(nil, &wire.Tree{Entries: entries}) }
	pad := func(first byte, n int) wire.TreeEntry {
		return wire.TreeEntry{Key: bytes.Repeat([]byte{first}, n), Kind: wire.TreeEntryKindAtom}
	}
	tree := func(size int) []byte { // of a length
		few := len(encoded(atoms(100, 256, "", 1)))
		step := len(encoded(atoms(101, 256, "", 1))) - few
		overhead := len(encoded(append(atoms(100, 256, "", 1), pad('y', 60)))) - few - 60
		n := 100 + (size-few-2*(overhead+60))/step
		rest := size - few - (n-100)*step
		return encoded(append(atoms(n, 256, "", 1), pad('y', rest/2-overhead), pad('z', rest-rest/2-overhead)))
	}
	for _, c := range []struct {
		over int
		want bool
	}{{0, true}, {1, false}} {
		data := tree(wire.MaxObject - base + c.over)
		if len(data) != wire.MaxObject-base+c.over {
			t.Fatalf("the tree has %d bytes, want %d", len(data), wire.MaxObject-base+c.over)
		}
		l.put(wire.ObjectTree, data)
		q := &wire.SnapCreate{RepoID: repo, Parent: &repo, Root: wire.ObjectID(wire.ObjectTree, data)}
		snap := must[*wire.SnapCreateAck](l, 0, q).SnapID
		got := must[*wire.SnapGetReply](l, 1, &wire.SnapGet{SnapID: snap})
		if (len(got.Entries) > 0) != c.want || got.Snap.Author != l.ids[0] || got.Snap.Root != q.Root {
			t.Errorf("%d bytes over: %d entries", c.over, len(got.Entries))
		}
	}
	// A snap that is stored as an object and in no repo has no entries to show.
	data := wire.SnapCodec.Append(nil, &wire.Snap{Root: wire.EmptyTree, Message: []byte("alone")})
	l.put(wire.ObjectSnap, data)
	got := must[*wire.SnapGetReply](l, 1, &wire.SnapGet{SnapID: wire.ObjectID(wire.ObjectSnap, data)})
	if string(got.Snap.Message) != "alone" || len(got.Entries) > 0 {
		t.Errorf("a snap in no repo: %+v", got)
	}
}

// A request is prepared by reading what it will need, in the name of its own seat, and nothing for one that will be
// refused for what it names.
func TestPrepare_ReadsForItsSeat(t *testing.T) {
	l := newLab(t)
	repo := l.repo("r", files{"a": "1"})
	next := l.snap(repo, repo, files{"a": "2"})
	l = l.restored()
	proof := func(change uint64) *[]byte {
		p := wire.ExecutionProof{Program: wire.ObjectID(wire.ObjectAtom, []byte("1"))}
		p.Sign()
		p.TicksUsed += change
		b := wire.ExecutionProofCodec.Append(nil, &p)
		return &b
	}
	root := l.history.commits.find(repo).root
	unknown := wire.Hash{1}
	snap := func(p *[]byte, objects ...wire.InlineObject) any {
		return &wire.SnapCreate{RepoID: repo, Parent: &repo, Root: root, Proof: p, Objects: &objects}
	}
	for _, c := range []struct {
		what  string
		req   any
		tasks int
		reads int // trees
	}{
		{"comparing", &wire.DeltaCompute{Base: repo, Target: next}, 1, 2},
		{"comparing equals", &wire.DeltaCompute{Base: repo, Target: repo}, 1, 0},
		{"comparing what is not there", &wire.DeltaCompute{Base: repo, Target: unknown}, 0, 0},
		{"merging", &wire.Merge{Base: repo, Left: next, Right: next}, 1, 4}, // each comparison asks
		{"merging what is not there", &wire.Merge{Base: repo, Left: next, Right: unknown}, 0, 0},
		{"a proof", snap(proof(0)), 1, 1},
		{"a proof that Forge did not sign", snap(proof(1)), 1, 0},
		{"words for a proof", snap(&[]byte{1}), 1, 0},
		{"a proof with objects that are refused", snap(proof(0), wire.InlineObject{TypeTag: 9}), 1, 0},
		{"no proof", snap(nil), 1, 0},
		{"a tag", &wire.TagCreate{Repo: repo, Target: repo}, 1, 0},
		{"a repo", &wire.RepoCreate{}, 1, 0},
		{"a fork of what is newest", &wire.RepoCreate{ForkOf: &repo}, 0, 0},
		{"a fork of a certain tree", &wire.RepoCreate{ForkOf: &repo, Root: &root}, 1, 0},
		{"reading", &wire.ObjectGet{ObjectID: root}, 0, 0},
	} {
		tasks := l.Prepare(l.c.Tick+1, []world.Request{{Seat: 4, Payload: &wire.ChainCreate{}}, {Seat: 7, Payload: c.req}})
		if len(tasks) != c.tasks {
			t.Errorf("%s: %d tasks, want %d", c.what, len(tasks), c.tasks)
			continue
		}
		for _, task := range tasks {
			if !slices.Equal(task.Seats, []int{7}) || task.Fetch != nil {
				t.Errorf("%s: for seats %v", c.what, task.Seats)
			}
			reads := task.Reads
			if reads == nil {
				reads = func() []wire.Missing { return nil }
			}
			if got := len(reads()); got != c.reads {
				t.Errorf("%s: %d trees are read, want %d", c.what, got, c.reads)
			}
			l.fill(reads())
			if got := len(reads()); got != 0 {
				t.Errorf("%s: %d trees are still missing", c.what, got)
			}
		}
	}
	// Snaps of this very tick are not looked at.
	tick := l.history.commits.find(next).tick
	if n := len(l.Prepare(tick, []world.Request{{Payload: &wire.DeltaCompute{Base: repo, Target: next}}})); n != 0 {
		t.Errorf("%d tasks for a snap of the tick", n)
	}
}

// A signature is verified in the prepare stage; at the commit one that was found right there is not verified again.
func TestPrepare_VerifiesSignatures(t *testing.T) {
	l := newLab(t)
	repo := l.repo("r", files{"a": "1"})
	root := l.history.commits.find(repo).root
	for name, req := range map[string]any{
		"snap": &wire.SnapCreate{RepoID: repo, Parent: &repo, Root: root, Author: l.ids[0], Message: []byte("again")},
		"tag":  &wire.TagCreate{Repo: repo, Target: repo, Name: []byte("v1")},
		"repo": &wire.RepoCreate{Name: []byte("other"), Owner: l.ids[0]},
		"root": &wire.RepoCreate{Name: []byte("third"), Owner: l.ids[0], Root: &root},
	} {
		found := func() bool {
			tasks := l.Prepare(l.c.Tick+1, []world.Request{{Source: l.ids[0], Payload: req}})
			return len(tasks) == 1 && tasks[0].Run(world.Answer{})[0].(prepared).signed
		}
		if found() {
			t.Errorf("%s: no signature was found right", name)
		}
		if l.sign(0, req); !found() {
			t.Errorf("%s: the right signature was found wrong", name)
		}
		if l.sign(1, req); found() {
			t.Errorf("%s: the signature of another agent was found right", name)
		}
	}
}

// The bootstrap makes the repo of VAULT_0, which is signed, can be verified, and counts against nobody's storage.
func TestGenesis_SignedAndFree(t *testing.T) {
	l := newLab(t)
	b := &world.Bootstrap{Specification: wire.Hash{5}, Programs: []string{"emit(1)", "emit(2)"}, Tests: []world.File{{Name: "t", Data: []byte("test")}}}
	phases := l.Phases(b)
	if len(phases) != 1 || phases[0].Tick != 30 {
		t.Fatalf("%d phases", len(phases))
	}
	l.at(30)
	l.c.Source = wire.SystemID(wire.SystemNexus)
	kind, payload := phases[0].Run(l.c)
	if d := cmp.Diff([]any{wire.KindVaultReady, &wire.VaultReadyEvent{RepoID: b.Genesis}}, []any{kind, payload}); d != "" {
		t.Errorf("event (-want +got): %s", d)
	}
	if l.c.Source != wire.SystemID(wire.SystemNexus) {
		t.Errorf("what follows is done by %v", l.c.Source)
	}
	want := []any{
		wire.KindRepoCreated, &wire.RepoCreatedEvent{RepoID: b.Genesis, Name: []byte(GenesisName), Owner: me, Tick: 30},
		wire.KindSnapCreated, &wire.SnapCreatedEvent{RepoID: b.Genesis, SnapID: b.Genesis, Author: me, Tick: 30},
	}
	if d := cmp.Diff(want, l.told()); d != "" {
		t.Errorf("events (-want +got): %s", d)
	}
	for _, e := range l.c.Events {
		if e.Origin != me {
			t.Errorf("%v is by %v", e.Kind, e.Origin)
		}
	}
	if d := cmp.Diff(files{"examples/1.star": "emit(1)", "examples/2.star": "emit(2)", "tests/t": "test", "spec.oracle": ""}, l.contents(b.Genesis)); d != "" {
		t.Errorf("files (-want +got): %s", d)
	}
	read := func(id wire.Hash) (data []byte, err error) {
		l.store.objects.show(nil, id, func(b []byte) { data = b })
		return data, nil
	}
	if err := l.VerifySnapshot(b.Genesis, read); err != nil {
		t.Error(err)
	}
	if err := l.VerifySignatures(b.Genesis, read); err != nil {
		t.Error(err)
	}
	if used := l.store.storage.of(me); used != 0 {
		t.Errorf("VAULT_0 uses %d bytes", used)
	}
	if o, _ := Objects(l.Daemon).Object(b.Genesis); o.Putter != me || o.Tick != 30 {
		t.Errorf("the first snap is %+v", o)
	}
	// Who forks it owes its owner nothing, and nobody can be credited for it.
	l.forked(1, b.Genesis)
	if len(l.n.valued) > 0 {
		t.Errorf("contributions %v", l.n.valued)
	}
	// What a system stores is free.
	l.c.ActAs(wire.SystemForge)
	if _, r := Objects(l.Daemon).PutAtom(l.c, []byte("of Forge")); r != nil || l.store.storage.of(wire.SystemID(wire.SystemForge)) != 0 {
		t.Errorf("what Forge stores is charged: %v", r)
	}
}

// The quota is what a vote says and what was bought, never more than 64 MiB and never less than nothing.
func TestStorage_QuotaByVoteAndMoney(t *testing.T) {
	for _, c := range []struct {
		vote   int64
		bought uint64
		want   uint64
	}{{1000, 0, 1000}, {1000, 500, 1500}, {0, 0, 0}, {-5, 700, 700}, {maxStorage, 0, maxStorage}, {maxStorage, 1, maxStorage}, {1, maxStorage - 1, maxStorage}, {1, maxStorage - 2, maxStorage - 1}} {
		l := newLab(t)
		l.n.params["vault.quota_bytes"], l.n.bought[l.ids[0]] = c.vote, c.bought
		if got := l.store.limit(l.ids[0]); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	// After a vote for less nothing is left, and nothing is lost.
	l := newLab(t)
	l.put(wire.ObjectAtom, make([]byte, 1000))
	l.n.params["vault.quota_bytes"] = 500
	l.refused(0, &wire.ObjectPut{TypeTag: wire.ObjectAtom, Data: []byte("x")}, wire.CategoryQuotaExceeded, fmt.Sprintf("storage have=0 limit=500 need=%d", 1+objectBytes))
	l.put(wire.ObjectAtom, make([]byte, 1000))
}
