package engine

import (
	"fmt"

	"kingdom/goals"
	"kingdom/wire"
	"kingdom/world"
)

func newInputRecord(in *Input, t wire.Tick, seq uint64) inputRecord {
	r := inputRecord{Seq: seq, Tick: t, Kind: uint8(in.Kind), Agent: in.Agent, Status: uint8(in.Status), Reason: clean(in.Reason), Genome: in.Genome, Plan: in.plan}
	if g := in.Goal; g != nil {
		d := g.Description
		d.Text = clean(d.Text)
		r.Goal = &goalRecord{
			Layer: uint8(g.Layer), Source: uint8(g.Source),
			Description: goals.AppendDescription(nil, &d), CreatedAt: t, Deadline: g.Deadline,
		}
	}
	return r
}

// apply lets an input take effect. A refusal by the world or the agent is in Applied.
func (p *inputs) apply(r *inputRecord) Applied {
	*p.seq = r.Seq
	if r.Plan > p.planned {
		p.planned = r.Plan
		p.forget(r.Plan)
	}
	out := Applied{Seq: r.Seq, Tick: r.Tick, Agent: r.Agent}
	s := p.crew.seat(r.Agent)
	switch k := InputKind(r.Kind); {
	case k == InputSpawn && r.Genome != nil:
		id, no := p.realm.Spawn(r.Tick, *r.Genome)
		out.Agent, out.Err = id, refusal(no)
	case s == nil:
		out.Err = notFound(r.Agent)
	case k == InputStatus && wire.AgentStatus(r.Status) != wire.StatusActive:
		out.Err = refusal(p.realm.SetStatus(r.Tick, r.Agent, wire.AgentStatus(r.Status), r.Reason, uint64(r.Tick)<<32|r.Seq))
	case k == InputStatus || k == InputWake:
		out.Err = p.wakes.wish(s, wire.WakeOperator)
	case k == InputGoal && r.Goal != nil:
		out.Err = p.inject(s, r)
	case k == InputDone && r.Goal != nil:
		out.Err = p.goalDone(s, r)
	default:
		out.Err = fmt.Errorf("apply input %d: %v lacks what it needs", r.Seq, k)
	}
	p.reports = append(p.reports, InputReport{Seq: r.Seq, Kind: InputKind(r.Kind), Agent: out.Agent, Refused: reason(out.Err)})
	return out
}

// inject gives the agent a goal and, if it sleeps, a reason to wake.
func (p *inputs) inject(s *seat, r *inputRecord) error {
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
		return p.wakes.wish(s, wire.WakeGoal)
	}
	return nil
}

// goalDone completes what an operator asked for.
func (p *inputs) goalDone(s *seat, r *inputRecord) error {
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
