package goals

import (
	"testing"

	"kingdom/wire"
)

var (
	subject = wire.Hash{0xAA}
	other   = wire.Hash{0xBB}
	rival   = wire.AgentID{0xCC}
)

// life puts one goal on a stack and gives it facts; it returns the status after each,
// "" while the goal lives.
func life(t *testing.T, k Kind, reputation float64, facts ...Fact) []string {
	t.Helper()
	s, a := NewStack(DefaultCapacity), appraisal()
	a.Reputation = reputation
	g := New(me, LayerTask, SourceOpportunity, Description{Kind: k, Text: "x", Subject: &subject}, 10)
	must(t, s.Add(g, a))
	var out []string
	for i := range facts {
		if facts[i].Goal == (wire.Hash{1}) {
			facts[i].Goal = g.ID
		}
		s.ApplyFact(nil, me, &facts[i], reputation)
		status := ""
		if s.Get(g.ID) == nil {
			for _, c := range s.Changed() {
				status = c.Status.String()
			}
		}
		out = append(out, status)
	}
	return out
}

func TestSettle_Postconditions(t *testing.T) {
	act := func(m wire.MsgType, about wire.Hash) Fact { return Fact{Kind: FactActed, Action: m, Subject: about} }
	helped := func(lower bool) Fact { return Fact{Kind: FactAnswered, Subject: other, Lower: lower} }
	work := func(w Work) Fact { w.At += 10; return Fact{Kind: FactVerified, Work: w} } // the goals are of tick 10
	old := func(w Work) Fact { return Fact{Kind: FactVerified, Work: w} }
	this := wire.Hash{1} // stands for the goal's own id
	const done, gone, open = "COMPLETED", "ABANDONED", ""
	tests := []struct {
		name  string
		kind  Kind
		facts []Fact
		want  []string
	}{
		{"earn at 30", KindEarn, []Fact{{Kind: FactBalance, Amount: 29}, {Kind: FactBalance, Amount: 30}}, []string{open, done}},
		{"bounty mine", KindClaimBounty, []Fact{
			{Kind: FactBountyCompleted, Subject: other, Agent: me}, {Kind: FactBountyCompleted, Subject: subject, Agent: me},
		}, []string{open, done}},
		{"bounty of a rival", KindClaimBounty, []Fact{{Kind: FactBountyCompleted, Subject: subject, Agent: rival}}, []string{gone}},
		{"bounty lost", KindClaimBounty, []Fact{{Kind: FactBountyLost, Subject: other}, {Kind: FactBountyLost, Subject: subject}}, []string{open, gone}},
		{"review", KindDoReview, []Fact{act(wire.TypeReviewSubmit, other), act(wire.TypeReviewSubmit, subject)}, []string{open, done}},
		{"bounty review", KindDoReview, []Fact{act(wire.TypeBountyReview, subject)}, []string{done}},
		{"entry review", KindDoReview, []Fact{act(wire.TypeEntryVerify, subject)}, []string{done}},
		{"review by looking", KindDoReview, []Fact{act(wire.TypeEntryGet, subject)}, []string{open}},
		{"review closed", KindDoReview, []Fact{{Kind: FactClosed, Subject: subject}}, []string{gone}},
		{"dependency", KindFixDependency, []Fact{act(wire.TypeDependencyAdd, subject)}, []string{done}},
		{"review in another way", KindDoReview, []Fact{act(wire.TypeEntryGet, subject), act(wire.TypeBountyReview, other)}, []string{open, open}},
		{"dependency in another way", KindFixDependency, []Fact{act(wire.TypeEntryGet, subject)}, []string{open}},
		{"learn in another way", KindLearn, []Fact{act(wire.TypeEntryVerify, subject)}, []string{open}},
		{"learn closed", KindLearn, []Fact{{Kind: FactClosed, Subject: other}, {Kind: FactClosed, Subject: subject}}, []string{open, gone}},
		{"vote in another way", KindVote, []Fact{act(wire.TypeEntryGet, subject)}, []string{open}},
		{"mentor by answers", KindMentor, []Fact{helped(true), helped(true), helped(true)}, []string{open, open, done}},
		{"mentor by reviews", KindMentor, []Fact{
			{Kind: FactActed, Action: wire.TypeReviewSubmit, Lower: true},
			{Kind: FactActed, Action: wire.TypeReviewSubmit},
			{Kind: FactActed, Action: wire.TypeEntryGet, Lower: true},
			{Kind: FactActed, Action: wire.TypeEntryVerify, Lower: true},
			{Kind: FactActed, Action: wire.TypeBountyReview, Lower: true},
		}, []string{open, open, open, open, done}},
		{"dependency by snap", KindFixDependency, []Fact{act(wire.TypeSnapCreate, other), act(wire.TypeSnapCreate, subject)}, []string{open, done}},
		{"explore", KindExplore, []Fact{{Kind: FactExperience}}, []string{done}},
		{"three novelties", KindTryNovel, []Fact{{Kind: FactExperience}, {Kind: FactExperience}, {Kind: FactExperience}}, []string{open, open, done}},
		{"learn", KindLearn, []Fact{act(wire.TypeEntryGet, other), act(wire.TypeEntryGet, subject)}, []string{open, done}},
		{"vote", KindVote, []Fact{act(wire.TypeProposalVote, other), act(wire.TypeProposalVote, subject)}, []string{open, done}},
		{"vote closed", KindVote, []Fact{{Kind: FactClosed, Subject: subject}}, []string{gone}},
		{"answer", KindAnswer, []Fact{{Kind: FactAnswered, Subject: other}, {Kind: FactAnswered, Subject: subject}}, []string{open, done}},
		{"answer closed", KindAnswer, []Fact{{Kind: FactClosed, Subject: subject}}, []string{gone}},
		{"reputation at 0.3", KindImproveReputation, []Fact{{Kind: FactReputation, Score: 0.22}, {Kind: FactReputation, Score: 0.3}}, []string{open, done}},
		{"reputation by 0.05", KindImproveReputation, []Fact{{Kind: FactReputation, Score: 0.249}, {Kind: FactReputation, Score: 0.25}}, []string{open, done}},
		{"mentor three lower", KindMentor, []Fact{helped(true), helped(false), helped(true), {Kind: FactActed, Action: wire.TypeReviewSubmit, Lower: true}}, []string{open, open, open, done}},
		{"coverage by three entries", KindRaiseCoverage, []Fact{
			work(Work{Entry: wire.Hash{1}, Accurate: 1}), work(Work{Entry: wire.Hash{1}, Accurate: 1}),
			work(Work{Entry: wire.Hash{2}, Verdicts: 1}), work(Work{Entry: wire.Hash{3}, Accurate: 1}),
			work(Work{Entry: wire.Hash{4}, Accurate: 1}),
		}, []string{open, open, open, open, done}},
		{"library by registry", KindBuildLibrary, []Fact{{Kind: FactRegistered}}, []string{done}},
		{"library by two verifiers", KindBuildLibrary, []Fact{
			work(Work{Kind: wire.EntryKindAPI, Verdicts: 2, Accurate: 1}), work(Work{Kind: wire.EntryKindTutorial, Verdicts: 2, Accurate: 2}),
			work(Work{Kind: wire.EntryKindPattern, Verdicts: 2, Accurate: 2}),
		}, []string{open, open, done}},
		{"library by an API", KindBuildLibrary, []Fact{work(Work{Kind: wire.EntryKindAPI, Verdicts: 2, Accurate: 2})}, []string{done}},
		{"specification", KindDesignSystem, []Fact{
			work(Work{Kind: wire.EntryKindTutorial, Verdicts: 2, Accuracy: 1}), work(Work{Kind: wire.EntryKindSpecification, Verdicts: 2, Accuracy: 0.49}),
			work(Work{Kind: wire.EntryKindAPI, Accuracy: 0.9}), work(Work{Kind: wire.EntryKindSpecification, Accuracy: 0.49}),
			work(Work{Kind: wire.EntryKindSpecification, Verdicts: 1, Accuracy: 1}), work(Work{Kind: wire.EntryKindSpecification, Verdicts: 2, Accuracy: 0.5}),
		}, []string{open, open, open, open, open, done}},
		{"an old specification", KindDesignSystem, []Fact{old(Work{At: 9, Kind: wire.EntryKindSpecification, Verdicts: 5, Accuracy: 1})}, []string{open}},
		{"an old library", KindBuildLibrary, []Fact{old(Work{At: 9, Kind: wire.EntryKindAPI, Verdicts: 5, Accurate: 5})}, []string{open}},
		{"an old tutorial", KindRaiseCoverage, []Fact{
			work(Work{Entry: wire.Hash{1}, Accurate: 1}), work(Work{Entry: wire.Hash{2}, Accurate: 1}), old(Work{Entry: wire.Hash{3}, At: 9, Accurate: 1}),
		}, []string{open, open, open}},
		{"own by its plan", KindOwn, []Fact{{Kind: FactPlanCompleted, Goal: other}, {Kind: FactPlanCompleted, Goal: this}}, []string{open, done}},
		{"own by its predicate", KindOwn, []Fact{{Kind: FactReached, Goal: other}, {Kind: FactReached, Goal: this}}, []string{open, done}},
		{"operator not by a plan", KindOperator, []Fact{{Kind: FactPlanCompleted, Goal: this}, {Kind: FactReached, Goal: this}}, []string{open, done}},
	}
	for _, tt := range tests {
		got := life(t, tt.kind, 0.2, tt.facts...)
		for i := range tt.want {
			if got[i] != tt.want[i] {
				t.Errorf("%s: after fact %d %q, want %q", tt.name, i+1, got[i], tt.want[i])
				break
			}
		}
	}
}

