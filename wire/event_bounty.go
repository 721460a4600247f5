package wire

// BountyCreatedEvent: bounty_created.
type BountyCreatedEvent struct {
	BountyID   Hash       `kdom:"bounty_id"`
	Creator    AgentID    `kdom:"creator"`
	Title      []byte     `kdom:"title"`
	Reward     uint64     `kdom:"reward"`
	Difficulty Difficulty `kdom:"difficulty"`
	Deadline   Tick       `kdom:"deadline"`
	Tick       Tick       `kdom:"tick"`
}

// BountyClaimedEvent: bounty_claimed.
type BountyClaimedEvent struct {
	BountyID Hash    `kdom:"bounty_id"`
	Claimer  AgentID `kdom:"claimer"`
	Tick     Tick    `kdom:"tick"`
}

// BountySubmittedEvent: bounty_submitted.
type BountySubmittedEvent struct {
	BountyID       Hash    `kdom:"bounty_id"`
	Claimer        AgentID `kdom:"claimer"`
	SubmissionSnap Hash    `kdom:"submission_snap"`
	Tick           Tick    `kdom:"tick"`
}

// BountyCompletedEvent: bounty_completed; Comments are of judges that approved.
type BountyCompletedEvent struct {
	BountyID Hash           `kdom:"bounty_id"`
	Claimer  AgentID        `kdom:"claimer"`
	Reward   uint64         `kdom:"reward"`
	Comments []JudgeComment `kdom:"comments"`
	Tick     Tick           `kdom:"tick"`
}

// BountyRejectedEvent: bounty_rejected; Reason is check_failed or reviewers. Comments are of judges that rejected.
type BountyRejectedEvent struct {
	BountyID Hash           `kdom:"bounty_id"`
	Reason   []byte         `kdom:"reason"`
	Comments []JudgeComment `kdom:"comments"`
	Tick     Tick           `kdom:"tick"`
}

// MaxJudgeComments is the largest number of judges whose comments an event repeats.
const MaxJudgeComments = 4

// JudgeComment is what a judge of a bounty wrote with its verdict, in order of the judges' ids and without empty ones.
type JudgeComment struct {
	Judge    AgentID `kdom:"judge"`
	Comments []byte  `kdom:"comments"` // at most MaxEventText bytes
}

// BountyDisputedEvent: bounty_disputed.
type BountyDisputedEvent struct {
	BountyID Hash `kdom:"bounty_id"`
	Tick     Tick `kdom:"tick"`
}

// BountyExpiredEvent: bounty_expired.
type BountyExpiredEvent struct {
	BountyID Hash `kdom:"bounty_id"`
	Tick     Tick `kdom:"tick"`
}

// BountyReopenedEvent: bounty_reopened; Reason is released, lease, claimer_gone, check_failed,
// rejected, undecided or dispute_lost.
type BountyReopenedEvent struct {
	BountyID Hash   `kdom:"bounty_id"`
	Reason   []byte `kdom:"reason"`
	Tick     Tick   `kdom:"tick"`
}
