package wire

import (
	"bytes"
	"crypto/ed25519"
	"slices"

	"kingdom/wire/codec"
)

// Snaps, tags and claims hold a signature of their author over their other fields. It is part of
// their identity, so the author's runtime makes it before the request is sealed.

type unsignedSnap struct {
	Parent  *Hash   `kdom:"parent"`
	Root    Hash    `kdom:"root"`
	Author  AgentID `kdom:"author"`
	Message []byte  `kdom:"message"`
	Proof   *[]byte `kdom:"proof"`
}

type unsignedTag struct {
	Name    []byte  `kdom:"name"`
	Target  Hash    `kdom:"target"`
	Author  AgentID `kdom:"author"`
	Message []byte  `kdom:"message"`
}

type unsignedClaim struct {
	RepoID  Hash    `kdom:"repo_id"`
	Owner   AgentID `kdom:"owner"`
	License []byte  `kdom:"license"`
}

var (
	unsignedSnapCodec  = codec.New[unsignedSnap]()
	unsignedTagCodec   = codec.New[unsignedTag]()
	unsignedClaimCodec = codec.New[unsignedClaim]()
)

func (s *Snap) unsigned() []byte {
	return unsignedSnapCodec.Append(nil, &unsignedSnap{s.Parent, s.Root, s.Author, s.Message, s.Proof})
}

func (t *Tag) unsigned() []byte {
	return unsignedTagCodec.Append(nil, &unsignedTag{t.Name, t.Target, t.Author, t.Message})
}

func (c *Claim) unsigned() []byte {
	return unsignedClaimCodec.Append(nil, &unsignedClaim{c.RepoID, c.Owner, c.License})
}

// Sign fills the signature with the author's key.
func (s *Snap) Sign(key ed25519.PrivateKey) { copy(s.Signature[:], sign(key, s.unsigned())) }

// Sign fills the signature with the author's key.
func (t *Tag) Sign(key ed25519.PrivateKey) { copy(t.Signature[:], sign(key, t.unsigned())) }

// Sign fills the signature with the owner's key.
func (c *Claim) Sign(key ed25519.PrivateKey) { copy(c.Signature[:], sign(key, c.unsigned())) }

// Signatures that this process made, as those of its own agents' snaps, are judged by VerifyOwn. It
// says what Verify says, sooner. Whatever comes from outside, and whatever somebody asks to have
// checked, goes through Verify, which is crypto/ed25519.

// VerifyOwn is [Snap.Verify] for a signature of this process.
func (s *Snap) VerifyOwn(pub ed25519.PublicKey) bool {
	return len(pub) == ed25519.PublicKeySize && verifyOwn(pub, s.unsigned(), s.Signature[:])
}

// VerifyOwn is [Tag.Verify] for a signature of this process.
func (t *Tag) VerifyOwn(pub ed25519.PublicKey) bool {
	return len(pub) == ed25519.PublicKeySize && verifyOwn(pub, t.unsigned(), t.Signature[:])
}

// Verify says whether the signature was made with the key that pub belongs to.
func (s *Snap) Verify(pub ed25519.PublicKey) bool { return verify(pub, s.unsigned(), s.Signature) }

// Verify says whether the signature was made with the key that pub belongs to.
func (t *Tag) Verify(pub ed25519.PublicKey) bool { return verify(pub, t.unsigned(), t.Signature) }

// Verify reports whether the signature was made with the key that belongs to pub.
func (c *Claim) Verify(pub ed25519.PublicKey) bool { return verify(pub, c.unsigned(), c.Signature) }

func verify(pub ed25519.PublicKey, text []byte, sig Signature) bool {
	return len(pub) == ed25519.PublicKeySize && ed25519.Verify(pub, text, sig[:])
}

// Snap is the snap that the request asks for.
func (q *SnapCreate) Snap() Snap {
	return Snap{q.Parent, q.Root, q.Author, q.Message, q.Proof, q.Signature}
}

// Sign fills the signature; the author must be in its place.
func (q *SnapCreate) Sign(key ed25519.PrivateKey) {
	s := q.Snap()
	s.Sign(key)
	q.Signature = s.Signature
}

// Snap is the first snap of the repo that the request asks for; root is the request's own, of the
// forked repo, or the empty tree's ([EmptyTree]).
func (q *RepoCreate) Snap(root Hash) Snap {
	return Snap{Root: root, Author: q.Owner, Message: q.Message, Signature: q.Signature}
}

// Sign fills the signature of the first snap; the owner must be in its place.
func (q *RepoCreate) Sign(key ed25519.PrivateKey, root Hash) {
	s := q.Snap(root)
	s.Sign(key)
	q.Signature = s.Signature
}

// Tag is the tag that author's request asks for.
func (q *TagCreate) Tag(author AgentID) Tag {
	return Tag{q.Name, q.Target, author, q.Message, q.Signature}
}

// Sign fills the signature of author.
func (q *TagCreate) Sign(key ed25519.PrivateKey, author AgentID) {
	t := q.Tag(author)
	t.Sign(key)
	q.Signature = t.Signature
}

// Complete does what a mind leaves to its runtime: the entries of a TREE are sorted, and a CLAIM
// without owner and signature gets those of me.
func (q *ObjectPut) Complete(me AgentID, key ed25519.PrivateKey) {
	switch q.TypeTag {
	case ObjectTree:
		var t Tree
		if TreeCodec.Decode(q.Data, &t) == nil {
			slices.SortStableFunc(t.Entries, func(a, b TreeEntry) int { return bytes.Compare(a.Key, b.Key) })
			q.Data = TreeCodec.Append(nil, &t)
		}
	case ObjectClaim:
		var c Claim
		if ClaimCodec.Decode(q.Data, &c) == nil && c.Owner.IsZero() && c.Signature == (Signature{}) {
			c.Owner = me
			c.Sign(key)
			q.Data = ClaimCodec.Append(nil, &c)
		}
	}
}
