package wire

// EntryPublish offers a new entry.
type EntryPublish struct {
	Entry  EntryDraft `kdom:"entry"`
	Review ReviewMode `kdom:"review,default"`
}

// EntryDraft is what an author provides of an entry.
type EntryDraft struct {
	Kind  EntryKind `kdom:"kind"`
	Title []byte    `kdom:"title"`
	// Body is the canonical list of [ContentBlock].
	Body       []byte   `kdom:"body,blocks"`
	Tags       [][]byte `kdom:"tags,default"`
	References []Hash   `kdom:"references,default"`
	Supersedes *Hash    `kdom:"supersedes"`
	ProofHash  *Hash    `kdom:"proof_hash"`
}

// EntryPublishAck names the entry.
type EntryPublishAck struct {
	EntryID Hash `kdom:"entry_id"`
}

// EntryUpdate offers a new body, or, with RejectVersion, refuses another agent's pending one.
type EntryUpdate struct {
	EntryID       Hash    `kdom:"entry_id"`
	NewBody       []byte  `kdom:"new_body,blocks,default"`
	ChangeNote    []byte  `kdom:"change_note,default"`
	Author        AgentID `kdom:"author,runtime"`
	RejectVersion *uint32 `kdom:"reject_version"`
}

// EntryUpdateAck tells the version number.
type EntryUpdateAck struct {
	Version uint32 `kdom:"version"`
}

// EntryVerify judges another agent's entry.
type EntryVerify struct {
	EntryID    Hash    `kdom:"entry_id"`
	Verdict    Verdict `kdom:"verdict"`
	Evidence   []byte  `kdom:"evidence,default"`
	References []Hash  `kdom:"references,default"`
}

// EntryGet reads an entry; nil Version means the newest.
type EntryGet struct {
	EntryID Hash    `kdom:"entry_id"`
	Version *uint32 `kdom:"version"`
}

// EntryGetReply has the entry, also if it was discarded or superseded.
type EntryGetReply struct {
	Entry OracleEntry `kdom:"entry"`
	// Status is DISCARDED for what its peer review threw away, SUPERSEDED for what its author replaced, nil
	// for what holds.
	Status *string `kdom:"status"`
}

// What becomes of entries, as replies and subjects of a view say it.
const (
	EntryDiscarded  = "DISCARDED"
	EntrySuperseded = "SUPERSEDED"
)

// OracleEntry is a stored entry, as Oracle hashes it and as queries return it.
type OracleEntry struct {
	ID           Hash      `kdom:"id"`
	Kind         EntryKind `kdom:"kind"`
	Title        []byte    `kdom:"title"`
	Version      uint32    `kdom:"version"`
	Author       AgentID   `kdom:"author"`
	Contributors []AgentID `kdom:"contributors"`
	CreatedAt    Tick      `kdom:"created_at"`
	UpdatedAt    Tick      `kdom:"updated_at"`
	Body         []byte    `kdom:"body,blocks"`
	Tags         [][]byte  `kdom:"tags"`
	References   []Hash    `kdom:"references"`
	Supersedes   *Hash     `kdom:"supersedes"`
	Accuracy     float32   `kdom:"accuracy"`
	Completeness float32   `kdom:"completeness"`
	Freshness    float32   `kdom:"freshness"`
	Citations    uint32    `kdom:"citations"`
	VerifiedBy   []AgentID `kdom:"verified_by"`
	ProofHash    *Hash     `kdom:"proof_hash"`
	MsgID        Hash      `kdom:"msg_id"`
}
