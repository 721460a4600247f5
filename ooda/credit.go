package ooda

import (
	"encoding/binary"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// Returns say what came back for an act, in ⚡ or in what is worth as much; a payment counts more, the more
// the agent needs money, see [purse.valueOfPay]. There is no return for having an act accepted, nor for sending a signal.
const (
	returnGoal      = 10  // a goal whose end others or the world decide
	returnAnswer    = 10  // an answer to an own question
	returnApproval  = 5   // an own answer of which another approves
	returnVerdict   = 5   // a verdict ACCURATE on an own entry, and one that agrees with an own verdict
	returnStanding  = 100 // a reputation that rose from 0 to 1
	creditedActs    = 8
	creditDistance  = 0.7 // the share that an act gets of the return of the next one for the same goal
	allActsRate     = 0.05
	fadePerCycle    = 0.9 // of what was learned of an act that was not tried since
	amountForOneOf2 = 30  // ⚡ that move a belief towards one half
)

// allActs is the belief of what acts bring on average, which is what a slot of this agent is worth.
var allActs = memory.Claim{Subject: []byte("acts"), Predicate: memory.AmountPredicate}

// returned shares what came back for the i-th followed act between it and the acts before it for the same goal,
// each less than the next.
func (s believer) returned(i int, amount float64, evidence *wire.Hash, at wire.Tick) {
	effects := s.agent.Memory.Effects
	goal := effects[i].Goal
	for n := 0; i >= 0 && n < creditedActs; i-- {
		e := &effects[i]
		if e.Goal != goal || e.Verb == "" || e.Verb == signalVerb && n > 0 { // a signal leaves nothing to build on
			continue
		}
		s.paid(e.Verb, action.Domain(e.Domain), amount, evidence, at)
		amount = float64(amount * creditDistance)
		n++
		if goal == 0 {
			return // acts for no goal lead nowhere together
		}
	}
}

const signalVerb = "signal_send"

// returnedFor is returned for the act that made or judged a thing, if that act is still followed.
func (s believer) returnedFor(thing wire.Hash, amount float64, at wire.Tick) {
	effects := s.agent.Memory.Effects
	for i := len(effects) - 1; i >= 0; i-- {
		if effects[i].Object == thing {
			s.returned(i, amount, &thing, at)
			return
		}
	}
}

// paid moves the belief of what a verb pays for goals of a domain by one return and gives its new value. A new belief
// begins at what acts bring on average.
func (s believer) paid(verb string, d action.Domain, amount float64, evidence *wire.Hash, at wire.Tick) float64 {
	if s.rules.Blind.Has(llm.LayerExperiences) { // who has no experience of it cannot know what it brings
		return 0.5
	}
	x := amount / (amount + amountForOneOf2)
	average := s.average()
	s.agent.Memory.Beliefs.MoveTowards(workPays(d), average, x, workRate, nil, at)
	return float64(s.agent.Memory.Beliefs.MoveTowards(verbPays(verb, d), average, x, payRate, evidence, at))
}

// average is what the agent's acts bring on average, one half before the first.
func (s believer) average() float64 {
	if b := s.agent.Memory.Beliefs.Get(allActs); b != nil {
		return float64(b.Confidence)
	}
	return 0.5
}

// payRate is the weight of the newest return.
const payRate = 0.2

// workRate is the weight of the newest act or return in what work in its domain pays: some twenty of them count.
const workRate = 0.05

// acted counts an act as a test of what its verb pays: it has brought nothing yet.
func (t *Turn) acted(p *pending) {
	if !p.row.IsRest() {
		pays := t.believer().paid(p.verb, p.domain, 0, &p.msgID, t.seen.tick)
		t.agent.Memory.Beliefs.MoveTowards(allActs, 0.5, pays, allActsRate, nil, t.seen.tick)
	}
}

// goalReturned shares what a goal brought at its end. A goal that ends because the agent's own act was accepted brings
// nothing by that.
func (gt *goalTracker) goalReturned(s *goals.Satisfaction) {
	amount := 0.0
	if !gt.situation.NoStanding {
		amount = float64(returnStanding * max(float64(s.ReputationDelta), 0))
	}
	switch s.Kind {
	case goals.KindClaimBounty: // other income is shared when it comes
		if !gt.situation.NoMoney {
			amount += float64(float64(s.RewardActual) * gt.purse().valueOfPay())
		}
	case goals.KindAnswer, goals.KindVote, goals.KindDoReview, goals.KindLearn, goals.KindOwn:
	default:
		if s.Completed {
			amount += returnGoal
		}
	}
	if amount < 0.5 {
		return
	}
	effects, goal := gt.agent.Memory.Effects, goalMark(s.Goal)
	for i := len(effects) - 1; i >= 0; i-- {
		if effects[i].Goal == goal {
			gt.believer().returned(i, amount, &s.Goal, gt.seen.tick)
			return
		}
	}
}

// goalMark is the short form of a goal's id in the list of followed acts; 0 for none.
func goalMark(id wire.Hash) uint64 { return binary.BigEndian.Uint64(id[:8]) }

// worth compares what such acts bring with what the agent's acts bring on average: 1 if as much, or if nothing is
// known; [notWorth] if they bring too little and nobody waits for them.
func (o weigher) worth(a *llm.Affordance, ref *offerRef) float64 {
	if a.Action.IsRest() {
		return 1
	}
	v := o.believer().relativePay(o.believer().belief(verbPays(a.Verb(), ref.domain)))
	if v < o.believer().leastReturn() && !o.waitedFor(a, ref) {
		return notWorth
	}
	return v
}

// waitedFor reports whether others wait for an act, so that it need not bring anything: the agent was asked for it or
// has promised it, it contradicts others, or it is the first verdict on an entry.
func (o weigher) waitedFor(a *llm.Affordance, ref *offerRef) bool {
	switch a.Compose {
	case llm.ComposeAnswer, llm.ComposeReview, llm.ComposeVote:
		return true
	case llm.ComposeVerdict:
		n := o.notes.Entry(a.Subject)
		return n == nil || n.Agree() == 0 || doubted(a)
	default:
		return ref.errand || ref.presses || ref.demand
	}
}

// notWorth is the weight of an act that brings too little.
const notWorth = 0.1

// leastReturn is how little acts may bring to be worth a thought, on the scale of [believer.relativePay]: the square
// of 1 − collaboration as a share of what the agent's acts bring on average. The more it cares for others, the less
// has to come back.
func (s believer) leastReturn() float64 {
	self := 1 - float64(s.agent.Genome.Traits.Collaboration)
	share := float64(self * self)
	return float64(2*share) / (1 + share)
}

// relativePay compares what a belief says that something brings with what the agent's acts bring on average, in (0,2).
// It goes back to 1 in the cycles after the last try, so that the agent tries again.
func (s believer) relativePay(b *memory.Belief) float64 {
	if b == nil {
		return 1
	}
	v := float64(b.Confidence) / float64(float64(b.Confidence)+s.average()+1e-6)
	for age := (s.seen.tick - min(b.LastTested(), s.seen.tick)) / wire.Tick(s.rules.Calendar.TicksPerCycle); age > 0 && age < 64; age-- {
		v = 0.5 + float64(fadePerCycle*float64(v-0.5))
	}
	return float64(2 * v)
}

// workBrings compares what work for goals of a domain has brought with what the agent's acts bring on average.
func (s believer) workBrings(d action.Domain) float64 { return s.relativePay(s.belief(workPays(d))) }

// workPays is the belief of what work for goals of a domain pays.
func workPays(d action.Domain) memory.Claim { return workClaims[d-1] }

// workClaims are the beliefs about what work pays, by domain; nobody changes them.
var workClaims = makeWorkClaims()

func makeWorkClaims() (out [action.DomainSocial]memory.Claim) {
	for i, name := range action.Domain(0).EnumNames() {
		out[i] = memory.WorkPays(name)
	}
	return out
}

// verbPays is the belief that a verb for goals of a domain pays.
func verbPays(verb string, d action.Domain) memory.Claim {
	return memory.Claim{Subject: paysSubjects[verbIn{verb, d}], Predicate: memory.AmountPredicate}
}

type verbIn struct {
	verb   string
	domain action.Domain
}

// paysSubjects are the subjects of the beliefs about what verbs pay; nobody changes them.
var paysSubjects = makePaysSubjects()

func makePaysSubjects() map[verbIn][]byte {
	out := map[verbIn][]byte{}
	verbs := llm.Verbs()
	for _, row := range action.All() {
		verbs = append(verbs, row.Name)
	}
	for _, v := range verbs {
		for i := range action.Domain(0).EnumNames() {
			d := action.Domain(i + 1)
			out[verbIn{v, d}] = []byte(v + " in " + d.String())
		}
	}
	return out
}
