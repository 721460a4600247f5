package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

// If a subject is closed to the agent, the goals about it end with that reason, except the operator's, and it is
// offered no more.
func TestTurn_ClosedSubjectEndsItsGoals(t *testing.T) {
	s := newSolo(t, genomes[0])
	subject, other := wire.Hash{1}, wire.Hash{2}
	kinds := []goals.Kind{
		goals.KindClaimBounty, goals.KindDoReview, goals.KindFixDependency, goals.KindLearn, goals.KindVote, goals.KindAnswer, goals.KindOwn,
	}
	put := func(k goals.Kind, about wire.Hash) wire.Hash {
		g := goals.New(s.a.ID, goals.LayerTask, goals.SourceOpportunity, goals.Description{Kind: k, Text: k.String(), Subject: &about}, 0)
		if err := s.t.Inject(g, 0); err != nil {
			t.Fatal(err)
		}
		return g.ID
	}
	ended := map[wire.Hash]goals.Kind{}
	for _, k := range kinds {
		ended[put(k, subject)] = k
	}
	operators, own := put(goals.KindOperator, subject), put(goals.KindOwn, other)

	s.t.goals.closeSubjects([]wire.SubjectView{{ID: subject, Kind: "bounty", Status: "COMPLETED", By: wire.AgentID{7}}})
	for _, sat := range s.t.Satisfactions() {
		if _, ok := ended[sat.Goal]; !ok || sat.Completed || sat.Reason != "subject_completed" || sat.ClosedBy != (wire.AgentID{7}) {
			t.Errorf("ended %v: %+v", sat.Kind, sat)
		}
		delete(ended, sat.Goal)
	}
	if len(ended) > 0 {
		t.Errorf("still alive: %v", ended)
	}
	if s.a.Goals.Get(operators) == nil || s.a.Goals.Get(own) == nil {
		t.Error("the operator's goal, or one about something else, ended too")
	}
}

// An agent asks about at most 64 subjects, those of its best goals first, each once.
func TestTurn_SubjectsAreBoundedBestGoalsFirst(t *testing.T) {
	s := newSolo(t, genomes[0])
	for i := range 80 {
		about := wire.Hash{byte(i + 1), 1}
		g := goals.New(s.a.ID, goals.LayerTask, goals.SourceOpportunity, goals.Description{Kind: goals.KindVote, Text: "vote", Subject: &about}, wire.Tick(i))
		_ = s.t.Inject(g, 0)
		s.t.notes.SeeEntry(memory.EntryNote{ID: wire.Hash{byte(i + 1), 2}, At: wire.Tick(i)})
	}
	got := s.t.Subjects([]wire.Subject{{ID: wire.Hash{9, 9}}}) // of a caller's own before them
	if len(got) > 1+wire.MaxSubjects || got[0].ID != (wire.Hash{9, 9}) {
		t.Fatalf("asked for %d things behind %v", len(got)-1, got[0])
	}
	best := s.a.Goals.Rank(&s.t.goals.situation.Appraisal)
	want := 0
	for _, g := range best {
		if g.Subject().IsZero() {
			continue
		}
		if want++; got[want] != (wire.Subject{ID: g.Subject(), System: wire.SystemNexus}) {
			t.Fatalf("place %d is not the subject of goal %d", want, want)
		}
	}
	seen := map[wire.Hash]bool{}
	for _, q := range got {
		if seen[q.ID] {
			t.Errorf("%v is asked for twice", q.ID)
		}
		if entry := q.ID[1] == 2; entry && q.System != wire.SystemOracle {
			t.Errorf("of an entry %s is asked", q.System)
		}
		seen[q.ID] = true
	}
}

// A bounty that was lost after work for it teaches something; one that was lost before does not.
func TestTurn_LearnsFromABountyLostAfterWork(t *testing.T) {
	for _, effort := range []uint64{0, 5} {
		s := newSolo(t, genomes[0])
		before, _ := s.a.Memory.Knowledge.Size()
		s.t.goals.learnLate(&goals.Satisfaction{
			Kind: goals.KindClaimBounty, Subject: wire.Hash{1}, Effort: effort, Reason: goals.Closed("COMPLETED"), ClosedBy: wire.AgentID{7},
		})
		after, _ := s.a.Memory.Knowledge.Size()
		if learned := after > before; learned != (effort > 0) {
			t.Errorf("after %d ticks of work: learned %v", effort, learned)
		}
	}
}
