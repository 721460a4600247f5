package engine

import (
	"context"
	"errors"

	"kingdom/agent"
	"kingdom/ooda"
	"kingdom/wire"
)

// Action is the request that an agent sent in one slot, why, and the reply.
type Action struct {
	Type      wire.MsgType
	Msg       wire.Hash // msg_id
	Payload   any       // its parameters: a pointer to the payload type of Type
	Reasoning string    // the mind's own; "" if it gave none
	Reply     wire.Reply
}

// Tick runs the next slot of one agent in a stopped engine. Earlier slots of other agents are skipped. It returns nil
// if the slot sent nothing.
func (r Runtime) Tick(ctx context.Context, id wire.AgentID) (*Action, error) {
	var out *Action
	e := r.e
	err := r.runAgent(ctx, id, func(s *seat) error {
		if err := e.inputs.recordSolo(s, InputTick, 1); err != nil {
			return err
		}
		t, ok, err := e.inputs.nextTick(e.open)
		if err != nil {
			return err
		}
		if !ok {
			return &agent.Error{Kind: agent.KindBudgetExhausted, Agent: id}
		}
		if err := e.tick(ctx, t); err != nil {
			return err
		}
		s = e.agents.seat(id)
		if s.step.Kind == ooda.StepSend && s.step.NOP == nil {
			out = &Action{Type: s.step.Envelope.Type, Msg: s.step.Envelope.MsgID, Payload: s.step.Payload, Reply: s.reply}
			if s.step.Think != nil {
				out.Reasoning = s.step.Think.Reasoning
			}
		}
		return firstError([]*seat{s})
	})
	return out, err
}

// RunCycle runs the rest of a cycle for one agent alone, with at most budget slots, and ends the cycle. The engine
// must be stopped.
func (r Runtime) RunCycle(ctx context.Context, id wire.AgentID, budget uint64) error {
	e := r.e
	return r.runAgent(ctx, id, func(s *seat) error {
		if err := e.inputs.recordSolo(s, InputCycle, budget); err != nil {
			return err
		}
		if err := e.runCycle(ctx); err != nil {
			return err
		}
		return e.flush.wait(ctx)
	})
}

// runAgent runs do for the seat of an active agent, in a stopped engine. It opens a cycle if none is open.
func (r Runtime) runAgent(ctx context.Context, id wire.AgentID, do func(s *seat) error) error {
	e := r.e
	if err := e.control.acquire(); err != nil {
		return err
	}
	defer e.control.release()
	s := e.agents.seat(id)
	if s == nil {
		return notFound(id)
	}
	switch s.status {
	case wire.StatusDead:
		return dead(id)
	case wire.StatusDormant:
		return &agent.Error{Kind: agent.KindDormant, Agent: id}
	default: // an active agent can be run
	}
	if !e.journal.history.ended() {
		return errors.New("run one agent: the journal holds ticks that the store does not have yet; call Run first, which executes them again")
	}
	if !e.inCycle {
		if err := e.startCycle(ctx, e.cycle+1); err != nil {
			return e.fail(ctx, err)
		}
	}
	if !e.clock.hasSlot(s) {
		return &agent.Error{Kind: agent.KindBudgetExhausted, Agent: id}
	}
	if err := e.recoverPanics(func() error { return do(s) }); err != nil {
		return e.fail(ctx, err)
	}
	return nil
}
