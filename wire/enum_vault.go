package wire

import "kingdom/wire/codec"

// ObjectType is the type tag of a Vault object: a byte on the wire, and the first of the bytes
// that its id is the hash of.
type ObjectType = uint8

// The object types.
const (
	ObjectAtom  ObjectType = iota + 1 // any bytes: a program, a text
	ObjectTree                        // a directory: [Tree]
	ObjectSnap                        // a commit: [Snap]
	ObjectDelta                       // a change between two snaps: [Delta]
	ObjectChain                       // the export form of a branch: [ChainExport]
	ObjectTag                         // a name for a snap: [Tag]
	ObjectClaim                       // a licence for a repo: [Claim]
)

// TreeEntryKind says what an entry of a tree is.
type TreeEntryKind uint8

// Values of [TreeEntryKind], in wire order.
const (
	TreeEntryKindAtom TreeEntryKind = iota + 1
	TreeEntryKindTree
	TreeEntryKindLink
)

var treeEntryKindNames = []string{"ATOM", "TREE", "LINK"}

func (TreeEntryKind) EnumNames() []string { return treeEntryKindNames }
func (v TreeEntryKind) String() string    { return codec.EnumString(treeEntryKindNames, v) }

// RegistrySort orders the answers to REGISTRY_QUERY.
type RegistrySort uint8

// Values of [RegistrySort], in wire order.
const (
	RegistrySortQuality RegistrySort = iota + 1
	RegistrySortPopularity
	RegistrySortRecent
)

var registrySortNames = []string{"QUALITY", "POPULARITY", "RECENT"}

func (RegistrySort) EnumNames() []string { return registrySortNames }
func (v RegistrySort) String() string    { return codec.EnumString(registrySortNames, v) }
