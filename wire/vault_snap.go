package wire

import "kingdom/wire/codec"

// SnapCreate commits a tree to a repo.
type SnapCreate struct {
	RepoID    Hash            `kdom:"repo_id"`
	Parent    *Hash           `kdom:"parent"`
	Root      Hash            `kdom:"root"`
	Author    AgentID         `kdom:"author,runtime"`
	Message   []byte          `kdom:"message"`
	Proof     *[]byte         `kdom:"proof"` // a canonical [ExecutionProof]
	Objects   *[]InlineObject `kdom:"objects"`
	Signature Signature       `kdom:"signature,runtime"`
}

// SnapCreateAck names the snap.
type SnapCreateAck struct {
	SnapID Hash `kdom:"snap_id"`
}

// SnapGet reads a snap.
type SnapGet struct {
	SnapID Hash `kdom:"snap_id"`
}

// ProgramFile is the key of a directory under which its program is found.
const ProgramFile = "main.star"

// SnapGetReply holds the snap, what is in the directory of its root, and the program there, so that one look shows what
// a snap is.
type SnapGetReply struct {
	Snap    Snap        `kdom:"snap"`
	Entries []TreeEntry `kdom:"entries"` // empty where the reader may not read the root, or where snap and root do not fit an answer
	Program []byte      `kdom:"program"` // text of the ATOM [ProgramFile] of the root; empty if there is none, as for entries, or if the snap was stored in this tick
}

// ObjectGet reads an object.
type ObjectGet struct {
	ObjectID Hash `kdom:"object_id"`
}

// ObjectGetReply holds the object.
type ObjectGetReply struct {
	TypeTag ObjectType `kdom:"type_tag"`
	Data    []byte     `kdom:"data,object"`
}

// ObjectPut stores an object. Storing an object that exists costs no storage.
type ObjectPut struct {
	TypeTag ObjectType `kdom:"type_tag"`
	Data    []byte     `kdom:"data,object"`
}

// ObjectPutAck names the object.
type ObjectPutAck struct {
	ObjectID Hash `kdom:"object_id"`
}

// DeltaCompute compares the trees of two snaps and stores the result.
type DeltaCompute struct {
	Base   Hash `kdom:"base"`
	Target Hash `kdom:"target"`
}

// DeltaComputeReply holds the delta, which is stored under its own id.
type DeltaComputeReply struct {
	Delta Delta `kdom:"delta"`
}

// Merge combines the changes that two snaps made since a third.
type Merge struct {
	Base  Hash `kdom:"base"`
	Left  Hash `kdom:"left"`
	Right Hash `kdom:"right"`
}

// MergeReply has the resulting snap, which is always stored, and the paths that both sides changed, where the value
// of the base is kept.
type MergeReply struct {
	Result    Hash       `kdom:"result"`
	Conflicts []Conflict `kdom:"conflicts"` // the first 1,024 by path
}

// MergeNote is the message of the snap that a MERGE makes.
type MergeNote struct {
	Merge MergedSnaps `kdom:"merge"`
}

// MergedSnaps says what was merged, and for whom.
type MergedSnaps struct {
	Base     Hash    `kdom:"base"`
	Left     Hash    `kdom:"left"`
	Right    Hash    `kdom:"right"`
	Resolver AgentID `kdom:"resolver"`
}

// MergeNoteCodec is that of a merge's message.
var MergeNoteCodec = codec.New[MergeNote]()

// ForkNote is the usual message of a fork's first snap.
type ForkNote struct {
	ForkOf Hash `kdom:"fork_of"`
}

// ForkNoteCodec is that of a fork's message.
var ForkNoteCodec = codec.New[ForkNote]()
