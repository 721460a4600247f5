package ooda

import (
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/codec"
)

// AskKind says whether a slot needs a thought.
type AskKind uint8

const (
	// AskThink: give Prompt to the mind and call Act with its thought.
	AskThink AskKind = iota + 1
	// AskSilent: no thought is needed (nothing feasible, or a running task takes
	// the slot); call Act with the zero Thought.
	AskSilent
)

// Asked is the result of the first half of a turn. Prompt is valid until Act
// returns a step other than StepAgain; it is nil when Kind is AskSilent.
type Asked struct {
	Kind   AskKind
	Prompt *llm.Prompt
}

// StepKind says what the caller has to do with a step.
type StepKind uint8

const (
	// StepSend: commit Envelope, then call Record with its reply.
	StepSend StepKind = iota + 1
	// StepNone: nothing is sent (a NOP, an idle slot, a slot that a running task
	// consumed, or an action dearer than the slots left); call Record with the zero
	// Reply.
	StepNone
	// StepAgain: the answer was unusable; ask the mind again with the same prompt.
	StepAgain
)

// Step is the result of the second half of a turn. Its envelope is not signed. If a NOP makes the streak long enough for a
// warning or for sleep (docs/AGENT.md, slots without an action), the step is a StepSend whose envelope is the runtime's AGENT_STATUS report, and NOP is set too.
type Step struct {
	Kind     StepKind
	Envelope wire.Envelope
	Payload  any          // pointer to the typed request inside Envelope
	NOP      *NOPRecord   // set iff the slot sent nothing of the mind's and was not consumed by a task or a rest
	Think    *ThinkRecord // set iff a thought was given, one per try; valid until the next Act

	Resting  bool   // the agent rests, from this slot on or since an earlier one
	RestLeft uint64 // how many more slots the rest lets pass at most
}

// NOPReason says why a slot sent nothing.
type NOPReason uint8

// The closed list of reasons. The first three are NOPs and extend the streak;
// the others leave it as it is: idle slots, and the choice to rest.
const (
	NOPChosen NOPReason = iota + 1
	NOPParseFailed
	NOPNoAffordance
	NOPTimedOut
	NOPRefusedBudget
	NOPProviderError
	NOPInterrupted
	NOPRest
)

var nopReasonNames = []string{"chosen", "parse_failed", "no_affordance", "timed_out", "refused_budget", "provider_error", "interrupted", "rest"}

func (NOPReason) EnumNames() []string { return nopReasonNames }
func (r NOPReason) String() string    { return codec.EnumString(nopReasonNames, r) }

// Idle reports whether the slot leaves the streak of NOPs as it is.
func (r NOPReason) Idle() bool { return r > NOPNoAffordance }

// Class returns "NOP", "rest", or "idle" if the agent did not cause the empty slot.
func (r NOPReason) Class() string {
	switch {
	case r == NOPRest:
		return "rest"
	case r.Idle():
		return "idle"
	}
	return "NOP"
}

// GoalRef names a goal in a line of a log.
type GoalRef struct {
	ID       wire.Hash
	Kind     goals.Kind
	Priority float64
}

// NOPRecord is one line of nop.jsonl, without the fields that only the engine knows. StatusTo differs from StatusFrom
// if the streak put the agent to sleep.
type NOPRecord struct {
	Reason     NOPReason
	Streak     uint32   // after this slot
	Slots      uint64   // of a rest: how many of the next slots it lets pass at most
	Goal       *GoalRef // the top goal; nil if there was none
	Tier       llm.Tier // 0 if no thought was needed
	Model      string
	Attempts   uint32 // thoughts asked in this slot
	Reasoning  string // of a mind that chose to do nothing: observers only
	Error      string // why the last answer was unusable, or what the provider said
	StatusFrom wire.AgentStatus
	StatusTo   wire.AgentStatus
	Balance    int64
	Reputation float64
}

// ThinkRecord is one line of the think log: the result of one try.
type ThinkRecord struct {
	Purpose     string // of the thought: llm.PurposeAct
	Try         uint32
	Tier        llm.Tier
	Outcome     llm.Outcome
	Model       string
	Goal        *GoalRef // the goal that the act serves, nil if none in particular; without an act the top goal
	Affordances int
	Action      string                    // the action of a usable answer, "nop" included
	Decided     [llm.Decisive]llm.Decided // what set the act apart from what else was offered, the largest first
	Deciding    int                       // how many of them there are
	Reasoning   string                    // private to the agent: observers only
	Fallback    bool                      // the mind that should have thought was out, another one stood in
	Error       string                    // why there was no answer, or why it was unusable
	Spent       llm.Spent
	Calls       []llm.Call // to models, of which Spent is the sum
	Ignored     int        // keys that an answer does not have
	Dropped     int        // items of its memory_update beyond the bounds, steps of its plan that no world would take
}
