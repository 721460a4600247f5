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

// stepAction is the content of a plan step's action: catalogue name and parameters,
// JSON with references.
type stepAction struct {
	Action string `kdom:"action"`
	Params string `kdom:"params"`
}

var stepCodec = codec.New[stepAction]()

// maxFailed is how many plans of a goal may fail before it is given up. A plan that
// the mind replaced has not failed.
const maxFailed = 2

// planner keeps the plans of an agent's goals going: it makes them from templates or from what the mind wrote, finds
// their next step, and advances them by the results of acts. The plans themselves are stored in the agent's memory.
type planner struct {
	self
	goals *goalTracker

	ids   [planCache]uint64      // plans whose present step is at the same place of steps
	steps [planCache]plannedStep // decoded and resolved, kept between slots
	next  int                    // place of steps to overwrite next
}

// of returns the living plan of a goal, making one from the template when the goal needs
// one; nil when it needs none or cannot be planned now. fresh reports that it was made.
func (pl *planner) of(g *goals.Goal) (p *memory.Plan, fresh bool) {
	if p = pl.agent.Memory.Plans.ByGoal(g.ID); p != nil {
		return p, false
	}
	m := pl.templateFor(g)
	if m == nil {
		return nil, false
	}
	return pl.add(g, m.steps, m.names), true
}

// add adds a plan, with estimates from the catalogue and a risk from experience.
func (pl *planner) add(g *goals.Goal, steps []memory.PlanStep, names []string) *memory.Plan {
	p := memory.Plan{Goal: g.ID, Steps: steps, Dependencies: dependsOn(g, steps)}
	chance := 1.0
	for i, name := range names {
		p.EstimatedTicks += steps[i].EstimatedTicks
		if row, ok := action.ByName(name); ok {
			p.EstimatedCost += row.FlatCost
			chance = float64(chance * pl.believer().works(row))
		}
	}
	p.Risk = float32(det.Quantise(1 - chance))
	return pl.agent.Memory.Plans.Add(p)
}

