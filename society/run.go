package society

import (
	"kingdom/wire"
)

// Run is the content of a run's tables in the form that the metrics need. An agent is given by its index in Agents;
// -1 is a system.
type Run struct {
	TicksPerCycle uint64
	First         uint64  // cycle from which on things count (see [Run.Since]); 0: from the beginning
	Last          uint64  // the last whole cycle
	AgentCycles   uint64  // sum over the cycles from 1 or First on of the agents alive at their end
	Idle          uint64  // slots without an act from First on
	Velocity      float64 // of money, mean over the cycles from 1 or First on

	Cycles []CycleCount // from 0 to Last, also those before First

	Agents       []Agent
	Acts         []Act         // each agent's in their order, the agents one after the other
	Messages     []Message     // by tick
	Entries      []Entry       // by the tick at which they were made
	Bounties     []Bounty      // by id
	Transactions []Transaction // in their order
	Proposals    []Proposal    // by id
	Goals        []Goal        // by id
	Events       []Event       // events that count here, in their order

	whole *Run // from its beginning; nil: this is
}

// Agent is an agent of a run.
type Agent struct {
	ID         wire.AgentID
	Role       wire.Role
	Spawned    uint64           // tick
	Reputation float64          // at the end
	Balance    int64            // ⚡ at the end
	Status     wire.AgentStatus // at the end
	// WorkPays is what the agent believes at the end that work in a domain pays, as the confidence of that belief.
	WorkPays map[string]float64
}

// Act is a request that an agent sent, with what it was about.
type Act struct {
	Agent   int
	Tick    uint64
	Action  string // name in the catalogue
	Failed  bool   // it was refused, or its result was a failure or partial
	Domain  string
	Goal    wire.Hash // that it served; zero: none in particular
	Kind    string    // of that goal; "": none
	Subject wire.Hash // what it was about; zero: nothing
	Topic   string    // first tag of the entry that it was about; "": none
	Answer  bool      // it posted an answer
}

// Message is a message of a channel.
type Message struct {
	ID     wire.Hash
	Author int
	Tick   uint64
	Kind   wire.MessageKind
	Text   string
	Refs   []wire.Hash
}

// Entry is an entry of the library.
type Entry struct {
	ID       wire.Hash
	Author   int
	Tick     uint64 // at which it was made
	Title    string
	Tag      string  // the first; "": none
	Accuracy float64 // at the end, [0,1]
}

// Bounty is a bounty at the end of the run.
type Bounty struct {
	ID      wire.Hash
	Creator int
	Status  wire.BountyStatus
}

// Transaction is a payment.
type Transaction struct {
	From, To    int // -1: a system
	Amount, Tax uint64
	Tick        uint64
	Operator    bool // an operator's input moved it (grant, take): it is a treatment, no outcome of the run
}

// Proposal is a proposal at the end of the run.
type Proposal struct {
	Author int
	Tick   uint64 // at which it was made
	Status wire.ProposalStatus
	Voters uint64
	Active uint64 // agents that were ACTIVE at the end of the deadline's cycle; 0: unknown
}

// Goal is a goal that ended.
type Goal struct {
	Tick      uint64 // at which it was made
	Kind      string
	Completed bool // else it was given up
}

// Event is an event that a metric counts.
type Event struct {
	Tick    uint64
	Payload any // pointer to the payload's type in package wire
}

// cycle is the cycle of a tick.
func (r *Run) cycle(tick uint64) uint64 { return tick / r.TicksPerCycle }

// productive are the acts that leave something behind for others. Answers count too.
var productive = map[string]bool{
	"entry_publish": true, "entry_verify": true, "entry_update": true, "citation_add": true,
	"bounty_create": true, "bounty_claim": true, "bounty_submit": true, "bounty_review": true, "review_request": true, "review_submit": true,
	"proposal_vote": true, "proposal_submit": true, "transfer": true, "escrow_create": true, "escrow_release": true, "escrow_refund": true,
}

func (a *Act) productive() bool { return a.Answer || productive[a.Action] }

// isOpen reports whether a bounty's status may still change.
func isOpen(s wire.BountyStatus) bool {
	return s != wire.BountyStatusCompleted && s != wire.BountyStatusRejected && s != wire.BountyStatusExpired
}
