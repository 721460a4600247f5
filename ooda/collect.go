package ooda

import "kingdom/goals"

// collect lists what is feasible: for the best goals that have anything feasible,
// the step of their plan and its alternatives; when that is little, what can be
// done in any case. Order is goal priority.
func (o *offers) collect(ranked []*goals.Goal) {
	o.generate(genRelease, ranked[0])
	offering := 0
	// a plan may complete a goal while its steps are skipped, which changes the
	// ranking: walk a copy
	best := append(o.ranking[:0], ranked...)
	o.ranking = best
	for i, g := range best {
		if offering == offeringGoals || i == lookedAt {
			break
		}
		if !g.Alive() {
			continue
		}
		before := len(o.list)
		o.collectFor(g)
		if len(o.list) > before {
			offering++
		}
	}
	if len(o.list) >= enough || o.goals.top == nil {
		return
	}
	for _, n := range always {
		o.generate(n, o.goals.top)
	}
}

// collectFor lists what serves one goal.
func (o *offers) collectFor(g *goals.Goal) {
	p, fresh := o.plans.of(g)
	o.topPlanned = o.topPlanned || fresh && g == o.goals.top
	if p != nil {
		if c := o.plans.nextStep(g, p); c != nil {
			o.offerStep(g, p, c)
		}
	}
	if !g.Alive() {
		return // its plan came to its end
	}
	for _, n := range alternatives[g.Kind()] {
		o.generate(n, g)
	}
}

// attribute finds the goal and plan step that an action serves: an affordance with
// the same action and subject, else with the same action, else the top goal.
func (o *offers) attribute(p *pending) {
	best := -1
	for i := range o.list {
		a := &o.list[i]
		if a.Action != p.row {
			continue
		}
		if a.Subject == p.subject {
			best = i
			break
		}
		if best < 0 {
			best = i
		}
	}
	switch {
	case best >= 0:
		ref := &o.refs[best]
		p.goal, p.goalKind, p.plan, p.step = o.list[best].Goal, ref.goal, ref.plan, ref.step
	case o.goals.top != nil:
		p.goal, p.goalKind = o.goals.top.ID, o.goals.top.Kind()
	default:
		p.goalKind = goals.KindOwn
	}
}

// generate runs a generator for a goal: most once per slot, for the best goal that lists
// them.
func (o *offers) generate(n generator, g *goals.Goal) {
	if o.ran&(1<<n) != 0 {
		return
	}
	if !n.perGoal(g) {
		o.ran |= 1 << n
	}
	generators[n](o, g)
}
