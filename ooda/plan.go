package ooda

import (
	"bytes"
	"slices"

	"kingdom/det"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// stepAct is the content of a plan step's action: catalogue name and parameters,
// JSON with references.
type stepAct struct {
	Action string `kdom:"action"`
	Params string `kdom:"params"`
}

var stepCodec = codec.New[stepAct]()

// maxFailed is how many plans of a goal may fail before it is given up. A plan that
// the mind replaced has not failed.
const maxFailed = 2

// plan returns the living plan of a goal, making one from the template when the
// goal needs one; nil when it needs none or cannot be planned now.
func (t *Turn) plan(g *goals.Goal) *memory.Plan {
	if p := t.a.Memory.Plans.Of(g.ID); p != nil {
		return p
	}
	m := t.templateFor(g)
	if m == nil {
		return nil
	}
	t.planned = t.planned || g == t.top
	return t.draft(g, m.steps, m.names)
}

// draft puts a plan on record: estimates from the catalogue, risk from experience.
func (t *Turn) draft(g *goals.Goal, steps []memory.PlanStep, names []string) *memory.Plan {
	p := memory.Plan{Goal: g.ID, Steps: steps}
	chance := 1.0
	for i, name := range names {
		p.EstimatedTicks += steps[i].EstimatedTicks
		if row, ok := action.ByName(name); ok {
			p.EstimatedCost += row.FlatCost
		}
		chance = float64(chance * t.a.Learning.ActionRate(name))
	}
	p.Risk = float32(det.Quantise(1 - chance))
	return t.a.Memory.Plans.Add(p)
}

func stepTicks(name string) uint64 {
	if row, ok := action.ByName(name); ok {
		return row.Ticks
	}
	return 1
}

func condition(s string) *[]byte {
	if s == "" {
		return nil
	}
	b := []byte(s)
	return &b
}

// planCache is how many resolved steps a turn keeps between slots.
const planCache = 24

// plannedStep is a plan's step with its references resolved.
type plannedStep struct {
	step    uint32
	kind    goals.Subject
	act     *knownAct
	on      *memory.PlanStep
	params  []byte // resolved JSON that payload was made from; nil if act brings its own
	payload any
	subject wire.Hash
}

// pre is the step's precondition.
func (c *plannedStep) pre() []byte { return text(c.on.Precondition) }

// post is the step's postcondition.
func (c *plannedStep) post() []byte { return text(c.on.Postcondition) }

func text(b *[]byte) []byte {
	if b == nil {
		return nil
	}
	return *b
}

// cached returns the slot for a plan's step, decoded.
func (t *Turn) cached(p *memory.Plan) *plannedStep {
	slot := slices.Index(t.planIDs[:], p.ID)
	if slot < 0 {
		slot = t.next
		t.next = (t.next + 1) % planCache
	} else if t.plans[slot].step == p.Step {
		return &t.plans[slot]
	}
	c, on := &t.plans[slot], &p.Steps[p.Step]
	t.planIDs[slot] = p.ID
	*c = plannedStep{step: p.Step, act: actOfStep(on.Action), on: on, params: c.params[:0]}
	return c
}

// nextStep returns the step of a plan that can be taken now, nil when the plan is
// blocked or over. Steps whose postcondition holds already are skipped.
func (t *Turn) nextStep(g *goals.Goal, p *memory.Plan) *plannedStep {
	for p.Blocked == nil {
		c := t.cached(p)
		if c.on.Postcondition != nil && t.holds(c.post(), g) {
			if t.a.Memory.Plans.Advance(p) {
				t.planCompleted(p)
				return nil
			}
			continue
		}
		row := t.row(c.act.Action)
		if row == nil || !t.holds(c.pre(), g) {
			return nil
		}
		switch t.fill(c, row, g) {
		case reachNow:
			return c
		case reachNever: // as if it had been tried: the second time ends the plan
			t.stepEnded(p, false)
		}
		return nil
	}
	return nil
}

// fill resolves the references of a step and makes its payload, unless it is made.
// Parameters that make no payload never will.
func (t *Turn) fill(c *plannedStep, row *action.Row, g *goals.Goal) reach {
	if c.act.payload != nil {
		if c.payload == nil {
			c.payload = c.act.payload
			c.kind, c.subject = subjectOf(c.payload)
		}
		return reachNow
	}
	s := codec.Borrow()
	defer s.Return()
	var found reach
	if s.B, found = t.resolve(s.B, c.act.Params, g); found != reachNow {
		return found
	}
	if c.payload != nil && bytes.Equal(s.B, c.params) {
		return reachNow
	}
	payload, err := row.FromJSON(s.B, t.r.Names)
	if err != nil {
		return reachNever
	}
	c.params, c.payload = append(c.params[:0], s.B...), payload
	c.kind, c.subject = subjectOf(payload)
	return reachNow
}

// stepEnded moves the plan of a step that came to its end.
func (t *Turn) stepEnded(p *memory.Plan, ok bool) {
	plans := t.a.Memory.Plans
	if ok {
		if plans.Advance(p) {
			t.planCompleted(p)
		}
		return
	}
	if plans.Fail(p) {
		t.planFailed(p)
	}
}

// planCompleted tells the goal; a goal that needs more than its plan gave starts
// its count of failed plans anew.
func (t *Turn) planCompleted(p *memory.Plan) {
	if g := t.a.Goals.Get(p.Goal); g != nil {
		g.Record.Failed = 0
	}
	t.settle(&goals.Fact{Kind: goals.FactPlanCompleted, Goal: p.Goal})
}

// planFailed releases what the plan held; a goal whose second plan failed is
// given up.
func (t *Turn) planFailed(p *memory.Plan) {
	g := t.a.Goals.Get(p.Goal)
	if g == nil {
		return
	}
	if g.Kind() == goals.KindClaimBounty && t.claimed(g.Subject()) != nil {
		t.l.Release(g.Subject())
	}
	if g.Record.Failed++; g.Record.Failed < maxFailed {
		return
	}
	from := len(t.sats)
	if s, ok := t.a.Goals.Abandon(g.ID, float64(t.a.Reputation)); ok {
		t.sats = append(t.sats, s)
		t.ended(from)
	}
}

// dropSteps takes the steps out of a mind's plan that cannot be sent as they are,
// and returns how many. References are the step's to resolve when its turn comes.
func (t *Turn) dropSteps(m *llm.MemoryUpdate) (dropped int) {
	before := len(m.Plan)
	m.Plan = slices.DeleteFunc(m.Plan, func(s llm.PlanStep) bool {
		if bytes.IndexByte(s.Params, '$') >= 0 {
			return false
		}
		_, err := s.Action.FromJSON(paramsOf(s), t.r.Names)
		return err != nil
	})
	return before - len(m.Plan)
}

// paramsOf returns the parameters of a mind's step, {} if it wrote none.
func paramsOf(s llm.PlanStep) []byte {
	if s.Params == nil {
		return []byte("{}")
	}
	return s.Params
}

// mindsPlan replaces a goal's plan by the one that the mind wrote. Unknown
// predicates cannot come in: a mind writes actions and parameters only.
func (t *Turn) mindsPlan(g *goals.Goal, steps []llm.PlanStep) {
	out, names := make([]memory.PlanStep, len(steps)), make([]string, len(steps))
	for i, s := range steps {
		names[i] = s.Action.Name
		out[i] = memory.PlanStep{
			Action:         stepCodec.Bytes(&stepAct{s.Action.Name, string(paramsOf(s))}),
			EstimatedTicks: s.Action.Ticks,
		}
	}
	t.draft(g, out, names)
}
