package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

// The bounds of outOfSight, to the tick.
func TestOutOfSight_QuestionGivenUpACycleAgo(t *testing.T) {
	for _, c := range []struct {
		name string
		note *memory.MessageNote
		tick wire.Tick
		want bool
	}{
		{"not noted", nil, 300, true},
		{"given up a cycle ago", &memory.MessageNote{At: 300, Signed: true}, 556, true},
		{"given up, a tick less", &memory.MessageNote{At: 300, Signed: true}, 555, false},
		{"read", &memory.MessageNote{At: 300, Signed: true, Read: true}, 811, false},
		{"read, but asked two cycles ago", &memory.MessageNote{At: 300, Signed: true, Read: true}, 812, true},
		{"not given up", &memory.MessageNote{At: 300}, 811, false},
		{"not given up, but asked two cycles ago", &memory.MessageNote{At: 300}, 812, true},
	} {
		s := newSolo(t, genomes[6])
		id := wire.Hash{1}
		if c.note != nil {
			c.note.ID = id
			s.a.Notebook.SeeMessage(*c.note)
		}
		s.t.slotView.tick = c.tick
		if got := s.t.goals.outOfSight(id); got != c.want {
			t.Errorf("%s: out of sight %v, want %v", c.name, got, c.want)
		}
	}
}

func TestGoals_RequestedReviewBecomesOneGoalAndEndsWithIt(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.view.Reviews = []wire.ReviewView{{ID: wire.Hash{4}, Author: peerA}, {ID: wire.Hash{5}, Author: peerA}}
	count := func() (n int) {
		for _, g := range s.a.Goals.Living() {
			if g.Kind() == goals.KindDoReview {
				n++
			}
		}
		return n
	}
	for range 2 {
		s.slot(idle, wire.Reply{})
		if count() != 2 {
			t.Fatalf("%d review goals, want 2", count())
		}
	}
	if n := s.a.Goals.Refused(); n != 0 {
		t.Errorf("%d twins were put on the stack", n)
	}
	s.view.Reviews = s.view.Reviews[1:]
	s.slot(idle, wire.Reply{})
	if g := s.goal(goals.KindDoReview); count() != 1 || g.Subject() != (wire.Hash{5}) {
		t.Errorf("%d review goals after one review was done", count())
	}
	s.view.Reviews = nil
	s.slot(idle, wire.Reply{})
	if count() != 0 {
		t.Error("a review that nobody waits for is still a goal")
	}
}

// Opportunities are put on the goal stack in portions.
func TestGoals_ManyOpportunitiesInOneSlotAllBecomeGoals(t *testing.T) {
	for _, n := range []byte{3, 4, 5, 9} {
		s := newSolo(t, genomes[6])
		s.slot(idle, wire.Reply{})
		var events []*wire.Event
		for i := range n {
			events = append(events, message(i, wire.MessageKindQuestion, 258))
		}
		s.slot(idle, wire.Reply{}, events...)
		answers := byte(0)
		for _, g := range s.a.Goals.Living() {
			if g.Kind() == goals.KindAnswer {
				answers++
			}
		}
		if answers != n {
			t.Errorf("%d questions made %d goals", n, answers)
		}
		if cap(s.t.goals.proposed) > keptProposed {
			t.Errorf("room for %d goals is kept", cap(s.t.goals.proposed))
		}
	}
}

// Only a claim that the agent holds, has not delivered and has no goal for is released.
func TestGoals_GiveBackReleasesOnlyOwnUndeliveredClaims(t *testing.T) {
	s := newSolo(t, genomes[6])
	me := s.a.ID
	s.t.slotView.claims = []wire.BountyView{
		{ID: wire.Hash{1}, Claimer: &me, Status: wire.BountyStatusClaimed},
		{ID: wire.Hash{2}, Claimer: &me, Status: wire.BountyStatusReviewing},
		{ID: wire.Hash{3}, Claimer: &peerA, Status: wire.BountyStatusClaimed},
		{ID: wire.Hash{4}, Status: wire.BountyStatusClaimed},
		{ID: mine, Claimer: &me, Status: wire.BountyStatusClaimed},
	}
	g := s.aboutBounty()
	if err := s.a.Goals.Add(*g, &s.t.goals.situation.Appraisal); err != nil {
		t.Fatal(err)
	}
	s.t.slotView.open = true
	s.t.goals.giveBack(wire.Hash{77})
	if r := s.a.Notebook.Releases; len(r) != 1 || r[0] != (wire.Hash{1}) {
		t.Errorf("in a slot: %v", r)
	}
	s.t.slotView.open = false
	s.t.goals.giveBack(mine) // a goal is about it
	s.t.goals.giveBack(wire.Hash{77})
	if r := s.a.Notebook.Releases; len(r) != 2 || r[1] != (wire.Hash{77}) {
		t.Errorf("between slots: %v", r)
	}
}

