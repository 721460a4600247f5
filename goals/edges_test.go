package goals

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"testing"

	"kingdom/wire"
)

// TestNew_IDEqualsDocumentedFormula: SHA-256(agent ‖ source ‖ kind ‖ subject ‖ u64be created_at ‖
// SHA-256(text)), source and kind as ordinals from 0 (docs/STORE.md, goals).
func TestNew_IDEqualsDocumentedFormula(t *testing.T) {
	subject := wire.Hash{7}
	text := sha256.Sum256([]byte("a"))
	for _, s := range []*wire.Hash{nil, &subject} {
		g := New(me, LayerTask, SourceOpportunity, Description{Kind: KindVote, Text: "a", Subject: s}, 513)
		var h wire.Hash
		if s != nil {
			h = *s
		}
		b := slices.Concat(me[:], []byte{2, 12}, h[:], binary.BigEndian.AppendUint64(nil, 513), text[:])
		if want := wire.Hash(sha256.Sum256(b)); g.ID != want {
			t.Errorf("id %v, want %v", g.ID, want)
		}
	}
}

// In a full layer the goal that ranks last is evicted, neither the oldest nor the youngest.
func TestStack_LowestRankedIsEvicted(t *testing.T) {
	for _, order := range [][]Kind{
		{KindVote, KindAnswer, KindDoReview}, {KindAnswer, KindVote, KindDoReview}, {KindDoReview, KindAnswer, KindVote},
	} {
		s, a := NewStack(Capacity{Tasks: 3}), appraisal()
		for i, k := range order {
			must(t, s.Add(numbered(LayerTask, SourceOpportunity, k, i), a))
		}
		sats, err := s.Put(nil, numbered(LayerTask, SourceOpportunity, KindDoReview, 9), a)
		must(t, err)
		if len(sats) != 1 || sats[0].Kind != KindVote || sats[0].Outcome() != "FAILURE" {
			t.Errorf("of %v made room: %+v, want the vote, of the least value to others", order, sats)
		}
	}
}

// The agent's hash is made anew only when the revision changes, so everything that changes a
// stored column must change it.
func TestStack_RevisionFollowsEveryStoredChange(t *testing.T) {
	s, a := NewStack(Capacity{Tasks: 2}), appraisal()
	last := s.Revision()
	changed := func(what string, want bool) {
		t.Helper()
		if got := s.Revision() > last; got != want {
			t.Errorf("%s: revision went from %d to %d", what, last, s.Revision())
		}
		last = s.Revision()
	}
	must(t, s.Add(numbered(LayerTask, SourceOpportunity, KindAnswer, 1), a))
	changed("add", true)
	must(t, s.Add(numbered(LayerTask, SourceOpportunity, KindAnswer, 2), a))
	changed("add", true)
	if s.Add(numbered(LayerTask, SourceOpportunity, KindVote, 3), a) == nil {
		t.Fatal("a third task was added")
	}
	changed("refuse", true) // the count of refused goals is stored
	s.Rank(a)
	changed("rank again", false)
	a.Role = wire.RoleCompilerSmith // far from SOCIAL work
	s.Rank(a)
	changed("rank otherwise", true)
	g := s.Living()[0]
	s.Choose(g)
	changed("choose", true)
	s.Choose(g)
	changed("choose again", false)
	if _, ok := s.Abandon(g.ID, ReasonPlans, 0.5); !ok {
		t.Fatal("a living goal was not abandoned")
	}
	changed("abandon", true)
	if _, ok := s.Abandon(g.ID, ReasonPlans, 0.5); ok {
		t.Error("a goal was abandoned twice")
	}
	st := s.State(&Learning{})
	living := []Goal{*s.Living()[0]}
	must(t, s.Restore(living, &st))
	changed("restore", true)
}

func TestPriority_WeighsEveryTerm(t *testing.T) {
	w := Weights{Urgency: 1, Reward: 0.5, Capability: 0.75, Novelty: 0.25, Social: 0.375}
	terms := Terms{Urgency: 0.5, Reward: 0.25, Capability: 0.5, Novelty: 0.5, Social: 0.25}
	if got, want := w.Sum(terms), 0.5+0.125+0.375+0.125+0.09375; got != want {
		t.Errorf("sum %v, want %v", got, want)
	}
}

func TestLearning_OnlyAccurateVerdictsCountAsAccurate(t *testing.T) {
	var l Learning
	l.Publish(subject, wire.EntryKindAPI, 1)
	var got []uint32
	for _, v := range []wire.Verdict{wire.VerdictAccurate, wire.VerdictOutdated, wire.VerdictPartiallyAccurate, wire.VerdictInaccurate, wire.VerdictAccurate} {
		w, ok := l.Verify(subject, v, 0.5)
		if !ok {
			t.Fatal("an own entry is not followed")
		}
		got = append(got, w.Accurate, w.Verdicts)
	}
	if want := []uint32{1, 1, 1, 2, 1, 3, 1, 4, 2, 5}; !slices.Equal(got, want) {
		t.Errorf("accurate and all verdicts: %v, want %v", got, want)
	}
	if _, ok := l.Verify(other, wire.VerdictAccurate, 1); ok {
		t.Error("the entry of another is followed")
	}
}

// If two sources want a mentor goal at once, the role's aspiration is enough.
func TestInject_OnlyOneMentorAspiration(t *testing.T) {
	s := situation()
	s.Role, s.Reputation = wire.RoleArchitect, 0.9 // an architect aspires to mentor by role
	n := 0
	for _, g := range Inject(nil, s) {
		if g.Kind() == KindMentor {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d goals to mentor, want 1", n)
	}
	s.Role = wire.RoleExplorer
	n = 0
	for _, g := range Inject(nil, s) {
		if g.Kind() == KindMentor && g.Source == SourceSocial {
			n++
		}
	}
	if n != 1 {
		t.Errorf("an explorer of high standing: %d goals to mentor, want 1", n)
	}
}
