package engine

import (
	"fmt"

	"kingdom/goals"
	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/nexus"
)

// nextTick is the next tick of the open cycle to step: the first with a live slot,
// or an earlier one at which an input is due. While history lasts only recorded
// inputs count; those from outside wait until it is over.
func (e *Engine) nextTick() (wire.Tick, bool, error) {
	for {
		t, ok := e.clock.next()
		due, recorded := e.past.due()
		switch {
		case recorded && e.cal.Cycle(due) == e.open && (!ok || due <= t):
			if clockInput(InputKind(e.past.input.Kind)) {
				if err := e.replayClock(); err != nil {
					return 0, false, err
				}
				continue
			}
			return due, true, nil
		case recorded || !e.past.over():
			return t, ok, nil
		}
		now := e.clock.at()
		if s, has := e.inbox.scheduled(now); has && e.cal.Cycle(s) == e.open && (!ok || s < t) {
			return s, true, nil
		}
		if !ok && e.clock.fresh() && e.inbox.overdue(now) {
			return now, true, nil // nobody has a slot in this cycle; the input is a reason to step
		}
		return t, ok, nil
	}
}

// boundary opens tick t: the clock advances and inputs take effect.
func (e *Engine) boundary(t wire.Tick) error {
	e.clock.pass(t)
	e.inbox.serve()
	e.realm.OpenTick(t)
	if err := e.replayInputs(t); err != nil {
		return err
	}
	if e.past.over() { // it may have ended among the inputs of this very boundary
		if err := e.takeInputs(t); err != nil {
			return err
		}
	}
	e.opening = e.absorb()
	return nil
}

// takeInputs journals and applies what waits for boundary t.
func (e *Engine) takeInputs(t wire.Tick) error {
	for _, w := range e.inbox.take(t) {
		e.settle()
		r := newInputRecord(&w.in, t, e.inputSeq+1)
		if err := e.record(recordInput, true, func(b []byte) []byte { return inputCodec.Append(b, &r) }); err != nil {
			return err
		}
		applied, err := e.apply(&r)
		if err != nil {
			return err
		}
		w.result <- applied
	}
	return nil
}

// replayInputs applies the recorded inputs of boundary t.
func (e *Engine) replayInputs(t wire.Tick) error {
	for {
		due, ok := e.past.due()
		if !ok || due != t {
			return nil
		}
		e.settle()
		r, err := e.past.takeInput()
		if err != nil {
			return err
		}
		if r.Seq != e.inputSeq+1 {
			return &DivergenceError{Cycle: e.open, Tick: t, Component: "input_seq", Want: fmt.Sprint(r.Seq), Got: fmt.Sprint(e.inputSeq + 1)}
		}
		if _, err := e.apply(&r); err != nil {
			return err
		}
	}
}

func newInputRecord(in *Input, t wire.Tick, seq uint64) inputRecord {
	r := inputRecord{Seq: seq, Tick: t, Kind: uint8(in.Kind), Agent: in.Agent, Status: uint8(in.Status), Reason: in.Reason, Genome: in.Genome, Plan: in.plan}
	if g := in.Goal; g != nil {
		r.Goal = &goalRecord{
			Layer: uint8(g.Layer), Source: uint8(g.Source),
			Description: goals.AppendDescription(nil, &g.Description), CreatedAt: t, Deadline: g.Deadline,
		}
	}
	return r
}

// apply lets an input take effect. Its error is the engine's; a refusal by the
// world or the agent is in Applied.
func (e *Engine) apply(r *inputRecord) (Applied, error) {
	e.inputSeq = r.Seq
	if r.Plan > e.planned {
		e.planned = r.Plan
		e.inbox.forget(r.Plan)
	}
	out := Applied{Seq: r.Seq, Tick: r.Tick, Agent: r.Agent}
	s := e.index[r.Agent]
	switch k := InputKind(r.Kind); {
	case k == InputSpawn && r.Genome != nil:
		id, no := e.realm.Spawn(r.Tick, *r.Genome)
		out.Agent, out.Err = id, refusal(no)
	case s == nil:
		out.Err = notFound(r.Agent)
	case k == InputStatus && wire.AgentStatus(r.Status) != wire.StatusActive:
		out.Err = refusal(e.realm.SetStatus(r.Tick, r.Agent, wire.AgentStatus(r.Status), r.Reason, uint64(r.Tick)<<32|r.Seq))
	case k == InputStatus || k == InputWake:
		out.Err = e.wish(s, nexus.WakeOperator)
	case k == InputGoal && r.Goal != nil:
		out.Err = e.inject(s, r)
	case k == InputDone && r.Goal != nil:
		out.Err = e.goalDone(s, r)
	default:
		out.Err = fmt.Errorf("apply input %d: %v lacks what it needs", r.Seq, k)
	}
	e.inputs = append(e.inputs, InputReport{Seq: r.Seq, Kind: InputKind(r.Kind), Agent: out.Agent, Refused: reason(out.Err)})
	return out, nil
}

// inject gives the agent a goal and, if it sleeps, a reason to wake.
func (e *Engine) inject(s *seat, r *inputRecord) error {
	var d goals.Description
	if err := goals.DecodeDescription(r.Goal.Description, &d); err != nil {
		return fmt.Errorf("inject goal: %w", err)
	}
	if s.status == wire.StatusDead {
		return dead(s.id)
	}
	g := goals.New(s.id, goals.Layer(r.Goal.Layer), goals.Source(r.Goal.Source), d, r.Goal.CreatedAt)
	g.Deadline = r.Goal.Deadline
	if err := s.turn.Inject(g, r.Tick); err != nil {
		return err
	}
	s.touched = true
	if s.status == wire.StatusDormant {
		return e.wish(s, nexus.WakeGoal)
	}
	return nil
}

// goalDone completes what an operator asked for.
func (e *Engine) goalDone(s *seat, r *inputRecord) error {
	var d goals.Description
	if err := goals.DecodeDescription(r.Goal.Description, &d); err != nil {
		return fmt.Errorf("complete goal: %w", err)
	}
	if s.turn.Reached(d.Text, r.Tick) == 0 {
		return &RefusedError{world.Refusal{Category: wire.CategoryNotFound, Reason: "no_such_goal"}}
	}
	s.touched = true
	return nil
}

// RefusedError is the world's no to an input.
type RefusedError struct{ world.Refusal }

func (e *RefusedError) Error() string {
	return fmt.Sprintf("refused by the world: %s (%s)", e.Reason, e.Category)
}

func refusal(r *world.Refusal) error {
	if r == nil {
		return nil
	}
	return &RefusedError{*r}
}

func reason(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
