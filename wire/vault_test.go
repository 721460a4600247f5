package wire

import (
	"bytes"
	"crypto/ed25519"
	"testing"

	"kingdom/wire/codec"
)

// decodeObject reads the content of an object strictly and returns its canonical form.
func decodeObject(t ObjectType, b []byte) ([]byte, error) {
	switch t {
	case ObjectTree:
		return again(TreeCodec, b)
	case ObjectSnap:
		return again(SnapCodec, b)
	case ObjectDelta:
		return again(DeltaCodec, b)
	case ObjectChain:
		return again(ChainExportCodec, b)
	case ObjectTag:
		return again(TagCodec, b)
	case ObjectClaim:
		return again(ClaimCodec, b)
	}
	return again(ExecutionProofCodec, b)
}

func again[T any](c *codec.Codec[T], b []byte) ([]byte, error) {
	var v T
	if err := c.DecodeCanonical(b, &v); err != nil {
		return nil, err
	}
	return c.Append(nil, &v), nil
}

// What the strict decoder of an object accepts is the only form of its content.
func FuzzDecodeObject(f *testing.F) {
	parent, proof := Hash{1}, ExecutionProofCodec.Append(nil, &ExecutionProof{TicksUsed: 3})
	f.Add(uint8(0), proof)
	f.Add(ObjectTree, TreeCodec.Append(nil, &Tree{[]TreeEntry{{[]byte("main.star"), Hash{2}, TreeEntryKindAtom}}}))
	f.Add(ObjectSnap, SnapCodec.Append(nil, &Snap{Parent: &parent, Message: []byte("m"), Proof: &proof}))
	f.Add(ObjectDelta, DeltaCodec.Append(nil, &Delta{Ops: []DeltaOp{{Delete: &DeleteOp{[][]byte{[]byte("a")}}}}}))
	f.Add(ObjectChain, ChainExportCodec.Append(nil, &ChainExport{Snaps: []Hash{{3}}}))
	f.Add(ObjectTag, TagCodec.Append(nil, &Tag{Name: []byte("v1")}))
	f.Add(ObjectTag, TagCodec.Append(nil, &Tag{Name: []byte("v1")})[1:])
	f.Add(ObjectTag, append(TagCodec.Append(nil, &Tag{Name: []byte("v1")}), 0xc0))
	f.Add(ObjectClaim, ClaimCodec.Append(nil, &Claim{License: []byte("free")}))
	f.Fuzz(func(t *testing.T, tag uint8, b []byte) {
		if out, err := decodeObject(tag%8, b); err == nil && !bytes.Equal(out, b) {
			t.Errorf("accepted %x, whose canonical form is %x", b, out)
		}
	})
}

// Inner signatures cover every other field and nothing else.
func TestSign_Objects(t *testing.T) {
	key := AgentKey(Hash{}, 1)
	pub := key.Public().(ed25519.PublicKey)
	me := IDOf(pub)
	parent := Hash{1}
	snap := SnapCreate{RepoID: Hash{9}, Parent: &parent, Root: Hash{2}, Author: me, Message: []byte("m")}
	snap.Sign(key)
	s := snap.Snap()
	if !s.Verify(pub) {
		t.Error("the signature of a snap does not verify")
	}
	snap.RepoID = Hash{8}
	if s = snap.Snap(); !s.Verify(pub) {
		t.Error("the signature of a snap covers the repo, which is no field of it")
	}
	for name, change := range map[string]func(s *Snap){
		"parent": func(s *Snap) { s.Parent = nil }, "root": func(s *Snap) { s.Root[0]++ }, "author": func(s *Snap) { s.Author[0]++ },
		"message": func(s *Snap) { s.Message = nil }, "proof": func(s *Snap) { s.Proof = new([]byte) }, "signature": func(s *Snap) { s.Signature[0]++ },
	} {
		other := snap.Snap()
		if change(&other); other.Verify(pub) {
			t.Errorf("the signature of a snap verifies with another %s", name)
		}
	}
	tag := TagCreate{Name: []byte("v1"), Target: Hash{3}}
	tag.Sign(key, me)
	x := tag.Tag(me)
	claim := Claim{RepoID: Hash{4}, Owner: me, License: []byte("free")}
	claim.Sign(key)
	proof := ExecutionProof{Program: Hash{5}, TicksUsed: 1}
	proof.Sign()
	if !x.Verify(pub) || !claim.Verify(pub) || !proof.Verify() {
		t.Error("a tag, a claim or a proof does not verify")
	}
	x.Name, claim.RepoID, proof.TicksUsed = []byte("v2"), Hash{}, 2
	if x.Verify(pub) || claim.Verify(pub) || proof.Verify() {
		t.Error("a changed tag, claim or proof verifies")
	}
}

// The text of an ATOM is its bytes, also where it looks like an object; other types may be given
// by their fields.
func TestFromJSON_Objects(t *testing.T) {
	for raw, want := range map[string][]byte{
		`{"type_tag":1,"data":"{\"a\": 1}"}`:                                []byte(`{"a": 1}`),
		`{"type_tag":1,"data":"hex:00ff"}`:                                  {0, 0xFF},
		`{"type_tag":2,"data":{"entries":[]}}`:                              TreeCodec.Append(nil, &Tree{}),
		`{"type_tag":2,"data":"{\"entries\":[]}"}`:                          TreeCodec.Append(nil, &Tree{}),
		`{"data":{"license":"free","repo_id":"` + hexA + `"},"type_tag":7}`: ClaimCodec.Append(nil, &Claim{RepoID: hashA, License: []byte("free")}),
	} {
		p, err := RequestFromJSON(TypeObjectPut, []byte(raw), nil)
		if err != nil {
			t.Errorf("%s: %v", raw, err)
			continue
		}
		if got := p.(*ObjectPut).Data; !bytes.Equal(got, want) {
			t.Errorf("%s gives %x, want %x", raw, got, want)
		}
	}
	if _, err := RequestFromJSON(TypeObjectPut, []byte(`{"type_tag":1,"data":{}}`), nil); err == nil {
		t.Error("an object is taken for the bytes of an ATOM")
	}
}
