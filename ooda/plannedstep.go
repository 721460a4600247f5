package ooda

import (
	"bytes"
	"slices"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// planCache is how many resolved steps a turn keeps between slots.
const planCache = 24

// plannedStep is a plan's step with its references resolved.
type plannedStep struct {
	step    uint32
	act     *decodedAction
	planned *memory.PlanStep
	params  []byte // resolved JSON that payload was made from; nil if act brings its own
	payload any
	subject wire.Hash
}

// pre is the step's precondition.
func (c *plannedStep) pre() []byte { return text(c.planned.Precondition) }

// post is the step's postcondition.
func (c *plannedStep) post() []byte { return text(c.planned.Postcondition) }

// byMind says that the mind wrote the step: those of templates have conditions, but for queries and looks.
func (c *plannedStep) byMind() bool {
	return c.planned.Precondition == nil && c.planned.Postcondition == nil
}

// writtenByMind reports whether the mind wrote a plan, and no template.
func writtenByMind(p *memory.Plan) bool {
	return !slices.ContainsFunc(p.Steps, func(s memory.PlanStep) bool {
		return s.Precondition != nil || s.Postcondition != nil || templateActions[string(s.Action)] != nil
	})
}

func text(b *[]byte) []byte {
	if b == nil {
		return nil
	}
	return *b
}

// present returns the present step of a plan, decoded.
func (pl *planner) present(p *memory.Plan) *plannedStep {
	slot := slices.Index(pl.ids[:], p.ID)
	if slot < 0 {
		slot = pl.next
		pl.next = (pl.next + 1) % planCache
	} else if pl.steps[slot].step == p.Step {
		return &pl.steps[slot]
	}
	c, planned := &pl.steps[slot], &p.Steps[p.Step]
	pl.ids[slot] = p.ID
	*c = plannedStep{step: p.Step, act: actionOfStep(planned.Action), planned: planned, params: c.params[:0]}
	return c
}

// fill resolves the references of a step and makes its payload, unless it is made.
// Parameters that make no payload never will.
func (pl *planner) fill(c *plannedStep, row *action.Row, g *goals.Goal) resolution {
	if c.act.payload != nil {
		if c.payload == nil {
			c.payload = c.act.payload
			_, c.subject = subjectOf(c.payload)
		}
		return resolved
	}
	s := codec.Borrow()
	defer s.Return()
	var found resolution
	if s.B, found = pl.resolve(s.B, c.act.Params, g); found != resolved {
		return found
	}
	if c.payload != nil && bytes.Equal(s.B, c.params) {
		return resolved
	}
	payload, err := row.FromJSON(s.B, pl.rules.Names)
	if err != nil {
		return neverResolves
	}
	c.params, c.payload = append(c.params[:0], s.B...), payload
	_, c.subject = subjectOf(payload)
	return resolved
}
