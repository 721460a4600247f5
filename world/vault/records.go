package vault

import (
	"kingdom/wire"
	"kingdom/wire/codec"
)

// Object is the record of one stored object. Its content is in table contents under the same
// number.
type Object struct {
	ID      wire.Hash       `kdom:"id"`
	TypeTag wire.ObjectType `kdom:"type_tag"`
	Size    uint64          `kdom:"size"` // of the content, in bytes
	Putter  wire.AgentID    `kdom:"putter"`
	Tick    wire.Tick       `kdom:"tick"`
}

// Content is the content of an object. No hash covers it, because the object's id is its hash.
type Content struct {
	Data []byte `kdom:"data"`
}

// Commit is a SNAP that belongs to a repo, without its message and signature.
type Commit struct {
	ID     wire.Hash    `kdom:"id"`
	Repo   wire.Hash    `kdom:"repo"`
	Parent *wire.Hash   `kdom:"parent"`
	Root   wire.Hash    `kdom:"root"`
	Author wire.AgentID `kdom:"author"`
	Proven bool         `kdom:"proven"` // it holds a valid proof
	Tick   wire.Tick    `kdom:"tick"`
}

// Home is the repo whose readers may read an object. Everybody may read an object without one.
type Home struct {
	Repo wire.Hash `kdom:"repo"`
}

// Repo is a repository.
type Repo struct {
	ID     wire.Hash         `kdom:"id"` // that of its first snap
	Name   []byte            `kdom:"name"`
	Owner  wire.AgentID      `kdom:"owner"`
	Access wire.AccessPolicy `kdom:"access"`
	ForkOf *wire.Hash        `kdom:"fork_of"`
	Claim  *wire.Hash        `kdom:"claim"` // the newest CLAIM on it
	Tick   wire.Tick         `kdom:"tick"`

	Snaps    uint64 `kdom:"snaps"`
	Proven   uint64 `kdom:"proven"`   // of the snaps
	Score    uint64 `kdom:"score"`    // Σ verdict · weight of its reviews, in units of 2^-20
	Weight   uint64 `kdom:"weight"`   // Σ weight, in units of 2^-20
	Credited bool   `kdom:"credited"` // others use it, and its owner was credited for that
}

// Ref is a branch or a tag. Its key is repo ‖ 0x01 or 0x02 ‖ name.
type Ref struct {
	Repo   wire.Hash    `kdom:"repo"`
	Name   []byte       `kdom:"name"`
	Head   wire.Hash    `kdom:"head"` // the snap it points to
	Tag    *wire.Hash   `kdom:"tag"`  // id of the TAG object; nil for a branch
	Author wire.AgentID `kdom:"author"`
	Payer  wire.AgentID `kdom:"payer"` // whose storage it counts against
	Tick   wire.Tick    `kdom:"tick"`
	Credit bool         `kdom:"credit"` // the author of the snap was credited for it
}

// Dependency is an edge from a snap to a tag of another repo. Its key is from_repo ‖ from_snap ‖
// to_repo.
type Dependency struct {
	FromRepo wire.Hash `kdom:"from_repo"`
	FromSnap wire.Hash `kdom:"from_snap"`
	ToRepo   wire.Hash `kdom:"to_repo"`
	ToTag    wire.Hash `kdom:"to_tag"`
	Required bool      `kdom:"required"`
	Tick     wire.Tick `kdom:"tick"`
	Credit   bool      `kdom:"credit"` // the author of the tagged snap was credited for it
	Own      bool      `kdom:"own"`    // the owner of from_repo made it; only then it counts as a use of to_repo
}

// Listing is the registry entry of a published repo, except for what follows from the repo.
type Listing struct {
	Place       uint64    `kdom:"place"` // number of the publication, from 1; a repeated publication gets a new one
	Category    [][]byte  `kdom:"category"`
	Description []byte    `kdom:"description"`
	Snap        wire.Hash `kdom:"snap"` // that of the tag
	Tick        wire.Tick `kdom:"tick"`
}

// Usage is the storage that an agent uses.
type Usage struct {
	Bytes uint64 `kdom:"bytes"`
}

var (
	objectCodec     = codec.New[Object]()
	contentCodec    = codec.New[Content]()
	commitCodec     = codec.New[Commit]()
	homeCodec       = codec.New[Home]()
	repoCodec       = codec.New[Repo]()
	refCodec        = codec.New[Ref]()
	dependencyCodec = codec.New[Dependency]()
	listingCodec    = codec.New[Listing]()
	usageCodec      = codec.New[Usage]()
)

// refKind tells branches from tags in the keys of refs.
type refKind byte

const (
	branch refKind = 1
	tag    refKind = 2
)

func refKey(repo wire.Hash, kind refKind, name []byte) string {
	return string(repo[:]) + string([]byte{byte(kind)}) + string(name)
}

func dependencyKey(fromRepo, fromSnap, toRepo wire.Hash) string {
	return string(fromRepo[:]) + string(fromSnap[:]) + string(toRepo[:])
}
