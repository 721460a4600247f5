package ooda

import (
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/wire"
)

// decide is the first half of the phase: choose a goal, plan, list what is
// possible, and ask for a thought unless none is needed. A strategist is only asked.
func (t *Turn) decide() Asked {
	var ranked []*goals.Goal
	if !t.strategist {
		ranked = t.agent.Goals.Rank(&t.goals.situation.Appraisal)
	}
	if busy, resting := t.task.busy(), t.rest.resting(); busy || resting {
		if t.thinking = rests; busy {
			t.thinking = taskRuns
		}
		t.missed = append(t.missed, t.seen.view.Events...)
		return Asked{Kind: AskSilent}
	}
	t.offers.reset()
	if len(ranked) > 0 {
		t.goals.top = ranked[0]
		t.regs.findCurrentGoal(t.seen.view, ranked[0])
		t.agent.Goals.Choose(t.goals.top)
		t.offers.collect(ranked)
		t.activate()
	}
	if len(t.offers.list) == 0 && !t.strategist {
		t.thinking = nothingFeasible
		if t.seen.slots > 1 && t.rest.waitsForMore() {
			t.thinking, t.notes.Rest = rests, t.seen.slots-1
		}
		t.missed = append(t.missed, t.seen.view.Events...)
		return Asked{Kind: AskSilent}
	}
	t.compose()
	return Asked{Kind: AskThink, Prompt: &t.prompt}
}

// activate makes the plan of the top goal the active one.
func (t *Turn) activate() {
	if t.goals.top != nil {
		t.agent.Memory.Plans.Activate(t.goals.top.ID)
	}
}

// compose fills the prompt in.
func (t *Turn) compose() {
	a, s, p := t.agent, t.seen, &t.prompt
	traits := &a.Genome.Traits
	p.Identity = llm.Identity{
		ID: a.ID, SpawnIndex: a.SpawnIndex, Alias: p.Alias, Role: a.Genome.Role,
		Risk: traits.RiskTolerance, Collab: traits.Collaboration, Breadth: traits.DepthVsBreadth, Speed: traits.QualityVsSpeed,
		SlotsLeft: s.slots, Persona: t.rules.persona(a), Mind: a.Birth.Mind,
	}
	if p.Alias == "" {
		p.Alias = a.ID.Alias()
	}
	p.Tick, p.Cycle, p.Epoch, p.Slot = s.tick, s.cycle, s.epoch, t.notes.Slot-1
	p.Try, p.Unusable, p.Purpose = 0, "", llm.PurposeAct
	p.MaxContext, p.MaxTokens = t.rules.MaxContext, t.rules.MaxTokens
	p.Actions, p.Closed, p.Stable = s.actions, s.closed, s.stable
	p.Templates, p.Blind = t.rules.Templates, t.rules.Blind
	p.Sight.View, p.Sight.Missed, p.Sight.Reply = s.view, t.missed, nil
	if p.Sight.Note = t.ownNote; p.Blind.Has(llm.LayerNotes) {
		p.Sight.Note = nil
	}
	if t.reply.Type != 0 {
		p.Sight.Reply = &t.reply
	}
	t.offers.recallLessons()
	weigher{&t.offers}.weigh()
	p.Affordances = t.offers.withIdling()
	t.offers.list = p.Affordances[:len(t.offers.list)]
	p.Tier = llm.Classify(t.thinkContext())
}

// thinkContext is what the tier of the thought is decided from: the top goal and
// the first affordance.
func (t *Turn) thinkContext() llm.ThinkContext {
	if len(t.offers.list) == 0 {
		return llm.ThinkContext{IsSimpleDecision: true}
	}
	first := &t.offers.list[0]
	c := llm.ThinkContext{
		InvolvesNewDesign: t.offers.topPlanned || designs(first.Action.Type),
		IsRoutine:         t.agent.Learning.Routine(first.Action.Name),
		IsSimpleDecision: first.Action.Type == wire.TypeProposalVote || first.Action.Type == wire.TypeSignalSend ||
			choices(t.prompt.Affordances) <= 2,
	}
	if t.goals.top != nil && t.goals.top.Kind() == goals.KindClaimBounty && t.goals.top.Description.Difficulty != nil && t.seen.asksForCode(t.goals.top.Subject()) {
		c.CodeComplexity = complexity[*t.goals.top.Description.Difficulty-1]
	}
	return c
}

// choices is how many ways to use a slot a mind has, to do nothing being one.
func choices(list []llm.Affordance) int {
	n := len(list)
	if n > 1 {
		if a := list[n-2].Action; a != nil && a.IsRest() {
			n--
		}
	}
	return n
}

// designs reports whether an action makes something new of its own shape.
func designs(m wire.MsgType) bool {
	return m == wire.TypeRepoCreate || m == wire.TypeEntryPublish || m == wire.TypeProposalSubmit
}

// complexity of code by difficulty, TRIVIAL to LEGENDARY.
var complexity = [...]float32{0.1, 0.3, 0.5, 0.8, 1}
