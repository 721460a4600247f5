package ooda

import (
	"cmp"
	"slices"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

const (
	// maxOffers is how many affordances a prompt lists, rest and nop included.
	maxOffers = 24
	// offeringGoals is how many goals with something feasible are listed.
	offeringGoals = 5
	// lookedAt is how many of the best goals are asked for something feasible: an
	// agent with many blocked goals does not pay for all of them in every slot.
	lookedAt = planCache
	// enough is how many affordances make a choice; below it, what can be done in
	// any case is added.
	enough = 6
)

// offers collects the affordances of one slot: the concrete actions that are feasible now,
// each for the goal it serves.
type offers struct {
	self
	goals *goalTracker
	plans *planner
	regs  *registers

	ranking    []*goals.Goal // the goals of this slot, best first
	general    goals.Goal    // the goal of offers that serve none, see serveNone
	delegate   goals.Goal    // the goal of offers to pay or ask others; like general it has neither id nor kind
	newest     int           // index of the affordance added last
	ran        uint32        // generators that have run, by bit
	called     bool          // the call of this slot was tried
	goesOn     bool          // an offer serves the goal that the agent works for, registers.doing
	topPlanned bool          // the top goal got its plan in this slot

	*OfferBuffers
	rated   *action.Row // the action of rate; nil: none
	rate    float64     // how often it succeeds
	bestPay float64     // ⚡ that the best paid goal of the list is expected to bring

	idleWorth float64 // what doing nothing is worth in this slot
}

// offerRef is what the turn remembers of an affordance beyond what the mind sees.
type offerRef struct {
	goal    goals.Kind    // 0: none in particular
	domain  action.Domain // of that goal, else of the action
	about   wire.Hash     // the subject of that goal; zero if it has none
	demand  bool          // others are paid or asked to do it
	errand  bool          // its goal is a short task, see errand
	presses bool          // it cannot wait: its goal's deadline is near, or the agent has promised it
	held    bool          // it is for a bounty that the agent holds
	canWait bool          // it may be done later as well
	plan    uint64        // row id of the plan whose step this is; 0: none
	step    uint32
}

// reset begins a slot.
func (o *offers) reset() {
	o.list, o.refs, o.ran = o.list[:0], o.refs[:0], 0
	o.called, o.newest, o.topPlanned, o.goesOn, o.rated = false, 0, false, false, nil
	o.stepped = o.stepped[:0]
	p := &o.payloads
	p.gets, p.verifies, p.signals, p.votes, p.reviews = p.gets[:0], p.verifies[:0], p.signals[:0], p.votes[:0], p.reviews[:0]
	p.updates, p.citations, p.publishes, p.findings = p.updates[:0], p.citations[:0], p.publishes[:0], p.findings[:0]
}

// place moves the last affordance up to where its priority belongs, best first; equals stay in
// the order in which they were added.
func (o *offers) place() *llm.Affordance {
	i := len(o.list) - 1
	for ; i > 0 && o.list[i-1].Priority < o.list[i].Priority; i-- {
		o.list[i-1], o.list[i] = o.list[i], o.list[i-1]
		o.refs[i-1], o.refs[i] = o.refs[i], o.refs[i-1]
	}
	o.newest = i
	return &o.list[i]
}

// offer adds an affordance for a goal unless it is infeasible or the list is full.
// fit scales the chance of success that experience gives.
func (o *offers) offer(g *goals.Goal, row *action.Row, payload any, fit float64) *llm.Affordance {
	_, subject := subjectOf(payload)
	return o.offerAbout(g, row, payload, subject, fit)
}

// offerAbout is offer of a payload whose subject is known.
func (o *offers) offerAbout(g *goals.Goal, row *action.Row, payload any, subject wire.Hash, fit float64) *llm.Affordance {
	if row == nil || len(o.list) >= maxOffers-2 || !o.seen.feasible(row, payload) {
		return nil
	}
	cost := o.seen.cost(row, payload)
	kind, reward := "", 0.0
	if g != &o.general && g != &o.delegate {
		kind, reward = g.Kind().String(), o.goals.situation.Expected(g)+o.pledged(g)
	}
	o.list = append(o.list, llm.Affordance{
		Action:   row,
		Params:   payload,
		Goal:     g.ID,
		GoalKind: kind,
		Priority: g.Priority,
		Success:  float64(fit * o.successRate(row)),
		Ticks:    cost.Ticks + requestLimit{&o.self}.surcharge(row),
		Spark:    cost.Spark,
		Reward:   reward,
		Subject:  subject,
		Compose:  composeOf(payload),
	})
	held := o.seen.holds(g)
	o.refs = append(o.refs, offerRef{goal: g.Kind(), domain: cmp.Or(g.Description.Domain, row.Domain), about: g.Subject(), demand: g == &o.delegate, presses: held || o.dueSoon(g), held: held, errand: errand(g), canWait: o.deferral().canWait(g)})
	o.goesOn = o.goesOn || g == o.regs.doing
	return o.place()
}

// dueSoon reports whether the deadline of a goal is near.
func (o *offers) dueSoon(g *goals.Goal) bool {
	return g.Deadline != nil && *g.Deadline < o.seen.tick+o.deferral().urgencyWindow(g)
}

// successRate is the chance that an action succeeds. One generator offers the same action again
// and again, and nothing is learned in between.
func (o *offers) successRate(row *action.Row) float64 {
	if o.rated != row {
		o.rated, o.rate = row, o.believer().works(row)
	}
	return o.rate
}

// offerStep adds a plan's step.
func (o *offers) offerStep(g *goals.Goal, p *memory.Plan, c *plannedStep) {
	var known llm.Affordance
	if !(scribe{o}).prepared(&known, g, c) {
		return
	}
	payload, subject := c.payload, c.subject
	if known.Params != nil {
		payload = known.Params
		_, subject = subjectOf(payload)
	}
	if o.looksThere(g, payload, c.subject) {
		return
	}
	a := o.offerAbout(g, o.seen.action(c.act.Action), payload, subject, 1)
	if a == nil {
		return
	}
	a.Plan = true
	if c.byMind() {
		a.Compose = llm.ComposeNone
	}
	a.Know, a.Finding, a.Besides, a.Said = known.Know, known.Finding, known.Besides, known.Said
	if n := o.notes.Entry(c.subject); n != nil {
		a.Author, a.Text = n.Author.Alias(), n.Text
	} else if m := o.notes.Message(c.subject); m != nil {
		a.Author, a.Text = nameOf(m.Author), m.Text
	} else if g.Kind() == goals.KindClaimBounty {
		if b := o.seen.claimed(g.Subject()); b != nil {
			a.Author, a.Text = nameOf(b.Creator), b.Title
		}
	}
	ref := &o.refs[o.newest]
	ref.plan, ref.step = p.ID, c.step
}

// looksThere reports whether an offered look at unread messages shows a channel, too: one look serves several goals.
// For a goal to answer a question that look is offered first.
func (o *offers) looksThere(g *goals.Goal, payload any, channel wire.Hash) bool {
	if _, looks := payload.(*wire.MsgQuery); !looks {
		return false
	}
	if m := o.notes.Message(g.Subject()); g.Kind() == goals.KindAnswer && m != nil && !m.Signed {
		o.generate(genLook, g)
	}
	for i := range o.list {
		a := &o.list[i]
		if a.Action.Type == wire.TypeMsgQuery && (a.Plan && a.Subject == channel || a.Params == any(&o.payloads.look) && slices.Contains(o.payloads.lookAt, channel)) {
			return true
		}
	}
	return false
}

// prepared fills in what the agent knows of the thing that a step writes or judges; it returns false if that is too
// little to take the step.
func (o scribe) prepared(a *llm.Affordance, g *goals.Goal, c *plannedStep) bool {
	if c.byMind() {
		return true // it says what it wants to say
	}
	switch p := c.payload.(type) {
	case *wire.BountyClaim:
		b := o.seen.bounty(p.BountyID)
		return b == nil || o.expert().canDeliver(b)
	case *wire.EntryPublish:
		if b := o.seen.claimed(g.Subject()); b != nil {
			if m, subject, about := documented(b); about {
				return o.stateOf(a, m, subject)
			}
		}
		if g.Kind() == goals.KindClaimBounty {
			return o.state(a, p.Entry.Kind, true)
		}
		return o.stateFreely(a, p, g)
	case *wire.EntryVerify:
		n := o.notes.Entry(p.EntryID)
		return n == nil || o.judge(a, n)
	case *wire.MsgPost:
		switch {
		case p.Kind == wire.MessageKindAnswer && len(p.References) > 0:
			n := o.notes.Message(p.References[0])
			return n == nil || !o.deferral().leftToOther(n) && (!n.Read || o.fillKnowledge(a, n.Text))
		case p.Kind == wire.MessageKindStatement && len(p.References) > 0:
			o.fillAnnouncement(a, p.References[0])
			o.invite(a, p)
		}
	}
	return true
}

// composeOf says what a mind is expected to write for a request.
func composeOf(payload any) llm.Compose {
	switch p := payload.(type) {
	case *wire.EntryPublish:
		return llm.ComposeEntry
	case *wire.EntryUpdate:
		return llm.ComposeUpdate
	case *wire.EntryVerify:
		return llm.ComposeVerdict
	case *wire.BountyReview:
		if p.Verdict == wire.BountyVerdictApprove {
			return llm.ComposeReview
		}
	case *wire.ReviewSubmit:
		return llm.ComposeReview
	case *wire.ProposalVote:
		return llm.ComposeVote
	case *wire.SignalSend:
		return llm.ComposeSignal
	case *wire.MsgPost:
		switch p.Kind {
		case wire.MessageKindQuestion:
			return llm.ComposeQuestion
		case wire.MessageKindAnswer:
			return llm.ComposeAnswer
		default:
			return llm.ComposeStatement
		}
	}
	return llm.ComposeNone
}
