package goals

import (
	"slices"

	"kingdom/det"
	"kingdom/wire"
)

// FactKind is the closed list of committed facts that can complete or end a goal.
type FactKind uint8

// Values of [FactKind]; the comment names the fields that count.
const (
	// FactBalance: own balance. Amount, Earned.
	FactBalance FactKind = iota + 1
	// FactReputation: own reputation. Score.
	FactReputation
	// FactActed: an own request was acknowledged. Action, Subject, Lower.
	FactActed
	// FactAnswered: an own ANSWER was posted. Subject is the message answered, Lower.
	FactAnswered
	// FactExperience: the agent experienced a new combination of domain, action and kind of subject.
	FactExperience
	// FactBountyCompleted: a bounty was paid out. Subject, Agent, Reward.
	FactBountyCompleted
	// FactBountyLost: a bounty expired or went to another. Subject, Reason, Agent.
	FactBountyLost
	// FactClosed: nothing is left for the agent to do with a thing. Subject, Reason, Agent.
	FactClosed
	// FactVerified: an own entry was verified. Work.
	FactVerified
	// FactRegistered: an own repository was published in the registry. Subject.
	FactRegistered
	// FactPlanCompleted: the plan of a goal reached its end. Goal.
	FactPlanCompleted
	// FactExhausted: nothing is left in the catalogue that the agent never did. Reason.
	FactExhausted
	// FactReached: the stated predicate of an own or operator goal holds. Goal.
	FactReached
)

// Fact is something that the world committed, as one agent sees it.
type Fact struct {
	Kind    FactKind
	Subject wire.Hash
	Agent   wire.AgentID
	Goal    wire.Hash
	Action  wire.MsgType
	Amount  int64   // ⚡
	Score   float64 // [0,1]
	Reward  uint64  // ⚡ that came in with this fact
	Earned  uint64  // ⚡ ever received; what a goal to earn was paid is the growth since its creation
	Lower   bool    // the peer served has a lower reputation than this agent
	Work    Work
	Reason  Reason // why the goals that the fact ends without success are given up
}

// Completion numbers (docs/AGENT.md, goals).
const (
	earnTarget       = 30  // ⚡
	reputationTarget = 0.3 // also the level below which improving becomes a goal
	reputationGain   = 0.05
	novelTarget      = 3
	mentorTarget     = 3
	coverageTarget   = 3
	libraryVerifiers = 2
	designAccuracy   = 0.5
	designVerdicts   = 2 // a single one may be a friend's
)

// ApplyFact applies a fact to every living goal. Goals that it completes or ends leave the stack, and their
// satisfactions are appended to dst, oldest goal first. reputation is the agent's reputation now.
func (s *Stack) ApplyFact(dst []Satisfaction, me wire.AgentID, f *Fact, reputation float64) []Satisfaction {
	for i := 0; i < len(s.living); {
		if !affectedKinds[f.Kind].has(s.kinds[i]) {
			i++
			continue
		}
		g := s.living[i]
		st := g.judge(me, f)
		if st == 0 {
			i++
			continue
		}
		g.Ended = f.reason(st)
		s.end(g, st)
		sat := g.satisfaction(g.paid(f), reputation)
		if st == StatusAbandoned {
			sat.ClosedBy = f.Agent
		}
		dst = append(dst, sat)
	}
	return dst
}

// reason returns why a fact ends a goal with a status; "" if it completes the goal.
func (f *Fact) reason(st Status) Reason {
	switch {
	case st != StatusAbandoned:
		return ""
	case f.Reason != "":
		return f.Reason
	case f.Kind == FactBountyCompleted:
		return Closed("completed")
	default:
		return Closed("closed")
	}
}

// affectedKinds lists the kinds of goals that a fact can affect. For other kinds judge returns 0 and changes nothing.
var affectedKinds = [...]kindSet{
	FactBalance:         kindsOf(KindEarn),
	FactReputation:      kindsOf(KindImproveReputation),
	FactActed:           kindsOf(KindDoReview, KindMentor, KindFixDependency, KindLearn, KindVote, KindOwn, KindOperator),
	FactAnswered:        kindsOf(KindMentor, KindAnswer),
	FactExperience:      kindsOf(KindExplore, KindTryNovel),
	FactBountyCompleted: kindsOf(KindClaimBounty),
	FactBountyLost:      kindsOf(KindClaimBounty),
	FactClosed:          kindsOf(KindClaimBounty, KindDoReview, KindFixDependency, KindLearn, KindVote, KindAnswer, KindOwn),
	FactVerified:        kindsOf(KindRaiseCoverage, KindBuildLibrary, KindDesignSystem),
	FactRegistered:      kindsOf(KindBuildLibrary),
	FactPlanCompleted:   kindsOf(KindOwn),
	FactExhausted:       kindsOf(KindExplore),
	FactReached:         kindsOf(KindOwn, KindOperator),
}

// kindSet is a set of kinds, by bit.
type kindSet uint32

func kindsOf(list ...Kind) (set kindSet) {
	for _, k := range list {
		set |= 1 << k
	}
	return set
}

func (s kindSet) has(k Kind) bool { return s&(1<<k) != 0 }

// paid returns the ⚡ that a goal brought until a fact ended it: what the fact pays, and the income from acts for the goal
// before. For a goal to earn it is all income since the goal was created.
func (g *Goal) paid(f *Fact) uint64 {
	if f.Kind == FactBalance {
		return f.Earned - min(f.Earned, g.Record.Earned)
	}
	return f.Reward + g.Record.Paid
}

