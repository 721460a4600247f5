package llm

import (
	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// MemoryUpdate is what an answer changes in the agent's private memory. Its parser, its JSON Schema and its
// description in every prompt are derived from this type. A max in a tag is a limit; what exceeds it is dropped
// (docs/AGENT.md, answer).
type MemoryUpdate struct {
	Note      NoteUpdate  `kdom:"note,default"`
	Beliefs   []Belief    `kdom:"beliefs,default,max=8"`
	Knowledge []Knowledge `kdom:"knowledge,default,max=8"`
	Goals     []OwnGoal   `kdom:"goals,default,max=4"`
	DropGoals []string    `kdom:"drop_goals,default,max=8"` // texts of own goals, or how they begin
	Plan      []PlanStep  `kdom:"plan,default,max=16"`
	Lesson    string      `kdom:"lesson,default,max=1024"` // cut at its bound, not dropped
	Dropped   int         `kdom:"-"`                       // items and words beyond the bounds
}

// NoteUpdate changes the notes of working memory.
type NoteUpdate struct {
	Set  codec.TextMap `kdom:"set,default,max=4096"` // bytes of one key or value
	Drop []string      `kdom:"drop,default"`
}

// Belief is a claim and how sure the mind is of it, quantised.
type Belief struct {
	Claim      string  `kdom:"claim,max=1024"`
	Confidence float64 `kdom:"confidence,unit,default=0.5"`
}

// Knowledge is one node for the knowledge graph and its relations.
type Knowledge struct {
	Label     string     `kdom:"label,max=1024"`
	Content   string     `kdom:"content,default,max=4096"`
	RelatesTo []Relation `kdom:"relates_to,default"`
}

// Relation is one edge to another label; its weight is quantised.
type Relation struct {
	To       string  `kdom:"to"`
	Relation string  `kdom:"relation,default=relates_to"`
	Weight   float64 `kdom:"weight,unit,default=0.5"`
}

// OwnGoal is a goal that the mind sets for its agent.
type OwnGoal struct {
	Layer    GoalLayer  `kdom:"layer,default"`
	Text     string     `kdom:"text,max=1024"`
	Deadline *wire.Tick `kdom:"deadline"`
	// Until is what the goal is reached by, such as balance>=40 or entry_verify>=3; "": by its plan.
	Until string `kdom:"until,default,max=64"`
}

// GoalLayer is the layer of an [OwnGoal].
type GoalLayer uint8

// Layers that a mind may set itself.
const (
	GoalTask GoalLayer = iota + 1
	GoalObjective
)

var goalLayerNames = []string{"TASK", "OBJECTIVE"}

func (GoalLayer) EnumNames() []string { return goalLayerNames }
func (l GoalLayer) String() string    { return codec.EnumString(goalLayerNames, l) }

// PlanStep is one step of a plan that the mind wrote: an action of the catalogue
// and its parameters, in which strings may be references ($bounty).
type PlanStep struct {
	Name   string        `kdom:"action"`
	Params codec.RawJSON `kdom:"params,default"`
	Action *action.Row   `kdom:"-"` // the row of Name
}

// memoryShape is the JSON form of a memory_update.
var memoryShape = codec.New[MemoryUpdate]().Shape()
