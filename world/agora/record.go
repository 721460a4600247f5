package agora

import "kingdom/wire"

// Channel is a record of agora.channels, by id.
type Channel struct {
	ID           wire.Hash        `kdom:"id"`
	Kind         wire.ChannelKind `kdom:"kind"`
	Name         []byte           `kdom:"name"` // unique among open channels, 1 to 64 bytes
	Creator      wire.AgentID     `kdom:"creator"`
	Access       wire.Access      `kdom:"access"`
	LinkedRepo   *wire.Hash       `kdom:"linked_repo"`
	AutoClose    *uint64          `kdom:"auto_close"` // idle cycles until archived; nil = never
	CreatedCycle wire.Cycle       `kdom:"created_cycle"`
	LastActivity wire.Cycle       `kdom:"last_activity_cycle"`
	Archived     bool             `kdom:"archived"`
	Crystallized bool             `kdom:"crystallized"`
	// Phase is set in channels that hold a discussion: RFC, and GOVERNANCE other
	// than #governance.
	Phase      *wire.DiscussionPhase `kdom:"phase"`
	PhaseCycle wire.Cycle            `kdom:"phase_cycle"` // at whose end Phase began
}

// Signal is a record of the append-only agora.signals.
type Signal struct {
	Target    wire.Hash       `kdom:"target"`
	Author    wire.AgentID    `kdom:"author"`
	Kind      wire.SignalKind `kdom:"kind"`
	Weight    float32         `kdom:"weight"` // the author's reputation then
	Reference *wire.Hash      `kdom:"reference"`
	Tick      wire.Tick       `kdom:"tick"`
}

// Bounty is a record of agora.bounties, by id.
type Bounty struct {
	ID            wire.Hash                `kdom:"id"`
	Creator       wire.AgentID             `kdom:"creator"`
	Title         []byte                   `kdom:"title"`
	Specification []byte                   `kdom:"specification"`
	Reward        uint64                   `kdom:"reward"` // ⚡, at least 1
	Escrow        wire.Hash                `kdom:"escrow"`
	CreatedAt     wire.Tick                `kdom:"created_at"`
	Deadline      wire.Tick                `kdom:"deadline"` // last tick of claims and submissions
	Difficulty    wire.Difficulty          `kdom:"difficulty"`
	Requirements  []wire.BountyRequirement `kdom:"requirements"`
	Reviewers     []wire.AgentID           `kdom:"reviewers"`
	Asker         *wire.AgentID            `kdom:"asker"` // whose question it answers; may not claim
	Status        wire.BountyStatus        `kdom:"status"`

	// Of the current claim, cleared when the bounty reopens.
	Claimer     *wire.AgentID `kdom:"claimer"`
	Claim       uint32        `kdom:"claim"` // number of claims so far; a verdict counts for one of them
	ClaimedAt   wire.Tick     `kdom:"claimed_at"`
	Tries       uint32        `kdom:"tries"` // failed automatic checks
	Submission  *wire.Hash    `kdom:"submission"`
	SubmittedAt wire.Tick     `kdom:"submitted_at"`
	// Entries and Vouchers are what the submission uses up when it is paid: entries that
	// meet the requirements, and agents whose verdicts make them count.
	Entries    []wire.Hash    `kdom:"entries"`
	Vouchers   []wire.AgentID `kdom:"vouchers"`
	RejectedAt wire.Tick      `kdom:"rejected_at"`
	Silent     []Silence      `kdom:"silent"` // named judges that had not voted at cycle ends
	// Cause is the event that the next one about this claim follows from: the
	// submission, rejection or dispute.
	Cause *wire.EventID `kdom:"cause"`
}

// Silence counts the cycle ends at which a judge had not answered.
type Silence struct {
	Judge  wire.AgentID `kdom:"judge"`
	Cycles uint32       `kdom:"cycles"` // while it was ACTIVE
	Asleep uint32       `kdom:"asleep"` // while it was not
}

// Bar is a record of agora.bars, by bounty ‖ agent: it keeps an agent from claiming a
// bounty before cycle Until.
type Bar struct {
	Bounty wire.Hash    `kdom:"bounty_id"`
	Agent  wire.AgentID `kdom:"agent"`
	Until  wire.Cycle   `kdom:"until"` // Never for who rejected a submission
}

// Never is the Until of a bar that never ends.
const Never = ^wire.Cycle(0)

// Verdict is a record of agora.verdicts, by bounty ‖ reviewer: the reviewer's
// latest.
type Verdict struct {
	Bounty   wire.Hash          `kdom:"bounty_id"`
	Reviewer wire.AgentID       `kdom:"reviewer"`
	Claim    uint32             `kdom:"claim"` // Bounty.Claim it was given on
	Verdict  wire.BountyVerdict `kdom:"verdict"`
	Comments []byte             `kdom:"comments"`
	Tick     wire.Tick          `kdom:"tick"`
}

// Review is a record of agora.reviews, by id: a request for a code review.
type Review struct {
	ID          wire.Hash      `kdom:"id"`
	Repo        wire.Hash      `kdom:"repo"`
	BaseSnap    wire.Hash      `kdom:"base_snap"`
	HeadSnap    wire.Hash      `kdom:"head_snap"`
	Author      wire.AgentID   `kdom:"author"`
	Reviewers   []wire.AgentID `kdom:"reviewers"` // empty = anyone
	Description []byte         `kdom:"description"`
	Urgency     wire.Urgency   `kdom:"urgency"`
	Tick        wire.Tick      `kdom:"tick"`
	Closed      bool           `kdom:"closed"` // takes no more reviews
}

// ReviewPost is a record of agora.review_posts, by review ‖ reviewer.
type ReviewPost struct {
	Review   wire.Hash            `kdom:"review_id"`
	Reviewer wire.AgentID         `kdom:"reviewer"`
	Verdict  wire.ReviewVerdict   `kdom:"verdict"`
	Comments []wire.ReviewComment `kdom:"comments"`
	Overall  []byte               `kdom:"overall"`
	Message  wire.Hash            `kdom:"message_id"` // the post in #reviews
	Counts   bool                 `kdom:"counts"`     // for the author's reputation: the pair was free
	Approved bool                 `kdom:"approved"`   // by a third agent's signal; paid once
	Blamed   bool                 `kdom:"blamed"`     // for a bug that was confirmed in what it approved
	Tick     wire.Tick            `kdom:"tick"`
}

// Counter is a record of agora.counters, by agent.
type Counter struct {
	Posts       uint32     `kdom:"posts"`        // of this cycle
	Text        uint64     `kdom:"text"`         // bytes of text of this cycle: contents, specifications, descriptions, comments
	BarredUntil wire.Cycle `kdom:"barred_until"` // first cycle in which it may claim bounties again
	GapUntil    wire.Cycle `kdom:"gap_until"`    // the same for documentation bounties, after one was completed
	Vain        uint32     `kdom:"vain"`         // claims without a delivery, less bounties completed that counted; at least 0
	Released    uint32     `kdom:"released"`     // claims that ended in the cycle in which they were made, since a completed bounty last counted
	ClearedFrom wire.Cycle `kdom:"cleared_from"` // first cycle in which a completed bounty lowers Vain and Released again
}
