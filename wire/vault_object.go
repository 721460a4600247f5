package wire

import (
	"crypto/sha256"

	"kingdom/wire/codec"
)

// Bounds of Vault objects.
const (
	// MaxObject is the most bytes that the content of an object has: what an envelope holds, with
	// room for the rest of its body.
	MaxObject = MaxEnvelope - 1024
	// MaxTreeEntries bounds the entries of one tree.
	MaxTreeEntries = 65_536
	// MaxPath bounds the keys of a path, and so how deep trees may be nested.
	MaxPath = 32
)

// ObjectID is the id of a Vault object: SHA-256(type tag ‖ content).
func ObjectID(t ObjectType, content []byte) Hash {
	h := sha256.New()
	h.Write([]byte{t})
	h.Write(content)
	return Hash(h.Sum(nil))
}

// Tree is the content of a TREE: a directory.
type Tree struct {
	// Entries are sorted by key, each key once.
	Entries []TreeEntry `kdom:"entries"`
}

// TreeEntry is one name in a directory.
type TreeEntry struct {
	Key   []byte        `kdom:"key"`
	Value Hash          `kdom:"value"` // an ATOM or a TREE by id; for a LINK any id
	Kind  TreeEntryKind `kdom:"kind"`
}

// Snap is the content of a SNAP: the state of a repo at one time.
type Snap struct {
	Parent    *Hash     `kdom:"parent"` // nil: the first of its repo
	Root      Hash      `kdom:"root"`   // a TREE
	Author    AgentID   `kdom:"author"`
	Message   []byte    `kdom:"message"`
	Proof     *[]byte   `kdom:"proof"` // a canonical [ExecutionProof]
	Signature Signature `kdom:"signature"`
}

// Delta is the content of a DELTA: the changes from the tree of one snap to that of another.
type Delta struct {
	Base   Hash      `kdom:"base"`
	Target Hash      `kdom:"target"`
	Ops    []DeltaOp `kdom:"ops"` // by path, ascending
}

// DeltaOp is one change; exactly one variant is set. Vault itself never uses MOVE and TRANSFORM.
type DeltaOp struct {
	Insert    *InsertOp    `kdom:"INSERT"`
	Delete    *DeleteOp    `kdom:"DELETE"`
	Replace   *ReplaceOp   `kdom:"REPLACE"`
	Move      *MoveOp      `kdom:"MOVE"`
	Transform *TransformOp `kdom:"TRANSFORM"`
}

// Union marks the type as a union enum.
func (DeltaOp) Union() {}

// InsertOp adds an object at a path.
type InsertOp struct {
	Path     [][]byte `kdom:"path"`
	ObjectID Hash     `kdom:"object_id"`
}

// DeleteOp removes what is at a path.
type DeleteOp struct {
	Path [][]byte `kdom:"path"`
}

// ReplaceOp puts another object at a path.
type ReplaceOp struct {
	Path  [][]byte `kdom:"path"`
	OldID Hash     `kdom:"old_id"`
	NewID Hash     `kdom:"new_id"`
}

// MoveOp gives what is at a path another one.
type MoveOp struct {
	From [][]byte `kdom:"from"`
	To   [][]byte `kdom:"to"`
}

// TransformOp rewrites what is at a path by a program.
type TransformOp struct {
	Path        [][]byte `kdom:"path"`
	TransformID Hash     `kdom:"transform_id"`
}

// Conflict is a path that both sides of a merge changed. The merge keeps the value of the base there.
type Conflict struct {
	Path       [][]byte `kdom:"path"`
	LeftOp     DeltaOp  `kdom:"left_op"`
	RightOp    DeltaOp  `kdom:"right_op"`
	Resolution *DeltaOp `kdom:"resolution"`
}

// ChainExport is the content of a CHAIN: a branch as it was at some time, oldest snap first.
type ChainExport struct {
	Repo  Hash   `kdom:"repo"`
	Name  []byte `kdom:"name"`
	Snaps []Hash `kdom:"snaps"`
}

// Tag is the content of a TAG.
type Tag struct {
	Name      []byte    `kdom:"name"`
	Target    Hash      `kdom:"target"` // a SNAP
	Author    AgentID   `kdom:"author"`
	Message   []byte    `kdom:"message"`
	Signature Signature `kdom:"signature"`
}

// Claim is the content of a CLAIM: the licence of a repo. A mind gives repo_id and license; its runtime fills the
// rest.
type Claim struct {
	RepoID    Hash      `kdom:"repo_id"`
	Owner     AgentID   `kdom:"owner,default"`
	License   []byte    `kdom:"license"`
	Signature Signature `kdom:"signature,default"`
}

// Codecs of the objects; their decoding is strict: DecodeCanonical.
var (
	TreeCodec        = codec.New[Tree]()
	SnapCodec        = codec.New[Snap]()
	DeltaCodec       = codec.New[Delta]()
	ChainExportCodec = codec.New[ChainExport]()
	TagCodec         = codec.New[Tag]()
	ClaimCodec       = codec.New[Claim]()
)
