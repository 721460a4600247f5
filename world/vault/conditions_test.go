package vault

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"kingdom/world"

	"kingdom/wire"
)

// Every bound of a field, at the bound and one past it; a refusal leaves the state as it was.
func TestBounds_AtAndOnePastEachBound(t *testing.T) {
	text := func(n int) []byte { return bytes.Repeat([]byte{'x'}, n) }
	agents := func(n int) *[]wire.AgentID { out := make([]wire.AgentID, n); return &out }
	labels := func(n, size int) [][]byte {
		out := make([][]byte, n)
		for i := range out {
			out[i] = append(text(size-1), byte('a'+i))
		}
		return out
	}
	l := newLab(t)
	repo := l.repo("r", files{"a": "1"})
	_, objects := files{"a": "1"}.objects()
	many := func(n int) *[]wire.InlineObject {
		out := make([]wire.InlineObject, n)
		for i := range out {
			out[i] = (*objects)[0]
		}
		return &out
	}
	root := l.history.commits.find(repo).root
	tags := 0
	tagged := func(q wire.TagCreate) any {
		tags++
		q.Repo, q.Target = repo, repo
		if q.Name == nil {
			q.Name = fmt.Append(nil, "v", tags)
		}
		return &q
	}
	for _, c := range []struct {
		what string
		at   int
		word string
		make func(n int) any
	}{
		{"repo name", 64, "too_long", func(n int) any { return &wire.RepoCreate{Name: text(n), AccessPolicy: openToAll} }},
		{"repo message", 1024, "too_long", func(n int) any {
			return &wire.RepoCreate{Name: []byte("m"), Message: text(n), AccessPolicy: openToAll}
		}},
		{"readers", 256, "too_many", func(n int) any {
			return &wire.RepoCreate{Name: []byte("readers"), Message: []byte("readers"), AccessPolicy: wire.AccessPolicy{Read: wire.ReadAccess{AgentsOnly: agents(n)}, Write: wire.WriteAccess{Open: true}}}
		}},
		{"writers", 256, "too_many", func(n int) any {
			return &wire.RepoCreate{Name: []byte("writers"), Message: []byte("writers"), AccessPolicy: wire.AccessPolicy{Read: wire.ReadAccess{Public: true}, Write: wire.WriteAccess{Approved: agents(n)}}}
		}},
		{"inline objects", 1024, "too_many", func(n int) any {
			return &wire.SnapCreate{RepoID: repo, Parent: &repo, Root: root, Message: []byte("i"), Objects: many(n)}
		}},
		{"snap message", 1024, "too_long", func(n int) any { return &wire.SnapCreate{RepoID: repo, Parent: &repo, Root: root, Message: text(n)} }},
		{"chain name", 64, "too_long", func(n int) any { return &wire.ChainCreate{Repo: repo, Name: text(n), FromSnap: repo} }},
		{"tag name", 64, "too_long", func(n int) any { return tagged(wire.TagCreate{Name: text(n)}) }},
		{"tag message", 1024, "too_long", func(n int) any { return tagged(wire.TagCreate{Message: text(n)}) }},
		{"categories", 8, "too_many", func(n int) any { return tagged(wire.TagCreate{Publish: &wire.Publication{Category: labels(n, 5)}}) }},
		{"category", 96, "too_long", func(n int) any { return tagged(wire.TagCreate{Publish: &wire.Publication{Category: labels(1, n)}}) }},
		{"description", 1024, "too_long", func(n int) any {
			return tagged(wire.TagCreate{Publish: &wire.Publication{Category: labels(1, 1), Description: text(n)}})
		}},
		{"tree key", 256, "too_long", func(n int) any {
			return &wire.ObjectPut{TypeTag: wire.ObjectTree, Data: wire.TreeCodec.Append(nil, &wire.Tree{Entries: []wire.TreeEntry{{Key: text(n), Kind: 1}}})}
		}},
		{"path of a delta", 32, "too_many", func(n int) any {
			return &wire.ObjectPut{TypeTag: wire.ObjectDelta, Data: wire.DeltaCodec.Append(nil, &wire.Delta{Ops: []wire.DeltaOp{{Delete: &wire.DeleteOp{Path: labels(n, 2)}}}})}
		}},
		{"licence", 1024, "too_long", func(n int) any {
			return &wire.ObjectPut{TypeTag: wire.ObjectClaim, Data: wire.ClaimCodec.Append(nil, &wire.Claim{RepoID: repo, License: text(n)})}
		}},
		{"limit", 100, "limit", func(n int) any { return &wire.RegistryQuery{Sort: 1, Limit: uint32(n)} }},
		{"offset", 4096, "limit", func(n int) any { return &wire.RegistryQuery{Sort: 1, Offset: uint32(n)} }},
		{"category asked", 96, "too_long", func(n int) any { b := text(n); return &wire.RegistryQuery{Sort: 1, Category: &b} }},
		{"text match", 1024, "too_long", func(n int) any { b := text(n); return &wire.RegistryQuery{Sort: 1, TextMatch: &b} }},
		{"object", wire.MaxObject, "size", func(n int) any { return &wire.ObjectPut{TypeTag: wire.ObjectAtom, Data: text(n)} }},
	} {
		l.n.bought[l.ids[0]] = maxStorage
		before := l.State().Hash()
		r := l.send(0, c.make(c.at+1))
		if word(r) != c.word || l.State().Hash() != before || len(l.c.Events) > 0 {
			t.Errorf("%s of %d: %q, want %q and nothing changed", c.what, c.at+1, word(r), c.word)
		}
		if r := l.send(0, c.make(c.at)); r.Err != nil {
			t.Errorf("%s of %d: %s %v", c.what, c.at, r.Err.Message, r.Err.Context)
		}
	}
}

