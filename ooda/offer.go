package ooda

import (
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

const (
	// maxOffers is how many affordances a prompt lists, nop included.
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

// offers collects the affordances of one slot. Payloads of the frequent kinds come
// from stock that is used again at the next Ask, when the prompt is gone.
type offers struct {
	list []llm.Affordance
	refs []offerRef // parallel to list
	used uint32     // generators that have run, by bit

	entryGet    [4]wire.EntryGet
	entryVerify [4]wire.EntryVerify
	signal      [4]wire.SignalSend
	gets        int
	verifies    int
	signals     int
	look        wire.MsgQuery
	lookAt      []wire.Hash
	browse      wire.EntryQuery
	question    wire.MsgPost
	review      [2]wire.BountyReview
	reviews     int
	vote        [4]wire.ProposalVote
	votes       int
	status      wire.AgentStatusMsg
	call        wire.MsgPost
	callRef     [1]wire.Hash
	called      bool // the sleeper of this slot was offered, or there is none
	newest      int  // index of the affordance added last

	rated *action.Row // the action of rate; nil: none
	rate  float64     // how often the action offered last succeeds
}

// offerRef is what the turn remembers of an affordance beyond what the mind sees.
type offerRef struct {
	goal goals.Kind
	plan uint64
	step uint32
}

func (o *offers) reset() {
	o.list, o.refs, o.used = o.list[:0], o.refs[:0], 0
	o.gets, o.verifies, o.signals, o.reviews, o.votes = 0, 0, 0, 0, 0
	o.called, o.newest = false, 0
	o.rated = nil
}

// settle moves the last affordance up to its place: one that serves another goal than the
// one whose turn it is may be worth less or more than its neighbours.
func (o *offers) settle() *llm.Affordance {
	i := len(o.list) - 1
	for ; i > 0 && o.list[i-1].Priority < o.list[i].Priority; i-- {
		o.list[i-1], o.list[i] = o.list[i], o.list[i-1]
		o.refs[i-1], o.refs[i] = o.refs[i], o.refs[i-1]
	}
	o.newest = i
	return &o.list[i]
}

// sort orders by goal priority, best first, and keeps the order of equals. The
// list is short and nearly sorted.
func (o *offers) sort() {
	for i := 1; i < len(o.list); i++ {
		for j := i; j > 0 && o.list[j-1].Priority < o.list[j].Priority; j-- {
			o.list[j-1], o.list[j] = o.list[j], o.list[j-1]
			o.refs[j-1], o.refs[j] = o.refs[j], o.refs[j-1]
		}
	}
}

// row finds an action that is available now, or nil.
func (t *Turn) row(name string) *action.Row {
	for _, r := range t.rows {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// feasible checks what every request needs: slots, funds, gate (of votes, genVote
// checks it).
func (t *Turn) feasible(row *action.Row, payload any) bool {
	_, vote := payload.(*wire.ProposalVote)
	return row.Ticks <= t.seen.slots &&
		int64(row.FlatCost) <= max(t.seen.available, 0) &&
		(vote || t.gateOpen(row, payload))
}

// gateOpen reports whether the world serves this request at the present epoch.
func (t *Turn) gateOpen(row *action.Row, payload any) bool {
	return row.MinEpoch(action.Profile(t.r.Gates), payload) <= t.seen.epoch
}

// offer adds an affordance for a goal unless it is infeasible or the list is full.
// fit scales the chance of success that experience gives.
func (t *Turn) offer(g *goals.Goal, row *action.Row, payload any, fit float64) *llm.Affordance {
	_, subject := subjectOf(payload)
	return t.offerAbout(g, row, payload, subject, fit)
}

// offerAbout is offer of a payload whose subject is known.
func (t *Turn) offerAbout(g *goals.Goal, row *action.Row, payload any, subject wire.Hash, fit float64) *llm.Affordance {
	if row == nil || len(t.offers.list) >= maxOffers-1 || !t.feasible(row, payload) {
		return nil
	}
	t.offers.list = append(t.offers.list, llm.Affordance{
		Action:   row,
		Params:   payload,
		Goal:     g.ID,
		GoalKind: g.Kind().String(),
		Priority: g.Priority,
		Success:  float64(fit * t.rateOf(row)),
		Ticks:    row.Ticks,
		Spark:    row.FlatCost,
		Reward:   t.sit.Expected(g),
		Subject:  subject,
		Compose:  composeOf(payload),
	})
	t.offers.refs = append(t.offers.refs, offerRef{goal: g.Kind()})
	return t.offers.settle()
}

// rateOf is the chance that an action succeeds. One generator offers the same action again
// and again, and nothing is learned in between.
func (t *Turn) rateOf(row *action.Row) float64 {
	if o := &t.offers; o.rated != row {
		o.rated, o.rate = row, t.a.Learning.ActionRate(row.Name)
	}
	return t.offers.rate
}

// offerStep adds a plan's step.
func (t *Turn) offerStep(g *goals.Goal, p *memory.Plan, c *plannedStep) {
	a := t.offerAbout(g, t.row(c.act.Action), c.payload, c.subject, 1)
	if a == nil {
		return
	}
	a.Plan = true
	if n := t.l.Entry(c.subject); n != nil {
		a.Author, a.Text = n.Author.Alias(), n.Text
	} else if m := t.l.Message(c.subject); m != nil {
		a.Author, a.Text = m.Author.Alias(), m.Text
	} else if g.Kind() == goals.KindClaimBounty {
		if b := t.claimed(g.Subject()); b != nil {
			a.Author, a.Text = b.Creator.Alias(), b.Title
		}
	}
	ref := &t.offers.refs[t.offers.newest]
	ref.plan, ref.step = p.ID, c.step
}

// composeOf says what a mind is expected to write of a request.
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
