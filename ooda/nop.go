package ooda

import (
	"kingdom/llm"
	"kingdom/wire"
)

// nopLimit is the reason of the report that puts an agent to sleep.
const nopLimit = "nop_limit"

// nop records a slot in which the mind's answer sends nothing. An idle slot leaves the streak as it is. A NOP extends
// it; if the streak reaches one of its two limits, the slot sends the runtime's report.
func (t *Turn) nop(reason NOPReason, th *llm.Thought, think *ThinkRecord) Step {
	if !reason.Idle() {
		t.agent.NOP()
	}
	rec := &NOPRecord{
		Reason: reason, Streak: t.agent.NOPStreak, Goal: t.goalRef(), Error: t.lastError,
		StatusFrom: t.agent.Status, StatusTo: t.agent.Status, Balance: t.agent.Balance, Reputation: float64(t.agent.Reputation),
	}
	if th != nil {
		rec.Tier, rec.Model = t.prompt.Tier, th.Model
		rec.Attempts = t.try
		if reason != NOPParseFailed {
			rec.Attempts++
		}
	}
	if reason == NOPChosen && think != nil {
		rec.Reasoning = think.Reasoning
	}
	if t.goals.top != nil {
		t.goals.top.Record.Effort++
	}
	step := Step{Kind: StepNone, NOP: rec, Think: think}
	if reason.Idle() {
		return step
	}
	switch t.agent.NOPStreak {
	case t.rules.DormantStreak:
		rec.StatusTo = wire.StatusDormant
	case t.rules.WarnStreak:
	default:
		return step
	}
	return t.report(step, nopLimit)
}

// report puts the AGENT_STATUS of a streak, or of going to sleep for a reason, into the step.
func (t *Turn) report(step Step, why string) Step {
	streak := t.agent.NOPStreak
	msg := &wire.AgentStatusMsg{AgentID: t.agent.ID, NopStreak: &streak}
	if step.NOP.StatusTo == wire.StatusDormant {
		status, reason := wire.StatusDormant, why
		msg.Status, msg.Reason = &status, &reason
	}
	env := t.seal(wire.TypeAgentStatus, wire.SystemNexus, msg)
	t.pending.sent, t.pending.reported, t.pending.msgID = true, max(streak, 1), env.MsgID
	step.Kind, step.Envelope, step.Payload = StepSend, env, msg
	return step
}
