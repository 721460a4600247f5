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
)

// stepAct is the content of a plan step's action: catalogue name and parameters,
// JSON with references.
type stepAct struct {
	Action string `kdom:"action"`
	Params string `kdom:"params"`
}

var stepCodec = wire.NewCodec[stepAct]()

// maxPlans is how often a goal is planned before it is given up.
const maxPlans = 2

// plan returns the living plan of a goal, making one from the template when the
// goal needs one; nil when it needs none or cannot be planned now.
func (t *Turn) plan(g *goals.Goal) *memory.Plan {
	if p := t.a.Memory.Plans.Of(g.ID); p != nil {
		return p
	}
	steps := t.stepsFor(g)
	if len(steps) < 2 {
		return nil
	}
	t.planned = t.planned || g == t.top
	out := make([]memory.PlanStep, len(steps))
	for i, s := range steps {
		out[i] = memory.PlanStep{
			Action:         stepCodec.Append(nil, &stepAct{s.action, s.params}),
			Precondition:   condition(s.pre),
			Postcondition:  condition(s.post),
			EstimatedTicks: stepTicks(s.action),
		}
	}
	return t.draft(g, out)
}

// draft puts a plan on record: estimates from the catalogue, risk from experience.
func (t *Turn) draft(g *goals.Goal, steps []memory.PlanStep) *memory.Plan {
	p := memory.Plan{Goal: g.ID, Steps: steps}
	chance := 1.0
	for i := range steps {
		var act stepAct
		if stepCodec.Decode(steps[i].Action, &act) != nil {
			continue
		}
		p.EstimatedTicks += steps[i].EstimatedTicks
		if row, ok := action.ByName(act.Action); ok {
			p.EstimatedCost += row.FlatCost
		}
		chance = float64(chance * t.a.Learning.ActionRate(act.Action))
	}
	p.Risk = float32(det.Quantise(1 - chance))
	g.Record.Plans++
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
	plan    uint64
	step    uint32
	act     stepAct
	pre     string
	post    string
	params  []byte // resolved JSON that payload was made from
	payload any
	kind    goals.Subject
	subject wire.Hash
}

// cached returns the slot for a plan's step, decoded.
func (t *Turn) cached(p *memory.Plan) *plannedStep {
	for i := range t.plans {
		if c := &t.plans[i]; c.plan == p.ID && c.step == p.Step {
			return c
		}
	}
	c := &t.plans[t.next]
	t.next = (t.next + 1) % planCache
	s := &p.Steps[p.Step]
	*c = plannedStep{plan: p.ID, step: p.Step, params: c.params[:0]}
	if err := stepCodec.Decode(s.Action, &c.act); err != nil {
		panic("ooda: a plan holds a step that is no step: " + err.Error())
	}
	if s.Precondition != nil {
		c.pre = string(*s.Precondition)
	}
	if s.Postcondition != nil {
		c.post = string(*s.Postcondition)
	}
	return c
}

// nextStep returns the step of a plan that can be taken now, nil when the plan is
// blocked or over. Steps whose postcondition holds already are skipped.
func (t *Turn) nextStep(g *goals.Goal, p *memory.Plan) *plannedStep {
	for p.Blocked == nil {
		c := t.cached(p)
		if c.post != "" && t.holds(c.post, g) {
			if t.a.Memory.Plans.Advance(p) {
				t.planCompleted(p)
				return nil
			}
			continue
		}
		row := t.row(c.act.Action)
		if row == nil || !t.holds(c.pre, g) || !t.fill(c, row, g) {
			return nil
		}
		return c
	}
	return nil
}

// fill resolves the references of a step and makes its payload, unless it is made.
func (t *Turn) fill(c *plannedStep, row *action.Row, g *goals.Goal) bool {
	var room [1024]byte
	params, ok := t.resolve(room[:0], c.act.Params, g)
	if !ok {
		return false
	}
	if c.payload != nil && bytes.Equal(params, c.params) {
		return true
	}
	payload, err := row.FromJSON(params, t.r.Names)
	if err != nil {
		return false
	}
	c.params, c.payload = append(c.params[:0], params...), payload
	c.kind, c.subject = subjectOf(payload)
	return true
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
// its count of plans anew.
func (t *Turn) planCompleted(p *memory.Plan) {
	if g := t.a.Goals.Get(p.Goal); g != nil {
		g.Record.Plans = 0
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
	if g.Record.Plans < maxPlans {
		return
	}
	from := len(t.sats)
	if s, ok := t.a.Goals.Abandon(g.ID, float64(t.a.Reputation)); ok {
		t.sats = append(t.sats, s)
		t.ended(from)
	}
}

// mindsPlan replaces a goal's plan by the one that the mind wrote. Unknown
// predicates cannot come in: a mind writes actions and parameters only.
func (t *Turn) mindsPlan(g *goals.Goal, steps []llm.PlanStep) {
	out := make([]memory.PlanStep, len(steps))
	for i, s := range steps {
		params := s.Params
		if params == nil {
			params = []byte("{}")
		}
		out[i] = memory.PlanStep{
			Action:         stepCodec.Append(nil, &stepAct{s.Action.Name, string(params)}),
			EstimatedTicks: s.Action.Ticks,
		}
	}
	t.draft(g, slices.Clip(out))
}
