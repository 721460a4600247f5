package ooda

import (
	"fmt"

	"kingdom/agent"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// phase is where a turn stands.
type phase uint8

const (
	phaseIdle  phase = iota + 1 // between slots
	phaseAsked                  // Ask done, Act is due
	phaseActed                  // Act done, Record is due
)

func (p phase) String() string { return [...]string{"none", "idle", "asked", "acted"}[p] }

// legal lists the successors of each phase. Asked follows itself when the mind is
// asked again.
var legal = [...][]phase{
	phaseIdle:  {phaseAsked},
	phaseAsked: {phaseAsked, phaseActed},
	phaseActed: {phaseIdle},
}

// Turn drives one agent. It is created once and reused for every slot; its
// buffers are scratch, all that lasts is in the agent.
type Turn struct {
	a     *agent.Agent
	r     *Rules
	l     *memory.Notebook
	phase phase

	seen    sight           // what this slot's view showed
	sit     goals.Situation // what the goal sources look at
	news    []goals.Goal    // scratch of the sources
	scratch []*goals.Goal   // the ranking of this slot
	sats    []goals.Satisfaction
	faults  []error
	rows    []*action.Row // what the mind may send at the epoch of rowsAt
	at      uint32        // epoch of rows, plus one

	prompt  llm.Prompt
	offers  offers
	planIDs [planCache]uint64 // of plans
	plans   [planCache]plannedStep
	next    int // slot of plans to overwrite
	top     *goals.Goal
	planned bool   // the top goal got its plan in this Ask
	try     uint32 // unusable answers of this slot
	silent  silence
	errText string // of the last unusable answer

	answer llm.Answer  // the last usable one
	think  ThinkRecord // of the last thought

	last pending    // what Act sent, for Record
	act  memory.Act // scratch of describe
}

// silence says why a slot needs no thought.
type silence uint8

const (
	loud silence = iota
	silentTask
	silentNothing
)

// pending is what Act decided, until Record learns what came of it.
type pending struct {
	sent    bool
	denied  bool   // an action dearer than the slots left: refused before it is sealed
	report  uint32 // streak reported; 0: the mind's own action
	row     *action.Row
	payload any
	env     wire.Hash
	subject wire.Hash
	kind    goals.Subject
	goal    wire.Hash
	goalOf  goals.Kind
	plan    uint64 // row id of the plan whose step this is; 0: none
	step    uint32
	memory  *llm.MemoryUpdate
}

// NewTurn returns the turn of an agent. The rules must not change any more.
func NewTurn(a *agent.Agent, r *Rules) *Turn {
	t := &Turn{a: a, r: r, l: a.Notebook, phase: phaseIdle}
	t.sit = goals.Situation{
		Appraisal: goals.Appraisal{
			Balance:    a.Balance, // as last seen, also after a resume: only changes are facts
			Reputation: float64(a.Reputation),
			Role:       a.Genome.Role,
			Weights:    a.Weights,
			Learning:   a.Learning,
			Trust: func(id wire.AgentID) (float64, bool) {
				return a.Memory.Peers.Trust(id, t.seen.tick)
			},
		},
		Agent:      a.ID,
		WorldSeed:  r.WorldSeed,
		Threshold:  a.Threshold,
		Stack:      a.Goals,
		BountyCost: func(uint64) float64 { return 0 }, // claiming and delivering are free
	}
	t.prompt.Sections, t.prompt.Limits = t.sections(), r.limits()
	return t
}

// enter moves to a phase and panics when it is no legal successor: the engine
// broke the order of calls.
func (t *Turn) enter(to phase) {
	for _, p := range legal[t.phase] {
		if p == to {
			t.phase = to
			return
		}
	}
	panic(fmt.Sprintf("ooda: agent %s: phase %s cannot follow %s", t.a.ID.Alias(), to, t.phase))
}

// Ask observes, orients and does the first half of decide. The view must stay
// valid until Record.
func (t *Turn) Ask(v *wire.View) Asked {
	t.enter(phaseAsked)
	t.try, t.errText, t.silent, t.top, t.planned = 0, "", loud, nil, false
	t.last = pending{}
	t.observe(v)
	t.orient(v)
	return t.decide()
}

// Satisfactions returns the signals of goals that ended since the last call.
func (t *Turn) Satisfactions() []goals.Satisfaction {
	out := t.sats
	t.sats = nil
	return out
}

// goalRef names the top goal for a log line.
func (t *Turn) goalRef() *GoalRef {
	if t.top == nil {
		return nil
	}
	return &GoalRef{ID: t.top.ID, Kind: t.top.Kind(), Priority: t.top.Priority}
}