// dependsOn lists what a plan needs to be there and does not make itself: the thing that its goal is about, and
// those that its steps name, each once.
func dependsOn(g *goals.Goal, steps []memory.PlanStep) (out []wire.Hash) {
	if id := g.Subject(); !id.IsZero() {
		out = append(out, id)
	}
	for i := range steps {
		if len(steps[i].Action) == 0 {
			continue
		}
		if a := actionOfStep(steps[i].Action); a.payload != nil {
			if _, id := subjectOf(a.payload); !id.IsZero() && !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
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

// nextStep returns the step of a plan that can be taken now, nil when the plan is
// blocked or over. Steps whose postcondition holds already are skipped.
func (pl *planner) nextStep(g *goals.Goal, p *memory.Plan) *plannedStep {
	for p.Blocked == nil {
		c := pl.present(p)
		if c.planned.Postcondition != nil && pl.holds(c.post(), g) {
			if pl.agent.Memory.Plans.Advance(p) {
				pl.completed(p)
				return nil
			}
			continue
		}
		row := pl.seen.action(c.act.Action)
		if row == nil || !pl.holds(c.pre(), g) {
			return nil
		}
		switch found := pl.fill(c, row, g); {
		case found == resolved && c.byMind() && pl.published(c.payload):
			if pl.agent.Memory.Plans.Advance(p) {
				pl.completed(p)
				return nil
			}
			continue
		case found == resolved && !pl.seen.over(c.subject):
			return c
		case found != resolvesLater: // as if it had been tried: the second time ends the plan
			pl.stepEnded(p, false)
		default: // nothing to do for the others
		}
		return nil
	}
	return nil
}

// published reports whether a request would publish an entry again that the agent has published.
func (pl *planner) published(payload any) bool {
	p, ok := payload.(*wire.EntryPublish)
	return ok && slices.ContainsFunc(pl.notes.Entries, func(n memory.EntryNote) bool {
		return n.Own && bytes.Equal(n.Title, memory.Truncate(p.Entry.Title))
	})
}

// planOf returns the plan of the mind whose next step a request is, although it was not offered, and its goal.
func (pl *planner) planOf(p *pending) (*memory.Plan, *goals.Goal) {
	for _, plan := range pl.agent.Memory.Plans.Living() {
		if !writtenByMind(plan) || plan.Blocked != nil {
			continue
		}
		g, c := pl.agent.Goals.Get(plan.Goal), pl.present(plan)
		if g == nil || c.act.Action != p.row.Name || pl.fill(c, p.row, g) != resolved {
			continue
		}
		sent, publishes := p.payload.(*wire.EntryPublish)
		if publishes && bytes.Equal(sent.Entry.Title, c.payload.(*wire.EntryPublish).Entry.Title) || sameParams(p.row, c.payload, p.payload) {
			return plan, g
		}
	}
	return nil, nil
}

// sameParams reports whether two payloads of an action are the same but for what the runtime fills in.
func sameParams(row *action.Row, a, b any) bool {
	return bytes.Equal(row.AppendJSON(nil, a), row.AppendJSON(nil, b))
}

// stepEnded moves the plan of a step that came to its end.
func (pl *planner) stepEnded(p *memory.Plan, ok bool) {
	plans := pl.agent.Memory.Plans
	if ok {
		if plans.Advance(p) {
			pl.completed(p)
		}
		return
	}
	if plans.Fail(p) {
		pl.failed(p)
	}
}

// completed tells the goal; a goal that needs more than its plan gave starts
// its count of failed plans anew.
func (pl *planner) completed(p *memory.Plan) {
	if g := pl.agent.Goals.Get(p.Goal); g != nil {
		g.Record.Failed = 0
	}
	pl.goals.tell(&goals.Fact{Kind: goals.FactPlanCompleted, Goal: p.Goal})
}

// failed releases what the plan held. A goal whose second plan failed is given up.
func (pl *planner) failed(p *memory.Plan) {
	g := pl.agent.Goals.Get(p.Goal)
	if g == nil {
		return
	}
	if g.Kind() == goals.KindClaimBounty && pl.seen.claimed(g.Subject()) != nil {
		pl.notes.Release(g.Subject())
	}
	if g.Record.Failed++; g.Record.Failed < maxFailed {
		return
	}
	pl.goals.abandon(g.ID, goals.ReasonPlans)
}

// dropSteps takes the steps out of a mind's plan that cannot be sent as they are,
// and returns how many. References ($…) stay; they are resolved when the step is next.
func dropSteps(m *llm.MemoryUpdate, names codec.AliasResolver) (dropped int) {
	before := len(m.Plan)
	m.Plan = slices.DeleteFunc(m.Plan, func(s llm.PlanStep) bool {
		if bytes.ContainsRune(s.Params, '$') {
			return false
		}
		_, err := s.Action.FromJSON(paramsOf(s), names)
		return err != nil
	})
	return before - len(m.Plan)
}

// dropConditions takes the conditions that mean nothing out of the goals that a mind sets itself, and returns how many.
func dropConditions(m *llm.MemoryUpdate) (dropped int) {
	for i := range m.Goals {
		if _, err := goals.ParsePredicate(m.Goals[i].Until); m.Goals[i].Until != "" && err != nil {
			m.Goals[i].Until = ""
			dropped++
		}
	}
	return dropped
}

// paramsOf returns the parameters of a mind's step, {} if it wrote none.
func paramsOf(s llm.PlanStep) []byte {
	if s.Params == nil {
		return []byte("{}")
	}
	return s.Params
}

// replace gives a goal the plan that the mind wrote. Unknown
// predicates cannot come in: a mind writes actions and parameters only.
func (pl *planner) replace(g *goals.Goal, steps []llm.PlanStep) {
	out, names := make([]memory.PlanStep, len(steps)), make([]string, len(steps))
	for i, s := range steps {
		names[i] = s.Action.Name
		out[i] = memory.PlanStep{
			Action:         stepCodec.Bytes(&stepAction{s.Action.Name, string(paramsOf(s))}),
			EstimatedTicks: pl.ticksOf(s),
		}
	}
	pl.add(g, out, names)
}

// ticksOf is the most that a mind's step may cost, as far as its parameters tell yet.
func (pl *planner) ticksOf(s llm.PlanStep) uint64 {
	if s.Action.BoundOf != nil {
		if payload, err := s.Action.FromJSON(paramsOf(s), pl.rules.Names); err == nil {
			return pl.seen.cost(s.Action, payload).Ticks
		}
	}
	return s.Action.Ticks
}

// current returns the living plan whose present step an action was.
func (pl *planner) current(p *pending) *memory.Plan {
	if p.plan == 0 {
		return nil
	}
	plan := pl.agent.Memory.Plans.ByGoal(p.goal)
	if plan == nil || plan.ID != p.plan || plan.Step != p.step {
		return nil
	}
	return plan
}

// stepTaken advances a plan: a step is done when the world accepted it and its postcondition holds, if that can be
// checked at once.
func (pl *planner) stepTaken(p *pending, r *wire.Reply, ok bool) {
	plan := pl.current(p)
	if plan == nil {
		return
	}
	if ok {
		if object, found := pl.objectOf(r); found {
			pl.notes.SetObject(p.goal, object)
		}
		if g := pl.agent.Goals.Get(p.goal); g != nil {
			if c := pl.present(plan); visible(c) && !pl.holds(c.post(), g) {
				ok = false
			}
		}
		if b, submitted := r.Body.(*wire.BountySubmitAck); submitted && b.Status == wire.BountyStatusClaimed {
			ok = false
		}
	}
	pl.stepEnded(plan, ok)
}

// visible reports whether a step's postcondition can be checked right after the step, because it is about what the
// reply made the agent note. Others show in a later view or by a later step.
func visible(c *plannedStep) bool {
	switch c.act.Action {
	case "msg_query":
		return string(c.post()) == "message_read"
	case "msg_post":
		return string(c.post()) == "message_answered"
	default:
		return false
	}
}