// A goal with a predicate does not end with its plan.
func TestSettle_GoalWithPredicateOutlivesItsPlan(t *testing.T) {
	s, a := NewStack(DefaultCapacity), appraisal()
	g := New(me, LayerTask, SourceRole, Description{Kind: KindOwn, Text: "x", Predicate: "balance>=900"}, 10)
	must(t, s.Add(g, a))
	if sats := s.ApplyFact(nil, me, &Fact{Kind: FactPlanCompleted, Goal: g.ID}, 0.5); len(sats) != 0 {
		t.Errorf("ended as %+v", sats)
	}
}

func TestSettle_ReturnsTheSatisfaction(t *testing.T) {
	s, a := NewStack(DefaultCapacity), appraisal()
	g := New(me, LayerObjective, SourceOpportunity, Description{Kind: KindClaimBounty, Text: "x", Subject: &subject, Reward: 61}, 10)
	must(t, s.Add(g, a))
	s.Get(g.ID).Record.Effort = 12
	sats := s.ApplyFact(nil, me, &Fact{Kind: FactBountyCompleted, Subject: subject, Agent: me, Reward: 61}, 0.75)
	want := Satisfaction{
		Goal: g.ID, Completed: true, RewardActual: 61, RewardExpected: 30, ReputationDelta: 0.25,
		NoveltyScore: 1, Effort: 12, Kind: KindClaimBounty, Domain: KindClaimBounty.Domain(), Subject: subject, Text: "x",
	}
	if len(sats) != 1 || sats[0] != want {
		t.Errorf("satisfaction %+v, want %+v", sats, want)
	}
}

