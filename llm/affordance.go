package llm

import (
	"fmt"

	"kingdom/wire"
	"kingdom/wire/action"
)

// Compose names the part of an affordance's parameters that the mind should write itself. The parameters are complete
// even without it, so a mind that changes nothing still sends a valid request.
type Compose uint8

// The closed list of things a mind may be asked to write.
const (
	ComposeNone        Compose = iota // send as offered
	ComposeEntry                      // title, body and tags of an Oracle entry of the given kind
	ComposeUpdate                     // new_body and change_note of an entry
	ComposeVerdict                    // verdict and evidence about the entry in Text
	ComposeReview                     // verdict and comments about a submission or a snap
	ComposeVote                       // vote
	ComposeQuestion                   // content of a question
	ComposeAnswer                     // content that answers the question in Text
	ComposeStatement                  // content of a statement about the subject
	ComposeSignal                     // kind of the signal about the message in Text
	ComposeArgument                   // content that says why the own proposal named first in the references was made
	ComposeCall                       // content that calls the sleeper whose id the references hold, alias included
	ComposeProgram                    // files of the program that Work is about
	ComposeDescription                // what the registry says of a program: what it does and how it is loaded, as in Text
)

// String returns the lower-case name shown in prompts.
func (c Compose) String() string {
	switch c {
	case ComposeNone:
		return "none"
	case ComposeEntry:
		return "entry"
	case ComposeUpdate:
		return "update"
	case ComposeVerdict:
		return "verdict"
	case ComposeReview:
		return "review"
	case ComposeVote:
		return "vote"
	case ComposeQuestion:
		return "question"
	case ComposeAnswer:
		return "answer"
	case ComposeStatement:
		return "statement"
	case ComposeSignal:
		return "signal"
	case ComposeArgument:
		return "argument for the own proposal"
	case ComposeCall:
		return "call to a sleeper"
	case ComposeDescription:
		return "publish.description, what others need to load it"
	case ComposeProgram:
		return "files, main.star the program, try.star your test of it"
	default:
		return fmt.Sprintf("compose(%d)", uint8(c))
	}
}

// Affordance is one concrete action that is feasible now: gates, slots, money, and what the agent already did have
// been checked.
type Affordance struct {
	Action   *action.Row // nil: nop
	Params   any         // pointer to the action's request payload, complete; nil for nop
	Goal     wire.Hash   // the goal it serves; zero for nop and for what serves no goal in particular
	GoalKind string      // kind of that goal; "" if there is none
	Priority float64     // of that goal, else of the least goal; of rest and nop what a slot is worth to the agent; the affordance order is this order
	Success  float64     // estimated probability of success, [0,1]
	Ticks    uint64      // slots it uses up
	Spark    uint64      // ⚡ it costs or locks
	Reward   float64     // ⚡ the goal is expected to pay
	Compose  Compose     // what the mind writes
	Subject  wire.Hash   // thing acted upon; zero if none
	Author   string      // alias of the author of Text
	Text     []byte      // words of the subject that the mind should judge, untrusted; may be nil
	Plan     bool        // the next step of the active plan
	// Considered are the factors that speak for or against it.
	Considered Considerations
	Work       *Work    // the program that it is about; nil: none
	Lesson     Lesson   // what the agent learned from such an act before; empty if nothing
	Know       float64  // how well the agent knows the topic that it writes or judges about, [0,1]
	Finding    *Finding // what the agent has counted itself of it, or wants to know; nil: nothing
	Besides    *Finding // what else it knows of the same subject; nil: nothing
	Said       *Finding // what the entry to judge states; nil: nothing that the agent counts
	Before     string   // of a question: what the agent would do to the thing in Text once it knows; empty: nothing in particular
}

// Finding is something that an agent has counted in this world, or that another agent states.
type Finding struct {
	Title    string  // what an entry about it is called; entries about the same have the same title
	Says     string  // the finding as a sentence, with n and cycle; empty of a pattern of Starlark, which is stated by a program
	Asks     string  // the question for it, where it is not known
	Tag      string  // its topic
	Subject  string  // what it is about: an alias, a channel, a difficulty, a pattern
	Pattern  bool    // it is a pattern of Starlark
	Value    float64 // a share in [0,1], or an amount
	N        uint32  // observations behind it
	Cycle    uint64  // until when they go
	Distance float64 // of what another states from what the agent has counted, [0,1]
	Chance   float64 // how far it may be off by chance alone, so few observations as the two are: likewise
	Shows    []byte  // title of a thing that it shows in, untrusted; nil: none
	Above    uint32  // of what else was counted of the sort, how many have a lower value
	Among    uint32  // how many were counted
}

const (
	// accurate is the largest distance between a statement and the agent's own count at which the statement is found
	// accurate, unless samples so small may differ by more. Up to twice that distance it is partially accurate.
	accurate = 0.15
	// OutdatedCycles is how many cycles older than the own count a statement that is farther off must be to be called outdated.
	OutdatedCycles = 8
)

// Verdict returns the verdict on a statement that the agent's own count f supports.
func (f *Finding) Verdict(said *Finding) wire.Verdict {
	near := max(accurate, said.Chance)
	switch {
	case said.Distance <= near:
		return wire.VerdictAccurate
	case f.Cycle >= said.Cycle+OutdatedCycles:
		return wire.VerdictOutdated
	case said.Distance <= float64(2*near):
		return wire.VerdictPartiallyAccurate
	default:
		return wire.VerdictInaccurate
	}
}

// Work is what an agent knows about a program that it writes or judges.
type Work struct {
	Task    WorkTask
	Title   []byte // what it has to do; nil: the author may choose
	Tries   uint32 // how often it was changed because something was wrong
	Version uint32 // tags that it has
	Why     []byte // what was wrong last; nil: nothing
	Uses    []byte // what the registry says of the library to build on; nil: none
}

// task says what the program is for.
func (w *Work) task() Words {
	switch w.Task {
	case TaskModule:
		return "for others to load"
	case TaskService:
		return "for others to call: def serve(data, state)"
	case TaskDelivery:
	}
	return Words(w.Title)
}

// WorkTask is the kind of a program.
type WorkTask uint8

// Values of [WorkTask].
const (
	TaskDelivery WorkTask = iota + 1 // of a bounty
	TaskModule                       // for others to load
	TaskService                      // for others to call: serve(data, state)
)

// Lesson is what an agent noted about a kind of act, in its own words.
type Lesson struct {
	Text     string    // empty: none
	Strength float64   // [0,1]: how near the act is to this one, times confidence and recency
	Sure     float32   // confidence: how often such acts succeeded after it, [0,1]
	At       wire.Tick // when it was noted last
}

// Verbs lists the verbs that are not names of actions.
func Verbs() []string { return []string{"answer", "ask", "call"} }

// Verb returns the action's name, or for a message what is said, such as answer or question.
func (a *Affordance) Verb() string {
	switch a.Compose {
	case ComposeAnswer:
		return "answer"
	case ComposeQuestion:
		return "ask"
	case ComposeCall:
		return "call"
	default:
		return a.Name()
	}
}

// Name returns the action's name, "nop" for the empty affordance.
func (a *Affordance) Name() string {
	if a.Action == nil {
		return NOP
	}
	return a.Action.Name
}

// NOP is the name of the action that sends nothing.
const NOP = "nop"
