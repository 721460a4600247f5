package ooda

import (
	"kingdom/agent"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// Act does the second half of decide and acts on a thought: it parses the answer,
// and builds the envelope.
func (t *Turn) Act(th llm.Thought) Step {
	switch t.silent {
	case silentTask:
		t.enter(phaseActed)
		t.consume()
		return Step{Kind: StepNone}
	case silentNothing:
		t.enter(phaseActed)
		return t.nop(NOPNoAffordance, nil, nil)
	}
	think := &t.think
	*think = ThinkRecord{
		Try: t.try, Tier: t.prompt.Tier, Outcome: th.Outcome, Model: th.Model, Goal: t.goalRef(), Affordances: len(t.prompt.Affordances),
	}
	if reason := idleReason(th.Outcome); reason != 0 {
		t.enter(phaseActed)
		t.errText = th.Error
		return t.nop(reason, &th, think)
	}
	answer := &t.answer
	var err error
	if *answer, err = llm.Parse(th.Text, t.prompt.Actions, t.r.Names); err != nil {
		return t.unusable(err, &th, think)
	}
	t.enter(phaseActed)
	think.Reasoning, think.Dropped = answer.Reasoning, answer.Memory.Dropped+t.dropSteps(&answer.Memory)
	t.last.memory = &answer.Memory
	if answer.Action == nil {
		think.Action = llm.NOP
		return t.nop(NOPChosen, &th, think)
	}
	think.Action = answer.Action.Name
	return t.send(answer.Action, answer.Payload, think)
}

// idleReason tells why a thought that was not answered makes the slot idle; 0 for
// an answered one.
func idleReason(o llm.Outcome) NOPReason {
	switch o {
	case llm.Answered:
		return 0
	case llm.TimedOut:
		return NOPTimedOut
	case llm.RefusedBudget:
		return NOPRefusedBudget
	case llm.ProviderError:
		return NOPProviderError
	default:
		return NOPInterrupted
	}
}

// unusable asks again while tries are left, with the same context, and does
// nothing after the last.
func (t *Turn) unusable(err error, th *llm.Thought, think *ThinkRecord) Step {
	t.errText = err.Error()
	think.Error = t.errText
	if t.try++; t.try < max(t.r.Tries, 1) {
		t.enter(phaseAsked)
		t.prompt.Try = t.try
		return Step{Kind: StepAgain, Think: think}
	}
	t.enter(phaseActed)
	return t.nop(NOPParseFailed, th, think)
}

// consume lets the running task take the slot.
func (t *Turn) consume() {
	task := t.a.CurrentTask
	task.TicksUsed++
	if g := t.a.Goals.Get(task.GoalID); g != nil {
		g.Record.Effort++
	}
	if task.Over() {
		t.a.CurrentTask = nil
	}
}

// noTicks is the reason why an action dearer than the slots left is refused.
const noTicks = "no_ticks"

// send builds the envelope of an action and opens its task. What costs more than
// the slots left is refused here as the world would refuse it: it costs its slot,
// it is no NOP, and it becomes an experience.
func (t *Turn) send(row *action.Row, payload any, think *ThinkRecord) Step {
	t.a.Acted()
	t.fillRuntime(payload)
	p := &t.last
	p.sent, p.row, p.payload = true, row, payload
	p.kind, p.subject = subjectOf(payload)
	t.attribute(p)
	if g := t.a.Goals.Get(p.goal); g != nil {
		g.Record.Effort++
	}
	if row.Ticks > t.seen.slots {
		p.denied, think.Error = true, noTicks
		return Step{Kind: StepNone, Think: think}
	}
	env := t.seal(row.Type, row.System, payload)
	p.env = env.MsgID
	if row.Ticks > 1 {
		t.a.CurrentTask = t.task(row, p)
	}
	return Step{Kind: StepSend, Envelope: env, Payload: payload, Think: think}
}

// attribute finds the goal and plan step that an action serves: an affordance with
// the same action and subject, else with the same action, else the top goal.
func (t *Turn) attribute(p *pending) {
	best := -1
	for i := range t.offers.list {
		a := &t.offers.list[i]
		if a.Action != p.row {
			continue
		}
		if a.Subject == p.subject {
			best = i
			break
		}
		if best < 0 {
			best = i
		}
	}
	switch {
	case best >= 0:
		ref := &t.offers.refs[best]
		p.goal, p.goalOf, p.plan, p.step = t.offers.list[best].Goal, ref.goal, ref.plan, ref.step
	case t.top != nil:
		p.goal, p.goalOf = t.top.ID, t.top.Kind()
	default:
		p.goalOf = goals.KindOwn
	}
}

// task is the open task of an action that takes more than one slot.
func (t *Turn) task(row *action.Row, p *pending) *agent.Task {
	task := &agent.Task{GoalID: p.goal, Action: t.actOf(p), TicksUsed: 1, TickLimit: row.Ticks}
	if p.plan != 0 {
		step := p.step
		task.PlanStep = &step
	}
	return task
}

// seal builds an unsigned envelope.
func (t *Turn) seal(m wire.MsgType, to wire.System, payload any) wire.Envelope {
	s := codec.Borrow()
	s.B = wire.AppendBody(s.B, payload, 0)
	return wire.NewEnvelope(m, t.a.ID, wire.SystemID(to), t.seen.tick, s.Take())
}

// actOf is the content of the experience that an action makes, as bytes.
func (t *Turn) actOf(p *pending) []byte {
	s := codec.Borrow()
	s.B = memory.AppendAct(s.B, t.describe(p))
	return s.Take()
}

// describe is the content of the experience that an action makes, valid until the next.
func (t *Turn) describe(p *pending) *memory.Act {
	act := &t.act
	*act = memory.Act{
		Action: p.row.Name, GoalKind: p.goalOf.String(), Domain: p.row.Domain.String(), SubjectKind: p.kind.String(),
	}
	if !p.goal.IsZero() {
		act.Goal = &p.goal
	}
	if !p.subject.IsZero() {
		act.Subject = &p.subject
	}
	if !p.env.IsZero() {
		act.Envelope = &p.env
	}
	return act
}
