package llm

import (
	"strconv"

	"kingdom/wire"
	"kingdom/wire/action"
)

// AgentAction is the outer form of an answer, parsed but not yet checked against
// the catalogue. Action may share memory with the answer's text; Params and
// MemoryUpdate are JSON spans of it.
type AgentAction struct {
	Action       []byte
	Params       []byte // nil when absent
	Reasoning    string
	MemoryUpdate []byte // nil when absent
}

// Answer is a usable answer: an action of the catalogue with its typed request,
// or nop, and what the mind wants to remember.
type Answer struct {
	Action    *action.Row // nil: nop
	Payload   any         // pointer to the request payload; nil for nop
	Reasoning string
	Memory    MemoryUpdate
}

// maxWords is the length, in bytes, of the longest label, claim or goal text.
const maxWords = action.MaxLessonSize

// MemoryUpdate is what an answer wants to change in the agent's private memory.
type MemoryUpdate struct {
	Set       []Note
	Drop      []string
	Beliefs   []Belief
	Knowledge []Knowledge
	Goals     []OwnGoal
	Plan      []PlanStep
	Lesson    string
	Dropped   int // items beyond the bounds
}

// Note is one key of working memory.
type Note struct{ Key, Value string }

// Belief is a claim and how sure the mind is of it, [0,1], quantised.
type Belief struct {
	Claim      string
	Confidence float64
}

// Knowledge is one node for the knowledge graph and its relations.
type Knowledge struct {
	Label, Content string
	RelatesTo      []Relation
}

// Relation is one edge to another label; Weight in [0,1], quantised.
type Relation struct {
	To, Relation string
	Weight       float64
}

// OwnGoal is a goal that the mind sets itself.
type OwnGoal struct {
	Objective bool // layer OBJECTIVE; else TASK
	Text      string
	Deadline  *wire.Tick
}

// PlanStep is one step of a plan that the mind wrote: an action of the catalogue
// and its parameters as JSON, in which strings may be references ($bounty).
type PlanStep struct {
	Action *action.Row
	Params []byte
}

// ParseError says precisely why an answer is unusable. It goes to the think log,
// never to the world.
type ParseError struct {
	Offset int    // byte of the answer's text
	Path   string // key that was being read, "" at the top
	Reason string
}

// Error implements error.
func (e *ParseError) Error() string {
	b := make([]byte, 0, 128) // as long as most are
	b = append(b, "parse answer at byte "...)
	b = strconv.AppendInt(b, int64(e.Offset), 10)
	if e.Path != "" {
		b = append(append(b, ", "...), e.Path...)
	}
	return string(append(append(b, ": "...), e.Reason...))
}
