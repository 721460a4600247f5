package goals

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"kingdom/wire"

	"pgregory.net/rapid"
)

func numbered(l Layer, src Source, k Kind, n int) Goal {
	h := wire.Hash{byte(n >> 8), byte(n)}
	return New(me, l, src, Description{Kind: k, Text: fmt.Sprint(n), Subject: &h}, wire.Tick(n))
}

func TestDescription_RoundTrip(t *testing.T) {
	h, d, a := wire.Hash{1}, wire.DifficultyHard, wire.AgentID{9}
	for _, want := range []Description{
		{Kind: KindEarn, Text: "earn", Domain: KindEarn.Domain()},
		{Kind: KindClaimBounty, Text: "x", Subject: &h, Domain: KindLearn.Domain(), Reward: 70, Difficulty: &d, Beneficiary: &a},
		{Kind: KindOwn, Text: "judge", Domain: KindOwn.Domain(), Predicate: "entry_verify>=2"},
	} {
		ended := Goal{Description: want, Ended: ReasonPlans}
		for _, g := range []Goal{{Description: want}, ended} {
			var got Description
			why, err := DecodeStored(g.AppendDescription(nil), &got)
			if err != nil || why != string(g.Ended) || string(AppendDescription(nil, &got)) != string(AppendDescription(nil, &want)) {
				t.Errorf("stored: %+v came back as %+v, ended %q, %v", want, got, why, err)
			}
		}
		b := AppendDescription(nil, &want)
		var got Description
		if err := DecodeDescription(b, &got); err != nil {
			t.Fatal(err)
		}
		if string(AppendDescription(nil, &got)) != string(b) {
			t.Errorf("%v came back as %v", want, got)
		}
	}
}

func TestStack_CapacityOfEachLayer(t *testing.T) {
	for _, tt := range []struct {
		layer Layer
		max   int
	}{{LayerAspiration, 8}, {LayerObjective, 16}, {LayerTask, 32}} {
		s, a := NewStack(DefaultCapacity), appraisal()
		for i := range tt.max {
			if err := s.Add(numbered(tt.layer, SourceOpportunity, KindAnswer, i), a); err != nil {
				t.Fatalf("%s: goal %d: %v", tt.layer, i, err)
			}
		}
		// An equal newcomer is younger, so it ranks lower.
		err := s.Add(numbered(tt.layer, SourceOpportunity, KindAnswer, tt.max), a)
		var full *FullError
		if !errors.As(err, &full) || full.Layer != tt.layer || full.Max != tt.max {
			t.Errorf("%s: newcomer of equal priority: %v, want FullError", tt.layer, err)
		}
		if s.Refused() != 1 || s.Count(tt.layer) != tt.max {
			t.Errorf("%s: refused %d, holds %d", tt.layer, s.Refused(), s.Count(tt.layer))
		}
	}
}

func TestStack_BetterNewcomerReplacesTheLowestPending(t *testing.T) {
	s, a := NewStack(Capacity{Aspirations: 1, Objectives: 1, Tasks: 2}), appraisal()
	must(t, s.Add(numbered(LayerTask, SourceOpportunity, KindVote, 1), a))   // social 0.5
	must(t, s.Add(numbered(LayerTask, SourceOpportunity, KindAnswer, 2), a)) // social 0.8
	s.Choose(s.Rank(a)[1])                                                   // the vote: ACTIVE goals are safe
	sats, err := s.Put(nil, numbered(LayerTask, SourceOpportunity, KindDoReview, 3), a)
	must(t, err)
	if len(sats) != 1 || sats[0].Kind != KindAnswer || sats[0].Completed {
		t.Errorf("satisfaction of the one that made room: %+v", sats)
	}
	var kinds []Kind
	for _, g := range s.Living() {
		kinds = append(kinds, g.Kind())
	}
	if !slices.Equal(kinds, []Kind{KindVote, KindDoReview}) {
		t.Errorf("living after replacement: %v", kinds)
	}
	var ended []string
	for _, g := range s.Changed() {
		if g.Status.Final() {
			ended = append(ended, g.Kind().String()+" "+g.Status.String())
		}
	}
	if !slices.Equal(ended, []string{"answer ABANDONED"}) {
		t.Errorf("ended: %v", ended)
	}
}

