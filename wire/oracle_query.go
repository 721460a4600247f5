package wire

// EntryQuery searches entries: filters are AND-ed, lists OR-ed, nil filters ignored.
// Limit 0 means 20; at most 100. Offset skips so many results, at most 4 096.
type EntryQuery struct {
	Kinds           *[]EntryKind `kdom:"kinds"`
	Tags            *[][]byte    `kdom:"tags"`
	Authors         *[]AgentID   `kdom:"authors"`
	About           *[]byte      `kdom:"about"`
	RelatedTo       *[]Hash      `kdom:"related_to"`
	MinAccuracy     *float32     `kdom:"min_accuracy"`
	MinCompleteness *float32     `kdom:"min_completeness"`
	MinCitations    *uint32      `kdom:"min_citations"`
	VerifiedOnly    bool         `kdom:"verified_only,default"`
	UpdatedAfter    *Tick        `kdom:"updated_after"`
	Sort            OracleSort   `kdom:"sort,default"`
	Limit           uint32       `kdom:"limit,default"`
	Offset          uint32       `kdom:"offset,default"`
}

// EntryQueryReply holds the entries found, in the order asked for, as many as fit.
type EntryQueryReply struct {
	Entries []OracleEntry `kdom:"entries"`
	// Cut are the ids of entries here whose body was left out for its length: ENTRY_GET, or a
	// query with limit 1, gives it.
	Cut []Hash `kdom:"cut"`
	// Next is the offset of the first result that is not here; nil if there is none.
	Next *uint32 `kdom:"next"`
}
