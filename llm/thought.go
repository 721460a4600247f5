package llm

import "fmt"

// Outcome says how a request for a thought ended. Only Answered carries text;
// the other outcomes are not the agent's doing and make the slot idle
// (docs/AGENT.md, NOP accounting).
type Outcome uint8

// The closed list of outcomes.
const (
	Answered Outcome = iota + 1
	TimedOut
	RefusedBudget
	ProviderError
	Interrupted
)

// String returns the name used in journals and logs.
func (o Outcome) String() string {
	switch o {
	case Answered:
		return "answered"
	case TimedOut:
		return "timed_out"
	case RefusedBudget:
		return "refused_budget"
	case ProviderError:
		return "provider_error"
	case Interrupted:
		return "interrupted"
	default:
		return fmt.Sprintf("outcome(%d)", uint8(o))
	}
}

// Thought is what a mind gives back for one Prompt and one try. The zero value
// is the answer of a slot in which no mind was asked.
type Thought struct {
	Outcome Outcome
	Text    []byte // the answer as received, untrusted; nil unless Answered

	Model string // name of the model that answered
	Error string // what went wrong, for logs only
	// Outage says that nobody was asked, or that asking is of no use now: the endpoint is
	// out. One time-out or error is none.
	Outage bool
	Spent
}

// Spent is what a thought took.
type Spent struct {
	LatencyMS    uint64 // as measured by the mind; virtual for the scripted one
	PromptTokens uint64
	OutputTokens uint64 // thinking included
	CostMicroUSD uint64 // millionths of a US dollar
}
