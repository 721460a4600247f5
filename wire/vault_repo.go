package wire

// EmptyTree is the id of the tree without entries, the root of a repo created without one.
var EmptyTree = ObjectID(ObjectTree, TreeCodec.Append(nil, &Tree{}))

// RepoCreate makes a repo with a first snap, or forks one.
type RepoCreate struct {
	Name         []byte       `kdom:"name"`
	Owner        AgentID      `kdom:"owner,runtime"`
	AccessPolicy AccessPolicy `kdom:"access_policy"`
	// Root is the tree of the first snap; nil: that of ForkOf's chain main, else [EmptyTree].
	Root    *Hash           `kdom:"root"`
	Message []byte          `kdom:"message"`
	ForkOf  *Hash           `kdom:"fork_of"`
	Objects *[]InlineObject `kdom:"objects"`
	// Signature is that of the first snap.
	Signature Signature `kdom:"signature,runtime"`
}

// RepoCreateAck names the repo and its first snap. The two ids are equal.
type RepoCreateAck struct {
	RepoID Hash `kdom:"repo_id"`
	SnapID Hash `kdom:"snap_id"`
}

// InlineObject is an object that a request carries. The objects of a request are stored in order before anything else
// is done.
type InlineObject struct {
	TypeTag ObjectType `kdom:"type_tag"`
	Data    []byte     `kdom:"data,object"`
}

// ID is the id of the object.
func (o *InlineObject) ID() Hash { return ObjectID(o.TypeTag, o.Data) }

// AccessPolicy says who may do what with a repo. Its owner may do everything.
type AccessPolicy struct {
	Read  ReadAccess  `kdom:"read"`
	Write WriteAccess `kdom:"write"`
	Fork  bool        `kdom:"fork"`
}

// ReadAccess says who may read a repo; exactly one variant is set.
type ReadAccess struct {
	Public     bool       `kdom:"PUBLIC"`
	AgentsOnly *[]AgentID `kdom:"AGENTS_ONLY"`
	OwnerOnly  bool       `kdom:"OWNER_ONLY"`
}

// Union marks the type as a union enum.
func (ReadAccess) Union() {}

// WriteAccess says who may write to a repo; exactly one variant is set.
type WriteAccess struct {
	Open      bool       `kdom:"OPEN"`
	Approved  *[]AgentID `kdom:"APPROVED"`
	OwnerOnly bool       `kdom:"OWNER_ONLY"`
}

// Union marks the type as a union enum.
func (WriteAccess) Union() {}

// ChainCreate opens a branch at a snap.
type ChainCreate struct {
	Repo     Hash   `kdom:"repo"`
	Name     []byte `kdom:"name"`
	FromSnap Hash   `kdom:"from_snap"`
}

// ChainAdvance moves the head of a branch to a descendant, or deletes the branch.
type ChainAdvance struct {
	Repo      Hash   `kdom:"repo"`
	ChainName []byte `kdom:"chain_name"`
	NewHead   *Hash  `kdom:"new_head"` // nil: delete the branch
}

// TagCreate gives a snap a name for good, and may publish its repo.
type TagCreate struct {
	Repo      Hash         `kdom:"repo"`
	Name      []byte       `kdom:"name"`
	Target    Hash         `kdom:"target"`
	Message   []byte       `kdom:"message,default"`
	Publish   *Publication `kdom:"publish"`
	Signature Signature    `kdom:"signature,runtime"`
}

// Publication is what the registry says of a repo.
type Publication struct {
	Category    [][]byte `kdom:"category"`
	Description []byte   `kdom:"description"`
}

// TagCreateAck names the tag object.
type TagCreateAck struct {
	TagID Hash `kdom:"tag_id"`
}
