package ooda

import (
	"fmt"

	"kingdom/agent"
	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// Act is the second half of a turn: it parses the answer and builds the envelope.
func (t *Turn) Act(th llm.Thought) Step {
	switch t.thinking {
	case taskRuns:
		t.enter(phaseActed)
		t.task.consume()
		return Step{Kind: StepNone}
	case pauses:
		t.enter(phaseActed)
		t.notes.Pause--
		return Step{Kind: StepNone}
	case rests:
		t.enter(phaseActed)
		return Step{Kind: StepNone, Resting: true, RestLeft: t.notes.Rest}
	case nothingFeasible:
		t.enter(phaseActed)
		return t.nop(NOPNoAffordance, nil, nil)
	default: // nothing to do for the others
	}
	think := &t.record
	*think = ThinkRecord{
		Purpose: t.prompt.Purpose, Try: t.try, Tier: t.prompt.Tier, Outcome: th.Outcome, Model: th.Model, Goal: t.goalRef(), Affordances: len(t.prompt.Affordances),
		Fallback: th.Fallback, Error: th.Error, Spent: th.Spent, Calls: th.Calls,
	}
	if reason := idleReason(th.Outcome); reason != 0 {
		t.enter(phaseActed)
		t.lastError = th.Error
		return t.nop(reason, &th, think)
	}
	answer := &t.answer
	var err error
	if *answer, err = t.prompt.Parse(th.Text, t.rules.Names); err != nil {
		return t.unusable(err, &th, think)
	}
	if err := fits(answer.Payload, len(th.Text)); err != nil {
		return t.unusable(err, &th, think)
	}
	t.enter(phaseActed)
	t.notes.Ended = nil // the prompt told them
	think.Ignored = answer.Ignored
	think.Reasoning, think.Dropped = answer.Reasoning, answer.Memory.Dropped+dropSteps(&answer.Memory, t.rules.Names)+dropConditions(&answer.Memory)
	t.pending.memory, t.pending.reasoning = &answer.Memory, answer.Reasoning
	if answer.Action == nil {
		think.Action = llm.NOP
		return t.nop(NOPChosen, &th, think)
	}
	think.Action = answer.Action.Name
	if r, ok := answer.Payload.(*action.Rest); ok {
		return t.startRest(r, answer.Action, think)
	}
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

// fits refuses an answer whose body no frame can hold, as the world would refuse it. An
// answer of textLen bytes makes a body of less than sixteen times that ("0," becomes nine
// bytes), so short ones need not be encoded for it.
func fits(payload any, textLen int) error {
	if _, rests := payload.(*action.Rest); rests || payload == nil || textLen < wire.MaxBody/16 {
		return nil
	}
	if n := len(wire.AppendBody(nil, payload, 0)); n > wire.MaxBody {
		return fmt.Errorf("read answer: too_large (0x%04X): its message has %d bytes, at most %d fit into an envelope", wire.CodeTooLarge, n, wire.MaxBody)
	}
	return nil
}

// unusable asks again while tries are left, with the same context and the reason, and does
// nothing after the last.
func (t *Turn) unusable(err error, th *llm.Thought, think *ThinkRecord) Step {
	t.lastError = err.Error()
	if th.Error != "" { // the provider's reason is why the text is what it is
		t.lastError = th.Error + "; " + t.lastError
	}
	think.Error = t.lastError
	if t.try++; t.try < max(t.rules.Tries, 1) {
		t.enter(phaseAsked)
		t.prompt.Try, t.prompt.Unusable = t.try, err.Error()
		t.prompt.Forget() // the text of the try before lacks the reason
		return Step{Kind: StepAgain, Think: think}
	}
	t.enter(phaseActed)
	t.fault(&agent.Error{Kind: agent.KindParseFailure, Agent: t.agent.ID, Err: err})
	return t.nop(NOPParseFailed, th, think)
}

// noTicks is the refusal of an action dearer than the slots left, in the world's words.
func noTicks() *wire.ErrorBody {
	category, reason, _ := wire.ProtocolReason(wire.CodeNoTicks)
	return &wire.ErrorBody{Code: wire.CodeNoTicks, Category: category.String(), Message: []byte(reason)}
}

// send builds the envelope of an action and opens its task. What costs more than
// the slots left is refused here as the world would refuse it: it costs its slot,
// it is no NOP, and it becomes an experience.
func (t *Turn) send(row *action.Row, payload any, think *ThinkRecord) Step {
	t.agent.Acted()
	sender{&t.self}.fillRuntime(payload)
	p := &t.pending
	p.sent, p.row, p.payload = true, row, payload
	p.subjectKind, p.subject = subjectOf(payload)
	t.offers.attribute(p)
	if p.offer >= 0 {
		think.Deciding = llm.Decide(&think.Decided, t.offers.list, p.offer)
	}
	think.Goal = nil
	if g := t.agent.Goals.Get(p.goal); g != nil {
		g.Record.Effort++
		g.Record.Acted = uint8(row.Domain)
		think.Goal = refOf(g)
	}
	if p.ticks = t.seen.cost(row, payload).Ticks; p.ticks > t.seen.slots {
		p.denied = noTicks()
		think.Error = string(p.denied.Message)
		return Step{Kind: StepNone, Think: think}
	}
	env := t.seal(row.Type, row.System, payload)
	p.msgID = env.MsgID
	if p.ticks > 1 {
		t.task.replace(t.task.open(p))
	}
	return Step{Kind: StepSend, Envelope: env, Payload: payload, Think: think}
}

// seal builds an unsigned envelope.
func (t *Turn) seal(m wire.MsgType, to wire.System, payload any) wire.Envelope {
	s := codec.Borrow()
	s.B = wire.AppendBody(s.B, payload, 0)
	return wire.NewEnvelope(m, t.agent.ID, wire.SystemID(to), t.seen.tick, s.Take())
}
