package ooda

import (
	"kingdom/agent"
	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

// Record takes the reply to the envelope of the last step, or the zero Reply when
// nothing was sent.
func (t *Turn) Record(r wire.Reply) {
	t.enter(phaseIdle)
	p := &t.pending
	experience := uint64(0)
	switch {
	case p.reported != 0:
		if r.Err == nil && (p.slept || p.reported >= t.rules.DormantStreak) {
			t.fault(t.agent.SetStatus(wire.StatusDormant))
		}
	case p.denied != nil:
		experience = t.experience(p, &wire.Reply{Type: wire.TypeError, Err: p.denied})
		requestLimit{&t.self}.countRequest(p.row, true)
	case p.rested:
		t.plans.stepTaken(p, &r, true)
	case p.sent:
		t.reply = r
		experience = t.experience(p, &r)
		requestLimit{&t.self}.countRequest(p.row, r.Err != nil)
	}
	t.agent.Memory.Reasonings.Add(memory.Reasoning{Experience: experience, At: t.seen.tick, Text: p.reasoning})
	if p.memory != nil {
		dropRegisters(p.memory)
		updater{t}.remember(p.memory)
	}
}

// experience makes the experience of an action, whose row id it returns, and draws the
// consequences.
func (t *Turn) experience(p *pending, r *wire.Reply) (id uint64) {
	outcome := p.outcome(r)
	ok := r.Err == nil
	id = t.agent.Memory.Experiences.AddAct(t.seen.tick, p.describe(), outcome, p.lesson(r, outcome))
	t.task.settleCost(p, r)
	if outcome != memory.OutcomeUnknown { // else the result tells
		t.believer().believe(worksClaim(p.row), ok, &p.msgID, t.seen.tick)
	}
	t.acted(p)
	first := t.agent.Learning.Act(tripleOf(p.row, p.subjectKind), p.domain, p.goalKind, ok)

	t.replies.read(p, r)
	t.replies.follow(p, id, r)
	if outcome == memory.OutcomeUnknown {
		t.task.await(p, id)
	} else {
		t.plans.stepTaken(p, r, ok)
	}
	if g := t.agent.Goals.Get(p.goal); g != nil {
		t.regs.begin(g)
	}
	if ok {
		t.notes.Worked = t.notes.Worked || productive(p.payload)
		t.noteEarning(p)
		if outcome != memory.OutcomePartial { // what came back was not done
			t.replies.tellGoals(p)
		}
		if outcome == memory.OutcomeSuccess {
			t.regs.forgive(p)
		}
	}
	if outcome == memory.OutcomeFailure || outcome == memory.OutcomePartial {
		t.regs.noteFailure(p, r)
	}
	if first {
		t.notes.Novel = t.seen.cycle
		t.goals.tell(&goals.Fact{Kind: goals.FactExperience})
	}
	return id
}

// fault keeps an error that is the agent's own matter until Faults is called.
func (t *Turn) fault(err error) {
	if err != nil {
		t.faults = append(t.faults, agent.Wrap(t.agent.ID, err))
	}
}
