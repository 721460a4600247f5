package ooda

import (
	"encoding/binary"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

const (
	// answerSlots is how many slots an answer takes: to read the question, and to post.
	answerSlots = 2
	// reviewSlots is how many slots the review of a program takes: to read its snap and its code, to run it, and to
	// judge.
	reviewSlots = 5
	// verdictSlots is how many slots a verdict on an entry takes: to read it, and to judge.
	verdictSlots = 2
	// stateSlots is how many slots it takes to state what was counted.
	stateSlots = 1
	// verdictsWanted is how many verdicts end a review that is open to everybody.
	verdictsWanted = 2
	// reviewRest is for how many cycles an agent that has reviewed a program leaves open requests of the same author
	// to others: for as long as a request is open.
	reviewRest = 16
	// maxWaitCycles is the usual upper bound, in cycles, of the time for which an agent leaves work to others.
	maxWaitCycles = 2
	// loneReviewCycles is for how many cycles an agent that could begin a review waits for another errand, to do both
	// together.
	loneReviewCycles = 0.75
	// namedSlots is for how many slots other agents leave a question to the agent that it names.
	namedSlots = 2
	// votesAtOnce is how many proposals have to wait for the agent's vote before it interrupts its work for them.
	votesAtOnce = 3
	// maxCrowdWaitCycles is for about how many cycles an agent leaves something to others at most in a large
	// population, where one of the others will do it soon.
	maxCrowdWaitCycles = 8
)

// deferral decides how long the agent leaves to others what any of them could do, and how long it puts off an errand.
type deferral struct{ *self }

// waitEnded reports whether a wait of the agent ends in this slot: the time for which it leaves the subject of a goal
// to others or puts the goal off, or the time until a vote becomes urgent. A wait ends in one slot only, so an agent
// that finds nothing to do then can go on resting.
func (s deferral) waitEnded() bool {
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

// cameDue reports whether the moment at lies between the agent's previous slot and now.
func (s deferral) cameDue(now, at float64) bool { return now >= at && now-s.slotTicks() < at }

// defers reports whether the agent leaves the subject of a goal to others for now, or puts the goal off.
func (s deferral) defers(g *goals.Goal) bool {
	age, wait, leaves := s.waits(g)
	return leaves && age < wait
}

// waits returns how old the subject of a goal is and how long the agent leaves it to others or puts it off, in ticks;
// ok is false if it does neither. Some work can be done by any agent and needs only few: an answer, a review, a
// bounty. All agents would do it at once, so each waits for a time of its own, see [deferral.topicWait].
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

// urgencyWindow is how long before its deadline a goal becomes urgent: a cycle, or a quarter of one for a vote, which
// takes one slot.
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

// shortWait is for how long others do not mind to wait for the agent: a quarter of a cycle, in ticks.
func (s deferral) shortWait() wire.Tick { return wire.Tick(s.rules.Calendar.TicksPerCycle / 4) }

// canWait reports whether the work for a goal may be done later. A vote may until it is urgent, another errand as long
// as it has slack, and what is no errand always, except for survival. A bounty that the agent has claimed may not.
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

// waitsToVote returns the age of a vote and how long the agent puts it off: half of the time until its deadline. ok is
// false if another vote or review can be done together with it. Votes are given together, see [citizen.offerVote], and also right after other errands, see
// [registers.fitsErrands].
func (s deferral) waitsToVote(g *goals.Goal) (age, wait float64, ok bool) {
	if g.Deadline == nil || *g.Deadline < g.CreatedAt || s.seen.tick < g.CreatedAt || s.waitsBeside(g.Kind(), g.Subject()) {
		return 0, 0, false
	}
	return float64(s.seen.tick - g.CreatedAt), float64(float64(*g.Deadline-g.CreatedAt) * 0.5), true
}

// waitsBeside reports whether another vote, or a review that the agent could begin now, waits besides the goal of a
// kind about a subject.
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

// slack is for how many ticks nobody minds that an errand waits. There is none for a question that names the agent,
// since its asker asked nobody else. It is short for another question, which is open for a cycle, and for a bounty,
// which other agents that are free could do. It is long for a review, whose request stays open for many cycles.
func (s deferral) slack(g *goals.Goal) float64 {
	switch g.Kind() {
	case goals.KindAnswer:
		if m := s.notes.Message(g.Subject()); m != nil && m.Addressee == memory.AddresseeSelf {
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

// waitsToAnswer returns the age of a question and how long the agent leaves it to others, in ticks. ok is false if the
// question names the agent, or if the agent has read it.
func (s deferral) waitsToAnswer(id wire.Hash) (age, wait float64, ok bool) {
	m := s.notes.Message(id)
	if m == nil || m.Read || m.Addressee == memory.AddresseeSelf || s.seen.tick < m.At {
		return 0, 0, false
	}
	wait = float64(float64(s.randomWait(m.ID, s.askersSlots(), s.waitShare(memory.TopicTalk))*s.relations().peerWaitFactor(m.Author)) * s.rank().waitFactor())
	if m.Addressee == memory.AddresseeOther {
		wait += float64(s.namedFirst())
	}
	return float64(s.seen.tick - m.At), wait, true
}

// askedLongAgo reports whether the author of a question does not wait for an answer any more.
func (s deferral) askedLongAgo(m *memory.MessageNote) bool { return s.due(m.At, maxWaitCycles) }

// namedFirst is for how many ticks the agent leaves a question to another agent that it names.
func (s deferral) namedFirst() wire.Tick { return wire.Tick(namedSlots * s.slotTicks()) }

// leavesQuestion reports whether the agent leaves a question to others for now.
func (s deferral) leavesQuestion(m *memory.MessageNote) bool {
	age, wait, leaves := s.waitsToAnswer(m.ID)
	return leaves && age < wait
}

// waitsToReview is waits for a review: the agent leaves it to others first, and then waits a while for another errand,
// because each errand that is done alone interrupts the agent's work. Right after an errand it does not wait, see
// [registers.fitsErrands].
func (s deferral) waitsToReview(id wire.Hash) (age, wait float64, ok bool) {
	age, wait, ok = s.leavesReview(id)
	if ok && !s.waitsBeside(goals.KindDoReview, id) {
		wait += float64(loneReviewCycles * float64(s.rules.Calendar.TicksPerCycle))
	}
	return age, wait, ok
}

// leavesReview returns how old a submission is and how long the agent leaves its review to others; ok is false if the
// agent pays for it or has begun to review it. A submission that has enough verdicts but is not decided gets another
// one only after the longest wait. If the agent has reviewed a program of the author before, it reviews the next one
// only after a rest, unless it is asked by name: one agent's word about another should count once in a while only, and
// an author who asks often gets no more of its time than others.
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

// leavesBounty is for how many ticks the agent leaves an open bounty to others. Only one agent can claim it; the more
// it pays, the shorter they wait. Agents whose work was found good so far come first.
func (s deferral) leavesBounty(b *wire.BountyView) float64 {
	const half = 30 // ⚡ that halve the wait
	share := float64(2*half) / float64(half+b.Reward)
	return float64(s.randomWait(b.ID, 1, float64(share*s.expert().bar(s.expert().topicAsked(b)))) * s.rank().waitFactor())
}

// topicAsked is the topic of what a bounty asks for; 0 if it is none that agents count.
func (s expert) topicAsked(b *wire.BountyView) memory.Topic {
	if m, subject, about := readDocumented(b.Title); about {
		return m.Topic(subject)
	}
	if s.seen.asksForCode(b.ID) {
		return memory.TopicPrograms
	}
	return 0
}

// leavesEntry reports whether the agent leaves it to others for now to judge an entry, because a few verdicts are
// enough. It does not if somebody is to be paid for the entry.
func (s deferral) leavesEntry(n *memory.EntryNote) bool {
	if n.Paid || s.seen.tick < n.At {
		return false
	}
	return float64(s.seen.tick-n.At) < s.topicWait(n.ID, float64(verdictSlots)/enoughVerdicts, topicOf(n.Title))
}

// leavesToState reports whether the agent leaves it to others for now to publish what was counted in a period. Once
// the period is over, all who counted could publish it, and would do so before they hear of each other. The agents
// with the strongest preference for it, see [scribe.preference], and with practice in its topic come first; all come
// before the next such period is over.
func (o scribe) leavesToState(f *memory.Finding) bool {
	if !f.Measure.Era() {
		return false
	}
	p, calendar := o.deferral(), o.rules.Calendar
	end := memory.EraEnd(f.At)
	over, last := calendar.First(end+1), calendar.First(memory.EraEnd(end+1)+1)
	longest := float64(float64(float64(stateSlots*p.slotTicks())*float64(p.others())) * p.waitShare(f.Topic()))
	wait := float64(min(longest, float64(last-over)) * (2 - float64(2*o.preference(f))))
	return float64(o.seen.tick-min(over, o.seen.tick)) < wait
}

// topicWait is the wait of this agent for work of so many slots, in ticks. It is shorter for sociable agents and for
// those with practice in the topic.
func (s deferral) topicWait(id wire.Hash, slots float64, topic memory.Topic) float64 {
	return s.randomWait(id, slots, s.waitShare(topic))
}

// waitShare is the factor of a wait that depends on the agent: it is smaller for sociable agents and for those with
// practice in the topic.
func (s deferral) waitShare(topic memory.Topic) float64 {
	shy := float64(2 * (1 - float64(s.agent.Genome.Traits.Collaboration)))
	return float64(shy * s.expert().bar(topic))
}

// askersSlots is how many slots of the wait for a question each other agent stands for: enough to spread all of them
// over the cycle for which the asker waits, and at least as many as an answer takes. A look shows all that was asked
// since the last one, and most who look cannot answer, so it is better if they look late and seldom.
func (s deferral) askersSlots() float64 {
	return max(answerSlots, float64(s.agent.TickBudget)/float64(max(s.others(), 1)))
}

// randomWait is a wait in ticks, drawn between zero and a share of the time in which all others would do the work one
// after the other. So there is about one agent at the work before the next one's wait ends.
func (s deferral) randomWait(id wire.Hash, slots, share float64) float64 {
	longest := float64(float64(float64(slots*s.slotTicks())*float64(s.others())) * share)
	return float64(min(longest, float64(maxCrowdWaitCycles*s.rules.Calendar.TicksPerCycle)) * s.hashDraw(id))
}

// others is how many other agents there are to which the agent can leave something.
func (s deferral) others() int {
	return max(len(s.agent.Memory.Peers.All()), int(s.notes.Active)-1)
}

// sociable reports whether the agent turns to a peer about a thing, instead of doing nothing or telling everybody. The
// share of things for which it does is its collaboration.
func (s deferral) sociable(id wire.Hash) bool {
	return s.hashDraw(id) < float64(s.agent.Genome.Traits.Collaboration)
}

// asksByName reports whether the agent addresses a question to one peer and not to the whole channel. Even an agent
// with no collaboration does so sometimes.
func (s deferral) asksByName(id wire.Hash) bool {
	const least = 0.4
	return s.hashDraw(id) < least+float64((1-least)*float64(s.agent.Genome.Traits.Collaboration))
}

// hashDraw is a number in [0,1) that is the same whenever this agent draws for this thing. It is made of the
// difference of both ids: these are hashes, so that it is as good as random, and cheap.
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