// Expire abandons the living goals whose deadline has passed.
func (s *Stack) Expire(dst []Satisfaction, now wire.Tick, reputation float64) []Satisfaction {
	for i := 0; i < len(s.living); {
		g := s.living[i]
		if g.Deadline == nil || *g.Deadline >= now {
			i++
			continue
		}
		g.Ended = ReasonDeadline
		s.end(g, StatusAbandoned)
		dst = append(dst, g.satisfaction(g.Record.Paid, reputation))
	}
	return dst
}

// Abandon ends a living goal for a reason; ok is false if there is no living goal with the id.
func (s *Stack) Abandon(id wire.Hash, why Reason, reputation float64) (sat Satisfaction, ok bool) {
	g := s.Get(id)
	if g == nil {
		return Satisfaction{}, false
	}
	g.Ended = why
	s.end(g, StatusAbandoned)
	return g.satisfaction(g.Record.Paid, reputation), true
}

// judge returns the status with which a fact ends the goal, or 0 if the goal stays alive. Goals that count facts keep their
// progress in Record.
func (g *Goal) judge(me wire.AgentID, f *Fact) Status {
	switch f.Kind {
	case FactBalance:
		return completed(g.Kind() == KindEarn && f.Amount >= earnTarget)
	case FactReputation:
		return completed(g.Kind() == KindImproveReputation && g.improved(f.Score))
	case FactActed:
		return g.judgeActed(f)
	case FactAnswered:
		if g.Kind() == KindMentor && f.Lower {
			return g.countProgress(mentorTarget)
		}
		return completed(g.Kind() == KindAnswer && g.About(f.Subject))
	case FactExperience:
		return g.judgeExperience()
	case FactBountyCompleted:
		if g.Kind() != KindClaimBounty || !g.About(f.Subject) {
			return 0
		}
		if f.Agent == me {
			return StatusCompleted
		}
		return StatusAbandoned
	case FactBountyLost:
		return abandoned(g.Kind() == KindClaimBounty && g.About(f.Subject))
	case FactClosed:
		return abandoned(affectedKinds[FactClosed].has(g.Kind()) && g.About(f.Subject))
	case FactVerified:
		return g.judgeWork(&f.Work)
	case FactRegistered:
		return completed(g.Kind() == KindBuildLibrary)
	case FactPlanCompleted:
		return completed(g.Kind() == KindOwn && g.ID == f.Goal && g.Description.Predicate == "")
	case FactExhausted:
		return abandoned(g.Kind() == KindExplore)
	case FactReached:
		return completed((g.Kind() == KindOwn || g.Kind() == KindOperator) && g.ID == f.Goal)
	}
	panic("goals: judge unknown fact")
}

func (g *Goal) judgeActed(f *Fact) Status {
	switch g.Kind() {
	case KindDoReview:
		return completed(isReview(f.Action) && g.About(f.Subject))
	case KindMentor:
		if isReview(f.Action) && f.Lower {
			return g.countProgress(mentorTarget)
		}
	case KindFixDependency:
		return completed((f.Action == wire.TypeDependencyAdd || f.Action == wire.TypeSnapCreate) && g.About(f.Subject))
	case KindLearn:
		return completed(f.Action == wire.TypeEntryGet && g.About(f.Subject))
	case KindVote:
		return completed(f.Action == wire.TypeProposalVote && g.About(f.Subject))
	case KindOwn, KindOperator:
		return g.judgePredicate(f)
	default: // nothing to do for the others
	}
	return 0
}

func (g *Goal) judgeExperience() Status {
	switch g.Kind() {
	case KindExplore:
		return StatusCompleted
	case KindTryNovel:
		return g.countProgress(novelTarget)
	default:
		return 0
	}
}

// judgeWork counts only entries that were published since the goal was created: a new verdict on an older entry is no work
// for the goal.
func (g *Goal) judgeWork(w *Work) Status {
	if w.At < g.CreatedAt {
		return 0
	}
	switch g.Kind() {
	case KindRaiseCoverage:
		if w.Accurate > 0 && !slices.Contains(g.Record.Counted, w.Entry) {
			g.Record.Counted = append(g.Record.Counted, w.Entry)
			return g.countProgress(coverageTarget)
		}
	case KindBuildLibrary:
		return completed((w.Kind == wire.EntryKindAPI || w.Kind == wire.EntryKindPattern) && w.Accurate >= libraryVerifiers)
	case KindDesignSystem:
		return completed(w.Kind == wire.EntryKindSpecification && w.Verdicts >= designVerdicts && w.Accuracy >= designAccuracy)
	default: // nothing to do for the others
	}
	return 0
}

// improved compares quantised scores, so that 0.25 to 0.3 counts as the full gain.
func (g *Goal) improved(score float64) bool {
	return det.Quantise(score) >= det.Quantise(reputationTarget) ||
		det.QuantiseInt(score)-det.QuantiseInt(g.Record.Reputation) >= det.QuantiseInt(reputationGain)
}

func (g *Goal) countProgress(target uint32) Status {
	g.Record.Progress++
	return completed(g.Record.Progress >= target)
}

func isReview(t wire.MsgType) bool {
	return t == wire.TypeReviewSubmit || t == wire.TypeBountyReview || t == wire.TypeEntryVerify
}

func completed(yes bool) Status {
	if yes {
		return StatusCompleted
	}
	return 0
}

func abandoned(yes bool) Status {
	if yes {
		return StatusAbandoned
	}
	return 0
}
