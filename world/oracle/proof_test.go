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
}

func (v *fakeObjects) Object(id wire.Hash) (world.Object, bool) {
	data, ok := v.atoms[id]
	return world.Object{Type: wire.ObjectAtom, Size: len(data), Tick: 100}, ok
}
func (v *fakeObjects) MayRead(wire.Hash, wire.AgentID) bool { return !v.private }
func (v *fakeObjects) ShowObject(_ *[]wire.Missing, id wire.Hash, do func([]byte)) {
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
				u := &wire.EntryUpdate{EntryID: e, NewBody: Body(example(tc.in, tc.out))}
				prepare(u)
				b.must(0, u)
				check(e)
			})
		}
	}
}