// Who regains 0.3 is respected again, however little was missing.
func TestSettle_ReputationAtItsTarget(t *testing.T) {
	got := life(t, KindImproveReputation, 0.28, Fact{Kind: FactReputation, Score: 0.299}, Fact{Kind: FactReputation, Score: 0.3})
	if got[0] != "" || got[1] != "COMPLETED" {
		t.Errorf("at 0.299 and 0.3: %q", got)
	}
}

// The satisfaction of a goal that was given up has the reason, the agent that has its subject now, and what the acts
// for it had earned.
func TestSatisfaction_HasReasonAndEarnings(t *testing.T) {
	ends := func(k Kind, end func(*Stack, wire.Hash) []Satisfaction) Satisfaction {
		t.Helper()
		s, a := NewStack(Capacity{Tasks: 1}), appraisal()
		g := New(me, LayerTask, SourceOpportunity, Description{Kind: k, Text: "x", Subject: &subject}, 10)
		g.Deadline = ticks(5000)
		must(t, s.Add(g, a))
		s.Get(g.ID).Record.Paid = 5
		sats := end(s, g.ID)
		if len(sats) != 1 {
			t.Fatalf("%d satisfactions, want 1", len(sats))
		}
		return sats[0]
	}
	by := func(f Fact) func(*Stack, wire.Hash) []Satisfaction {
		f.Subject = subject
		return func(s *Stack, _ wire.Hash) []Satisfaction { return s.ApplyFact(nil, me, &f, 0.5) }
	}
	for name, tt := range map[string]struct {
		kind   Kind
		end    func(*Stack, wire.Hash) []Satisfaction
		reason Reason
		by     wire.AgentID
		paid   uint64
	}{
		"done":                 {KindVote, by(Fact{Kind: FactActed, Action: wire.TypeProposalVote, Agent: rival, Reward: 3}), "", wire.AgentID{}, 8},
		"lost to a rival":      {KindClaimBounty, by(Fact{Kind: FactBountyCompleted, Agent: rival}), "subject_completed", rival, 5},
		"closed for a reason":  {KindVote, by(Fact{Kind: FactClosed, Agent: rival, Reason: Closed("EXPIRED")}), "subject_expired", rival, 5},
		"closed for no reason": {KindVote, by(Fact{Kind: FactClosed}), "subject_closed", wire.AgentID{}, 5},
		"late":                 {KindVote, func(s *Stack, _ wire.Hash) []Satisfaction { return s.Expire(nil, 5001, 0.5) }, ReasonDeadline, wire.AgentID{}, 5},
		"plans failed": {KindVote, func(s *Stack, id wire.Hash) []Satisfaction {
			sat, _ := s.Abandon(id, ReasonPlans, 0.5)
			return []Satisfaction{sat}
		}, ReasonPlans, wire.AgentID{}, 5},
		"replaced": {KindVote, func(s *Stack, _ wire.Hash) []Satisfaction {
			sats, err := s.Put(nil, numbered(LayerTask, SourceOpportunity, KindDoReview, 1), appraisal())
			must(t, err)
			return sats
		}, ReasonReplaced, wire.AgentID{}, 5},
	} {
		if got := ends(tt.kind, tt.end); got.Reason != tt.reason || got.ClosedBy != tt.by || got.RewardActual != tt.paid {
			t.Errorf("%s: %q by %v, %d ⚡; want %q by %v, %d", name, got.Reason, got.ClosedBy, got.RewardActual, tt.reason, tt.by, tt.paid)
		}
	}
}

