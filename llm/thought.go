package llm

import (
	"fmt"

	"kingdom/wire"
)

// Outcome says how a request for a thought ended. Only Answered has a text. The other outcomes are not caused by the
// agent and make the slot idle (docs/AGENT.md, slots without an action).
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

// Thought is the result of one try of a mind to answer a Prompt. The zero value is used in slots in which no mind is
// asked.
type Thought struct {
	Outcome Outcome
	Text    []byte // the answer as received, untrusted; nil unless Answered

	Model string // name of the model that answered
	Error string // what went wrong, for logs only
	// Outage says that the endpoint is out: it was not asked, or asking it again is of no use now. A single
	// time-out or error is not an outage.
	Outage bool

	// Capped says that the cap of the whole run forbids the call: the run stops. nil otherwise.
	Capped *Capped

	// Fallback says that another mind answered because the endpoint of the right one was out; Error says why
	// (think.on_outage: fallback).
	Fallback bool

	Calls []Call // requests that were sent for it, in order; none of a mind that asks nobody
	Spent        // sum of the calls; LatencyMS also includes the waiting for the endpoint's limits
}

// Capped says which cap forbids a call, in millionths of a US dollar.
type Capped struct{ Cap, Spent, Call uint64 }

// Call is one request to a language model.
type Call struct {
	Model   string // its name in the scenario
	Failure string // why it brought no answer: a word of docs/MINDS.md; empty if it brought one
	Spent
}

// Spent is the time, the tokens and the money that a thought or a call took.
type Spent struct {
	LatencyMS       uint64 // as measured by the mind; virtual for the scripted one
	PromptTokens    uint64
	CachedTokens    uint64 // those of the prompt tokens that the server read from its cache
	OutputTokens    uint64 // thinking included
	ReasoningTokens uint64 // those of the output tokens that were thinking, where the server says
	CostMicroUSD    uint64 // millionths of a US dollar
	Estimated       bool   // the server did not report a count that can be believed: at least one is estimated
}

// Add adds what another call took, its latency included.
func (s *Spent) Add(o *Spent) {
	s.LatencyMS += o.LatencyMS
	s.PromptTokens += o.PromptTokens
	s.CachedTokens += o.CachedTokens
	s.OutputTokens += o.OutputTokens
	s.ReasoningTokens += o.ReasoningTokens
	s.CostMicroUSD += o.CostMicroUSD
	s.Estimated = s.Estimated || o.Estimated
}

// Recorded is a thought as the journal keeps it, under the agent, tick, purpose and try that identify it in its run,
// with the hash of its prompt.
type Recorded struct {
	Agent   wire.AgentID
	Tick    wire.Tick
	Purpose string
	Try     uint32
	Prompt  wire.Hash // Prompt.Hash; zero if the run was recorded before it was kept
	Thought

	// Unusable says that the agent could not use the answer. Only the journal of a run says it, and not those of earlier builds.
	Unusable bool
}
