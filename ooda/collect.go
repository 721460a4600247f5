package ooda

import (
	"slices"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// collect lists what is feasible: for the best goals that have anything feasible, the next step of their plan and its
// alternatives; if that is little, also what can always be done. The order is that of the priority of goals.
func (o *offers) collect(ranked []*goals.Goal) {
	o.generate(genRelease, ranked[0])
	o.generate(genShutdown, &o.delegate)
	o.generate(genFund, &o.delegate)
	o.generate(genTip, &o.delegate)
	o.generate(genPledge, &o.delegate)
	o.generate(genPropose, &o.delegate)
	o.generate(genArgue, &o.delegate)
	offering := 0
	// a plan may complete a goal while its steps are skipped, which changes the
	// ranking: walk a copy
	best := append(o.ranking[:0], ranked...)
	o.ranking = best
	first := 0
	if i := slices.Index(best, o.regs.doing); i >= 0 { // what serves the goal that the agent is about is offered for it
		moveUp(best, i, 0)
		first++
	}
	for i := first; i < len(best); i++ { // then what it has promised, however much it is asked for
		if o.seen.holds(best[i]) {
			moveUp(best, i, first)
			first++
		}
	}
	for i, g := range best {
		if offering == offeringGoals || i == lookedAt {
			break
		}
		if !g.Alive() || o.deferral().defers(g) && !o.regs.fitsErrands(g) {
			continue
		}
		before := len(o.list)
		o.collectFor(g)
		if len(o.list) > before {
			offering++
		}
	}
	offerMindsPlans(o)
	if len(o.list) >= enough || o.goals.top == nil {
		return
	}
	o.generate(genTicks, o.goals.top)
	general := o.serveNone(best)
	for _, n := range always {
		o.generate(n, general)
	}
}

// moveUp moves a goal to an earlier place.
func moveUp(list []*goals.Goal, from, to int) {
	g := list[from]
	copy(list[to+1:from+1], list[to:from])
	list[to] = g
}

// serveNone returns the stand-in goal of what serves no goal in particular. It has no id and no kind, and its priority
// is that of the goal with the lowest one.
func (o *offers) serveNone(ranked []*goals.Goal) *goals.Goal {
	o.general = goals.Goal{}
	first := true
	for _, g := range ranked {
		if g.Alive() && (first || g.Priority < o.general.Priority) {
			o.general.Priority, first = g.Priority, false
		}
	}
	return &o.general
}

// collectFor lists what serves one goal.
func (o *offers) collectFor(g *goals.Goal) {
	if !o.rules.Blind.Has(llm.LayerPlans) { // who has no plans does only what serves a goal at one stroke
		p, fresh := o.plans.of(g)
		o.topPlanned = o.topPlanned || fresh && g == o.goals.top
		if p != nil {
			offerNext(o, g, p)
		}
		if !g.Alive() {
			return // its plan came to its end
		}
	}
	_, offers := served(g)
	for _, n := range offers {
		o.generate(n, g)
	}
}

// offerMindsPlans offers the next step of each plan that the mind wrote, also for goals that are not among the best: it decides
// itself when to go on with it.
func offerMindsPlans(o *offers) {
	if o.rules.Blind.Has(llm.LayerPlans) {
		return
	}
	var plans []*memory.Plan // a step may end its plan, which changes the list
	for _, p := range o.agent.Memory.Plans.Living() {
		if !slices.Contains(o.stepped, p.ID) && writtenByMind(p) {
			plans = append(plans, p)
		}
	}
	for _, p := range plans {
		if g := o.agent.Goals.Get(p.Goal); g != nil && g.Alive() {
			offerNext(o, g, p)
		}
	}
}

// offerNext offers the next step of a plan, if it can be taken now.
func offerNext(o *offers, g *goals.Goal, p *memory.Plan) {
	o.stepped = append(o.stepped, p.ID)
	if c := o.plans.nextStep(g, p); c != nil {
		o.offerStep(g, p, c)
	}
}

// attribute finds the goal and plan step that an action serves: those of the affordance of the same action that it is
// most like, of equals the one with the same parameters, else the first. An action that was not offered serves the plan of the
// mind whose next step it is, else the best living goal about its subject, if there is one.
func (o *offers) attribute(p *pending) {
	best, most := -1, 0 // what is not like an offer at all serves none
	for i := range o.list {
		a := &o.list[i]
		if a.Action != p.row {
			continue
		}
		switch like := likeness(a, p); {
		case like > most:
			best, most = i, like
		case best >= 0 && like == most && !sameParams(p.row, o.list[best].Params, p.payload) && sameParams(p.row, a.Params, p.payload):
			best = i
		}
	}
	p.offer, p.domain = best, p.row.Domain
	said := llm.Affordance{Action: p.row, Compose: composeOf(p.payload)}
	p.verb = said.Verb()
	if best >= 0 {
		ref := &o.refs[best]
		p.verb, p.domain = o.list[best].Verb(), ref.domain
		p.goal, p.goalKind, p.plan, p.step = o.list[best].Goal, ref.goal, ref.plan, ref.step
		return
	}
	if plan, g := o.plans.planOf(p); plan != nil {
		p.goal, p.goalKind, p.plan, p.step = g.ID, g.Kind(), plan.ID, plan.Step
		return
	}
	for _, g := range o.ranking {
		if g.Alive() && !p.subject.IsZero() && g.About(p.subject) {
			p.goal, p.goalKind, p.domain = g.ID, g.Kind(), g.Domain()
			return
		}
	}
}

// likeness is how much a request is like an affordance of the same action: most of all by its subject, then by the kind
// of the message or entry, then by the title of the entry that the affordance proposes. 0 says that it is something else: a
// message of another kind, or about another thing.
func likeness(a *llm.Affordance, p *pending) int {
	const same, subject, kind, title = 1, 8, 4, 2
	_, about := subjectOf(a.Params)
	like, other := same, !about.IsZero() && !p.subject.IsZero()
	if a.Subject == p.subject || about == p.subject {
		like, other = like+subject, false
	}
	switch sent := p.payload.(type) {
	case *wire.MsgPost:
		offered, ok := a.Params.(*wire.MsgPost)
		if !ok || offered.Kind != sent.Kind || other && sent.Kind == wire.MessageKindAnswer {
			return 0
		}
		like += kind
	case *wire.EntryPublish:
		if offered, ok := a.Params.(*wire.EntryPublish); ok && offered.Entry.Kind == sent.Entry.Kind {
			like += kind
		}
		if a.Finding != nil && a.Finding.Title == string(sent.Entry.Title) {
			like += title
		}
	default:
		if other {
			return 0
		}
	}
	return like
}

// generate runs a generator for a goal. Most generators run once per slot, for the best goal that lists them.
func (o *offers) generate(n generator, g *goals.Goal) {
	if !n.perGoal(g) {
		if o.ran&(1<<n) != 0 {
			return
		}
		o.ran |= 1 << n
	}
	generators[n](o, g)
}