// A goal that ended is not the top goal any more, and its plan is completed or abandoned.
func TestGoals_EndOfGoalEndsItsPlan(t *testing.T) {
	for outcome, want := range map[goals.FactKind]memory.PlanStatus{
		goals.FactBountyCompleted: memory.PlanCompleted, goals.FactBountyLost: memory.PlanAbandoned,
	} {
		s := newSolo(t, genomes[6])
		s.slot(idle, wire.Reply{}, s.created(s.bounty()))
		g := s.goal(goals.KindClaimBounty)
		p := s.a.Memory.Plans.ByGoal(g.ID)
		s.t.goals.top = g
		s.t.goals.tell(&goals.Fact{Kind: outcome, Subject: mine, Agent: s.a.ID, Reward: 9})
		if g.Alive() || p.Status != want || s.t.goals.top != nil {
			t.Errorf("%v: goal %v, plan %v, top %v", outcome, g.Status, p.Status, s.t.goals.top)
		}
	}
}

func TestReached_EndsTheOperatorGoalsOfThatText(t *testing.T) {
	s := newSolo(t, genomes[6])
	for _, text := range []string{"write", "read"} {
		g := goals.New(s.a.ID, goals.LayerTask, goals.SourceSocial, goals.Description{Kind: goals.KindOperator, Text: text}, 250)
		if err := s.t.Inject(g, 250); err != nil {
			t.Fatal(err)
		}
	}
	if n := s.t.Reached("write", 260); n != 1 || s.t.slotView.tick != 260 {
		t.Errorf("%d goals reached", n)
	}
	if n := s.t.Reached("write", 261); n != 0 {
		t.Errorf("%d goals reached again", n)
	}
	if g := s.goal(goals.KindOperator); g == nil || g.Description.Text != "read" {
		t.Errorf("left: %+v", g)
	}
}

// The buffer for proposed goals is dropped after a slot with very many, so that agents do not keep it for good.
func TestGoals_LargeProposalBufferIsReleased(t *testing.T) {
	for reviews, kept := range map[byte]bool{1: true, 4: true, 9: false} {
		s := newSolo(t, genomes[6])
		s.slot(idle, wire.Reply{})
		s.t.goals.proposed = make([]goals.Goal, 0, 4)
		for i := range reviews {
			s.view.Reviews = append(s.view.Reviews, wire.ReviewView{ID: wire.Hash{4, i}, Author: peerA})
		}
		s.slot(idle, wire.Reply{})
		if got := s.t.goals.proposed != nil; got != kept {
			t.Errorf("%d reviews: room for %d goals is kept", reviews, cap(s.t.goals.proposed))
		}
	}
}

func TestGoals_StaleReviewGoalIsClosedEvenIfTheOnlyOne(t *testing.T) {
	s := newSolo(t, genomes[6])
	if err := s.a.Goals.Add(*s.about(goals.KindDoReview, wire.Hash{4}), &s.t.goals.situation.Appraisal); err != nil {
		t.Fatal(err)
	}
	if s.t.goals.closeStale(); len(s.a.Goals.Living()) != 0 {
		t.Error("a review that nobody waits for is still a goal")
	}
}

// A review that waits becomes a goal for those who are able to review, and for the creator of the bounty whatever it is able to.
func TestGoals_ReviewsForTheAbleAndForTheCreator(t *testing.T) {
	for _, c := range []struct {
		name    string
		able    bool
		creator *wire.AgentID // of the bounty; nil: the agent does not see one
		known   bool          // there is a goal about it already
		want    bool
	}{
		{"able", true, nil, false, true},
		{"not able", false, nil, false, false},
		{"not able, but it pays for it", false, &wire.AgentID{}, false, true},
		{"not able, and another pays for it", false, &peerB, false, false},
		{"able, with a goal", true, nil, true, false},
		{"it pays for it, with a goal", false, &wire.AgentID{}, true, false},
	} {
		s, _ := offering(t, nil)
		id := wire.Hash{4}
		if !c.able {
			s.t.goals.situation.Role = wire.RoleExplorer
			for range 9 {
				s.a.Learning.Credit(goals.KindDoReview.Domain(), false)
			}
		}
		s.t.slotView.reviews = []wire.ReviewView{{ID: id, Bounty: true, Author: peerA, Since: s.t.slotView.tick + 1}}
		if c.creator != nil {
			if c.creator.IsZero() {
				c.creator = &s.a.ID
			}
			s.t.slotView.claims = []wire.BountyView{{ID: id, Creator: *c.creator}}
		}
		if c.known {
			if err := s.a.Goals.Add(*s.about(goals.KindDoReview, id), &s.t.goals.situation.Appraisal); err != nil {
				t.Fatal(err)
			}
		}
		got := s.t.goals.reviewsAsked(nil)
		if (len(got) == 1) != c.want || c.want && (got[0].Subject() != id || *got[0].Description.Beneficiary != peerA) {
			t.Errorf("%s: %d goals", c.name, len(got))
		}
	}
}

