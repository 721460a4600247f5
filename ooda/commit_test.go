package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/action"
)

// While there is work for the current goal, offers for other goals and errands that can wait weigh less. If there is
// only something to read for it, they do not, unless the agent is at an errand.
func TestFinishes_OtherOffersWaitWhileThereIsWork(t *testing.T) {
	row := func(name string) *action.Row { r, _ := action.ByName(name); return r }
	for _, c := range []struct {
		name    string
		work    *action.Row // for what the agent is about
		at      wire.Tick   // of the slot; the goals were set at 256
		between bool        // an errand has just ended
		other   string      // goal of the other offer
		waits   bool
	}{
		{"another goal while there is work", row("entry_verify"), 260, false, "long", true},
		{"another goal while there is only something to read", row("entry_get"), 260, false, "long", false},
		{"an errand while there is work", row("entry_verify"), 260, false, "vote", true},
		{"an errand that waited for two cycles", row("entry_verify"), 768, false, "vote", false},
		{"an answer", row("entry_verify"), 260, false, "answer", true},
		{"an answer that waited for a quarter of a cycle", row("entry_verify"), 320, false, "answer", false},
		{"an errand straight after another", row("entry_verify"), 260, true, "vote", false},
	} {
		s, one, two := registered(t)
		s.ask()
		o := &s.t.offers
		o.reset()
		s.t.slotView.tick, s.t.regs.mayChange, s.t.regs.errandEnded = c.at, false, c.between
		other := two
		switch c.other {
		case "vote":
			other = s.about(goals.KindVote, wire.Hash{9})
			other.CreatedAt = 256
		case "answer":
			other = s.about(goals.KindAnswer, wire.Hash{9})
		}
		add := func(g *goals.Goal, r *action.Row, plan bool) {
			o.list = append(o.list, llm.Affordance{Action: r, Goal: g.ID, Priority: 1, Success: 1, Ticks: 1, Plan: plan})
			o.refs = append(o.refs, offerRef{goal: g.Kind(), errand: errand(g), canWait: o.deferral().canWait(g)})
		}
		add(one, c.work, false)
		add(other, row("entry_publish"), true)
		weigher{o}.finishesWork()
		if got := o.list[1].Considered.Product() < 2*forLater; got != c.waits {
			t.Errorf("%s: waits %v", c.name, got)
		}
		if got := o.list[0].Considered.Product() < 1; got != c.between {
			t.Errorf("%s: what the agent is about waits %v", c.name, got)
		}
	}
	s, _, two := registered(t)
	review := s.about(goals.KindDoReview, wire.Hash{8})
	s.t.regs.begin(review)
	s.t.slotView.tick = 260
	o := &s.t.offers
	o.reset()
	o.list = append(o.list, llm.Affordance{Action: row("object_get"), Goal: review.ID, Priority: 1, Success: 1}, llm.Affordance{Action: row("entry_publish"), Goal: two.ID, Priority: 1, Success: 1})
	o.refs = append(o.refs, offerRef{errand: true}, offerRef{canWait: true})
	if (weigher{o}).finishesWork(); o.list[1].Considered.Product() > 2*forLater {
		t.Error("a review is left half read")
	}
}

// Which offers may interrupt the current goal: in a slot in which something calls or in which there is nothing to do
// for that goal, those that take one act and those that cannot wait; straight after an errand, any other errand.
func TestStaysOnGoal_OffersThatMayInterrupt(t *testing.T) {
	for _, c := range []struct {
		name                           string
		ref                            offerRef
		working, called, idle, between bool // whether it interrupts
	}{
		{"an answer", offerRef{goal: goals.KindAnswer, errand: true, canWait: true}, false, true, true, true},
		{"a vote", offerRef{goal: goals.KindVote, errand: true, canWait: true}, false, false, false, true},
		{"a vote that cannot wait", offerRef{goal: goals.KindVote, errand: true}, false, true, true, true},
		{"a review", offerRef{goal: goals.KindDoReview, errand: true, canWait: true}, false, false, false, true},
		{"a claim", offerRef{goal: goals.KindClaimBounty, errand: true, canWait: true}, false, false, false, true},
		{"a review that cannot wait", offerRef{goal: goals.KindDoReview, errand: true}, false, true, true, true},
		{"another long goal", offerRef{goal: goals.KindBuildLibrary, canWait: true}, false, false, false, false},
		{"survival", offerRef{goal: goals.KindEarn}, false, true, false, false},
		{"what presses", offerRef{goal: goals.KindDoReview, errand: true, canWait: true, presses: true}, true, true, true, true},
	} {
		for _, slot := range []struct {
			name                  string
			goesOn, free, between bool
			want                  bool
		}{
			{"at work", true, false, false, c.working},
			{"called", true, true, false, c.called},
			{"with nothing to do", false, false, false, c.idle},
			{"after an errand", true, false, true, c.between},
		} {
			s, _, two := registered(t)
			s.ask()
			s.t.offers.goesOn, s.t.regs.mayChange, s.t.regs.errandEnded = slot.goesOn, slot.free, slot.between
			if got := (weigher{&s.t.offers}).staysOnGoal(&llm.Affordance{Goal: two.ID}, &c.ref) == 1; got != slot.want {
				t.Errorf("%s, %s: interrupts %v", c.name, slot.name, got)
			}
		}
	}
}