// Storage is refused to the byte, and what was bought counts.
func TestStorage_RefusedToTheByte(t *testing.T) {
	l := newLab(t)
	most := world.VaultQuota - objectBytes - 500_000 - objectBytes
	l.put(wire.ObjectAtom, make([]byte, 500_000))
	before := l.State().Hash()
	r := l.send(0, &wire.ObjectPut{TypeTag: wire.ObjectAtom, Data: make([]byte, most+1)})
	if word(r) != "storage" || l.State().Hash() != before {
		t.Errorf("one byte too many: %q", word(r))
	}
	l.put(wire.ObjectAtom, make([]byte, most))
	if used := l.store.storage.of(l.ids[0]); used != world.VaultQuota {
		t.Errorf("%d bytes are used, want all %d", used, world.VaultQuota)
	}
	l.put(wire.ObjectAtom, make([]byte, most)) // what is there costs nothing
	l.n.bought[l.ids[0]] = 300
	l.put(wire.ObjectAtom, make([]byte, 172))
	if r := l.send(0, &wire.RepoCreate{Name: []byte("r"), AccessPolicy: openToAll}); word(r) != "storage" {
		t.Errorf("a repo without storage: %q", word(r))
	}
	l.n.bought[l.ids[0]] = 1 << 40
	if got := l.store.limit(l.ids[0]); got != maxStorage {
		t.Errorf("%d bytes with all money, want %d", got, maxStorage)
	}
}

// A repo counts its record, that of its branch, and the ids in its access lists.
func TestRepo_ChargesItsRecordsAndItsAccessLists(t *testing.T) {
	three, five := make([]wire.AgentID, 3), make([]wire.AgentID, 5)
	for _, c := range []struct {
		policy wire.AccessPolicy
		ids    int
	}{
		{openToAll, 0},
		{wire.AccessPolicy{Read: wire.ReadAccess{AgentsOnly: &three}, Write: wire.WriteAccess{OwnerOnly: true}}, 3},
		{wire.AccessPolicy{Read: wire.ReadAccess{Public: true}, Write: wire.WriteAccess{Approved: &five}}, 5},
		{wire.AccessPolicy{Read: wire.ReadAccess{AgentsOnly: &three}, Write: wire.WriteAccess{Approved: &five}}, 8},
	} {
		l := newLab(t)
		q := &wire.RepoCreate{Name: []byte("r"), AccessPolicy: c.policy}
		l.sign(0, q)
		snap := q.Snap(wire.EmptyTree)
		need := len(wire.SnapCodec.Append(nil, &snap)) + objectBytes + 2*recordBytes + 32*c.ids
		if l.store.objects.find(wire.EmptyTree) == nil {
			need += len(emptyTree) + objectBytes
		}
		l.n.params["vault.quota_bytes"] = int64(need) - 1
		l.refused(0, q, wire.CategoryQuotaExceeded, fmt.Sprintf("storage have=%d limit=%d need=%d", need-1, need-1, need))
		l.n.params["vault.quota_bytes"]++
		must[*wire.RepoCreateAck](l, 0, q)
		if got := l.store.storage.of(l.ids[0]); got != uint64(need) {
			t.Errorf("with %d ids in its lists a repo takes %d bytes, want %d", c.ids, got, need)
		}
	}
}

// A deleted branch gives its storage back.
func TestChain_DeletedBranchFreesItsStorage(t *testing.T) {
	l := newLab(t)
	repo := l.repo("r", files{"a": "1"})
	before := l.store.storage.of(l.ids[0])
	l.send(0, &wire.ChainCreate{Repo: repo, Name: []byte("x"), FromSnap: repo})
	if got := l.store.storage.of(l.ids[0]); got != before+recordBytes {
		t.Errorf("a branch takes %d bytes, want %d", got-before, recordBytes)
	}
	l.send(0, &wire.ChainAdvance{Repo: repo, ChainName: []byte("x")})
	if got := l.store.storage.of(l.ids[0]); got != before {
		t.Errorf("%d bytes are used after its end, want %d", got, before)
	}
}

