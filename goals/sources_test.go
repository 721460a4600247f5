package goals

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kingdom/wire"
)

func situation() *Situation {
	return &Situation{
		Appraisal: *appraisal(), Agent: me, Cycle: 10, Threshold: 20,
		Stack: NewStack(DefaultCapacity), WorldSeed: wire.WorldSeed("test"),
	}
}

func show(gs []Goal) string {
	var b strings.Builder
	for _, g := range gs {
		fmt.Fprintf(&b, "%s %s %s\n", g.Source, g.Layer, g.Kind())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (s *Situation) addAll(t *testing.T, gs []Goal) {
	t.Helper()
	for _, g := range gs {
		must(t, s.Stack.Add(g, &s.Appraisal))
	}
}

func TestSurvival_OnlyBelowTwenty(t *testing.T) {
	s := situation()
	s.Balance = 20
	if got := show(survival(nil, s)); got != "" {
		t.Errorf("at 20 ⚡: %s", got)
	}
	s.Balance, s.NoMoney = 19, true
	if got := show(survival(nil, s)); got != "" {
		t.Errorf("blind to money: %s", got)
	}
	s.NoMoney = false
	got := survival(nil, s)
	if show(got) != "SURVIVAL TASK earn" {
		t.Fatalf("at 19 ⚡: %s", show(got))
	}
	s.addAll(t, got)
	if got := show(survival(nil, s)); got != "" {
		t.Errorf("while one is alive: %s", got)
	}
}

func TestSpawn_OneObjectivePerSeed(t *testing.T) {
	s := situation()
	got := Spawn(nil, s, []wire.Hash{{1}, {2}})
	if show(got) != "ROLE OBJECTIVE learn\nROLE OBJECTIVE learn" || !got[0].About(wire.Hash{1}) || !got[1].About(wire.Hash{2}) {
		t.Error(show(got))
	}
}

// Who knows nobody has neither anybody to mentor nor anybody whose respect it could win.
func TestSources_GoalsAboutPeersTakeAcquaintances(t *testing.T) {
	for _, knows := range []bool{true, false} {
		s := situation()
		s.Role, s.Acquainted = wire.RoleArchitect, func() bool { return knows }
		if got := strings.Contains(show(roleAspirations(nil, s)), "mentor"); got != knows {
			t.Errorf("knows somebody %v: aspires to mentor %v", knows, got)
		}
		s.Reputation = 0.9
		if got := len(social(nil, s)) > 0; got != knows {
			t.Errorf("knows somebody %v, high reputation: mentors %v", knows, got)
		}
		s.Reputation = 0.1
		if got := len(social(nil, s)) > 0; got != knows {
			t.Errorf("knows somebody %v, low reputation: improves it %v", knows, got)
		}
	}
}

func TestCuriosity_OnlyAbovePressureOne(t *testing.T) {
	s := situation()
	for range 20 {
		s.Learning.CycleEnd()
	}
	if got := show(curiosity(nil, s)); got != "" {
		t.Errorf("at pressure 1: %s", got)
	}
	s.Learning.CycleEnd()
	got := curiosity(nil, s)
	if show(got) != "CURIOSITY OBJECTIVE explore" || got[0].Deadline == nil || *got[0].Deadline != s.Tick+4*256 {
		t.Fatalf("above: %s until %v", show(got), got[0].Deadline)
	}
	if got := show(Inject(nil, s)); !strings.HasSuffix(got, "CURIOSITY OBJECTIVE explore") {
		t.Errorf("of all sources: %s", got)
	}
	s.addAll(t, got)
	if got := show(curiosity(nil, s)); got != "" {
		t.Errorf("while one is alive: %s", got)
	}
}

func TestSocial(t *testing.T) {
	tests := []struct {
		reputation float64
		cycle      wire.Cycle
		want       string
	}{
		{0.29, 4, ""},
		{0.29, 5, "SOCIAL OBJECTIVE improve_reputation"},
		{0.3, 5, ""},
		{0.7, 5, ""},
		{0.71, 1, "SOCIAL ASPIRATION mentor"},
	}
	for _, tt := range tests {
		s := situation()
		s.Reputation, s.Cycle = tt.reputation, tt.cycle
		got := social(nil, s)
		if show(got) != tt.want {
			t.Errorf("reputation %v in cycle %d: %q, want %q", tt.reputation, tt.cycle, show(got), tt.want)
		}
		s.addAll(t, got)
		if again := show(social(nil, s)); again != "" {
			t.Errorf("again: %s", again)
		}
	}
}

func TestSocial_MentorOfTheRoleIsEnough(t *testing.T) {
	s := situation()
	s.Role, s.Reputation = wire.RoleArchitect, 0.9
	if got := show(Inject(nil, s)); strings.Count(got, "mentor") != 1 {
		t.Errorf("both at once: %s", got)
	}
	s.addAll(t, roleAspirations(nil, s))
	if got := show(social(nil, s)); got != "" {
		t.Error(got)
	}
	s = situation()
	s.Reputation = 0.9
	task := goal(LayerTask, SourceOpportunity, KindMentor, 3)
	if got := show(social([]Goal{task}, s)); !strings.HasSuffix(got, "SOCIAL ASPIRATION mentor") {
		t.Errorf("beside a task that is about to be: %s", got)
	}
	s.addAll(t, []Goal{task})
	if got := show(social(nil, s)); got != "SOCIAL ASPIRATION mentor" {
		t.Errorf("beside a task: %s", got)
	}
	s.NoStanding = true
	if got := show(social(nil, s)); got != "" {
		t.Errorf("blind to what others think: %s", got)
	}
}

func TestOpportunity_ByEvent(t *testing.T) {
	created := &wire.BountyCreatedEvent{BountyID: wire.Hash{1}, Creator: rival, Title: []byte("sort"), Reward: 40, Difficulty: wire.DifficultyEasy, Deadline: 2000}
	question := wire.MessagePostedEvent{MessageID: wire.Hash{4}, Author: rival, Kind: wire.MessageKindQuestion}
	statement := question
	statement.Kind = wire.MessageKindStatement
	now := situation().Tick
	tests := []struct {
		name    string
		payload any
		origin  wire.AgentID
		want    string
	}{
		{"bounty for others", &wire.BountyCreatedEvent{BountyID: wire.Hash{3}, Creator: rival, Reward: 40, Deadline: 2000}, rival, ""},
		{"own bounty, told by another", &wire.BountyCreatedEvent{BountyID: wire.Hash{1}, Creator: me, Reward: 40, Deadline: 2000}, rival, ""},
		{"own bounty reopened", &wire.BountyReopenedEvent{BountyID: wire.Hash{7}}, rival, ""},
		{"own review", &wire.ReviewRequestedEvent{ReviewID: wire.Hash{5}, Author: me}, rival, ""},
		{"own proposal", &wire.ProposalCreatedEvent{ProposalID: wire.Hash{6}, Author: me, VoteDeadline: 1500}, rival, ""},
		{"proposal whose vote is over", &wire.ProposalCreatedEvent{ProposalID: wire.Hash{6}, Author: rival, VoteDeadline: 1}, rival, ""},
		{"proposal whose vote ended a tick ago", &wire.ProposalCreatedEvent{ProposalID: wire.Hash{6}, Author: rival, VoteDeadline: now - 1}, rival, ""},
		{"proposal whose vote ends now", &wire.ProposalCreatedEvent{ProposalID: wire.Hash{6}, Author: rival, VoteDeadline: now}, rival, "OPPORTUNITY TASK vote"},
		{"bounty that ends now", &wire.BountyCreatedEvent{BountyID: wire.Hash{1}, Creator: rival, Reward: 40, Deadline: now}, rival, "OPPORTUNITY OBJECTIVE claim_bounty"},
		{"bounty that ended a tick ago", &wire.BountyCreatedEvent{BountyID: wire.Hash{1}, Creator: rival, Reward: 40, Deadline: now - 1}, rival, ""},
		{"proposal that leaves it cold", &wire.ProposalCreatedEvent{ProposalID: wire.Hash{8}, Author: rival, VoteDeadline: 1500}, rival, ""},
		{"own question, told by another", &wire.MessagePostedEvent{MessageID: wire.Hash{4}, Author: me, Kind: wire.MessageKindQuestion}, rival, ""},
		{"bounty", created, rival, "OPPORTUNITY OBJECTIVE claim_bounty"},
		{"own bounty", created, me, ""},
		{"reopened and seen", &wire.BountyReopenedEvent{BountyID: wire.Hash{2}}, rival, "OPPORTUNITY OBJECTIVE claim_bounty"},
		{"reopened and barred", &wire.BountyReopenedEvent{BountyID: wire.Hash{3}}, rival, ""},
		{"reopened and unseen", &wire.BountyReopenedEvent{BountyID: wire.Hash{9}}, rival, ""},
		{"review of anybody", &wire.ReviewRequestedEvent{ReviewID: wire.Hash{5}, Author: rival}, rival, ""},
		{"review of me", &wire.ReviewRequestedEvent{ReviewID: wire.Hash{5}, Author: rival, Reviewers: []wire.AgentID{rival, me}}, rival, "OPPORTUNITY TASK do_review"},
		{"review of another", &wire.ReviewRequestedEvent{ReviewID: wire.Hash{5}, Author: rival, Reviewers: []wire.AgentID{rival}}, rival, ""},
		{"proposal", &wire.ProposalCreatedEvent{ProposalID: wire.Hash{6}, Author: rival, VoteDeadline: 1500}, rival, "OPPORTUNITY TASK vote"},
		{"question", &question, rival, "OPPORTUNITY TASK answer"},
		{"own question", &question, me, ""},
		{"statement", &statement, rival, ""},
		{"something else", &wire.BountyExpiredEvent{}, rival, ""},
	}
	for _, tt := range tests {
		s := situation()
		s.Bounties = []wire.BountyView{{ID: wire.Hash{2}, Reward: 30, Creator: rival, Deadline: 2000}, {ID: wire.Hash{3}, Reward: 30, Barred: true}, {ID: wire.Hash{7}, Reward: 30, Creator: me}}
		s.HasOpinion = func(id wire.Hash) bool { return id != wire.Hash{8} }
		if got := show(Opportunity(nil, s, &wire.Event{Origin: tt.origin, Payload: tt.payload})); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestOpportunity_BountyMustPay(t *testing.T) {
	s := situation()
	e := &wire.Event{Origin: rival, Payload: &wire.BountyCreatedEvent{BountyID: wire.Hash{1}, Creator: rival, Reward: 40, Difficulty: wire.DifficultyEasy, Deadline: 2000}}
	s.BountyCost = func() float64 { return 20 } // expected: 40 · 1/2
	if got := show(Opportunity(nil, s, e)); got != "" {
		t.Errorf("break-even: %s", got)
	}
	s.BountyCost = func() float64 { return 19 }
	got := Opportunity(nil, s, e)
	s.SuccessChance = func(*wire.BountyCreatedEvent) (float64, bool) { return 1, false }
	if got := show(Opportunity(nil, s, e)); got != "" {
		t.Errorf("that the agent knows too little of: %s", got)
	}
	s.SuccessChance = func(*wire.BountyCreatedEvent) (float64, bool) { return 0.25, true } // 10 of 40, which cost 19
	if got := show(Opportunity(nil, s, e)); got != "" {
		t.Errorf("with bad prospects: %s", got)
	}
	if len(got) != 1 || *got[0].Deadline != 2000 || got[0].Description.Reward != 40 || *got[0].Description.Beneficiary != rival {
		t.Errorf("paying: %+v", got)
	}
}

func TestOpportunity_NeedsCapability(t *testing.T) {
	s := situation()
	s.Role = wire.RoleExplorer // GOVERNANCE 0.3
	e := &wire.Event{Origin: rival, Payload: &wire.ProposalCreatedEvent{ProposalID: wire.Hash{6}, Author: rival, VoteDeadline: 1500}}
	if got := len(Opportunity(nil, s, e)); got != 1 {
		t.Fatalf("0.15 + 0.25: %d goals", got)
	}
	s.Learning.Credit(KindVote.Domain(), false) // rate 1/3: 0.15 + 0.167 > 0.3
	if got := len(Opportunity(nil, s, e)); got != 1 {
		t.Errorf("after a failure: %d goals", got)
	}
	s.Learning.Credit(KindVote.Domain(), false) // rate 1/4: 0.15 + 0.125 < 0.3
	if got := len(Opportunity(nil, s, e)); got != 0 {
		t.Errorf("after two failures: %d goals", got)
	}
}

// A whole life of goals as a transcript: what is on the stack after each tick, best first.
// Equal priorities of one tick are ordered by id.
func TestInject_Transcript(t *testing.T) {
	s := situation()
	s.Role, s.Weights = wire.RoleLibrarian, WeightsOf(0.4, 0.7, 0.5, 0.3)
	var lines []string
	step := func(what string) {
		gs := Inject(nil, s)
		s.addAll(t, gs)
		ranked := s.Stack.Rank(&s.Appraisal)
		var names []string
		for _, g := range ranked {
			names = append(names, fmt.Sprintf("%s %.3f", g.Kind(), g.Priority))
		}
		s.Stack.Choose(ranked[0])
		lines = append(lines, what+": "+strings.Join(names, ", "))
		s.Tick++
	}
	step("spawned")
	s.Balance = 10
	step("poor")
	s.Stack.ApplyFact(nil, me, &Fact{Kind: FactBalance, Amount: 35}, 0.5)
	s.Balance = 35
	step("earned")
	s.Reputation = 0.8
	step("respected")
	want := []string{
		"spawned: raise_coverage 1.046, build_library 1.046",
		"poor: earn 1.352, raise_coverage 1.046, build_library 1.046",
		"earned: raise_coverage 1.046, build_library 1.046",
		"respected: raise_coverage 1.046, build_library 1.046, mentor 0.938",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}
