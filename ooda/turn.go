package ooda

import (
	"fmt"
	"slices"

	"kingdom/agent"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/wire"
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

// Turn drives one agent through the five phases. It is created once and used for every slot. Everything that must
// outlast a slot is in the agent.
type Turn struct {
	self
	phase      phase
	strategist bool // see [Rules.Strategists]

	slotView slotView    // what this slot's view showed
	goals    goalTracker // goals that come up and end
	plans    planner     // plans of goals and their next steps
	offers   offers      // the affordances of this slot
	regs     registers   // the working notes that say what the agent is doing
	events   eventReader // what events teach
	replies  replyReader // what replies teach
	task     taskRunner  // the action that takes more than one slot
	rest     rester      // when the agent lets slots pass, and when it sleeps

	prompt    llm.Prompt
	ownNote   func(key string) (value []byte, ok bool) // in working memory
	thinking  thinkNeed
	try       uint32      // unusable answers of this slot
	lastError string      // of the last unusable answer
	answer    llm.Answer  // the last usable one
	record    ThinkRecord // of the last thought
	pending   pending     // what Act decided, for Record
	reply     wire.Reply  // to the last request of this cycle; its zero value: none
	faults    []error

	missed []*wire.Event // events of this cycle's slots since the last thought, in which no mind was asked
}

// thinkNeed says whether a slot needs a thought, and why it needs none.
type thinkNeed uint8

const (
	mustThink thinkNeed = iota
	taskRuns
	pauses
	rests
	nothingFeasible
)

// NewTurn returns the turn of an agent. Of the rules only Blind, Templates and Personas may change afterwards, between two cycles.
func NewTurn(a *agent.Agent, r *Rules) *Turn {
	t := &Turn{phase: phaseIdle, strategist: slices.Contains(r.Strategists, a.ID)}
	t.slotView.agent, t.slotView.rules = a.ID, r
	t.self = self{agent: a, notes: a.Notebook, rules: r, seen: &t.slotView}
	t.goals = goalTracker{self: t.self, situation: situationOf(a, r, &t.slotView)}
	t.goals.situation.SuccessChance = t.goals.prospects
	t.goals.situation.Acquainted = t.goals.relations().acquainted
	t.goals.workPays = t.goals.believer().workBrings
	t.goals.applyBlindness()
	t.goals.situation.HasOpinion = t.goals.voter().cares
	t.plans = planner{self: t.self, goals: &t.goals}
	t.regs = registers{self: t.self}
	t.offers = offers{self: t.self, goals: &t.goals, plans: &t.plans, regs: &t.regs, OfferBuffers: noOfferBuffers}
	t.events = eventReader{self: t.self, goals: &t.goals, regs: &t.regs}
	t.replies = replyReader{self: t.self, goals: &t.goals, regs: &t.regs}
	t.task = taskRunner{self: t.self, plans: &t.plans, regs: &t.regs, replies: &t.replies}
	t.rest = rester{self: t.self, goals: &t.goals}
	t.prompt.Life, t.prompt.Limits, t.ownNote = &life{t.items()}, &r.Limits, a.Memory.Working.Get
	return t
}

// enter moves to a phase and panics when it is no legal successor: the engine
// broke the order of calls.
func (t *Turn) enter(to phase) {
	if !slices.Contains(legal[t.phase], to) {
		panic(fmt.Sprintf("ooda: agent %s: phase %s cannot follow %s", t.agent.ID.Alias(), to, t.phase))
	}
	t.phase, t.slotView.open = to, to != phaseIdle
}

// Ask is the first half of a turn: it observes, orients and builds the prompt. The view must stay valid until Record.
func (t *Turn) Ask(v *wire.View) Asked {
	t.enter(phaseAsked)
	if t.offers.OfferBuffers == noOfferBuffers {
		t.offers.OfferBuffers = NewOfferBuffers()
	}
	if t.thinking == mustThink {
		t.missed = t.missed[:0] // the prompt of the last thought showed them
	}
	t.try, t.lastError, t.thinking, t.goals.top = 0, "", mustThink, nil
	t.pending = pending{}
	t.observe(v)
	t.orient(v)
	asked := t.decide()
	if t.thinking == mustThink {
		t.seen.recent.asked = v.Tick
	}
	return asked
}

// Satisfactions returns the goals that ended since the last call.
func (t *Turn) Satisfactions() []goals.Satisfaction {
	return t.goals.takeSatisfactions()
}

// goalRef names the top goal for a log line.
func (t *Turn) goalRef() *GoalRef { return refOf(t.goals.top) }

// refOf names a goal for a log line; nil names none.
func refOf(g *goals.Goal) *GoalRef {
	if g == nil {
		return nil
	}
	return &GoalRef{ID: g.ID, Kind: g.Kind(), Priority: g.Priority}
}
