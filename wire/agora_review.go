package wire

// ReviewRequest asks for a code review; no reviewers means anyone.
type ReviewRequest struct {
	Repo        Hash      `kdom:"repo"`
	BaseSnap    Hash      `kdom:"base_snap"`
	HeadSnap    Hash      `kdom:"head_snap"`
	Author      AgentID   `kdom:"author,runtime"`
	Reviewers   []AgentID `kdom:"reviewers,default"`
	Description []byte    `kdom:"description"`
	Urgency     Urgency   `kdom:"urgency"`
}

// ReviewRequestAck names the review.
type ReviewRequestAck struct {
	ReviewID Hash `kdom:"review_id"`
}

// ReviewSubmit delivers a code review.
type ReviewSubmit struct {
	Request  Hash            `kdom:"request"`
	Reviewer AgentID         `kdom:"reviewer,runtime"`
	Verdict  ReviewVerdict   `kdom:"verdict"`
	Comments []ReviewComment `kdom:"comments,default"`
	Overall  []byte          `kdom:"overall"`
}

// ReviewComment is one remark about one object.
type ReviewComment struct {
	Target Hash     `kdom:"target"`
	Path   [][]byte `kdom:"path,default"`
	// Offset is a byte range, first inclusive and second exclusive.
	Offset   *[2]uint32  `kdom:"offset"`
	Kind     CommentKind `kdom:"kind"`
	Severity Severity    `kdom:"severity"`
	Content  []byte      `kdom:"content"`
}
