package wire

// Reply is a daemon's answer to one request as it travels inside a process:
// typed, not yet bytes. Exactly one of Body and Err is meaningful: Err is nil on
// success. Body is a pointer to the payload struct of Type (nil for a bare ACK).
// See docs/WIRE.md, replies.
type Reply struct {
	Ref  Hash       // msg_id of the request
	Type MsgType    // TypeAck, TypeError, or the reply type named by the catalogue
	Body any        // *BountyCreateAck, *BalanceQueryReply, …; nil for a bare ACK
	Err  *ErrorBody // set iff Type is TypeError
	// Missing are the parts of Body to be filled in before it is read.
	Missing []Missing
}

// Event is one entry of the world's append-only event log (docs/WORLD.md, events). Payload is a pointer to the
// payload struct of Kind. All readers share it, so it is read-only. Its canonical bytes are made when it is stored or
// leaves the process.
type Event struct {
	ID        EventID
	Timestamp Tick
	Origin    AgentID // the agent that caused it; for a daemon's own event, the agent it is about, else the daemon
	System    System
	Kind      EventKind
	Payload   any
	Parent    *EventID
}

// BountyView is one bounty in a view.
type BountyView struct {
	ID            Hash
	Creator       AgentID
	Title         []byte
	Specification []byte
	Reward        uint64 // ⚡
	Deadline      Tick
	Difficulty    Difficulty
	Requirements  []BountyRequirement
	Reviewers     []AgentID
	Claimer       *AgentID
	ClaimedAt     Tick
	Status        BountyStatus
	Barred        bool // this reader may not claim it (own, asker, rejecter, lease bar)
	Ready         bool // this reader claimed it, and the entries that it asks for are there
}

// ReviewView is a review that waits for the reader: a REVIEW_REQUEST naming it
// or nobody, or a bounty in REVIEWING.
type ReviewView struct {
	ID       Hash // review id or bounty id
	Bounty   bool // true: answer with BOUNTY_REVIEW, false: REVIEW_SUBMIT
	Author   AgentID
	Asker    AgentID // whose words Title and Asks are: the bounty's creator, or the author
	Title    []byte  // of the bounty
	Asks     []byte  // the bounty's specification, or the description of the request
	Snap     Hash    // head_snap or submission_snap
	Base     Hash    // base_snap of a request, the snap before the change
	Since    Tick
	Urgency  Urgency
	Verdicts uint32 // verdicts already given
	Asked    bool   // it is asked of the reader in particular; else of anybody
}

// ProposalView is an open proposal on which the reader has not voted.
type ProposalView struct {
	ID       Hash
	Author   AgentID
	Kind     ProposalKind
	Deadline Tick
	// Description is what it asks for, by kind, as in [ProposalSubmit].
	Description []byte
	For         int64  // weight of the votes for it
	Against     int64  // weight of the votes against it
	Voters      uint32 // agents that have voted
}

// Subject is a thing of which an agent wants to know whether it is closed to it.
type Subject struct {
	ID     Hash
	System System // the daemon that has it; 0 if the agent does not know
}

// SubjectView says what became of a thing that an agent holds on to: a goal or a plan is about
// it, and nothing is left there for the agent to do.
type SubjectView struct {
	ID     Hash
	Kind   string  // bounty, review, proposal, question, entry, agent, escrow
	Status string  // how it ended, as EXPIRED, ANSWERED, VOTED, BARRED (docs/WORLD.md, subjects)
	By     AgentID // who has it now or brought it about; zero: nobody in particular
}

// SandboxView is a sandbox of the reader.
type SandboxView struct {
	ID         Hash
	Code       Hash // the program
	State      SandboxState
	Persistent bool
	TickBudget uint64     // forge ticks of a run at most
	TicksUsed  uint64     // forge ticks of the last run
	Fault      *FaultCode // of a FAULTED one
	Service    *Hash      // that serves from it
	Name       []byte     // of the service, in its owner's words
	Fee        uint64     // ⚡ per call of the service, without tax
}

// LibraryView is a published repo of another agent in a view.
type LibraryView struct {
	Repo        Hash
	Author      AgentID
	Name        []byte // its author's words, as the description
	Description []byte
	Tag         Hash // its newest tag
	Snap        Hash // that the tag names
}

// ServiceView is a service that the reader may call.
type ServiceView struct {
	ID       Hash
	Owner    AgentID
	Name     []byte // its owner's words
	Endpoint []byte // the first one
	Fee      uint64 // ⚡ per call, without tax
}

// MaxSubjects is how many ids an agent may ask about in a view.
const MaxSubjects = 64

// View is all that one agent sees at one of its slots: the state of the world
// before the tick, never a sibling's action of the same tick (docs/WORLD.md,
// filters and delivery). It is read-only and valid until the turn's Record returns.
type View struct {
	Tick       Tick
	Cycle      Cycle
	Epoch      uint32
	Gates      uint8 // gate profile: index into action.Row.Epoch
	Status     AgentStatus
	Balance    int64  // ⚡
	Locked     uint64 // ⚡ that are locked, or owed as upkeep
	Earmarked  uint64 // ⚡ left of a spawn grant: for what the treasury sells, not for locks and other agents
	Earned     uint64 // ⚡ ever received
	Reputation float64
	Approvers  uint32 // how many ACTIVE agents' verdicts may still earn this one a reward (docs/WORLD.md, pairs)
	SlotsLeft  uint64 // slots left in this cycle, this one included

	Events     []*Event       // since the last slot, in id order
	Deliveries []Reply        // results of asynchronous requests and reports, in commit order
	Bounties   []BountyView   // the best 32 open ones, reward descending, then id
	Claims     []BountyView   // those this agent holds (CLAIMED, SUBMITTED, REVIEWING) or has created
	Reviews    []ReviewView   // the oldest 32 asked of this agent
	Sandboxes  []SandboxView  // of this agent, in order of their ids
	ForgeTicks uint64         // forge ticks left in this cycle
	Libraries  []LibraryView  // the newest 8 published repos of others that have a tag
	Services   []ServiceView  // 8 running services of others
	Proposals  []ProposalView // open, not yet voted on, nearest deadlines
	Subjects   []SubjectView  // of the things asked about, those that are closed to this agent, in the order of asking
}