// What is wrong with a signature or a proof, and what is refused because it exists or is of this
// very tick.
// made are the proofs that a Forge made.
type made []wire.ExecutionProof

func (m made) Proved(p *wire.ExecutionProof) bool { return slices.Contains(m, *p) }

func TestRefusals_OfSignaturesAndTimestamps(t *testing.T) {
	l := newLab(t)
	repo := l.repo("r", files{"main": "1"})
	root, objects := files{"main": "2"}.objects()
	good := wire.ExecutionProof{Program: (*objects)[0].ID()}
	good.Sign()
	other := good
	other.Program = repo
	other.Sign()
	l.store.proofs = made{good, other}
	forged := good
	forged.TicksUsed++
	forged.Sign() // anybody can sign as FORGE_0
	proof := func(p wire.ExecutionProof) *[]byte { b := wire.ExecutionProofCodec.Append(nil, &p); return &b }
	for name, c := range map[string]struct {
		proof *[]byte
		want  string
	}{"good": {proof(good), ""}, "of another program": {proof(other), "proof"}, "forged": {proof(forged), "proof"}, "no proof": {&[]byte{1}, "proof"}} {
		r := l.send(0, &wire.SnapCreate{RepoID: repo, Parent: &repo, Root: root, Objects: objects, Proof: c.proof})
		if word(r) != c.want {
			t.Errorf("proof %s: %q, want %q", name, word(r), c.want)
		}
	}
	if r := l.store.repos.Get(repo); r.Snaps != 2 || r.Proven != 1 {
		t.Errorf("%d of %d snaps are proven", r.Proven, r.Snaps)
	}
	// Signed by somebody else.
	l.at(l.c.Tick + 1)
	l.c.Source = l.ids[0]
	bad := []any{
		&wire.RepoCreate{Name: []byte("x"), Owner: l.ids[0], AccessPolicy: openToAll},
		&wire.SnapCreate{RepoID: repo, Parent: &repo, Root: root, Author: l.ids[0]},
		&wire.TagCreate{Repo: repo, Name: []byte("x"), Target: repo},
	}
	for _, req := range bad {
		before := l.State().Hash()
		if r := l.Apply(l.c, req); word(r) != "signature" || l.State().Hash() != before {
			t.Errorf("%T without signature: %q", req, word(r))
		}
	}
	// A snap of this tick can be read, but not compared: its trees were not read.
	s := l.snap(repo, repo, files{"main": "3"})
	if r := l.Apply(l.c, &wire.SnapGet{SnapID: s}); r.Err != nil {
		t.Errorf("read in the same tick: %q", word(r))
	}
	if r := l.Apply(l.c, &wire.DeltaCompute{Base: repo, Target: s}); word(r) != "target" {
		t.Errorf("compared in the same tick: %q", word(r))
	}
	// Equal bytes make an equal repo. Names differ, since a name is taken first.
	first := wire.RepoCreate{Name: []byte("one"), AccessPolicy: openToAll, Message: []byte("same")}
	second := first
	second.Name = []byte("two")
	l.send(0, &first)
	if r := l.send(0, &second); word(r) != "exists" {
		t.Errorf("the same first snap twice: %q", word(r))
	}
}

// A snap whose contents are there verifies, one with a changed content does not.
func TestVerifySnapshot_ChangedContentFails(t *testing.T) {
	l := newLab(t)
	repo := l.repo("r", files{"a": "1", "d/b": "2"})
	s := l.snap(repo, repo, files{"a": "3", "d/b": "2"})
	m := l.send(0, &wire.Merge{Base: repo, Left: s, Right: repo}).Body.(*wire.MergeReply).Result
	read := func(id wire.Hash) (data []byte, err error) {
		l.store.objects.show(nil, id, func(b []byte) { data = b })
		return data, nil
	}
	if err := l.VerifySnapshot(m, read); err != nil {
		t.Error(err)
	}
	if err := l.VerifySignatures(m, read); err != nil {
		t.Error(err)
	}
	changed := func(id wire.Hash) ([]byte, error) {
		b, _ := read(id)
		return append([]byte("x"), b...), nil
	}
	if l.VerifySnapshot(m, changed) == nil || l.VerifySignatures(m, changed) == nil || l.VerifySnapshot(wire.Hash{1}, read) == nil {
		t.Error("what was changed verifies")
	}
}