// What makes another offer wait while the agent is at a goal, and by how much.
func TestFinishes_WeightOfOtherOffers(t *testing.T) {
	query, _ := action.ByName("entry_query")
	publish, _ := action.ByName("entry_publish")
	own := func(change func(a *llm.Affordance)) llm.Affordance { // an act for what the agent is about
		a := llm.Affordance{Action: publish, Priority: 1, Success: 1}
		change(&a)
		return a
	}
	work := own(func(*llm.Affordance) {})
	later := offerRef{canWait: true}
	errand := offerRef{canWait: true, errand: true}
	for _, c := range []struct {
		name          string
		work          llm.Affordance
		other         offerRef
		called, ended bool // something calls the agent; an errand has just ended
		want          float64
	}{
		{"there is work", work, later, false, false, forLater},
		{"it cannot wait", work, offerRef{}, false, false, 1},
		{"the work is worth as much as doing nothing", own(func(a *llm.Affordance) { a.Priority = 0.15 }), later, false, false, forLater},
		{"the work is worth less", own(func(a *llm.Affordance) { a.Priority = 0.14 }), later, false, false, 1},
		{"the work is worth less than doing nothing by its chance", own(func(a *llm.Affordance) { a.Success = 0.14 }), later, false, false, 1},
		{"there is something to read", own(func(a *llm.Affordance) { a.Action = query }), later, false, false, 1},
		{"there is something to read by plan", own(func(a *llm.Affordance) { a.Action, a.Plan = query, true }), later, false, false, forLater},
		{"others are paid for it", work, offerRef{canWait: true, demand: true}, false, false, 1},
		{"it presses", work, offerRef{canWait: true, presses: true}, false, false, 1},
		{"something calls, and it may come now", work, offerRef{canWait: true, goal: goals.KindAnswer}, true, false, 1},
		{"something calls, and it may not", work, later, true, false, forLater},
		{"it may come now, but nothing calls", work, offerRef{canWait: true, goal: goals.KindAnswer}, false, false, forLater},
		{"an errand straight after another", work, errand, false, true, 1},
		{"an errand", work, errand, false, false, forLater},
		{"no errand, straight after one, with none to come", work, later, false, true, forLater},
	} {
		s, one, two := registered(t)
		s.ask()
		o := &s.t.offers
		o.reset()
		s.t.regs.mayChange, s.t.regs.errandEnded, o.idleWorth = c.called, c.ended, reserve
		c.work.Goal = one.ID
		o.list = append(o.list, c.work, llm.Affordance{Action: publish, Goal: two.ID, Priority: 1, Success: 1})
		o.refs = append(o.refs, offerRef{}, c.other)
		weigher{o}.finishesWork()
		if got := o.list[1].Considered.Of(llm.FactorCommit); !near(got, c.want) {
			t.Errorf("%s: factor %v, want %v", c.name, got, c.want)
		}
	}
	for _, errandFirst := range []bool{true, false} { // straight after an errand, with another to come, long goals wait
		s, one, two := registered(t)
		s.ask()
		o := &s.t.offers
		o.reset()
		s.t.regs.mayChange, s.t.regs.errandEnded, o.idleWorth = false, true, reserve
		work, next := 0, 1
		if errandFirst {
			work, next = 1, 0
		}
		o.list, o.refs = make([]llm.Affordance, 2), make([]offerRef, 2)
		o.list[work] = llm.Affordance{Action: publish, Goal: one.ID, Priority: 1, Success: 1}
		o.list[next], o.refs[next] = llm.Affordance{Action: publish, Goal: two.ID, Priority: 1, Success: 1}, errand
		weigher{o}.finishesWork()
		if own, next := o.list[work].Considered.Of(llm.FactorCommit), o.list[next].Considered.Of(llm.FactorCommit); !near(own, switchesGoal) || next != 1 {
			t.Errorf("straight after an errand the work has the factor %v, the next errand %v", own, next)
		}
	}
}

// To leave the goal that the agent works for costs the careful specialist most and the daring generalist least.
func TestStaysOnGoal_CostByTraits(t *testing.T) {
	for _, c := range []struct {
		risk, depth float32
		want        float64
	}{{0, 0, .12}, {1, 0, .27}, {0, 1, .27}, {1, 1, .42}, {.5, .5, .27}} {
		s, _, two := registered(t)
		s.a.Genome.Traits.RiskTolerance, s.a.Genome.Traits.DepthVsBreadth = c.risk, c.depth
		s.ask()
		s.t.offers.goesOn, s.t.regs.mayChange, s.t.regs.errandEnded = true, false, false
		if got := (weigher{&s.t.offers}).staysOnGoal(&llm.Affordance{Goal: two.ID}, &offerRef{goal: goals.KindBuildLibrary, canWait: true}); !near(got, c.want) {
			t.Errorf("risk tolerance %v, breadth %v: %v, want %v", c.risk, c.depth, got, c.want)
		}
	}
}

// An agent that holds a bounty claims another one less readily, and one that waits for an answer asks less readily.
func TestOnePromise_FurtherClaimsAndQuestions(t *testing.T) {
	claim, _ := action.ByName("bounty_claim")
	post, _ := action.ByName("msg_post")
	for _, c := range []struct {
		name           string
		act            llm.Affordance
		promised, asks bool
		want           float64
	}{
		{"a claim", llm.Affordance{Action: claim}, false, true, 1},
		{"another claim", llm.Affordance{Action: claim}, true, false, .7},
		{"a question", llm.Affordance{Action: post, Compose: llm.ComposeQuestion}, true, false, 1},
		{"another question", llm.Affordance{Action: post, Compose: llm.ComposeQuestion}, false, true, .4},
		{"an answer", llm.Affordance{Action: post, Compose: llm.ComposeAnswer}, true, true, 1},
	} {
		s, o := offering(t, nil)
		if c.promised {
			s.t.regs.promise(deal, peerA)
		}
		if c.asks {
			s.t.regs.asked(wire.Hash{question256}, channelHelp)
		}
		if got := (weigher{o}).onePromise(&c.act, &offerRef{}); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