func TestStack_SameTextOfMindOnlyOnce(t *testing.T) {
	s, a := NewStack(DefaultCapacity), appraisal()
	add := func(k Kind, text string, at wire.Tick) error {
		return s.Add(New(me, LayerTask, SourceRole, Description{Kind: k, Text: text}, at), a)
	}
	must(t, add(KindOwn, "look up quorum", 1))
	must(t, add(KindOwn, "look up leases", 2))
	must(t, add(KindEarn, "look up quorum", 3))
	var dup *DuplicateError
	if err := add(KindOwn, "look up quorum", 4); !errors.As(err, &dup) {
		t.Errorf("the same words: %v, want DuplicateError", err)
	}
	h := wire.Hash{1} // about something it is another goal
	must(t, s.Add(New(me, LayerTask, SourceRole, Description{Kind: KindOwn, Text: "look up quorum", Subject: &h}, 5), a))
	s.Abandon(s.Living()[0].ID, ReasonPlans, 0)
	must(t, add(KindOwn, "look up quorum", 6))
	must(t, s.Add(New(me, LayerTask, SourceRole, Description{Kind: KindEarn, Text: "look up leases"}, 7), a))
}

func TestStack_SameSubjectOnlyOnce(t *testing.T) {
	s, a := NewStack(DefaultCapacity), appraisal()
	h := wire.Hash{1}
	add := func(src Source, k Kind, at wire.Tick) error {
		return s.Add(New(me, LayerTask, src, Description{Kind: k, Text: "x", Subject: &h}, at), a)
	}
	must(t, add(SourceOpportunity, KindVote, 1))
	var dup *DuplicateError
	if err := add(SourceOpportunity, KindVote, 2); !errors.As(err, &dup) {
		t.Errorf("the same source, kind and subject: %v, want DuplicateError", err)
	}
	must(t, add(SourceRole, KindVote, 3))
	must(t, add(SourceOpportunity, KindAnswer, 4))
	s.ApplyFact(nil, me, &Fact{Kind: FactClosed, Subject: h}, 0.5)
	must(t, add(SourceOpportunity, KindVote, 5)) // the first is over
}

// Goals come back in any order with their records, and nothing of them has changed; a newcomer begins as PENDING
// whatever it says.
func TestStack_Restore(t *testing.T) {
	s, a := NewStack(Capacity{1, 1, 1}), appraisal()
	done := numbered(LayerTask, SourceOpportunity, KindVote, 5)
	done.Status = StatusCompleted
	must(t, s.Add(done, a))
	must(t, s.Add(numbered(LayerAspiration, SourceRole, KindMentor, 2), a))
	must(t, s.Add(numbered(LayerObjective, SourceOpportunity, KindAnswer, 9), a))
	if err := s.Add(numbered(LayerTask, SourceOpportunity, KindVote, 10), a); err == nil {
		t.Fatal("a second task was added")
	}
	if g := s.Living()[1]; g.Kind() != KindVote || g.Status != StatusPending || !g.Alive() {
		t.Errorf("a newcomer is %+v", g)
	}
	for i, g := range s.Living() {
		g.Record.Effort = uint64(i + 1)
	}
	st := s.State(a.Learning)
	living := []Goal{*s.Living()[2], *s.Living()[0], *s.Living()[1]}
	for i := range living {
		living[i].Record = Record{} // no column of the table
	}
	back := NewStack(s.capacity)
	must(t, back.Restore(living, &st))
	if back.Refused() != 1 || len(back.Changed()) != 0 {
		t.Errorf("%d refused, want 1; nothing has changed since", back.Refused())
	}
	for i, g := range back.Living() {
		if g.ID != s.Living()[i].ID || g.Record.Effort != uint64(i+1) {
			t.Errorf("goal %d is of kind %s with an effort of %d", i, g.Kind(), g.Record.Effort)
		}
	}
	if rows := s.AppendTo(nil); !slices.Equal(back.AppendTo(nil), rows) || rows[0] != 0x93 { // a list of three
		t.Error("the rows are not those of the stack that was stored")
	}
	st.Records[0], st.Records[1] = st.Records[1], st.Records[0]
	if back.Restore(living, &st) == nil {
		t.Error("records of other goals are taken")
	}
	st.Records = st.Records[:2]
	if back.Restore(living, &st) == nil {
		t.Error("goals without records are taken")
	}
}

// Changed and ended goals are listed once, by age.
func TestStack_ChangedListsEachChangeOnce(t *testing.T) {
	s, a := NewStack(DefaultCapacity), appraisal()
	for _, n := range []int{3, 1, 2} {
		must(t, s.Add(numbered(LayerTask, SourceOpportunity, KindVote, n), a))
	}
	s.Abandon(s.Living()[1].ID, ReasonPlans, 0)
	var got []wire.Tick
	for _, g := range s.Changed() {
		got = append(got, g.CreatedAt)
	}
	if !slices.Equal(got, []wire.Tick{1, 2, 3}) || len(s.Changed()) != 0 {
		t.Errorf("changed: of ticks %v, then %d more", got, len(s.Changed()))
	}
}

// Whether a goal is alive is asked by source and kind, or by kind alone.
func TestStack_Has(t *testing.T) {
	s, a := NewStack(DefaultCapacity), appraisal()
	must(t, s.Add(numbered(LayerTask, SourceOpportunity, KindVote, 1), a))
	if !s.Has(SourceOpportunity, KindVote) || s.Has(SourceRole, KindVote) || s.Has(SourceOpportunity, KindAnswer) || !s.HasKind(KindVote) || s.HasKind(KindEarn) {
		t.Error("one source or kind stands for another")
	}
}

