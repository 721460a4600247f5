package ooda

import (
	"slices"
	"strings"
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

// Beyond its goals an agent asks about the first five entries that it could judge, the first five that it could read, and the five oldest
// questions that it has read and not answered.
func TestTurn_SubjectsOfWhatCouldBeOffered(t *testing.T) {
	s := newSolo(t, genomes[0])
	for i := range byte(8) {
		s.t.notes.SeeEntry(memory.EntryNote{ID: wire.Hash{0xE1, i}, Author: peerA, Read: true})
		s.t.notes.SeeEntry(memory.EntryNote{ID: wire.Hash{0xE2, i}, Author: peerA})
		s.t.notes.SeeEntry(memory.EntryNote{ID: wire.Hash{0xE3, i}, Author: peerA, Judged: true})
		s.t.notes.SeeMessage(memory.MessageNote{ID: wire.Hash{0xA1, i}, Author: peerA, Kind: wire.MessageKindQuestion, Read: true})
		s.t.notes.SeeMessage(memory.MessageNote{ID: wire.Hash{0xA2, i}, Author: peerA, Kind: wire.MessageKindQuestion})
		s.t.notes.SeeMessage(memory.MessageNote{ID: wire.Hash{0xA3, i}, Author: peerA, Kind: wire.MessageKindQuestion, Read: true, Answered: true})
		s.t.notes.SeeMessage(memory.MessageNote{ID: wire.Hash{0xA4, i}, Author: peerA, Kind: wire.MessageKindStatement, Read: true})
	}
	var got, want []wire.Subject
	for _, q := range s.t.Subjects(nil) {
		if q.ID[0] == 0xE1 || q.ID[0] == 0xE2 || q.System == wire.SystemAgora {
			got = append(got, q)
		} else {
			t.Errorf("it asks %v about %v", q.System, q.ID)
		}
	}
	for i := range byte(5) {
		want = append(want, wire.Subject{ID: wire.Hash{0xE1, i}, System: wire.SystemOracle}, wire.Subject{ID: wire.Hash{0xE2, i}, System: wire.SystemOracle})
	}
	for i := range byte(5) {
		want = append(want, wire.Subject{ID: wire.Hash{0xA1, i}, System: wire.SystemAgora})
	}
	if !slices.Equal(got, want) {
		t.Errorf("it asks about\n%v, want\n%v", got, want)
	}
}

// plans gives an agent a goal with a plan of one step, which names an entry by its id; it returns the goal's id.
func (s *solo) plans(entry, about wire.Hash) wire.Hash {
	s.Helper()
	g := goals.New(s.a.ID, goals.LayerTask, goals.SourceOpportunity, goals.Description{Kind: goals.KindOperator, Text: "read", Subject: &about}, 256)
	if err := s.t.Inject(g, 256); err != nil {
		s.Fatal(err)
	}
	s.a.Memory.Plans.Add(memory.Plan{Goal: g.ID, Steps: []memory.PlanStep{{Action: stepCodec.Bytes(&stepAction{"entry_get", `{"entry_id":"` + entry.String() + `"}`})}}})
	return g.ID
}

// An agent asks about what the present step of a plan names, and about what the last step of a goal made. A plan whose step names something
// that is closed is given up; others go on.
func TestTurn_PlanEndsWithWhatItsStepNames(t *testing.T) {
	s := newSolo(t, genomes[0])
	gone, open, done := s.plans(wire.Hash{1}, wire.Hash{0xF1}), s.plans(wire.Hash{2}, wire.Hash{0xF2}), s.plans(wire.Hash{3}, wire.Hash{0xF3})
	s.a.Memory.Plans.ByGoal(done).Step = 1
	s.t.notes.SetObject(open, wire.Hash{7})
	asked := s.t.Subjects(nil)
	for id, want := range map[wire.Hash]bool{{1}: true, {2}: true, {3}: false, {7}: true} { //house:sorted each is looked at by itself
		if got := slices.ContainsFunc(asked, func(q wire.Subject) bool { return q.ID == id && q.System == 0 }); got != want {
			t.Errorf("it asks about %v: %v", id, got)
		}
	}
	closed := []wire.SubjectView{{ID: wire.Hash{1}, Status: "JUDGED"}}
	s.t.slotView.subjects = closed
	of := func(goal wire.Hash) *memory.Plan { return s.a.Memory.Plans.ByGoal(goal) }
	plan, other := of(gone), of(open)
	s.t.plans.dropClosed(closed)
	if plan.Status != memory.PlanAbandoned || other.Status == memory.PlanAbandoned || of(gone) != nil {
		t.Errorf("the plan about what is closed is %v, the other %v", plan.Status, other.Status)
	}
}

// What is closed to the agent is offered no more: an entry counts as judged, a question as answered. A question that it has not read needs
// no signal either; to one that it has read a signal can still say whether it was worth asking.
func TestTurn_ClosedSubjectsAreNotOffered(t *testing.T) {
	for _, c := range []struct {
		name         string
		note         memory.MessageNote
		signed, text bool
	}{
		{"unread", memory.MessageNote{}, true, false},
		{"read", memory.MessageNote{Read: true}, false, true},
		{"read and signed", memory.MessageNote{Read: true, Signed: true}, true, false},
	} {
		s := newSolo(t, genomes[0])
		entry := s.t.notes.SeeEntry(memory.EntryNote{ID: wire.Hash{1}, Author: peerA, Text: []byte("text")})
		c.note.ID, c.note.Kind, c.note.Text = wire.Hash{2}, wire.MessageKindQuestion, []byte("text")
		message := s.t.notes.SeeMessage(c.note)
		s.t.goals.closeSubjects([]wire.SubjectView{{ID: wire.Hash{1}}, {ID: wire.Hash{2}}, {ID: wire.Hash{3}}})
		if !entry.Judged || entry.Text != nil {
			t.Errorf("%s: the entry is noted as %+v", c.name, entry)
		}
		if !message.Answered || message.Signed != c.signed || (message.Text != nil) != c.text {
			t.Errorf("%s: the question is noted as %+v", c.name, message)
		}
	}
}

// A bounty that was lost after work for it teaches something; one that was lost before does not, and neither does one that was won, given up
// for another reason, or another goal.
func TestTurn_LearnsFromABountyLostAfterWork(t *testing.T) {
	lost := goals.Satisfaction{Kind: goals.KindClaimBounty, Subject: wire.Hash{1}, Effort: 5, Reason: goals.Closed("COMPLETED"), ClosedBy: wire.AgentID{7}}
	const by = "after 5 ticks of work the bounty was closed: subject_completed by 07000000"
	for _, c := range []struct {
		name   string
		change func(s *goals.Satisfaction)
		want   string
	}{
		{"after work", func(*goals.Satisfaction) {}, by},
		{"nobody knows to whom", func(s *goals.Satisfaction) { s.ClosedBy = wire.AgentID{} }, strings.TrimSuffix(by, " by 07000000")},
		{"before any work", func(s *goals.Satisfaction) { s.Effort = 0 }, ""},
		{"it was won", func(s *goals.Satisfaction) { s.Completed = true }, ""},
		{"it was given up", func(s *goals.Satisfaction) { s.Reason = goals.ReasonOutOfSight }, ""},
		{"another goal", func(s *goals.Satisfaction) { s.Kind = goals.KindAnswer }, ""},
	} {
		s := newSolo(t, genomes[0])
		x := lost
		c.change(&x)
		s.t.goals.learnLate(&x)
		got := ""
		if n := s.lesson("bounty_claim"); n != nil {
			got = string(n.Content)
		}
		if got != c.want {
			t.Errorf("%s: it learns %q, want %q", c.name, got, c.want)
		}
	}
}
