package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/wire"
	"kingdom/wire/action"
)

// Income is shared by the acts that may have earned it: living goals are paid, and for a goal that ended its kind is
// learned. The reward of a bounty belongs to the bounty's own goal only.
func TestIncome_IsSharedByGoalsOfTheEarningActs(t *testing.T) {
	verify := `{"action":"entry_verify","params":{"entry_id":"` + someEntry + `","verdict":"ACCURATE","evidence":"read it","references":[]}}`
	for _, c := range []struct {
		name   string
		earned uint64 // ⚡ since the acts
		prize  uint64 // of it a bounty's
		ended  bool   // one of two goals ends before
		paid   uint64 // to the first goal
		late   float64
	}{
		{"nothing came in", 0, 0, false, 0, 0},
		{"shared", 7, 0, false, 4, 0},
		{"a bounty is no income of other acts", 9, 9, false, 0, 0},
		{"the rest is", 12, 9, false, 2, 0},
		{"of a goal that ended its kind is learned", 6, 0, true, 3, 0.6},
	} {
		s := newSolo(t, genomes[6])
		var set [2]*goals.Goal
		for i, k := range []goals.Kind{goals.KindRaiseCoverage, goals.KindVote} {
			g := goals.New(s.a.ID, goals.LayerTask, goals.SourceRole, goals.Description{Kind: k, Text: c.name}, 1)
			if err := s.t.Inject(g, 256); err != nil {
				t.Fatal(err)
			}
			set[i] = s.a.Goals.Get(g.ID)
		}
		s.view.Earned = 100
		s.ask()
		row, _ := action.ByName("entry_verify")
		for _, g := range set {
			s.t.noteEarning(&pending{row: row, goal: g.ID, goalKind: g.Kind()})
		}
		if s.t.Act(answered(verify)); c.ended {
			s.t.goals.abandon(set[1].ID, goals.ReasonPlans)
		}
		s.t.notes.Earning = s.t.notes.Earning[:2]
		s.t.pending.goalKind = 0
		s.t.Record(ack)
		s.view.Earned += c.earned
		s.t.events.prize = c.prize
		s.slot(idle, wire.Reply{})
		if got := set[0].Record.Paid; got != c.paid {
			t.Errorf("%s: paid %d ⚡, want %d", c.name, got, c.paid)
		}
		if got := s.a.Learning.Expected(action.DomainGovernance, goals.KindVote); got != c.late && !near(got, c.late) {
			t.Errorf("%s: learned %v, want %v", c.name, got, c.late)
		}
	}
}

// Money is shared once, among the acts since the last payment. Acts that can earn nothing get none, and what a bounty paid is nobody
// else's.
func TestIncome_IsSharedOnceAmongActsThatCanEarn(t *testing.T) {
	completed := func(s *solo) *wire.Event {
		return event(wire.KindBountyCompleted, s.next, peerB, &wire.BountyCompletedEvent{BountyID: deal, Claimer: s.a.ID, Reward: 9, Tick: s.next})
	}
	s := newSolo(t, genomes[6])
	s.view.Balance = 40 // it can spare 20, so that a ⚡ counts once
	s.slot(idle, wire.Reply{})
	goal := wire.Hash{1}
	verify, _ := action.ByName("entry_verify")
	get, _ := action.ByName("entry_get")
	pays := func() [2]float64 {
		return [2]float64{s.pays("entry_verify", goals.KindDoReview.Domain()), s.pays("entry_get", goals.KindDoReview.Domain())}
	}
	for _, row := range []*action.Row{verify, get} {
		s.t.noteEarning(&pending{row: row, verb: row.Name, goal: goal, goalKind: goals.KindDoReview})
	}
	if s.view.Earned += 9; s.ask(completed(s)).Kind == AskThink {
		s.t.Act(answered(idle))
	}
	s.t.Record(wire.Reply{})
	if got := pays(); got != [2]float64{-1, -1} {
		t.Errorf("the reward of a bounty was shared: %v", got)
	}
	s.view.Earned += 39
	s.slot(idle, wire.Reply{}, completed(s))
	first := pays()
	if !near(first[0], 0.5) || first[1] != -1 { // 30 ⚡ is what moves a belief towards one half
		t.Errorf("30 ⚡ gave %v", first)
	}
	s.view.Earned += 300
	s.slot(idle, wire.Reply{})
	if got := pays(); got != first {
		t.Errorf("an act was paid twice: %v, then %v", first, got)
	}
}

func near(a, b float64) bool { return a-b < 1e-5 && b-a < 1e-5 }

// A goal that the mind set is reached by what it said, else by the plan it wrote, never by a plan
// that anybody would make.
func TestOwnGoal_EndsByItsPredicateOrPlan(t *testing.T) {
	update := func(goal, plan string) string {
		return withField(getEntry, `,"memory_update":{"goals":[`+goal+`]`+plan+`}`)
	}
	for _, c := range []struct {
		name, goal, plan string
		balance          int64
		gone             bool
	}{
		{"rich enough", `{"layer":"TASK","text":"save","until":"balance>=150"}`, "", 150, true},
		{"not yet", `{"layer":"TASK","text":"save","until":"balance>=150"}`, "", 149, false},
		{"no word of when", `{"layer":"TASK","text":"save"}`, "", 999, false},
		{"its plan is done", `{"layer":"TASK","text":"read"}`, `,"plan":[{"action":"entry_get","params":{"entry_id":"` + someEntry + `"}}]`, 100, true},
		{"a plan is not what was asked", `{"layer":"TASK","text":"read","until":"balance>=150"}`, `,"plan":[{"action":"entry_get","params":{"entry_id":"` + someEntry + `"}}]`, 100, false},
	} {
		s := newSolo(t, genomes[6])
		s.slot(update(c.goal, c.plan), ack)
		g := s.goal(goals.KindOwn)
		if g == nil {
			t.Fatalf("%s: no goal", c.name)
		}
		if p := s.a.Memory.Plans.ByGoal(g.ID); (p != nil) != (c.plan != "") {
			t.Errorf("%s: plan %+v", c.name, p)
		} else if p != nil {
			s.t.plans.stepEnded(p, true)
		}
		s.view.Balance = c.balance
		s.slot(idle, wire.Reply{})
		if gone := s.goal(goals.KindOwn) == nil; gone != c.gone {
			t.Errorf("%s: ended %v, want %v", c.name, gone, c.gone)
		}
	}
}

func TestOwnGoal_WithoutPredicateIsAbandonedAfterSomeCycles(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.slot(withField(getEntry, `,"memory_update":{"goals":[{"layer":"TASK","text":"save"},{"layer":"TASK","text":"grow","until":"reputation>=0.9"}]}`), ack)
	s.next += ownCycles*256 + 1
	s.slot(idle, wire.Reply{})
	if g := s.goal(goals.KindOwn); g == nil || g.Description.Text != "grow" || g.Description.Predicate != "reputation>=0.9" {
		t.Errorf("goal %+v", g)
	}
}
