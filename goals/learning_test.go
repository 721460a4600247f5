package goals

import (
	"math"
	"slices"
	"testing"

	"kingdom/wire"
	"kingdom/wire/action"
)

func doing(name string) Triple {
	return Triple{Domain: action.DomainSocial, Action: name, Subject: SubjectMessage}
}

func TestLearning_NoveltyLooksBackSixteenCycles(t *testing.T) {
	l := &Learning{}
	for range 3 {
		l.Act(doing("msg_post"), KindAnswer.Domain(), KindAnswer, true)
	}
	l.CycleEnd()
	l.Act(doing("msg_post"), KindAnswer.Domain(), KindAnswer, true)
	for cycle := 1; cycle <= 17; cycle++ {
		want := 1.0 / 5
		switch cycle {
		case 16: // the three of cycle 0 left the ring
			want = 1.0 / 2
		case 17:
			want = 1
		}
		if got := l.Novelty(action.DomainSocial, KindAnswer); math.Abs(got-want) > 1e-6 {
			t.Errorf("cycle %d: novelty %v, want %v", cycle, got, want)
		}
		l.CycleEnd()
	}
}

// What the world took says nothing of a skill; what others made of it, and whether the goal was
// reached, counts in the domain of the act.
func TestLearning_CreditsVerdictsAndOutcomes(t *testing.T) {
	l := &Learning{}
	for range 5 {
		l.Act(Triple{action.DomainDocumentation, "entry_publish", SubjectEntry}, KindDesignSystem.Domain(), KindDesignSystem, true)
	}
	l.Credit(action.DomainDocumentation, true)
	l.Credit(action.DomainDocumentation, false)
	done := Satisfaction{Completed: true, Effort: 3, Kind: KindDesignSystem, Domain: action.DomainDesign, Acted: action.DomainReview}
	l.Learn(&done)
	given := Satisfaction{Effort: 3, Kind: KindVote, Domain: action.DomainGovernance, Acted: action.DomainSocial, Reason: ReasonPlans}
	l.Learn(&given)
	given.Reason = Closed("claimed") // others were faster
	l.Learn(&given)
	given.Reason, given.Effort = ReasonDeadline, 0
	l.Learn(&given)
	for d, want := range map[action.Domain]float64{
		action.DomainDocumentation: 2.0 / 4, action.DomainDesign: 1.0 / 2, action.DomainReview: 2.0 / 3, action.DomainSocial: 1.0 / 3,
		action.DomainGovernance: 1.0 / 2,
	} {
		if got := l.Rate(d); got != want {
			t.Errorf("rate in %s: %v, want %v", d, got, want)
		}
	}
	if n := l.Novelty(action.DomainDesign, KindDesignSystem); math.Abs(n-1.0/6) > 1e-6 {
		t.Errorf("novelty of designing: %v, want 1/6", n)
	}
}

// A goal that an operator gives in another domain than the usual one of its kind loses its novelty like others.
func TestLearning_NoveltyCountsInTheDomainOfTheGoal(t *testing.T) {
	l := &Learning{}
	for range 5 {
		l.Act(Triple{action.DomainReview, "entry_verify", SubjectEntry}, action.DomainReview, KindOperator, true)
	}
	if n := l.Novelty(action.DomainReview, KindOperator); math.Abs(n-1.0/6) > 1e-6 {
		t.Errorf("novelty in the domain of the goal: %v, want 1/6", n)
	}
	if n := l.Novelty(KindOperator.Domain(), KindOperator); n != 1 {
		t.Errorf("novelty in the usual domain: %v, want 1", n)
	}
}

// After many cycles novelty still looks back over the last sixteen and no others.
func TestLearning_NoveltyAfterTheRingWrapsAround(t *testing.T) {
	l := &Learning{}
	for cycle := range 50 {
		if cycle%10 == 0 {
			l.Act(doing("msg_post"), KindAnswer.Domain(), KindAnswer, true)
		}
		want := 1.0 / 3 // acts of two cycles, 16 hold one or two
		if cycle < 10 || cycle%10 >= 6 {
			want = 1.0 / 2
		}
		if got := l.Novelty(action.DomainSocial, KindAnswer); math.Abs(got-want) > 1e-6 {
			t.Errorf("cycle %d: novelty %v, want %v", cycle, got, want)
		}
		l.CycleEnd()
	}
}

