package ooda

import (
	"kingdom/agent"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// decide is the first half of the phase: choose a goal, plan, list what is
// possible, and ask for a thought unless none is needed.
func (t *Turn) decide() Asked {
	ranked := t.a.Goals.Rank(&t.sit.Appraisal)
	if t.busy() {
		t.silent = silentTask
		return Asked{Kind: AskSilent}
	}
	t.offers.reset()
	if len(ranked) > 0 {
		t.top = ranked[0]
		t.a.Goals.Choose(t.top)
		t.afford(ranked)
		t.activate()
	}
	if len(t.offers.list) == 0 {
		t.silent = silentNothing
		return Asked{Kind: AskSilent}
	}
	t.compose()
	return Asked{Kind: AskThink, Prompt: &t.prompt}
}

// busy reports whether a running task takes this slot. A task that waits for a
// result takes none, but gives up at its limit.
func (t *Turn) busy() bool {
	task := t.a.CurrentTask
	if task == nil {
		return false
	}
	if task.Awaits == nil {
		return task.Consuming()
	}
	if task.TicksUsed++; task.Over() {
		t.giveUp(task)
	}
	return false
}

// giveUp ends a task whose result never came.
func (t *Turn) giveUp(task *agent.Task) {
	t.a.Memory.Experiences.Resolve(task.Experience, memory.OutcomeFailure, []byte("no result within its limit"))
	t.a.CurrentTask = nil
	if p := t.a.Memory.Plans.Of(task.GoalID); p != nil && p.Blocked != nil {
		t.stepEnded(p, false)
	}
}

// activate makes the plan of the top goal the active one.
func (t *Turn) activate() {
	if t.top != nil {
		t.a.Memory.Plans.Activate(t.top.ID)
	}
}

// afford lists what is feasible: for the best goals that have anything feasible,
// the step of their plan and its alternatives; when that is little, what can be
// done in any case. Order is goal priority.
func (t *Turn) afford(ranked []*goals.Goal) {
	t.generate(genRelease, ranked[0])
	offering := 0
	// a plan may complete a goal while its steps are skipped, which changes the
	// ranking: walk a copy
	best := append(t.scratch[:0], ranked...)
	t.scratch = best
	for i, g := range best {
		if offering == offeringGoals || i == lookedAt {
			break
		}
		if !g.Alive() {
			continue
		}
		before := len(t.offers.list)
		t.affordGoal(g)
		if len(t.offers.list) > before {
			offering++
		}
	}
	if len(t.offers.list) >= enough || t.top == nil {
		return
	}
	for _, n := range always {
		t.generate(n, t.top)
	}
	t.offers.sort()
}

// affordGoal lists what serves one goal.
func (t *Turn) affordGoal(g *goals.Goal) {
	if p := t.plan(g); p != nil {
		if c := t.nextStep(g, p); c != nil {
			t.offerStep(g, p, c)
		}
	}
	if !g.Alive() {
		return // its plan came to its end
	}
	for _, n := range alternatives[g.Kind()] {
		t.generate(n, g)
	}
}

// compose fills the prompt in.
func (t *Turn) compose() {
	a, s, p := t.a, &t.seen, &t.prompt
	traits := &a.Genome.Traits
	p.Identity = llm.Identity{
		ID: a.ID, Alias: p.Alias, Role: a.Genome.Role,
		Risk: traits.RiskTolerance, Collab: traits.Collaboration, Breadth: traits.DepthVsBreadth, Speed: traits.QualityVsSpeed,
		Reputation: float64(a.Reputation), Balance: a.Balance, SlotsLeft: s.slots,
	}
	if p.Alias == "" {
		p.Alias = a.ID.Alias()
	}
	p.Tick, p.Cycle, p.Epoch, p.Slot = s.tick, s.cycle, s.epoch, t.l.Slot-1
	p.Try, p.Purpose = 0, llm.PurposeAct
	p.MaxContext, p.MaxTokens = t.r.MaxContext, t.r.MaxTokens
	p.Actions = t.rows
	p.Affordances = append(t.offers.list, llm.Affordance{Success: 1, Ticks: 1})
	t.offers.list = p.Affordances[:len(p.Affordances)-1]
	p.Tier = llm.Classify(t.thinkContext())
}

// thinkContext is what the tier of the thought is decided from: the top goal and
// the first affordance.
func (t *Turn) thinkContext() llm.ThinkContext {
	first := &t.offers.list[0]
	c := llm.ThinkContext{
		InvolvesNewDesign: t.planned || designs(first.Action.Type),
		IsRoutine:         t.a.Learning.Routine(first.Action.Name),
		IsSimpleDecision: first.Action.Type == wire.TypeProposalVote || first.Action.Type == wire.TypeSignalSend ||
			len(t.prompt.Affordances) <= 2,
	}
	if t.top != nil && t.top.Kind() == goals.KindClaimBounty && t.top.Description.Difficulty != nil && t.asksForCode(t.top.Subject()) {
		c.CodeComplexity = complexity[*t.top.Description.Difficulty-1]
	}
	return c
}

// designs reports whether an action makes something new of its own shape.
func designs(m wire.MsgType) bool {
	return m == wire.TypeRepoCreate || m == wire.TypeEntryPublish || m == wire.TypeProposalSubmit
}

// complexity of code by difficulty, TRIVIAL to LEGENDARY.
var complexity = [...]float32{0.1, 0.3, 0.5, 0.8, 1}

// asksForCode reports whether a bounty wants a program.
func (t *Turn) asksForCode(id wire.Hash) bool {
	b := t.seen.bounty(id)
	if b == nil {
		b = t.seen.claim(id)
	}
	if b == nil {
		return false
	}
	for i := range b.Requirements {
		k := b.Requirements[i].Kind
		if k == wire.RequirementKindMustCompile || k == wire.RequirementKindMustPassTests {
			return true
		}
	}
	return false
}
