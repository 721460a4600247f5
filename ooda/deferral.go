package ooda

import (
	"encoding/binary"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

const (
	// answerSlots is how many slots an answer takes: to look at the question, and to post.
	answerSlots = 2
	// reviewSlots is how many slots the review of a program takes: to look at snap and code, to run it, and to judge.
	reviewSlots = 5
	// verdictSlots is how many slots a verdict on an entry takes: to read it, and to judge.
	verdictSlots = 2
	// stateSlots is how many slots it takes to state what was counted.
	stateSlots = 1
	// verdictsWanted is how many verdicts end a review that is open to everybody.
	verdictsWanted = 2
	// reviewRest is for how many cycles an agent leaves to others what one whose program it has reviewed asks of anybody:
	// for as long as a request is open.
	reviewRest = 16
	// maxWaitCycles is for about how many cycles an agent leaves something to others at most.
	maxWaitCycles = 2
	// loneReviewCycles is for how many cycles a review that could begin waits for another errand.
	loneReviewCycles = 0.75
	// namedSlots is for how many of their slots others leave a question to the agent that it names.
	namedSlots = 2
	// votesAtOnce is how many votes wait until it is worth leaving work for them.
	votesAtOnce = 3
	// maxCrowdWaitCycles is for about how many cycles at most an agent leaves something to others where there are so many of
	// them that one of them does it soon.
	maxCrowdWaitCycles = 8
)

// deferral is the agent as one of many who could do the same: it leaves things to others for a time of its own.
type deferral struct{ *self }

// waitEnded reports whether the time is over, in this slot, for which the agent leaves something for later, or a vote begins to
// press. Each comes once for a goal: who gets up and finds nothing to do can rest.
func waitEnded(who *self) bool {
	s := deferral{who}
	for _, g := range s.agent.Goals.Living() {
		if age, wait, leaves := s.waits(g); leaves && s.cameDue(age, wait) {
			return true
		}
		if g.Kind() == goals.KindVote && g.Deadline != nil && s.cameDue(float64(s.seen.tick+s.urgencyWindow(g)), float64(*g.Deadline)) {
			return true
		}
	}
	return false
}

// cameDue reports whether the time at has come since the agent's slot before now.
func (s deferral) cameDue(now, at float64) bool { return now >= at && now-s.slotTicks() < at }

// defers reports whether the agent leaves a goal for later, or its subject to others for now.
func (s deferral) defers(g *goals.Goal) bool {
	age, wait, leaves := s.waits(g)
	return leaves && age < wait
}

// waits is how old the subject of a goal is and how long the agent leaves it to others or for later, in ticks; ok is false if
// it does not. What anybody can do and few are needed for everybody would do at once: a question, a review, a bounty. So each
// agent waits for a time of its own, see [deferral.topicWait].
func (s deferral) waits(g *goals.Goal) (age, wait float64, ok bool) {
	switch g.Kind() {
	case goals.KindAnswer:
		return s.waitsToAnswer(g.Subject())
	case goals.KindDoReview:
		return s.waitsToReview(g.Subject())
	case goals.KindVote:
		return s.waitsToVote(g)
	default:
		return 0, 0, false
	}
}

// urgencyWindow is how long before its deadline a goal presses: a cycle; a vote, which takes one slot, a quarter of one.
func (s deferral) urgencyWindow(g *goals.Goal) wire.Tick {
	if g.Kind() == goals.KindVote {
		return s.shortWait()
	}
	return wire.Tick(s.rules.Calendar.TicksPerCycle)
}

// votesWaiting is how many proposals wait for the agent's vote.
func (s deferral) votesWaiting() (n int) {
	for _, g := range s.agent.Goals.Living() {
		if g.Kind() == goals.KindVote {
			n++
		}
	}
	return n
}

// shortWait is how long others wait for an agent without minding it: for a quarter of a cycle, in ticks.
func (s deferral) shortWait() wire.Tick { return wire.Tick(s.rules.Calendar.TicksPerCycle / 4) }

// canWait reports whether what serves a goal may be done later: a long one, a vote that does not press, and another errand
// as long as nobody minds.
func (s deferral) canWait(g *goals.Goal) bool {
	switch {
	case g.Kind() == goals.KindVote && g.Deadline != nil:
		return s.seen.tick+2*s.urgencyWindow(g) <= *g.Deadline && s.votesWaiting() < votesAtOnce
	case !errand(g):
		return !g.ID.IsZero() && g.Source != goals.SourceSurvival
	case g.Kind() == goals.KindClaimBounty && !s.stillOpen(g.Subject()): // it promised
		return false
	default:
		return s.hasSlack(g)
	}
}

// waitsToVote is for half of the time that there is for a vote, unless another errand waits as well. Votes are given together,
// see [citizen.offerVote], and also while the agent is about errands anyway, see [registers.fitsErrands].
func (s deferral) waitsToVote(g *goals.Goal) (age, wait float64, ok bool) {
	if g.Deadline == nil || *g.Deadline < g.CreatedAt || s.seen.tick < g.CreatedAt || s.waitsBeside(g.Kind(), g.Subject()) {
		return 0, 0, false
	}
	return float64(s.seen.tick - g.CreatedAt), float64(float64(*g.Deadline-g.CreatedAt) * 0.5), true
}

// waitsBeside reports whether the agent could go for a vote or a review besides that of a kind about a subject.
func (s deferral) waitsBeside(kind goals.Kind, subject wire.Hash) bool {
	for _, g := range s.agent.Goals.Living() {
		switch {
		case g.Kind() == kind && g.About(subject):
		case g.Kind() == goals.KindVote:
			return true
		case g.Kind() == goals.KindDoReview:
			if age, wait, leaves := s.leavesReview(g.Subject()); !leaves || age >= wait {
				return true
			}
		}
	}
	return false
}

// stillOpen reports whether the view shows a bounty that nobody holds.
func (s deferral) stillOpen(id wire.Hash) bool {
	b := s.seen.bounty(id)
	return b != nil && b.Status == wire.BountyStatusOpen
}

// slack is for how many ticks nobody minds that an errand waits. There is none for a question that names the agent, since its
// asker turned to nobody else; it is short for another question, which is open for a cycle, and for a bounty, which others could
// do who are free; it is long for a review, whose request stays open for many cycles.
func (s deferral) slack(g *goals.Goal) float64 {
	switch g.Kind() {
	case goals.KindAnswer:
		if m := s.notes.Message(g.Subject()); m != nil && m.Names == memory.NamesMe {
			return 0
		}
		return float64(s.shortWait())
	case goals.KindClaimBounty:
		return float64(s.shortWait())
	default:
		return s.longestWait()
	}
}

// hasSlack reports whether the agent may finish what it is doing before it does an errand, because the errand's slack is not
// over. The slack begins when the agent gets the goal or, if the agent first leaves the subject to others, when that ends.
func (s deferral) hasSlack(g *goals.Goal) bool {
	if age, wait, leaves := s.waits(g); leaves {
		return age < wait+s.slack(g)
	}
	return float64(s.seen.tick-min(g.CreatedAt, s.seen.tick)) < s.slack(g)
}

// waitsToAnswer is for a question, unless it names the agent or the agent has read it.
func (s deferral) waitsToAnswer(id wire.Hash) (age, wait float64, ok bool) {
	m := s.notes.Message(id)
	if m == nil || m.Read || m.Names == memory.NamesMe || s.seen.tick < m.At {
		return 0, 0, false
	}
	wait = float64(float64(s.randomWait(m.ID, s.askersSlots(), s.waitShare(memory.TopicTalk))*s.peerWaitFactor(m.Author)) * rank(s).waitFactor())
	if m.Names == memory.NamesAnother {
		wait += float64(s.namedFirst())
	}
	return float64(s.seen.tick - m.At), wait, true
}

// namedFirst is for how many ticks the agent leaves a question to another that it names.
func (s deferral) namedFirst() wire.Tick { return wire.Tick(namedSlots * s.slotTicks()) }

// leavesQuestion reports whether the agent leaves a question to others for now.
func (s deferral) leavesQuestion(m *memory.MessageNote) bool {
	age, wait, leaves := s.waitsToAnswer(m.ID)
	return leaves && age < wait
}

// waitsToReview is as long as the agent leaves a review to others, and then for a while until another errand waits as well:
// each that is done alone takes the agent away from its work and back. Straight after an errand it waits no more, see
// [registers.fitsErrands].
func (s deferral) waitsToReview(id wire.Hash) (age, wait float64, ok bool) {
	age, wait, ok = s.leavesReview(id)
	if ok && !s.waitsBeside(goals.KindDoReview, id) {
		wait += float64(loneReviewCycles * float64(s.rules.Calendar.TicksPerCycle))
	}
	return age, wait, ok
}

// leavesReview is for what others delivered, unless the agent pays for it or has begun to look at it. What has its
// verdicts and still is not decided gets more of them only after the longest wait. The word of one agent about another
// counts once in a while, and who asks all day has no more of a reviewer's time than others: for the author of a program
// that the agent has reviewed it does so again only after a rest, unless it is asked by name.
func (s deferral) leavesReview(id wire.Hash) (age, wait float64, ok bool) {
	r := s.seen.review(id)
	if r == nil || s.seen.tick < r.Since {
		return 0, 0, false
	}
	if b := s.seen.claim(id); b != nil && b.Creator == s.agent.ID {
		return 0, 0, false
	}
	if w := s.notes.Work(memory.WorkReview, id); w != nil && w.Stage != memory.WorkNew {
		return 0, 0, false
	}
	wait = s.topicWait(id, reviewSlots, memory.TopicReviews)
	if p := s.peer(r.Author); p != nil && p.Reviewed() > 0 && !r.Asked {
		rest := p.Reviewed() + wire.Tick(reviewRest*s.rules.Calendar.TicksPerCycle)
		wait = max(wait, float64(rest-min(rest, r.Since)))
	}
	if r.Verdicts >= verdictsWanted {
		wait += s.longestWait()
	}
	return float64(s.seen.tick - r.Since), wait, true
}

// leavesBounty is for how many ticks the agent leaves an open bounty to others: one claims it, and of those who would
// the sooner the more it pays.
func (s deferral) leavesBounty(b *wire.BountyView) float64 {
	const half = 30 // ⚡ that halve the wait
	share := float64(2*half) / float64(half+b.Reward)
	return s.randomWait(b.ID, 1, float64(share*s.bar(s.topicAsked(b))))
}

// topicAsked is the topic of what a bounty asks for; 0 if it is none that agents count.
func (s *self) topicAsked(b *wire.BountyView) memory.Topic {
	if m, subject, about := readDocumented(b.Title); about {
		return m.Topic(subject)
	}
	if s.seen.asksForCode(b.ID) {
		return memory.TopicPrograms
	}
	return 0
}

// leavesEntry reports whether the agent leaves an entry to be judged by others for now: few verdicts are enough, and
// what somebody is to be paid for waits for nobody.
func (s deferral) leavesEntry(n *memory.EntryNote) bool {
	if n.Paid || s.seen.tick < n.At {
		return false
	}
	return float64(s.seen.tick-n.At) < s.topicWait(n.ID, float64(verdictSlots)/enoughVerdicts, topicOf(n.Title))
}

// leavesToState reports whether the agent leaves it to others for now to state what was counted of some cycles. From the
// slot on in which these are over all can who counted it, and all would before they hear of each other. First comes who
// cares most for it, see [scribe.preference], and has a practice in its topic; all come before the next such time is over.
func (o scribe) leavesToState(f *memory.Finding) bool {
	if !f.Measure.Era() {
		return false
	}
	p, calendar := deferral{&o.self}, o.rules.Calendar
	end := memory.EraEnd(f.At)
	over, last := calendar.First(end+1), calendar.First(memory.EraEnd(end+1)+1)
	longest := float64(float64(float64(stateSlots*p.slotTicks())*float64(p.others())) * p.waitShare(f.Topic()))
	wait := float64(min(longest, float64(last-over)) * (2 - float64(2*o.preference(f))))
	return float64(o.seen.tick-min(over, o.seen.tick)) < wait
}

// topicWait is the wait of this agent for work of so many slots, in ticks: the social wait less, and so do those who have a
// practice in its topic.
func (s deferral) topicWait(id wire.Hash, slots float64, topic memory.Topic) float64 {
	return s.randomWait(id, slots, s.waitShare(topic))
}

// waitShare is the share of a wait that the agent waits: the social less, and so do those who have a practice in the topic.
func (s deferral) waitShare(topic memory.Topic) float64 {
	shy := float64(2 * (1 - float64(s.agent.Genome.Traits.Collaboration)))
	return float64(shy * s.bar(topic))
}

// askersSlots is how many slots the answer of each other takes of the time that there is for a question: as long as its
// asker waits, which is a cycle, or as long as all answers take where there are too many others for that. A look shows
// all that was asked meanwhile, and most who look cannot answer: who looks later looks less often.
func (s deferral) askersSlots() float64 {
	return max(answerSlots, float64(s.agent.TickBudget)/float64(max(s.others(), 1)))
}

// randomWait is a wait in ticks, drawn from up to a share of the time in which all others would do the work one after the
// other, so that there is about one at it before the next gets up.
func (s deferral) randomWait(id wire.Hash, slots, share float64) float64 {
	longest := float64(float64(float64(slots*s.slotTicks())*float64(s.others())) * share)
	return float64(min(longest, float64(maxCrowdWaitCycles*s.rules.Calendar.TicksPerCycle)) * s.hashDraw(id))
}

// others is how many others there are to do what the agent leaves to them.
func (s deferral) others() int {
	return max(len(s.agent.Memory.Peers.All()), int(s.notes.Active)-1)
}

// sociable reports whether the agent turns to a peer because of a thing, and does not keep it to itself or the room: of
// as many things as it has collaboration.
func (s deferral) sociable(id wire.Hash) bool {
	return s.hashDraw(id) < float64(s.agent.Genome.Traits.Collaboration)
}

// asksByName reports whether the agent would put a question to a peer and not to the room: also who likes to be alone
// does when it needs something.
func (s deferral) asksByName(id wire.Hash) bool {
	const least = 0.4
	return s.hashDraw(id) < least+float64((1-least)*float64(s.agent.Genome.Traits.Collaboration))
}

// hashDraw is what this agent draws for a thing, in [0,1), once and for all. Both ids are hashes: what their difference
// begins with is as good as drawn, and costs nothing in a slot.
func (s deferral) hashDraw(id wire.Hash) float64 {
	return float64(float64((binary.BigEndian.Uint64(id[:8])^binary.BigEndian.Uint64(s.agent.ID[:8]))>>11) * (1.0 / (1 << 53)))
}

func (s deferral) longestWait() float64 {
	return float64(maxWaitCycles * s.rules.Calendar.TicksPerCycle)
}

// slotTicks is how many ticks are between two slots of the agent.
func (s deferral) slotTicks() float64 {
	return float64(s.rules.Calendar.TicksPerCycle) / float64(max(s.agent.TickBudget, 1))
}
