package wire

// RepoCreatedEvent: repo_created.
type RepoCreatedEvent struct {
	RepoID Hash    `kdom:"repo_id"`
	Name   []byte  `kdom:"name"`
	Owner  AgentID `kdom:"owner"`
	Tick   Tick    `kdom:"tick"`
}

// SnapCreatedEvent: snap_created; the first snap of a repo has no parent.
type SnapCreatedEvent struct {
	RepoID Hash    `kdom:"repo_id"`
	SnapID Hash    `kdom:"snap_id"`
	Author AgentID `kdom:"author"`
	Parent *Hash   `kdom:"parent"`
	Tick   Tick    `kdom:"tick"`
}

// ChainCreatedEvent: chain_created.
type ChainCreatedEvent struct {
	RepoID    Hash   `kdom:"repo_id"`
	ChainName []byte `kdom:"chain_name"`
	FromSnap  Hash   `kdom:"from_snap"`
	Tick      Tick   `kdom:"tick"`
}

// ChainAdvancedEvent: chain_advanced, by CHAIN_ADVANCE or by a new snap on the head.
type ChainAdvancedEvent struct {
	RepoID    Hash   `kdom:"repo_id"`
	ChainName []byte `kdom:"chain_name"`
	OldHead   Hash   `kdom:"old_head"`
	NewHead   Hash   `kdom:"new_head"`
	Tick      Tick   `kdom:"tick"`
}

// ChainDeletedEvent: chain_deleted.
type ChainDeletedEvent struct {
	RepoID    Hash   `kdom:"repo_id"`
	ChainName []byte `kdom:"chain_name"`
	Tick      Tick   `kdom:"tick"`
}

// TagCreatedEvent: tag_created.
type TagCreatedEvent struct {
	RepoID  Hash    `kdom:"repo_id"`
	TagName []byte  `kdom:"tag_name"`
	Target  Hash    `kdom:"target"`
	Author  AgentID `kdom:"author"`
	Tick    Tick    `kdom:"tick"`
}

// MergeCompletedEvent: merge_completed; the repo is that of left and of the result.
type MergeCompletedEvent struct {
	RepoID        Hash   `kdom:"repo_id"`
	Base          Hash   `kdom:"base"`
	Left          Hash   `kdom:"left"`
	Right         Hash   `kdom:"right"`
	Result        Hash   `kdom:"result"`
	ConflictCount uint32 `kdom:"conflict_count"` // all of them, also those beyond the reply's 1,024
	Tick          Tick   `kdom:"tick"`
}

// RepoForkedEvent: repo_forked.
type RepoForkedEvent struct {
	SourceRepo Hash    `kdom:"source_repo"`
	NewRepo    Hash    `kdom:"new_repo"`
	NewOwner   AgentID `kdom:"new_owner"`
	Tick       Tick    `kdom:"tick"`
}

// DependencyAddedEvent: dependency_added.
type DependencyAddedEvent struct {
	FromRepo Hash `kdom:"from_repo"`
	ToRepo   Hash `kdom:"to_repo"`
	ToTag    Hash `kdom:"to_tag"`
	Required bool `kdom:"required"`
	Tick     Tick `kdom:"tick"`
}

// DependencyUpdatedEvent: dependency_updated; the repo is the one that others depend on.
type DependencyUpdatedEvent struct {
	RepoID         Hash   `kdom:"repo_id"`
	NewTag         Hash   `kdom:"new_tag"`
	DependentCount uint32 `kdom:"dependent_count"` // repos that depend on it
}

// RegistryPublishedEvent: registry_published.
type RegistryPublishedEvent struct {
	RepoID   Hash     `kdom:"repo_id"`
	Name     []byte   `kdom:"name"`
	Author   AgentID  `kdom:"author"`
	Category [][]byte `kdom:"category"`
	Tick     Tick     `kdom:"tick"`
}

// ObjectStoredEvent: object_stored, by OBJECT_PUT of what was not there.
type ObjectStoredEvent struct {
	ObjectID  Hash       `kdom:"object_id"`
	TypeTag   ObjectType `kdom:"type_tag"`
	SizeBytes uint64     `kdom:"size_bytes"`
	Tick      Tick       `kdom:"tick"`
}

// ClaimCreatedEvent: claim_created.
type ClaimCreatedEvent struct {
	RepoID  Hash    `kdom:"repo_id"`
	Owner   AgentID `kdom:"owner"`
	ClaimID Hash    `kdom:"claim_id"`
	Tick    Tick    `kdom:"tick"`
}
