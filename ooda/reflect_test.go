package ooda

import (
	"errors"
	"testing"

	"kingdom/agent"
	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// A cycle that mattered leaves of its three most important acts a belief and a lesson each, and of those that went
// wrong a note to avoid them; one that did not leaves nothing.
func TestReflect(t *testing.T) {
	type deed struct {
		action  string
		subject byte
		at      wire.Tick
		outcome memory.Outcome
		effect  memory.Effect
	}
	for _, c := range []struct {
		name    string
		deeds   []deed
		beliefs map[string]bool // action: whether it goes well
		avoided []byte          // subjects of entry_verify
	}{
		{"a quiet cycle", []deed{{"entry_verify", 1, 300, memory.OutcomeSuccess, memory.Effect{Spark: 5}}}, nil, nil},
		{"refusals", []deed{
			{"entry_verify", 1, 300, memory.OutcomeFailure, memory.Effect{Refusal: "closed"}},
			{"entry_verify", 2, 301, memory.OutcomeFailure, memory.Effect{Refusal: "closed"}},
		}, map[string]bool{"entry_verify": false}, []byte{1, 2}},
		{"those of the cycle before do not count", []deed{
			{"entry_verify", 1, 200, memory.OutcomeFailure, memory.Effect{Refusal: "closed"}},
			{"entry_verify", 2, 301, memory.OutcomeFailure, memory.Effect{Refusal: "closed"}},
		}, nil, nil},
		{"the three that matter most", []deed{
			{"entry_publish", 0, 300, memory.OutcomeSuccess, memory.Effect{Spark: 20}},
			{"msg_post", 0, 301, memory.OutcomeSuccess, memory.Effect{Disputed: 8}},
			{"entry_get", 4, 302, memory.OutcomeSuccess, memory.Effect{Fresh: 3}},
			{"entry_verify", 5, 303, memory.OutcomeFailure, memory.Effect{Refusal: "closed"}},
			{"signal_send", 6, 304, memory.OutcomeSuccess, memory.Effect{Spark: 1}},
		}, map[string]bool{"entry_publish": true, "msg_post": false, "entry_verify": false}, []byte{5}},
	} {
		s := newSolo(t, genomes[6])
		for _, d := range c.deeds {
			row, _ := action.ByName(d.action)
			subject := wire.Hash{d.subject}
			act := memory.Act{Action: d.action, Domain: row.Domain.String(), SubjectKind: goals.SubjectEntry.String()}
			if d.subject != 0 {
				act.Subject = &subject
			}
			d.effect.Experience = s.a.Memory.Experiences.AddAct(d.at, &act, d.outcome, []byte("x"))
			s.a.Memory.Effects.Add(d.effect)
		}
		s.t.CycleEnd(511)
		found := map[string]bool{}
		for b := range s.a.Memory.Beliefs.All() {
			if row, ok := action.ByName(b.Subject()); ok && b.Predicate() == goesWell[row.Domain.String()] {
				found[row.Name] = b.Confidence > 0.5
				if n := s.lesson(row.Name); n == nil {
					t.Errorf("%s: no lesson of %s", c.name, row.Name)
				}
			}
		}
		if len(found) != len(c.beliefs) {
			t.Errorf("%s: beliefs %v, want %v", c.name, found, c.beliefs)
		}
		for name, well := range c.beliefs {
			if got, ok := found[name]; !ok || got != well {
				t.Errorf("%s: %s goes well: %v, %v", c.name, name, got, ok)
			}
		}
		for subject := range byte(8) {
			want := false
			for _, a := range c.avoided {
				want = want || a == subject
			}
			if got := s.t.regs.avoids("entry_verify", "", &wire.Hash{subject}); got != want {
				t.Errorf("%s: verifying %d is avoided: %v", c.name, subject, got)
			}
		}
	}
}

// A notice that a library has a new tag makes a goal for each own program that depends on it. Binding the program to
// the new tag, or changing it, completes the goal.
func TestDependencyNotify_MakesGoalToFollowNewTag(t *testing.T) {
	mine, lib, tag := wire.Hash{1}, wire.Hash{2}, wire.Hash{3}
	for _, c := range []struct {
		name    string
		payload any
		age     wire.Cycle // since the program was renewed last
		done    bool
	}{
		{"the new tag", &wire.DependencyAdd{FromRepo: mine, ToRepo: lib, ToTag: tag}, nextVersion, true},
		{"a new version", &wire.SnapCreate{RepoID: mine}, nextVersion, true},
		{"of another repo", &wire.SnapCreate{RepoID: lib}, nextVersion, false},
		{"renewed lately", nil, nextVersion - 1, false},
	} {
		s := newSolo(t, genomes[6])
		s.next = 250 + wire.Tick(c.age)*256
		w := s.t.notes.BeginWork(memory.WorkModule, wire.Hash{}, 250)
		w.Repo, w.Uses, w.Stage = mine, lib, memory.WorkTagged
		s.view.Deliveries = []wire.Reply{{Type: wire.TypeDependencyNotify, Body: &wire.DependencyNotify{RepoID: lib, NewTag: tag, Dependents: []wire.Hash{mine, {9}}}}}
		s.ask()
		s.view.Deliveries = nil
		g := s.goal(goals.KindFixDependency)
		if c.payload == nil {
			if g != nil {
				t.Errorf("%s: goal %+v", c.name, g)
			}
			continue
		}
		if g == nil || !g.About(mine) {
			t.Fatalf("%s: goal %+v", c.name, g)
		}
		row, _ := action.ByName("dependency_add")
		kind, subject := subjectOf(c.payload)
		if q, ok := c.payload.(*wire.SnapCreate); ok {
			row, _ = action.ByName("snap_create")
			_ = q
		}
		s.t.replies.tellGoals(&pending{row: row, payload: c.payload, subject: subject, subjectKind: kind})
		if done := s.goal(goals.KindFixDependency) == nil; done != c.done {
			t.Errorf("%s: completed %v, want %v", c.name, done, c.done)
		}
	}
}

// The goal has a deadline, and ends at once if the catalogue holds nothing untried.
func TestExploreGoal_EndsWhenNothingIsUntried(t *testing.T) {
	for _, exhausted := range []bool{false, true} {
		s := newSolo(t, genomes[6])
		g := goals.Explore(s.a.ID, 256)
		if g.Deadline == nil || *g.Deadline != 256+4*256 {
			t.Fatalf("deadline %v", g.Deadline)
		}
		s.slot(idle, wire.Reply{})
		if exhausted {
			for _, row := range s.t.seen.actions {
				for i := range goals.Subject(0).EnumNames() {
					s.a.Learning.Act(goals.Triple{Domain: row.Domain, Action: row.Name, Subject: goals.Subject(i + 1)}, 0, 0, true)
				}
			}
		}
		if err := s.t.Inject(g, 256); err != nil {
			t.Fatal(err)
		}
		s.slot(idle, wire.Reply{})
		if gone := s.goal(goals.KindExplore) == nil; gone != exhausted {
			t.Errorf("exhausted %v: given up %v", exhausted, gone)
		}
	}
}

// An action that the agent never tried is filled with things that it knows, and not offered without any.
func TestTryOut_FillsActionOnlyWithKnownThings(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.view.Bounties = []wire.BountyView{{ID: wire.Hash{7}}}
	s.slot(idle, wire.Reply{})
	claim, _ := action.ByName("bounty_claim")
	if p, ok := (trials{&s.t.offers}).tryOut(claim).(*wire.BountyClaim); !ok || p.BountyID != (wire.Hash{7}) {
		t.Errorf("claim %+v", p)
	}
	s.view.Bounties = nil
	s.slot(idle, wire.Reply{})
	if p := (trials{&s.t.offers}).tryOut(claim); p != nil {
		t.Errorf("claim of nothing: %+v", p)
	}
}

// The third unusable answer is an error of the runtime that names the agent.
func TestParseFailure(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask()
	for range 3 {
		s.t.Act(answered("hm"))
	}
	s.t.Record(wire.Reply{})
	faults := s.t.Faults()
	var e *agent.Error
	if len(faults) != 1 || !errors.As(faults[0], &e) || e.Kind != agent.KindParseFailure || e.Agent != s.a.ID {
		t.Errorf("faults %v", faults)
	}
}
