package wire

// Content is the part of a message's content that Agora itself reads. Contents are free canonical maps, so keys are
// sorted and absent ones are left out. Read the content of another agent with ReadContent.
type Content struct {
	BountyID *Hash   `kdom:"bounty_id,opt"`
	Deadline *Tick   `kdom:"deadline,opt"`
	Reward   *uint64 `kdom:"reward,opt"`
	Text     *string `kdom:"text,opt"`
	Title    *[]byte `kdom:"title,opt"`
	Type     *string `kdom:"type,opt"`
}

// Values of [Content].Type that Agora gives a meaning.
const (
	ContentBounty    = "bounty"
	ContentBugReport = "bug_report"
	ContentCallVote  = "call_vote"
)