// An agent knows which actions it took, and without untried ones its curiosity ends.
func TestLearning_KnowsTriedActions(t *testing.T) {
	l := &Learning{}
	l.Act(doing("msg_post"), KindAnswer.Domain(), KindAnswer, true)
	if !l.Did("msg_post") || l.Did("entry_get") || l.Routine("entry_get") {
		t.Error("it is not known which actions were taken")
	}
	if !l.Knows(doing("msg_post")) || l.Knows(Triple{action.DomainSocial, "msg_post", SubjectEntry}) {
		t.Error("it is not known what was experienced")
	}
	for range 3 {
		l.CycleEnd()
	}
	if l.ResetCuriosity(); l.CuriosityPressure(1) != 0 {
		t.Errorf("pressure %v though nothing is left to try", l.CuriosityPressure(1))
	}
	if l.CycleEnd(); l.CuriosityPressure(1) != 0 {
		t.Errorf("pressure %v at the end of that cycle", l.CuriosityPressure(1))
	}
}

// Each domain and kind has its own expectation, which late rewards move by a fifth of the distance.
func TestLearning_LateRewardsMoveExpectation(t *testing.T) {
	l := &Learning{}
	n := 0.0
	for d := action.Domain(1); int(d) <= domains; d++ {
		for k := KindEarn; int(k) <= kinds; k++ {
			n++
			l.LearnLate(d, k, uint64(5*n))
			l.LearnLate(d, k, 5)
		}
	}
	n = 0
	for d := action.Domain(1); int(d) <= domains; d++ {
		for k := KindEarn; int(k) <= kinds; k++ {
			if n++; math.Abs(l.Expected(d, k)-(n+1)) > 1e-5 {
				t.Errorf("%s in %s: %v expected, want %v", k, d, l.Expected(d, k), n+1)
			}
		}
	}
}

// What is restored goes on like what was stored; two entries of one domain and kind, and a ring that begins beyond its end, are refused.
func TestRestoreLearning(t *testing.T) {
	l := &Learning{}
	for range 3 {
		l.Act(doing("msg_post"), KindAnswer.Domain(), KindAnswer, true)
		l.CycleEnd()
	}
	l.LearnLate(action.DomainEconomy, KindEarn, 50)
	back, err := RestoreLearning(Learning{Entries: slices.Clone(l.Entries), Head: l.Head})
	must(t, err)
	if got := back.Novelty(action.DomainSocial, KindAnswer); got != 0.25 || back.Expected(action.DomainEconomy, KindEarn) != 10 {
		t.Errorf("novelty %v, want 0.25; %v expected, want 10", got, back.Expected(action.DomainEconomy, KindEarn))
	}
	if _, err := RestoreLearning(Learning{Head: 15}); err != nil {
		t.Errorf("the last place of the ring: %v", err)
	}
	if _, err := RestoreLearning(Learning{Head: 16}); err == nil {
		t.Error("a place behind the ring is taken")
	}
	if _, err := RestoreLearning(Learning{Entries: []Entry{l.Entries[0], l.Entries[0]}}); err == nil {
		t.Error("two entries of one domain and kind are taken")
	}
}

func TestLearning_PressurePassesOneAfterTheThreshold(t *testing.T) {
	l, threshold := &Learning{}, CuriosityThreshold(0.3) // 16
	if !l.Act(doing("msg_post"), KindAnswer.Domain(), KindAnswer, true) {
		t.Fatal("the first experience is not new")
	}
	l.CycleEnd() // something was new in it
	for range 16 {
		if l.Act(doing("msg_post"), KindAnswer.Domain(), KindAnswer, true) {
			t.Fatal("the second experience is new")
		}
		l.CycleEnd()
	}
	if p := l.CuriosityPressure(threshold); p != 1 {
		t.Errorf("after 16 cycles: %v, want 1", p)
	}
	l.CycleEnd()
	if p := l.CuriosityPressure(threshold); math.Abs(p-17.0/16) > 1e-6 {
		t.Errorf("after 17 cycles: %v", p)
	}
	l.Act(doing("signal_send"), KindExplore.Domain(), KindExplore, false)
	if p := l.CuriosityPressure(threshold); p != 0 {
		t.Errorf("after a new experience: %v, want 0", p)
	}
}

