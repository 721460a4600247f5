package oracle

import (
	"crypto/sha256"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// fakeObjects is a Vault that holds ATOMs.
type fakeObjects struct {
	world.Objects
	atoms   map[wire.Hash][]byte
	private bool // nobody may read them
	edit    func(o *world.Object)
	shown   int
}

func (v *fakeObjects) Object(id wire.Hash) (world.Object, bool) {
	data, ok := v.atoms[id]
	o := world.Object{Type: wire.ObjectAtom, Size: len(data), Tick: 100}
	if v.edit != nil {
		v.edit(&o)
	}
	return o, ok
}
func (v *fakeObjects) MayRead(wire.Hash, wire.AgentID) bool { return !v.private }
func (v *fakeObjects) ShowObject(_ *[]wire.Missing, id wire.Hash, do func([]byte)) {
	v.shown++
	do(v.atoms[id])
}

// fakeProofs is a Forge that made one proof.
type fakeProofs wire.ExecutionProof

func (m fakeProofs) Proved(p *wire.ExecutionProof) bool { return *p == wire.ExecutionProof(m) }

// An example stays verified only if the draft names a stored proof, made by Forge, of this input and this output.
// Otherwise it is stored as unverified.
func TestExamples_StayVerifiedOnlyWithForgesProof(t *testing.T) {
	good := wire.ExecutionProof{Program: wire.Hash{1}, Input: sha256.Sum256([]byte("20")), Output: sha256.Sum256([]byte("2 3 5")), TicksUsed: 1}
	good.Sign()
	forged := good
	forged.TicksUsed = 2
	forged.Sign() // anybody can sign as FORGE_0
	at, forgedAt, other := wire.Hash{0xA}, wire.Hash{0xB}, wire.Hash{0xC}
	v := &fakeObjects{atoms: map[wire.Hash][]byte{
		at: wire.ExecutionProofCodec.Append(nil, &good), forgedAt: wire.ExecutionProofCodec.Append(nil, &forged), other: []byte("no proof"),
	}}
	example := func(in, out string) []wire.ContentBlock {
		return []wire.ContentBlock{{Section: &wire.SectionBlock{Heading: "h", Children: []wire.ContentBlock{
			{Example: &wire.ExampleBlock{Input: in, ExpectedOutput: out, ForgeVerified: true}},
		}}}}
	}
	for _, tc := range []struct {
		name    string
		proof   *wire.Hash
		in, out string
		private bool
		want    bool
	}{
		{"its proof", &at, "20", "2 3 5", false, true},
		{"no proof", nil, "20", "2 3 5", false, false},
		{"another input", &at, "21", "2 3 5", false, false},
		{"another output", &at, "20", "2 3", false, false},
		{"a forged proof", &forgedAt, "20", "2 3 5", false, false},
		{"something else", &other, "20", "2 3 5", false, false},
		{"nothing stored", &wire.Hash{0xD}, "20", "2 3 5", false, false},
		{"not readable", &at, "20", "2 3 5", true, false},
	} {
		for _, prepared := range []bool{true, false} {
			t.Run(tc.name, func(t *testing.T) {
				b := newBench(t)
				v.private = tc.private
				b.objects, b.proofs = v, fakeProofs(good)
				check := func(e wire.Hash) {
					t.Helper()
					var list []wire.ContentBlock
					if err := wire.BlocksCodec.Decode(b.head(e).Body, &list); err != nil {
						t.Fatal(err)
					}
					if got := list[0].Section.Children[0].Example.ForgeVerified; got != tc.want {
						t.Errorf("stored as verified: %v, want %v", got, tc.want)
					}
				}
				prepare := func(q any) {
					b.c.Prepared = nil
					for _, task := range b.Prepare(b.c.Tick, []world.Request{{Source: id(0), Payload: q}}) {
						if missing := task.Reads(); len(missing) > 0 {
							t.Fatal("contents are missing in a world without a store")
						}
						if prepared {
							b.c.Prepared = task.Run(world.Answer{})[0]
						}
					}
				}
				q := draft("title")
				q.Entry.Body, q.Entry.ProofHash = Body(example(tc.in, tc.out)), tc.proof
				prepare(q)
				e := b.post(0, q)
				check(e)
				b.at(b.c.Tick + 1)
				u := &wire.EntryUpdate{EntryID: e, NewBody: Body(example(tc.in, tc.out))}
				prepare(u)
				b.must(0, u)
				check(e)
			})
		}
	}
}

// Ahead of the commit only a proof is read that the draft needs and that its author may use: an ATOM of at most 1 KiB,
// stored before the tick.
func TestPrepare_ReadsWhatADraftNeeds(t *testing.T) {
	proof := wire.Hash{0xA}
	example := func(verified bool) wire.ContentBlock {
		return wire.ContentBlock{Example: &wire.ExampleBlock{Input: "20", ExpectedOutput: "2", ForgeVerified: verified}}
	}
	for _, tt := range []struct {
		name  string
		list  []wire.ContentBlock
		proof *wire.Hash
		edit  func(o *world.Object)
		tasks int
	}{
		{"a verified example", []wire.ContentBlock{text("a"), example(true)}, &proof, nil, 1},
		{"a nested one", []wire.ContentBlock{section("s", section("t", example(true)))}, &proof, nil, 1},
		{"no verified example", []wire.ContentBlock{example(false), section("s", example(false), text("b"))}, &proof, nil, 0},
		{"no blocks", nil, &proof, nil, 0},
		{"no proof", []wire.ContentBlock{example(true)}, nil, nil, 0},
		{"another type", []wire.ContentBlock{example(true)}, &proof, func(o *world.Object) { o.Type = wire.ObjectTree }, 0},
		{"the longest proof", []wire.ContentBlock{example(true)}, &proof, func(o *world.Object) { o.Size = 1024 }, 1},
		{"too long for a proof", []wire.ContentBlock{example(true)}, &proof, func(o *world.Object) { o.Size = 1025 }, 0},
		{"stored in the tick before", []wire.ContentBlock{example(true)}, &proof, func(o *world.Object) { o.Tick = 255 }, 1},
		{"stored in the same tick", []wire.ContentBlock{example(true)}, &proof, func(o *world.Object) { o.Tick = 256 }, 0},
	} {
		b := newBench(t)
		v := &fakeObjects{atoms: map[wire.Hash][]byte{proof: []byte("x")}, edit: tt.edit}
		b.objects = v
		q := draft("title")
		q.Entry.Body, q.Entry.ProofHash = Body(tt.list), tt.proof
		tasks := b.Prepare(b.c.Tick, []world.Request{{Seat: 3, Source: id(0), Payload: q}})
		if len(tasks) != tt.tasks {
			t.Errorf("%s: %d tasks, want %d", tt.name, len(tasks), tt.tasks)
		}
		for _, task := range tasks {
			if len(task.Seats) != 1 || task.Seats[0] != 3 {
				t.Errorf("%s: seats %v", tt.name, task.Seats)
			}
			for range 2 {
				task.Reads()
			}
			if v.shown != 1 {
				t.Errorf("%s: read %d times", tt.name, v.shown)
			}
		}
	}
	b := newBench(t) // a world without Vault and Forge
	q := draft("title")
	q.Entry.Body, q.Entry.ProofHash = Body([]wire.ContentBlock{example(true)}), &proof
	if n := len(b.Prepare(b.c.Tick, []world.Request{{Source: id(0), Payload: q}})); n != 0 {
		t.Errorf("%d tasks without Vault", n)
	}
	if h := b.head(b.post(0, q)); string(h.Body) != string(Body([]wire.ContentBlock{example(false)})) {
		t.Error("an example is verified in a world without Forge")
	}
	if n := len(b.Prepare(b.c.Tick, []world.Request{{Source: id(0), Payload: &wire.EntryUpdate{EntryID: wire.Hash{9}, NewBody: q.Entry.Body}}})); n != 0 {
		t.Errorf("%d tasks for an entry that is not there", n)
	}
}

// lostObjects are fakeObjects whose contents are in the store alone: only the prepare stage reads them.
type lostObjects struct {
	*fakeObjects
	ahead bool
}

func (v *lostObjects) ShowObject(missing *[]wire.Missing, id wire.Hash, do func([]byte)) {
	if v.ahead {
		v.fakeObjects.ShowObject(missing, id, do)
		return
	}
	*missing = append(*missing, wire.Missing{})
}

// What a friend does earlier in the tick does not make the commit read a proof that was not read ahead: it lets everybody read
// the proof, or publishes the entry whose id the update guesses. Two friends could end the world in this way.
func TestProof_FriendsEarlierInTheTick(t *testing.T) {
	good := wire.ExecutionProof{Program: wire.Hash{1}, Input: sha256.Sum256([]byte("20")), Output: sha256.Sum256([]byte("2 3 5")), TicksUsed: 1}
	good.Sign()
	at := wire.Hash{0xA}
	body := Body([]wire.ContentBlock{{Example: &wire.ExampleBlock{Input: "20", ExpectedOutput: "2 3 5", ForgeVerified: true}}})
	verified := func(b *bench, e wire.Hash, version uint32) bool {
		record, _ := b.versions.find(e, version)
		var list []wire.ContentBlock
		if err := wire.BlocksCodec.Decode(b.versions.Get(uint64(record)).Body, &list); err != nil {
			t.Fatal(err)
		}
		return list[0].Example.ForgeVerified
	}
	newWorld := func(private bool) (*bench, *lostObjects) {
		b := newBench(t)
		v := &lostObjects{fakeObjects: &fakeObjects{private: private, atoms: map[wire.Hash][]byte{at: wire.ExecutionProofCodec.Append(nil, &good)}}}
		b.objects, b.proofs = v, fakeProofs(good)
		return b, v
	}
	prepare := func(b *bench, v *lostObjects, q any) (value any) {
		v.ahead = true
		for _, task := range b.Prepare(b.c.Tick, []world.Request{{Source: id(1), Payload: q}}) {
			task.Reads()
			value = task.Run(world.Answer{})[0]
		}
		v.ahead = false
		return value
	}

	for _, private := range []bool{true, false} { // at the commit
		b, v := newWorld(true)
		q := draft("title")
		q.Entry.Body, q.Entry.ProofHash = body, &at
		value := prepare(b, v, q)
		v.private = private
		b.c.Prepared = value
		e := b.must(1, q).Body.(*wire.EntryPublishAck).EntryID
		if got := verified(b, e, 1); got == private {
			t.Errorf("at the commit it is private: %t, and the example is verified: %t", private, got)
		}
	}

	b, v := newWorld(false)
	q := draft("title")
	q.Entry.ProofHash = &at
	u := &wire.EntryUpdate{EntryID: EntryID(q.Entry.Kind, q.Entry.Title, id(0), b.c.Tick), NewBody: body}
	value := prepare(b, v, u)
	b.post(0, q)
	b.c.Prepared = value
	b.must(1, u)
	if verified(b, u.EntryID, 2) {
		t.Error("an example is verified although its entry came in the same tick")
	}
	b.at(b.c.Tick + 1)
	u.EntryID = b.must(2, &wire.EntryPublish{Review: wire.ReviewModeImmediate, Entry: q.Entry}).Body.(*wire.EntryPublishAck).EntryID
	b.at(b.c.Tick + 1)
	b.c.Prepared = prepare(b, v, u)
	b.must(1, u)
	if !verified(b, u.EntryID, 2) {
		t.Error("an example of an entry of the tick before is not verified")
	}
}
