package memory

import (
	"testing"

	"kingdom/wire"
)

func plan(goal byte, steps int) Plan {
	return Plan{Goal: wire.Hash{goal}, Steps: make([]PlanStep, steps), EstimatedTicks: uint64(steps)}
}

func TestPlans_OnlyPlanOfChosenGoalIsActive(t *testing.T) {
	s := New(&RowIDs{}, DefaultLimits).Plans
	a, b := s.Add(plan(1, 3)), s.Add(plan(2, 3))
	s.Activate(wire.Hash{1})
	s.Advance(a)
	s.Activate(wire.Hash{2})
	if a.Status != PlanDraft || a.Step != 1 || s.Active() != b {
		t.Errorf("first plan %s at step %d, active %v", a.Status, a.Step, s.Active())
	}
	if s.Activate(wire.Hash{9}) != nil || s.Active() != nil {
		t.Error("a goal without a plan left one active")
	}
}

func TestPlans_TwoFailuresOfAStepAbandon(t *testing.T) {
	s := New(&RowIDs{}, DefaultLimits).Plans
	p := s.Add(plan(1, 2))
	if s.Fail(p) || s.Advance(p) || s.Fail(p) {
		t.Fatal("over too early: tries start anew at each step")
	}
	if !s.Fail(p) || p.Status != PlanAbandoned || s.ByGoal(wire.Hash{1}) != nil || len(s.Ended()) != 1 {
		t.Errorf("after two failures: %s", p.Status)
	}
	q := s.Add(plan(1, 1))
	if !s.Advance(q) || q.Status != PlanCompleted {
		t.Errorf("after the last step: %s", q.Status)
	}
}

func TestPlans_NewPlanAbandonsTheOldOne(t *testing.T) {
	s := New(&RowIDs{}, DefaultLimits).Plans
	p, q := s.Add(plan(1, 2)), s.Add(plan(1, 5))
	if p.Status != PlanAbandoned || s.ByGoal(wire.Hash{1}) != q {
		t.Errorf("old %s", p.Status)
	}
}

func TestPlans_HistoryKeepsTheNewest(t *testing.T) {
	s := New(&RowIDs{}, DefaultLimits).Plans
	oldest := s.Add(plan(200, 1))
	for i := range PlanHistory + 3 {
		s.Advance(s.Add(plan(byte(i), 1)))
	}
	s.Finish(oldest, PlanAbandoned) // older than all in the history: gone at once
	h := s.history
	if len(h) != PlanHistory || h[0].id != 5 || h[PlanHistory-1].id != PlanHistory+4 {
		t.Errorf("%d plans from %d to %d", len(h), h[0].id, h[len(h)-1].id)
	}
	if n := len(s.Changed()); n != PlanHistory+4 {
		t.Errorf("%d rows to write, want all %d", n, PlanHistory+4)
	}
	if n := len(s.Changed()); n != 0 || len(s.Ended()) != 0 {
		t.Errorf("%d rows again, %d stored plans held", n, len(s.Ended()))
	}
}

// The digest is the sum of the hashes of the living plans and the newest finished ones, before and after these are stored.
func TestPlans_DigestCoversTheFinished(t *testing.T) {
	s := New(&RowIDs{}, DefaultLimits).Plans
	var ended []wire.Hash
	for i := range 2 * PlanHistory {
		p := s.Add(plan(byte(i), 2))
		s.Finish(p, PlanStatus(int(PlanCompleted)+i%2))
		ended = append(ended, rowHash(planCodec, &planRow{p.ID, p.Goal, p.Steps, p.Dependencies, p.EstimatedTicks, p.EstimatedCost, p.Risk, p.Status}))
		var want Digest
		for _, row := range ended[max(0, len(ended)-PlanHistory):] {
			want.Add(row)
		}
		if s.Digest() != want.Hash() {
			t.Fatalf("after %d plans, before they are stored, the digest is another", i+1)
		}
		if i%3 == 0 {
			s.Changed()
		}
		if s.Digest() != want.Hash() {
			t.Fatalf("after %d plans the digest is another", i+1)
		}
	}
}
