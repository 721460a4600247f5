package goals

import (
	"strings"
	"testing"

	"kingdom/wire"
)

func TestParsePredicate(t *testing.T) {
	for _, c := range []struct {
		text, want string
		wrong      string // beginning of the error
	}{
		{text: "balance>=200", want: "balance>=200"},
		{text: " balance >= 200 ", want: "balance>=200"},
		{text: "reputation>=0.45", want: "reputation>=0.45"},
		{text: "entry_verify>=5", want: "entry_verify>=5"},
		{text: "balance>=1000000000", want: "balance>=1000000000"},
		{text: "reputation>=1", want: "reputation>=1"},
		{text: "reputation>=0", wrong: `asks for a reputation of "0"`},
		{text: "reputation>=much", wrong: `asks for a reputation of "much"`},
		{text: "balance>=1000000001", wrong: "asks for \"1000000001\"; want a whole number from 1 to 1000000000"},
		{text: "economy_report>=1", wrong: `is about "economy_report"`}, // only a system sends it
		{text: "balance>200", wrong: "has no >="},
		{text: "", wrong: "has no >="},
		{text: "balance>=1.5", wrong: `asks for "1.5"`},
		{text: "balance>=0", wrong: `asks for "0"`},
		{text: "balance>=-4", wrong: `asks for "-4"`},
		{text: "reputation>=1.1", wrong: `asks for a reputation of "1.1"`},
		{text: "reputation>=NaN", wrong: `asks for a reputation of "NaN"`},
		{text: "wealth>=3", wrong: `is about "wealth"`},
		{text: "rest>=3", wrong: `is about "rest"`},
	} {
		p, err := ParsePredicate(c.text)
		switch {
		case c.wrong != "":
			if err == nil || !strings.HasPrefix(err.Error(), c.wrong) {
				t.Errorf("%q: %v, want %s", c.text, err, c.wrong)
			}
		case err != nil || p.String() != c.want:
			t.Errorf("%q is %v, %v; want %s", c.text, p, err, c.want)
		}
	}
}

// Each quantity that is listed makes a predicate.
func TestQuantities(t *testing.T) {
	for _, q := range Quantities() {
		if p, err := ParsePredicate(q + ">=1"); err != nil || p.Quantity != q {
			t.Errorf("%s: %v", q, err)
		}
	}
}

// A goal is reached at birth by the balance with which it would end when it is told, and by no smaller one.
func TestDescription_ReachedAtBirth(t *testing.T) {
	for _, c := range []struct {
		d    Description
		from int64 // the smallest balance that is enough; 0: none is
	}{
		{Description{Kind: KindEarn}, earnTarget},
		{Description{Kind: KindOperator, Predicate: "balance>=100"}, 100},
		{Description{Kind: KindOperator, Predicate: "reputation>=0.1"}, 0},
		{Description{Kind: KindOperator, Predicate: "entry_verify>=1"}, 0},
		{Description{Kind: KindOperator}, 0},
		{Description{Kind: KindExplore}, 0},
	} {
		for _, balance := range []int64{0, c.from - 1, c.from, 1_000_000} {
			want := c.from > 0 && balance >= c.from
			if got := c.d.ReachedAtBirth(balance); got != want {
				t.Errorf("%v %q with %d ⚡: reached at once %v", c.d.Kind, c.d.Predicate, balance, got)
			}
			s := NewStack(DefaultCapacity)
			must(t, s.Add(New(me, LayerTask, SourceSocial, c.d, 7), appraisal()))
			ended := len(s.Reached(balance, 0)) + len(s.ApplyFact(nil, me, &Fact{Kind: FactBalance, Amount: balance}, 0))
			if (ended > 0) != want {
				t.Errorf("%v %q with %d ⚡ ended %v, want %v", c.d.Kind, c.d.Predicate, balance, ended > 0, want)
			}
		}
	}
}

// A goal with a predicate ends when the predicate holds and reports its progress; acts of another kind do not count.
func TestPredicate_EndsItsGoalWhenItHolds(t *testing.T) {
	a := appraisal()
	s := NewStack(DefaultCapacity)
	for _, p := range []string{"balance>=200", "reputation>=0.4", "entry_verify>=2", ""} {
		if err := s.Add(New(me, LayerTask, SourceSocial, Description{Kind: KindOperator, Text: p, Predicate: p}, 7), a); err != nil {
			t.Fatal(err)
		}
	}
	other := New(me, LayerTask, SourceSocial, Description{Kind: KindVote, Text: "not a goal that somebody states", Predicate: "balance>=1"}, 7)
	own := New(me, LayerTask, SourceRole, Description{Kind: KindOwn, Text: "mine", Predicate: "balance>=900"}, 7)
	for _, g := range []Goal{other, own} {
		must(t, s.Add(g, a))
	}
	if got := s.Reached(900, 0); len(got) != 2 || got[0].Kind() == got[1].Kind() || got[0].Kind() == KindVote || got[1].Kind() == KindVote {
		t.Errorf("with 900 ⚡ %d goals are reached, want the operator's and the own", len(got))
	}
	for _, g := range []Goal{other, own} {
		s.Abandon(g.ID, ReasonPlans, 0)
	}
	left := func() (out []string) {
		for _, g := range s.Living() {
			out = append(out, g.Description.Predicate)
		}
		return out
	}
	if got := s.Reached(199, 0.39); len(got) != 0 {
		t.Errorf("below the numbers %d goals are reached", len(got))
	}
	if got := s.Reached(200, 0.4); len(got) != 2 {
		t.Errorf("at the numbers %d goals are reached, want 2", len(got))
	}
	act := func(m wire.MsgType) { s.ApplyFact(nil, me, &Fact{Kind: FactActed, Action: m}, 0) }
	act(wire.TypeEntryVerify)
	act(wire.TypeEntryGet)
	for _, g := range s.Living() {
		if g.Description.Predicate == "entry_verify>=2" {
			if got := a.Progress(g); got != (Progress{1, 2, MeasureActs}) {
				t.Errorf("progress %+v, want 1 of 2 acts", got)
			}
		}
	}
	if got := left(); len(got) != 4 {
		t.Fatalf("after one of two acts %q are left", got)
	}
	act(wire.TypeEntryVerify)
	if got := left(); len(got) != 3 {
		t.Errorf("after both acts %q are left", got)
	}
}

// A reputation that is the number asked for reaches it although agents keep theirs with fewer digits than a predicate has.
func TestPredicate_ReputationHoldsAtTheNumberItIsKeptAs(t *testing.T) {
	for _, c := range []struct {
		predicate  string
		reputation float32
		want       bool
	}{
		{"reputation>=0.7", 0.7, true},
		{"reputation>=0.1", 0.1, true},
		{"reputation>=0.45", 0.45, true},
		{"reputation>=1", 1, true},
		{"reputation>=0.7", 0.6999, false},
		{"reputation>=0.7", 0.7001, true},
		{"reputation>=1", 0.9999, false},
	} {
		s := NewStack(DefaultCapacity)
		must(t, s.Add(New(me, LayerTask, SourceSocial, Description{Kind: KindOperator, Text: "x", Predicate: c.predicate}, 7), appraisal()))
		if got := len(s.Reached(0, float64(c.reputation))) == 1; got != c.want {
			t.Errorf("%s with %v: reached %v", c.predicate, c.reputation, got)
		}
	}
}