func TestSettle_EarningPaysWhatCameInSinceCreation(t *testing.T) {
	s, a := NewStack(DefaultCapacity), appraisal()
	a.Earned = 100
	must(t, s.Add(goal(LayerTask, SourceSurvival, KindEarn, 10), a))
	s.ApplyFact(nil, me, &Fact{Kind: FactBalance, Amount: 20, Earned: 115}, 0.5)
	sats := s.ApplyFact(nil, me, &Fact{Kind: FactBalance, Amount: 31, Earned: 127}, 0.5)
	if len(sats) != 1 || sats[0].RewardActual != 27 {
		t.Errorf("satisfaction %+v, want 27 ⚡", sats)
	}
}

func TestExpire_AbandonsAfterTheDeadline(t *testing.T) {
	s, a := NewStack(DefaultCapacity), appraisal()
	g := goal(LayerTask, SourceOpportunity, KindVote, 10)
	g.Deadline = ticks(50)
	must(t, s.Add(g, a))
	must(t, s.Add(goal(LayerTask, SourceOpportunity, KindAnswer, 10), a)) // has no deadline
	if sats := s.Expire(nil, 50, 0.5); len(sats) != 0 {
		t.Error("expired at the deadline itself")
	}
	if sats := s.Expire(nil, 51, 0.5); len(sats) != 1 || sats[0].Completed || len(s.Living()) != 1 {
		t.Errorf("after the deadline: %v", sats)
	}
}
