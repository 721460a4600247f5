package world

import "kingdom/wire"

// Preparer is a daemon that wants requests prepared before their commit, so that expensive work is done in parallel
// and answers from outside are fetched and journaled. Preparation is a cache and never a decision: Apply uses
// Context.Prepared, or does the work again if a premise does not hold at the commit.
type Preparer interface {
	// Prepare looks at the requests of tick t to this daemon, in commit order, and returns
	// the tasks. It and the tasks read the state before the tick and change nothing; the
	// requests have not been checked yet and may be refused at their commit.
	Prepare(t wire.Tick, requests []Request) []Task
}

// Request is a sealed request that waits for its commit.
type Request struct {
	Seat    int // its place in the commit order
	Source  wire.AgentID
	Msg     wire.Hash // its msg_id
	Payload any       // pointer to the payload struct; read-only
}

// Task prepares requests that depend on each other. The tasks of a tick run in parallel.
type Task struct {
	// Seats are the requests that it serves, at least one. A seat is in one task at most.
	Seats []int
	// Fetch is what to ask of the outside, nil for nothing. The answer is journaled in the name
	// of the agent of the first seat.
	Fetch []byte
	// Reads lists the records that Run needs and that are not in memory; nil needs none. What it
	// lists is filled in and it is called again, since what was read may name more, until it
	// lists nothing. It may write to what is the task's own only.
	Reads func() []wire.Missing
	// Run is a pure function of the state before the tick and of the answer, which is zero
	// if nothing was asked. Value i goes with Seats[i] to Apply, as Context.Prepared.
	Run func(a Answer) []any
}

// Answer is the answer from outside to a Task's Fetch.
type Answer struct {
	Body []byte
	// Failed says why there is no answer; empty if there is one.
	Failed string
}