// A claim that the mind made though it was not offered is worked for as one that was. A claim that is to be given back is not.
func TestGoals_ClaimWithoutAGoal(t *testing.T) {
	for _, c := range []struct {
		name                         string
		status                       wire.BountyStatus
		claimer                      wire.AgentID // zero: the agent
		known, givenBack, nowWorksOn bool
	}{
		{"held", wire.BountyStatusClaimed, wire.AgentID{}, false, false, true},
		{"held, with a goal", wire.BountyStatusClaimed, wire.AgentID{}, true, false, false},
		{"held, to be given back", wire.BountyStatusClaimed, wire.AgentID{}, false, true, false},
		{"delivered", wire.BountyStatusReviewing, wire.AgentID{}, false, false, false},
		{"held by another", wire.BountyStatusClaimed, peerB, false, false, false},
	} {
		s, _ := offering(t, nil)
		id := wire.Hash{4}
		if c.claimer.IsZero() {
			c.claimer = s.a.ID
		}
		s.t.slotView.claims = []wire.BountyView{{
			ID: id, Creator: peerA, Title: []byte("Document: x"), Reward: 9, Deadline: 900, Difficulty: wire.DifficultyHard, Claimer: &c.claimer, Status: c.status,
		}}
		if c.known {
			if err := s.a.Goals.Add(*s.about(goals.KindClaimBounty, id), &s.t.goals.situation.Appraisal); err != nil {
				t.Fatal(err)
			}
		}
		if c.givenBack {
			s.a.Notebook.Release(id)
		}
		before := len(s.a.Goals.Living())
		s.t.goals.gather(nil)
		if added := s.t.goals.living(goals.KindClaimBounty, id) && !c.known; added != c.nowWorksOn {
			t.Errorf("%s: %d goals, %d before", c.name, len(s.a.Goals.Living()), before)
			continue
		}
		if !c.nowWorksOn {
			continue
		}
		for _, g := range s.a.Goals.Living() {
			if d := &g.Description; g.Subject() == id && (g.Layer != goals.LayerObjective || *g.Deadline != 900 || d.Reward != 9 || *d.Difficulty != wire.DifficultyHard || *d.Beneficiary != peerA || d.Text != "Document: x") {
				t.Errorf("%s: %+v until %d", c.name, d, *g.Deadline)
			}
		}
	}
}

// A question needs no answer of this agent once others have answered it twice, nor one that it has read and cannot answer, or whose author it
// has helped too often; a vote that the agent does not care about is no goal either.
func TestGoals_StaleQuestions(t *testing.T) {
	asks := memory.MeasureReward.Question([]byte("HARD"))
	for _, c := range []struct {
		name    string
		note    memory.MessageNote
		counted bool
		helped  int
		want    goals.Reason
	}{
		{"it can be answered", memory.MessageNote{Read: true, Text: []byte(asks)}, true, 0, ""},
		{"not read yet", memory.MessageNote{Text: []byte(asks)}, false, 0, ""},
		{"read, and not counted", memory.MessageNote{Read: true, Text: []byte(asks)}, false, 0, goals.ReasonOutOfSight},
		{"of a peer that it has helped three times", memory.MessageNote{Read: true, Text: []byte(asks)}, true, 3, goals.ReasonOutOfSight},
		{"of a peer that it has helped twice", memory.MessageNote{Read: true, Text: []byte(asks)}, true, 2, ""},
		{"of a peer that it has helped three times, by name", memory.MessageNote{Read: true, Text: []byte(asks), Addressee: memory.AddresseeSelf}, true, 3, ""},
		{"answered twice", memory.MessageNote{Answers: 2}, true, 0, goals.Closed("answered")},
		{"answered once, to the agent by name", memory.MessageNote{Answers: 1, Addressee: memory.AddresseeSelf}, true, 0, ""},
		{"answered twice, to the agent by name", memory.MessageNote{Answers: 2, Addressee: memory.AddresseeSelf}, true, 0, goals.Closed("answered")},
	} {
		s, _ := writing(t, 1)
		s.t.slotView.tick = 300
		if c.counted {
			s.hasCounted(memory.MeasureReward, "HARD", 10, 3)
		}
		for range c.helped {
			s.a.Memory.Peers.Help(peerA, 256)
		}
		c.note.ID, c.note.Author, c.note.Kind, c.note.At = wire.Hash{1}, peerA, wire.MessageKindQuestion, 290
		s.a.Notebook.SeeMessage(c.note)
		if got := s.t.goals.stale(s.about(goals.KindAnswer, wire.Hash{1})); got != c.want {
			t.Errorf("%s: it is over because of %q, want %q", c.name, got, c.want)
		}
		if got := s.t.goals.stale(s.about(goals.KindLearn, wire.Hash{1})); got != "" {
			t.Errorf("%s: another goal is over because of %q", c.name, got)
		}
	}
}
