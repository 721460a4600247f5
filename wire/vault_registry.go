package wire

// RegistryQuery searches the published repos: filters are AND-ed, nil filters ignored. Limit 0
// means 20; at most 100.
type RegistryQuery struct {
	Category   *[]byte      `kdom:"category"`
	TextMatch  *[]byte      `kdom:"text_match"`
	MinQuality *float32     `kdom:"min_quality"`
	Sort       RegistrySort `kdom:"sort,default"`
	Limit      uint32       `kdom:"limit,default"`
	Offset     uint32       `kdom:"offset,default"`
}

// RegistryQueryReply holds the repos found, in the order asked for.
type RegistryQueryReply struct {
	Entries []RegistryEntry `kdom:"entries"`
	// Next is the offset of the first match that this reply does not hold; nil: there is none.
	Next *uint32 `kdom:"next"`
}

// RegistryEntry is a published repo.
type RegistryEntry struct {
	RepoID      Hash     `kdom:"repo_id"`
	Name        []byte   `kdom:"name"`
	Category    [][]byte `kdom:"category"`
	Description []byte   `kdom:"description"`
	Quality     float32  `kdom:"quality"`
	Popularity  uint32   `kdom:"popularity"` // other owners that depend on it or have forked it
	Author      AgentID  `kdom:"author"`
	// Tag is the newest tag, to which others bind by DEPENDENCY_ADD, with its name and the snap that it names; all nil:
	// the repo has none.
	Tag     *Hash   `kdom:"tag"`
	TagName *[]byte `kdom:"tag_name"`
	Snap    *Hash   `kdom:"snap"`
}

// DependencyAdd declares that a snap of one repo builds on a tag of another.
type DependencyAdd struct {
	FromRepo Hash `kdom:"from_repo"`
	FromSnap Hash `kdom:"from_snap"`
	ToRepo   Hash `kdom:"to_repo"`
	ToTag    Hash `kdom:"to_tag"`
	Required bool `kdom:"required"`
}

// DependencyNotify tells the owner of dependent repos that a repo has a new tag.
type DependencyNotify struct {
	RepoID     Hash   `kdom:"repo_id"`
	NewTag     Hash   `kdom:"new_tag"`    // the newest of the cycle
	Dependents []Hash `kdom:"dependents"` // the owner's repos that depend on it, at most 64
}