func TestLearning_RoutineCountsSuccessesOfACycle(t *testing.T) {
	l := &Learning{}
	steps := []struct {
		success, end, want bool
	}{
		{true, false, false},
		{false, false, false},
		{true, false, false},
		{true, false, true},
		{false, true, true},
		{true, false, true},
		{true, true, false},
	}
	for i, st := range steps {
		l.Act(doing("msg_post"), KindAnswer.Domain(), KindAnswer, st.success)
		if st.end {
			l.CycleEnd()
		}
		if got := l.Routine("msg_post"); got != st.want {
			t.Errorf("step %d: routine %v, want %v", i, got, st.want)
		}
	}
}

func TestLearning_LearnMovesExpectationAndClipsSurprise(t *testing.T) {
	l := &Learning{}
	s := Satisfaction{Completed: true, RewardActual: 100, Kind: KindEarn, Domain: action.DomainEconomy}
	want := []struct{ surprise, expected float64 }{{0.2, 20}, {0.2, 36}, {0.2, 48.8}}
	for i, w := range want {
		got := l.Learn(&s)
		if e := l.Expected(action.DomainEconomy, KindEarn); math.Abs(e-w.expected) > 1e-5 || got != 0.2 && math.Abs(got-w.surprise) > 1e-6 {
			t.Errorf("%d: surprise %v, expected %v, want %v", i, got, e, w)
		}
	}
	// 50 against 48.8: 50/80 − 48.8/78.8.
	s.RewardActual = 50
	if got := l.Learn(&s); math.Abs(got-(0.625-48.8/78.8)) > 1e-5 {
		t.Errorf("small surprise %v", got)
	}
	s.RewardActual = 0
	if got := l.Learn(&s); math.Abs(got+0.2) > 1e-6 {
		t.Errorf("disappointment %v, want -0.2", got)
	}
	before := l.Expected(action.DomainEconomy, KindEarn)
	if got := l.Learn(&Satisfaction{Kind: KindEarn, Domain: action.DomainEconomy}); got != 0 || l.Expected(action.DomainEconomy, KindEarn) != before {
		t.Error("a goal given up without effort taught something")
	}
}

func TestLearning_FollowsNewestOwnWorks(t *testing.T) {
	l := &Learning{}
	for i := range workMax + 1 {
		l.Publish(wire.Hash{byte(i), 1}, wire.EntryKindAPI, 7)
	}
	if _, ok := l.Verify(wire.Hash{0, 1}, wire.VerdictAccurate, 1); ok || len(l.Works) != workMax {
		t.Errorf("the oldest of %d is still followed", len(l.Works))
	}
	l.Verify(wire.Hash{5, 1}, wire.VerdictAccurate, 0.6)
	w, ok := l.Verify(wire.Hash{5, 1}, wire.VerdictInaccurate, 0.4)
	if want := (Work{wire.Hash{5, 1}, 7, wire.EntryKindAPI, 2, 0.4, 1}); !ok || w != want {
		t.Errorf("work %+v, want %+v", w, want)
	}
	l.Verify(wire.Hash{6, 1}, wire.VerdictAccurate, 0.9)
	l.Revise(wire.Hash{5, 1}, 9) // its new words are judged anew
	w, _ = l.Verify(wire.Hash{5, 1}, wire.VerdictAccurate, 1)
	if want := (Work{wire.Hash{5, 1}, 9, wire.EntryKindAPI, 1, 1, 1}); w != want {
		t.Errorf("after a revision %+v, want %+v", w, want)
	}
	w, _ = l.Verify(wire.Hash{6, 1}, wire.VerdictAccurate, 0.9)
	if want := (Work{wire.Hash{6, 1}, 7, wire.EntryKindAPI, 2, 0.9, 2}); w != want {
		t.Errorf("another one %+v, want %+v", w, want)
	}
}
