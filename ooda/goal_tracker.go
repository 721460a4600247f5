package ooda

import (
	"slices"

	"kingdom/agent"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// goalTracker follows an agent's goals: it lets the sources propose new ones, tells the
// living ones what happened, and learns from those that end.
type goalTracker struct {
	self
	situation goals.Situation             // what the sources look at
	workPays  func(action.Domain) float64 // what the agent believes that work in a domain pays; unused if it is blind to beliefs
	proposed  []goals.Goal                // by the sources, not yet put on the stack
	offered   bool                        // a goal to claim or to review was added in this slot; another agent may be faster
	top       *goals.Goal                 // the goal that this slot works for; nil: none, or it has ended
	byRank    []*goals.Goal               // scratch of Subjects
	satisfied []goals.Satisfaction        // of goals that ended, until takeSatisfactions
}

// situationOf is how an agent sees its goals before its first slot.
func situationOf(a *agent.Agent, r *Rules, seen *slotView) goals.Situation {
	return goals.Situation{
		Appraisal: goals.Appraisal{
			Balance:    a.Balance, // as last seen, also after a resume: only changes are facts
			Reputation: float64(a.Reputation),
			Role:       a.Genome.Role,
			Weights:    a.Weights,
			Learning:   a.Learning,
			Trust:      (&self{agent: a, rules: r, seen: seen}).relations().trusts,
		},
		Agent:     a.ID,
		WorldSeed: r.WorldSeed,
		Threshold: a.Threshold,
		Stack:     a.Goals,
		BountyCost: func() float64 {
			if r.Blind.Has(llm.LayerMoney) {
				return 0
			}
			return a.Memory.Market.Cost(deliverySlots, a.TickBudget)
		},
	}
}

// applyBlindness takes over what the scenario blinds the agent to, which may have changed since the last cycle.
func (gt *goalTracker) applyBlindness() {
	s := &gt.situation
	gt.rules.blind(&s.Appraisal)
	if s.WorkPays = gt.workPays; gt.rules.Blind.Has(llm.LayerBeliefs) {
		s.WorkPays = nil
	}
}

// takeSatisfactions returns the signals of goals that ended since the last call.
func (gt *goalTracker) takeSatisfactions() []goals.Satisfaction {
	out := gt.satisfied
	gt.satisfied = nil
	return out
}

// appraise brings the situation up to date. Money and standing are told as facts when
// they changed.
func (gt *goalTracker) appraise(earned uint64) {
	gt.applyBlindness()
	s := &gt.situation
	s.Tick, s.Cycle, s.Bounties = gt.seen.tick, gt.seen.cycle, gt.seen.bounties
	s.Earned, gt.notes.Earned = earned, earned
	if s.Balance != gt.agent.Balance {
		s.Balance = gt.agent.Balance
		gt.tell(&goals.Fact{Kind: goals.FactBalance, Amount: s.Balance, Earned: s.Earned})
	}
	if now := float64(gt.agent.Reputation); s.Reputation != now {
		s.Reputation = now
		gt.tell(&goals.Fact{Kind: goals.FactReputation, Score: now})
	}
	if s.Stack.HasKind(goals.KindOperator) || s.Stack.HasKind(goals.KindOwn) {
		for _, g := range s.Stack.Reached(s.Balance, s.Reputation) {
			gt.tell(&goals.Fact{Kind: goals.FactReached, Goal: g.ID})
		}
	}
}

// expire ends the goals whose deadline has passed.
func (gt *goalTracker) expire() {
	from := len(gt.satisfied)
	gt.satisfied = gt.agent.Goals.Expire(gt.satisfied, gt.seen.tick, gt.situation.Reputation)
	gt.onEnded(from)
}

// gather lets the sources propose goals: at birth, for events, for reviews that wait for the agent, and from its
// situation.
func (gt *goalTracker) gather(events []*wire.Event) {
	s := &gt.situation
	asked := gt.noticesOf(heldWithoutGoal(gt, gt.reviewsAsked(nil)), gt.seen.view) // before any goal is added, so that new goals do not hide it
	gt.proposed, gt.offered = gt.proposed[:0], false
	if !gt.notes.Born {
		gt.notes.Born = true
		gt.proposed = goals.Spawn(gt.proposed, s, gt.agent.Genome.KnowledgeSeeds)
		gt.knowSeeds()
		gt.drawTopics()
	}
	for _, e := range events {
		if gt.becomesGoalLater(e) {
			continue
		}
		if gt.proposed = goals.Opportunity(gt.proposed, s, e); len(gt.proposed) == keptProposed {
			gt.putProposed()
		}
	}
	gt.putProposed()
	gt.weighOffers()
	gt.weighBoard()
	gt.putProposed()
	gt.proposed = append(gt.proposed, asked...)
	gt.putProposed()
	gt.proposed = goals.Inject(gt.proposed, s)
	gt.putProposed()
	if cap(gt.proposed) > keptProposed {
		gt.proposed = nil
	}
}

// keptProposed is how many goals that events offer are gathered before they are put on the stack,
// and how large a list of them is kept for the next slot: an agent that meets many at once
// should not pay for them for ever. What an event offers does not depend on the stack.
const keptProposed = 4

// knowSeeds puts the entries an agent is born to read into its knowledge.
func (gt *goalTracker) knowSeeds() {
	for _, h := range gt.agent.Genome.KnowledgeSeeds {
		gt.agent.Memory.Knowledge.Learn(seedLabel(h), []byte("Oracle entry "+h.String()), memory.KnowledgeInference, 1, gt.seen.tick)
	}
}

// putProposed puts the proposed goals on the stack, which counts duplicates and full layers.
func (gt *goalTracker) putProposed() {
	for i := range gt.proposed {
		if g := &gt.proposed[i]; gt.put(*g, &gt.situation.Appraisal) == nil && (g.Kind() == goals.KindClaimBounty || g.Kind() == goals.KindDoReview) && !gt.deferral().defers(g) {
			gt.offered = true
		}
	}
	gt.proposed = gt.proposed[:0]
}

// put puts a goal on the stack and ends the one that made room for it.
func (gt *goalTracker) put(g goals.Goal, a *goals.Appraisal) (err error) {
	from := len(gt.satisfied)
	gt.satisfied, err = gt.agent.Goals.Put(gt.satisfied, g, a)
	gt.onEnded(from)
	return err
}

// reviewsAsked offers the submissions in review that wait for this agent: they
// come with the view, not with an event of their own.
func (gt *goalTracker) reviewsAsked(dst []goals.Goal) []goals.Goal {
	able := gt.situation.Capability(goals.KindDoReview.Domain()) >= goals.CapabilityFloor
	for i := range gt.seen.reviews {
		r := &gt.seen.reviews[i]
		if own := gt.seen.claim(r.ID); gt.living(goals.KindDoReview, r.ID) || !able && (own == nil || own.Creator != gt.agent.ID) {
			continue // but nobody else reviews what the agent itself pays for
		}
		if age, wait, leaves := gt.deferral().leavesReview(r.ID); leaves && age < wait {
			continue // not yet
		}
		id, author := r.ID, r.Author
		dst = append(dst, goals.New(gt.agent.ID, goals.LayerTask, goals.SourceOpportunity, goals.Description{
			Kind: goals.KindDoReview, Text: "Review what was submitted", Subject: &id, Beneficiary: &author,
		}, gt.seen.tick))
	}
	return dst
}

// heldWithoutGoal offers the claims that the agent holds without a goal: of bounties that its mind claimed though they
// were not offered. A claim that is to be given back gets none.
func heldWithoutGoal(gt *goalTracker, dst []goals.Goal) []goals.Goal {
	for i := range gt.seen.claims {
		b := gt.seen.claimed(gt.seen.claims[i].ID)
		if b == nil || gt.living(goals.KindClaimBounty, b.ID) || slices.Contains(gt.notes.Releases, b.ID) {
			continue
		}
		id, creator, difficulty, deadline := b.ID, b.Creator, b.Difficulty, b.Deadline
		g := goals.New(gt.agent.ID, goals.LayerObjective, goals.SourceOpportunity, goals.Description{
			Kind: goals.KindClaimBounty, Text: string(b.Title), Subject: &id, Reward: b.Reward, Difficulty: &difficulty, Beneficiary: &creator,
		}, gt.seen.tick)
		g.Deadline = &deadline
		dst = append(dst, g)
	}
	return dst
}

// closeStale ends the goals whose subject needs nothing of this agent any more.
func (gt *goalTracker) closeStale() {
	living := gt.agent.Goals.Living()
	for i := len(living) - 1; i >= 0; i-- {
		g := living[i]
		if why := gt.stale(g); why != "" {
			gt.tell(&goals.Fact{Kind: goals.FactClosed, Subject: g.Subject(), Reason: why})
			living = gt.agent.Goals.Living()
			i = min(i, len(living))
		}
	}
}

// stale says why a goal is over: a review that no longer waits, a question that is out of sight or that others
// answered; "" of all others.
func (gt *goalTracker) stale(g *goals.Goal) goals.Reason {
	switch {
	case g.Kind() == goals.KindDoReview && gt.seen.review(g.Subject()) == nil:
	case g.Kind() == goals.KindAnswer && gt.answered(g.Subject()):
		return goals.Closed("answered")
	case g.Kind() == goals.KindVote && !gt.voter().cares(g.Subject()):
	case g.Kind() == goals.KindAnswer && (gt.outOfSight(g.Subject()) || gt.beyondMe(g.Subject())):
	default:
		return ""
	}
	return goals.ReasonOutOfSight
}

// beyondMe reports whether a question was read and is left to those who know more or owe its author more.
func (gt *goalTracker) beyondMe(question wire.Hash) bool {
	m := gt.notes.Message(question)
	return m != nil && m.Read && (!gt.expert().answerable(m.Text) || gt.helpedEnough(m))
}

// helpedEnough reports whether the agent leaves the question of a peer to others because it has helped that peer much
// more often than it was helped; sociable agents help longer. A question that names the agent is never left.
func (gt *goalTracker) helpedEnough(m *memory.MessageNote) bool {
	const least, more = 1, 3
	p := gt.peer(m.Author)
	return p != nil && m.Addressee != memory.AddresseeSelf && -p.Balance() > least+int(float64(more*float64(gt.agent.Genome.Traits.Collaboration)))
}

// outOfSight reports whether a question is no longer noted, so that its plan cannot even ask for its tick, was given up
// unread more than a cycle ago, or is waited for no more. Until then a look at its tick may still show it.
func (gt *goalTracker) outOfSight(question wire.Hash) bool {
	m := gt.notes.Message(question)
	if m == nil || gt.deferral().askedLongAgo(m) {
		return true
	}
	old := m.At + wire.Tick(gt.rules.Calendar.TicksPerCycle)
	return !m.Read && m.Signed && gt.seen.tick >= old
}

const (
	// enoughAnswers is how many answers of others make one more of no use.
	enoughAnswers = 2
	// secondAnswers is how many others may rank above an agent that gives a second answer; half of them if that is
	// fewer.
	secondAnswers = 11
)

// answered reports whether others have answered a question already: often enough, or once, if a second answer of this
// agent is not called for.
func (gt *goalTracker) answered(question wire.Hash) bool {
	m := gt.notes.Message(question)
	switch {
	case m == nil || m.Answers == 0 || m.Addressee == memory.AddresseeSelf && m.Answers < enoughAnswers:
		return false
	case m.Answers >= enoughAnswers:
		return true
	default:
		return !gt.answersToo(m.Author)
	}
}

// answersToo reports whether the agent gives a second answer to the question of a peer. It does if the peer has
// answered it more often than it has answered the peer, and does not if less often. If equally often, both the agent
// and the asker have to be in the upper half of the agents that it knows by reputation, since the help of such agents
// is worth most later. If it hears of eleven agents or fewer, the asker may be any of them; if of many, at most eleven
// may rank above the agent.
func (gt *goalTracker) answersToo(asker wire.AgentID) bool {
	if p := gt.peer(asker); p != nil && p.Balance() != 0 {
		return p.Balance() > 0
	}
	if gt.rules.Blind.Has(llm.LayerReputation) {
		return true
	}
	r, n := gt.rank(), float64(max(gt.deferral().heardOf(), 1))
	return r.standing() >= max(0.5, 1-secondAnswers/n) && (n <= secondAnswers || r.standingOf(asker) >= 0.5)
}

// living reports whether a goal of a kind about a subject is alive.
func (gt *goalTracker) living(k goals.Kind, subject wire.Hash) bool {
	for _, g := range gt.agent.Goals.Living() {
		if g.Kind() == k && g.About(subject) {
			return true
		}
	}
	return false
}

// tell gives a fact to the goals and learns from those that it ends.
func (gt *goalTracker) tell(f *goals.Fact) {
	from := len(gt.satisfied)
	gt.satisfied = gt.agent.Goals.ApplyFact(gt.satisfied, gt.agent.ID, f, float64(gt.agent.Reputation))
	gt.onEnded(from)
}

// onEnded learns from the satisfactions since from, closes the plans of their goals
// and marks claims that nobody works on any more for release.
func (gt *goalTracker) onEnded(from int) {
	for i := from; i < len(gt.satisfied); i++ {
		s := &gt.satisfied[i]
		gt.agent.Learning.Learn(s)
		gt.noteEnded(s)
		gt.goalReturned(s)
		done := s.Completed
		gt.learnLate(s)
		if p := gt.agent.Memory.Plans.ByGoal(s.Goal); p != nil {
			end := memory.PlanAbandoned
			if done {
				end = memory.PlanCompleted
			}
			gt.agent.Memory.Plans.Finish(p, end)
		}
		if gt.top != nil && gt.top.ID == s.Goal {
			gt.top = nil
		}
		if !done && s.Kind == goals.KindClaimBounty {
			gt.giveBack(s.Subject)
		}
	}
}

// noteEnded keeps a goal that ended for the next prompt, except an errand that an act completed: the act says so.
func (gt *goalTracker) noteEnded(s *goals.Satisfaction) {
	if s.Completed {
		switch s.Kind {
		case goals.KindAnswer, goals.KindVote, goals.KindDoReview, goals.KindLearn:
			return
		default: // told
		}
	}
	n := memory.EndedNote{Kind: uint8(s.Kind), Subject: s.Subject, Reached: s.Completed, Reason: string(s.Reason), By: s.ClosedBy}
	if s.Kind == goals.KindOwn || s.Kind == goals.KindOperator {
		n.Text = s.Text
	}
	gt.notes.NoteEnded(n)
}

// giveBack marks the claim of a goal that ended without success for release. Between
// slots there is no view to tell whether it is held: offerRelease strikes it if not.
func (gt *goalTracker) giveBack(bounty wire.Hash) {
	switch {
	case gt.seen.open:
		gt.releaseUnwanted()
	case !gt.living(goals.KindClaimBounty, bounty):
		gt.notes.Release(bounty)
	}
}

// releaseUnwanted marks the held claims that no goal is about any more.
func (gt *goalTracker) releaseUnwanted() {
	for i := range gt.seen.claims {
		c := &gt.seen.claims[i]
		if gt.seen.claimed(c.ID) != nil && !gt.living(goals.KindClaimBounty, c.ID) {
			gt.notes.Release(c.ID)
		}
	}
}

// reconsider gives up an aspiration of the role if work for another one has brought more. It is asked at the end of a cycle.
func (gt *goalTracker) reconsider() {
	gt.situation.Tick = gt.seen.tick
	for _, g := range gt.agent.Goals.Living() {
		if gt.situation.GivesWay(g) {
			gt.abandon(g.ID, goals.ReasonOutpaid)
			return
		}
	}
}

// abandon gives a goal up.
func (gt *goalTracker) abandon(goal wire.Hash, why goals.Reason) {
	from := len(gt.satisfied)
	if s, ok := gt.agent.Goals.Abandon(goal, why, float64(gt.agent.Reputation)); ok {
		gt.satisfied = append(gt.satisfied, s)
		gt.onEnded(from)
	}
}
