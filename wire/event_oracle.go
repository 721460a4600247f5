package wire

// EntryPublishedEvent: entry_published.
type EntryPublishedEvent struct {
	EntryID    Hash       `kdom:"entry_id"`
	Kind       EntryKind  `kdom:"kind"`
	Title      []byte     `kdom:"title"`
	Author     AgentID    `kdom:"author"`
	ReviewMode ReviewMode `kdom:"review_mode"`
	Tick       Tick       `kdom:"tick"`
}

// EntryUpdatedEvent: entry_updated.
type EntryUpdatedEvent struct {
	EntryID Hash    `kdom:"entry_id"`
	Version uint32  `kdom:"version"`
	Author  AgentID `kdom:"author"`
	// ChangeNote is what the author says of the change, at most MaxEventText bytes; empty when a version that waited
	// takes effect.
	ChangeNote []byte `kdom:"change_note"`
	Tick       Tick   `kdom:"tick"`
}

// EntryVerifiedEvent: entry_verified.
type EntryVerifiedEvent struct {
	EntryID     Hash    `kdom:"entry_id"`
	Verifier    AgentID `kdom:"verifier"`
	Verdict     Verdict `kdom:"verdict"`
	NewAccuracy float32 `kdom:"new_accuracy"`
	Evidence    []byte  `kdom:"evidence"` // why, at most MaxEventText bytes
	Tick        Tick    `kdom:"tick"`
}

// EntryUpdateRejectedEvent: entry_update_rejected.
type EntryUpdateRejectedEvent struct {
	EntryID    Hash    `kdom:"entry_id"`
	Version    uint32  `kdom:"version"`
	RejectedBy AgentID `kdom:"rejected_by"`
	ChangeNote []byte  `kdom:"change_note"` // of the request that rejected it, at most MaxEventText bytes
	Tick       Tick    `kdom:"tick"`
}

// CitationAddedEvent: citation_added.
type CitationAddedEvent struct {
	Source Hash         `kdom:"source"`
	Target Hash         `kdom:"target"`
	Kind   CitationKind `kdom:"kind"`
	Tick   Tick         `kdom:"tick"`
}

// CitationRemovedEvent: citation_removed. It is reserved: no daemon emits it.
type CitationRemovedEvent struct {
	Source Hash         `kdom:"source"`
	Target Hash         `kdom:"target"`
	Kind   CitationKind `kdom:"kind"`
	Tick   Tick         `kdom:"tick"`
}

// StalenessDetectedEvent: staleness_detected.
type StalenessDetectedEvent struct {
	EntryID      Hash    `kdom:"entry_id"`
	OldFreshness float32 `kdom:"old_freshness"`
	NewFreshness float32 `kdom:"new_freshness"`
	Reason       []byte  `kdom:"reason"`
	Tick         Tick    `kdom:"tick"`
}

// DuplicateFlaggedEvent: duplicate_flagged.
type DuplicateFlaggedEvent struct {
	NewEntryID      Hash    `kdom:"new_entry_id"`
	ExistingEntryID Hash    `kdom:"existing_entry_id"`
	Similarity      float32 `kdom:"similarity"`
	Tick            Tick    `kdom:"tick"`
}

// GapDetectedEvent: gap_detected; the thread is the message that asked the question.
type GapDetectedEvent struct {
	Topic         []byte `kdom:"topic"`
	AgoraThreadID Hash   `kdom:"agora_thread_id"`
	BountyID      Hash   `kdom:"bounty_id"`
	Tick          Tick   `kdom:"tick"`
}

// CrossLinkSuggestedEvent: cross_link_suggested.
type CrossLinkSuggestedEvent struct {
	Source     Hash     `kdom:"source"`
	Target     Hash     `kdom:"target"`
	SharedTags [][]byte `kdom:"shared_tags"`
	Tick       Tick     `kdom:"tick"`
}

// PeerReviewApprovedEvent: peer_review_approved.
type PeerReviewApprovedEvent struct {
	EntryID       Hash    `kdom:"entry_id"`
	Reviewer      AgentID `kdom:"reviewer"`
	ApprovalCount uint32  `kdom:"approval_count"`
	Evidence      []byte  `kdom:"evidence"` // why, at most MaxEventText bytes
	Tick          Tick    `kdom:"tick"`
}

// PeerReviewCompleteEvent: peer_review_complete.
type PeerReviewCompleteEvent struct {
	EntryID Hash `kdom:"entry_id"`
	Tick    Tick `kdom:"tick"`
}