// Each other owner of a dependent is one royalty per epoch, and the first of them makes the published
// repo a contribution of its owner.
func TestRoyalties_OnePerDependentOwnerAndEpoch(t *testing.T) {
	l := newLab(t)
	repo := l.repo("lib", files{"a": "1"})
	tagID := l.send(0, &wire.TagCreate{Repo: repo, Name: []byte("v1"), Target: repo, Publish: &wire.Publication{Category: [][]byte{[]byte("x")}}}).Body.(*wire.TagCreateAck).TagID
	for i, name := range []string{"one", "two", "three"} {
		a := []int{1, 1, 2}[i]
		id := l.send(a, &wire.RepoCreate{Name: []byte(name), Message: []byte(name), AccessPolicy: openToAll}).Body.(*wire.RepoCreateAck).RepoID
		if r := l.send(a, &wire.DependencyAdd{FromRepo: id, FromSnap: id, ToRepo: repo, ToTag: tagID}); r.Err != nil {
			t.Fatalf("no dependency: %s", r.Err.Message)
		}
	}
	l.Royalties(l.c)
	l.c.Epoch++
	l.Royalties(l.c)
	subjects := map[wire.Hash]bool{}
	for _, r := range l.n.noted {
		subjects[r.Subject] = true
		if r.Payee != l.ids[0] || r.Amount != 1 || len(r.Approvers) != 1 {
			t.Errorf("noted %+v", r)
		}
	}
	if len(l.n.noted) != 4 || len(subjects) != 4 {
		t.Errorf("%d royalties for %d things, want two for each of two epochs", len(l.n.noted), len(subjects))
	}
	if got := l.registry.popularity(repo); got != 2 {
		t.Errorf("popularity %d, want 2", got)
	}
	if got := l.n.valued[l.ids[0]]; got != 2 { // the tagged snap by the first user, the repo by the second
		t.Errorf("%d contributions, want 2", got)
	}
}

// An ancestor is found at any distance, and only an ancestor.
func TestDescends_FindsAncestorsAtAnyDistance(t *testing.T) {
	l := newLab(t)
	repo := l.repo("r", files{"a": "1"})
	l.n.bought[l.ids[0]] = maxStorage
	trunk := []wire.Hash{repo}
	for i := range 200 {
		trunk = append(trunk, l.snap(repo, trunk[i], files{"a": fmt.Sprint(i)}))
	}
	side := l.snap(repo, trunk[50], files{"b": "1"})
	for i, id := range trunk {
		m := l.history.commits.find(id)
		for j := 0; j <= 200; j += 7 {
			if got := m.descends(l.history.commits.find(trunk[j])); got != (i > j) {
				t.Fatalf("%d descends from %d: %t", i, j, got)
			}
		}
		if m.descends(l.history.commits.find(side)) || l.history.commits.find(side).descends(m) != (i <= 50) {
			t.Fatalf("the side branch at 50 and %d", i)
		}
	}
}

// BenchmarkApply_WithManyObjects: the cost of a request does not grow with what is stored.
func BenchmarkApply_WithManyObjects(b *testing.B) {
	for _, n := range []int{0, 100_000} {
		b.Run(fmt.Sprint("objects=", n), func(b *testing.B) {
			l := newLab(b)
			l.n.bought[l.ids[0]] = maxStorage
			for i := range n {
				in := &pendingObjects{}
				in.add(wire.ObjectAtom, fmt.Append(nil, "old ", i))
				l.c.Source = l.ids[1]
				l.store.putAll(l.c, in, nil)
				if i%4096 == 0 {
					l.State().TakeRows()
					l.State().Forget(l.State().Heads())
				}
			}
			l.State().Hash()
			i := 0
			for b.Loop() {
				i++
				l.at(l.c.Tick + 1)
				l.c.Source = l.ids[0]
				l.Apply(l.c, &wire.ObjectPut{TypeTag: wire.ObjectAtom, Data: fmt.Append(nil, "new ", i%1000)})
				l.State().Hash()
				if i%1000 == 0 {
					l.State().TakeRows()
				}
			}
		})
	}
}

// BenchmarkStoredObjects is the memory that objects take for good once the store has them: it does not depend on how large
// they are.
func BenchmarkStoredObjects(b *testing.B) {
	const n = 100_000
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	for _, size := range []int{100, 5_000} {
		b.Run(fmt.Sprint("bytes=", size), func(b *testing.B) {
			for b.Loop() {
				l := newLab(b)
				l.c.Source = l.ids[1]
				before := heap()
				for i := range n {
					in := &pendingObjects{}
					in.add(wire.ObjectAtom, append(fmt.Append(nil, i), make([]byte, size)...))
					l.store.putAll(l.c, in, nil)
					if i%512 == 511 {
						l.State().TakeRows()
						l.State().Forget(l.State().Heads())
					}
				}
				b.ReportMetric(float64(heap()-before)/n, "B/object")
				runtime.KeepAlive(l)
			}
		})
	}
}
