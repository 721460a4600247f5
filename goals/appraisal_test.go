package goals

import (
	"math"
	"testing"

	"kingdom/wire"
	"kingdom/wire/action"
)

var me = wire.AgentID{1}

func appraisal() *Appraisal {
	return &Appraisal{
		Tick: 1000, Balance: 100, Reputation: 0.5, Role: wire.RoleGeneralist,
		Weights: WeightsOf(0.5, 0.5, 0.5, 0.5), Learning: &Learning{},
	}
}

func goal(l Layer, src Source, k Kind, at wire.Tick) Goal {
	return New(me, l, src, Description{Kind: k, Text: k.String()}, at)
}

func ticks(n wire.Tick) *wire.Tick { return &n }

func TestTerms_Urgency(t *testing.T) {
	tests := []struct {
		name     string
		layer    Layer
		src      Source
		kind     Kind
		deadline *wire.Tick
		balance  int64
		want     float64
	}{
		{"aspiration", LayerAspiration, SourceRole, KindMentor, nil, 100, 0.1},
		{"objective", LayerObjective, SourceCuriosity, KindExplore, nil, 100, 0.3},
		{"task", LayerTask, SourceOpportunity, KindAnswer, nil, 100, 0.5},
		{"survival floor", LayerTask, SourceSurvival, KindEarn, nil, 19, 0.8},
		{"survival at 4", LayerTask, SourceSurvival, KindEarn, nil, 4, 0.8},
		{"survival at 2", LayerTask, SourceSurvival, KindEarn, nil, 2, 0.9},
		{"survival in debt", LayerTask, SourceSurvival, KindEarn, nil, -50, 1},
		{"starter quest", LayerObjective, SourceRole, KindLearn, nil, 100, 0.6},
		{"reading that somebody else suggests", LayerObjective, SourceOpportunity, KindLearn, nil, 100, 0.3},
		{"dependency", LayerTask, SourceOpportunity, KindFixDependency, nil, 100, 0.7},
		{"deadline far", LayerTask, SourceOpportunity, KindVote, ticks(1000 + 512), 100, 0.5},
		{"deadline in 128", LayerTask, SourceOpportunity, KindVote, ticks(1000 + 128), 100, 0.75},
		{"deadline now", LayerObjective, SourceOpportunity, KindClaimBounty, ticks(1000), 100, 1},
		{"deadline passed", LayerObjective, SourceOpportunity, KindClaimBounty, ticks(900), 100, 1},
	}
	for _, tt := range tests {
		a := appraisal()
		a.Balance = tt.balance
		g := goal(tt.layer, tt.src, tt.kind, 0)
		g.Deadline = tt.deadline
		if got := a.Terms(&g).Urgency; math.Abs(got-tt.want) > 1e-6 {
			t.Errorf("%s: urgency %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestTerms_RewardFollowsOfferAndSuccess(t *testing.T) {
	a := appraisal()
	g := goal(LayerObjective, SourceOpportunity, KindClaimBounty, 0)
	g.Description.Reward = 60
	// No record: success rate 1/2, so r = 30 and the term is 30/60.
	if got := a.Terms(&g).Reward; got != 0.5 {
		t.Errorf("60 ⚡ without record: %v, want 0.5", got)
	}
	for range 2 {
		a.Learning.Credit(action.DomainLanguage, true)
	}
	// Rate 3/4: r = 45, term 45/75.
	if got := a.Terms(&g).Reward; math.Abs(got-0.6) > 1e-6 {
		t.Errorf("60 ⚡ at rate 3/4: %v, want 0.6", got)
	}
	g.Description.Reward = 0
	if got := a.Terms(&g).Reward; got != 0 {
		t.Errorf("nothing learned yet: %v, want 0", got)
	}
	a.Learning.Learn(&Satisfaction{Completed: true, RewardActual: 50, Kind: KindClaimBounty, Domain: action.DomainLanguage})
	// EMA: 0 + 0.2·50 = 10; 10/40.
	if got := a.Terms(&g).Reward; got != 0.25 {
		t.Errorf("learned 10 ⚡: %v, want 0.25", got)
	}
}

func TestTerms_CapabilityNoveltySocial(t *testing.T) {
	a := appraisal()
	g := goal(LayerTask, SourceOpportunity, KindDoReview, 0)
	near := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	near("capability of a novice generalist", a.Terms(&g).Capability, 0.55)
	near("novelty of the new", a.Terms(&g).Novelty, 1)
	near("social without beneficiary", a.Terms(&g).Social, 0.75)

	a.Learning.Act(Triple{action.DomainReview, "review_submit", SubjectReview}, KindDoReview.Domain(), KindDoReview, false)
	near("capability after a refusal", a.Terms(&g).Capability, 0.55)
	a.Learning.Credit(action.DomainReview, false)
	near("capability after a failure", a.Terms(&g).Capability, 0.3+0.5/3)
	near("novelty after one", a.Terms(&g).Novelty, 0.5)

	peer := wire.AgentID{2}
	g.Description.Beneficiary = &peer
	near("social for a stranger", a.Terms(&g).Social, 0.75)
	a.Trust = func(wire.AgentID) (float64, bool) { return 0.2, true }
	near("social for a peer of trust 0.2", a.Terms(&g).Social, 0.6)
	a.Trust = func(wire.AgentID) (float64, bool) { return 0, true }
	near("social for a peer of trust 0", a.Terms(&g).Social, 0.5)
}

func TestTerms_SocialByKind(t *testing.T) {
	want := map[Kind]float64{
		KindMentor: 1, KindDoReview: 1, KindAnswer: 0.8, KindRaiseCoverage: 0.7, KindBuildLibrary: 0.7,
		KindDesignSystem: 0.7, KindClaimBounty: 0.5, KindVote: 0.5,
	}
	for k := KindEarn; k <= KindOperator; k++ {
		w, ok := want[k]
		if !ok {
			w = 0.2
		}
		g := goal(LayerTask, SourceOpportunity, k, 0)
		if got := appraisal().Terms(&g).Social; math.Abs(got-0.75*w) > 1e-6 {
			t.Errorf("social value of %s: %v, want %v", k, got, 0.75*w)
		}
	}
}

// A scenario may keep agents from learning by doing or blind them to money; then what they did and earned is left out.
func TestTerms_WithoutLearningOrMoney(t *testing.T) {
	a := appraisal()
	g := goal(LayerObjective, SourceOpportunity, KindClaimBounty, 0)
	for range 4 {
		a.Learning.Act(Triple{action.DomainLanguage, "bounty_submit", SubjectBounty}, KindClaimBounty.Domain(), KindClaimBounty, true)
		a.Learning.Credit(action.DomainLanguage, true)
	}
	a.Learning.Learn(&Satisfaction{Completed: true, RewardActual: 50, Kind: KindClaimBounty, Domain: action.DomainLanguage})
	a.NoLearning = true
	if got := a.Terms(&g); got.Novelty != 1 || got.Reward != 0 || math.Abs(got.Capability-0.55) > 1e-6 {
		t.Errorf("untaught: %+v, want novelty 1, no reward, capability 0.55", got)
	}
	g.Description.Reward = 60
	if got := a.Expected(&g); got != 30 {
		t.Errorf("untaught, of 60 ⚡: %v expected, want 30", got)
	}
	if a.NoMoney = true; a.Expected(&g) != 0 {
		t.Errorf("blind to money: %v expected", a.Expected(&g))
	}
}

func TestPriority_IsTheWeightedSum(t *testing.T) {
	a := appraisal()
	a.Weights = WeightsOf(0.3, 0.5, 0.2, 0.2) // founder 1
	a.Role = wire.RoleCompilerSmith
	g := goal(LayerObjective, SourceOpportunity, KindClaimBounty, 0)
	g.Description.Reward = 60
	// 1·0.3 + 0.9·0.5 + 0.9·(0.5·1 + 0.5·0.5) + 0.15·1 + 0.25·(0.5·0.75)
	want := 0.3 + 0.45 + 0.675 + 0.15 + 0.09375
	if got := a.Priority(&g); math.Abs(got-want) > 2e-6 {
		t.Errorf("priority %v, want %v", got, want)
	}
}
