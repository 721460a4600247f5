package goals

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kingdom/wire"
)

// facts are one fact of each kind and action about a subject and a goal, as good as can be.
func facts(subject, goal wire.Hash) (out []Fact) {
	for k := FactBalance; k <= FactReached; k++ {
		for _, m := range []wire.MsgType{
			wire.TypeReviewSubmit, wire.TypeBountyReview, wire.TypeEntryVerify, wire.TypeDependencyAdd, wire.TypeSnapCreate,
			wire.TypeEntryGet, wire.TypeProposalVote,
		} {
			for e := range wire.EntryKind(0).EnumNames() {
				out = append(out, Fact{
					Kind: k, Subject: subject, Agent: me, Goal: goal, Action: m, Amount: earnTarget, Score: reputationTarget, Lower: true,
					Work: Work{Entry: other, Kind: wire.EntryKind(e + 1), Verdicts: designVerdicts, Accurate: libraryVerifiers, Accuracy: designAccuracy},
				})
			}
		}
	}
	return out
}

// Exactly those facts concern goals of a kind that can end or change one. Whether the served peer has less reputation
// matters to mentors only.
func TestConcerned_CoversAllFactsThatJudgeHandles(t *testing.T) {
	for k := KindEarn; int(k) <= kinds; k++ {
		var means kindSet // by fact
		plain := facts(subject, wire.Hash{1})
		for i, f := range append(plain, plain...) {
			g := Goal{ID: f.Goal, Description: Description{Kind: k, Subject: &subject}}
			if i < len(plain) {
				g.Description.Predicate = "entry_verify>=1"
			}
			st := g.judge(me, &f)
			if st != 0 || !reflect.DeepEqual(g.Record, Record{}) {
				means |= 1 << f.Kind
			}
			same := Goal{ID: f.Goal, Description: g.Description}
			if f.Lower = false; same.judge(me, &f) != st && k != KindMentor {
				t.Errorf("fact %d: a goal of kind %s looks at who was served", f.Kind, k)
			}
		}
		for f := FactBalance; f <= FactReached; f++ {
			if got, want := affectedKinds[f].has(k), means&(1<<f) != 0; got != want {
				t.Errorf("fact %d concerns goals of kind %s: %v, want %v", f, k, got, want)
			}
		}
	}
}

// After any changes the kinds stored beside the goals agree with them, and a ranking is the living goals in order of
// worth.
func TestStack_KindsAndRankingAgreeWithGoals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, a := NewStack(Capacity{4, 8, 12}), appraisal()
		peers := []wire.AgentID{{1}, {1, 31: 1}, {2}}
		a.Trust = func(id wire.AgentID) (float64, bool) {
			return float64(id[31]+1) / float64(2+a.Tick%5), id != peers[2]
		}
		for i := range rapid.IntRange(1, 80).Draw(t, "steps") {
			switch rapid.IntRange(0, 5).Draw(t, "step") {
			case 0, 1:
				g := numbered(Layer(rapid.IntRange(1, 3).Draw(t, "layer")), SourceOpportunity, Kind(rapid.IntRange(1, kinds).Draw(t, "kind")), i)
				g.CreatedAt = wire.Tick(rapid.IntRange(0, 3).Draw(t, "at"))
				g.Deadline = ticks(a.Tick + wire.Tick(rapid.IntRange(0, 300).Draw(t, "deadline")))
				g.Description.Beneficiary = rapid.SampledFrom([]*wire.AgentID{nil, &peers[0], &peers[1], &peers[2]}).Draw(t, "for")
				_ = s.Add(g, a)
			case 2:
				if l := s.Living(); len(l) > 0 {
					f := rapid.SampledFrom(facts(l[i%len(l)].Subject(), l[i%len(l)].ID)).Draw(t, "fact")
					s.ApplyFact(nil, me, &f, a.Reputation)
				}
			case 3:
				s.Expire(nil, a.Tick, a.Reputation)
			case 4:
				if l := s.Living(); len(l) > 0 {
					s.Abandon(l[i%len(l)].ID, ReasonPlans, a.Reputation)
				}
			case 5:
				st, living := s.State(a.Learning), []Goal(nil)
				for _, g := range s.Living() {
					living = append(living, *g)
				}
				s = NewStack(s.capacity)
				if err := s.Restore(living, &st); err != nil {
					t.Fatal(err)
				}
			}
			a.Tick += wire.Tick(i % 40)
			if rapid.Bool().Draw(t, "rank") {
				checkRank(t, s, a)
			}
			for i, g := range s.living {
				if s.kinds[i] != g.Kind() || !s.Has(g.Source, g.Kind()) || !s.HasKind(g.Kind()) {
					t.Fatalf("goal %d is of kind %s, not %s", i, g.Kind(), s.kinds[i])
				}
			}
		}
	})
}

func checkRank(t *rapid.T, s *Stack, a *Appraisal) {
	got, want := s.Rank(a), slices.Clone(s.living)
	for _, g := range want {
		if p := a.Priority(g); g.Priority != p {
			t.Fatalf("goal ranked with priority %v, worth %v", g.Priority, p)
		}
	}
	slices.SortFunc(want, CompareRank)
	if !slices.Equal(got, want) {
		t.Fatal("the ranking is not that of the living goals")
	}
}