// A goal of another layer is never evicted, however little it is worth.
func TestStack_LayersEvictIndependently(t *testing.T) {
	s, a := NewStack(Capacity{Aspirations: 1, Objectives: 1, Tasks: 1}), appraisal()
	must(t, s.Add(numbered(LayerAspiration, SourceRole, KindEarn, 1), a))
	must(t, s.Add(numbered(LayerTask, SourceOpportunity, KindVote, 2), a))
	sats, err := s.Put(nil, numbered(LayerTask, SourceOpportunity, KindDoReview, 3), a)
	if err != nil || len(sats) != 1 || sats[0].Kind != KindVote {
		t.Errorf("%+v made room, %v", sats, err)
	}
	s.Choose(s.Living()[1]) // the only task is ACTIVE: nothing makes room
	var full *FullError
	if err := s.Add(numbered(LayerTask, SourceSurvival, KindEarn, 4), a); !errors.As(err, &full) {
		t.Errorf("beside an active task: %v, want FullError", err)
	}
}

func TestStack_ChooseSwitchesActive(t *testing.T) {
	s, a := NewStack(DefaultCapacity), appraisal()
	must(t, s.Add(numbered(LayerTask, SourceOpportunity, KindVote, 1), a))
	must(t, s.Add(numbered(LayerTask, SourceOpportunity, KindAnswer, 2), a))
	s.Changed()
	r := s.Rank(a)
	s.Choose(r[0])
	if r[0].Kind() != KindAnswer || r[0].Status != StatusActive || r[1].Status != StatusPending {
		t.Fatalf("the best goal is of kind %s and %s, the other %s", r[0].Kind(), r[0].Status, r[1].Status)
	}
	s.Choose(r[1])
	if r[0].Status != StatusPending || r[1].Status != StatusActive {
		t.Errorf("the former goal is %s, the chosen one %s", r[0].Status, r[1].Status)
	}
	if n := len(s.Changed()); n != 2 {
		t.Errorf("%d goals changed, want 2", n)
	}
	s.Choose(r[1])
	if n := len(s.Changed()); n != 0 {
		t.Errorf("choosing again changed %d goals", n)
	}
}

func TestStack_RankIsPriorityThenAgeThenID(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, a := NewStack(Capacity{64, 64, 64}), appraisal()
		n := rapid.IntRange(0, 60).Draw(t, "n")
		for i := range n {
			k := Kind(rapid.IntRange(1, kinds).Draw(t, "kind"))
			l := Layer(rapid.IntRange(1, 3).Draw(t, "layer"))
			g := numbered(l, SourceOpportunity, k, i)
			g.CreatedAt = wire.Tick(rapid.IntRange(0, 3).Draw(t, "at"))
			if err := s.Add(g, a); err != nil {
				t.Fatal(err)
			}
		}
		r := s.Rank(a)
		if len(r) != n {
			t.Fatalf("%d of %d ranked", len(r), n)
		}
		for i := 1; i < n; i++ {
			x, y := r[i-1], r[i]
			ok := x.Priority > y.Priority || x.Priority == y.Priority &&
				(x.CreatedAt < y.CreatedAt || x.CreatedAt == y.CreatedAt && x.ID.Compare(y.ID) < 0)
			if !ok || x.Priority != a.Priority(x) {
				t.Fatalf("rank %d: %v %d before %v %d", i, x.Priority, x.CreatedAt, y.Priority, y.CreatedAt)
			}
		}
	})
}

func hundred(tb testing.TB) (*Stack, *Appraisal) {
	s, a := NewStack(Capacity{100, 100, 100}), appraisal()
	peer := wire.AgentID{2}
	a.Trust = func(wire.AgentID) (float64, bool) { return 0.7, true }
	for i := range 100 {
		g := numbered(Layer(1+i%3), SourceOpportunity, Kind(1+i%kinds), i)
		g.Deadline = ticks(wire.Tick(1000 + 7*i%512))
		g.Description.Beneficiary = &peer
		g.Description.Reward = uint64(i % 50)
		must(tb, s.Add(g, a))
	}
	s.Rank(a)
	return s, a
}

func TestStack_RankAllocatesNothing(t *testing.T) {
	s, a := hundred(t)
	if n := testing.AllocsPerRun(100, func() { a.Tick++; s.Rank(a) }); n != 0 {
		t.Errorf("ranking 100 goals: %v allocations", n)
	}
}

func BenchmarkStack_Rank100(b *testing.B) {
	s, a := hundred(b)
	b.ReportAllocs()
	for b.Loop() {
		a.Tick ^= 64
		s.Rank(a)
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
