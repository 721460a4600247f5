package llm

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"kingdom/wire"
	"kingdom/wire/action"
)

func TestConsiderations_Product(t *testing.T) {
	for _, c := range []struct {
		name string
		of   Considerations
		want float64
	}{
		{"none", Considerations{}, 1},
		{"all neutral", Considerations{0.5, 1, 1, 1, 1, 1, 1, 1}, 1},
		{"one", Considerations{FactorNeed: 0.25}, 0.25},
		{"two are lifted by their number", Considerations{FactorNeed: 0.5, FactorPeer: 0.5}, 0.25 + 0.75*0.5*0.25},
		{"worth by its ratio to one half", Considerations{FactorWorth: 0.75}, 1.5},
		{"worth is not lifted", Considerations{FactorWorth: 0.25, FactorNeed: 0.5}, 0.25},
	} {
		if got := c.of.Product(); got < c.want-1e-9 || got > c.want+1e-9 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// A larger factor never gives a smaller product.
func TestConsiderations_ProductIsMonotonic(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var c Considerations
		for f := range c {
			c[f] = rapid.Float64Range(leastFactor, 0.999).Draw(r, Factor(f).String())
		}
		before := c.Product()
		f := rapid.IntRange(0, Factors-1).Draw(r, "raised")
		c[f] += rapid.Float64Range(0, 0.999-c[f]).Draw(r, "by")
		if after := c.Product(); after < before || after > 2 {
			r.Fatalf("%s raised: %v, before %v", Factor(f), after, before)
		}
	})
}

func TestConsiderations_Weigh(t *testing.T) {
	var c Considerations
	c.Weigh(FactorPeer, 0.5)
	c.Weigh(FactorPeer, 0.3)
	c.Weigh(FactorNeed, 0)
	c.Weigh(FactorWorth, 1.5)
	c.Weigh(FactorCost, 3)
	want := Considerations{FactorWorth: 0.75, FactorNeed: leastFactor, FactorPeer: 0.15, FactorCost: 1}
	for f := range c {
		if d := c[f] - want[f]; d < -1e-6 || d > 1e-6 {
			t.Errorf("%s: %v, want %v", Factor(f), c[f], want[f])
		}
	}
	if told := c.Notable(); len(told) != 3 || told[0].Name != "worth" || told[1].Name != "need" || told[2].Name != "peer" {
		t.Errorf("told %+v; what changes nothing is left out", told)
	}
}

func TestDecide(t *testing.T) {
	get, _ := action.ByName("entry_get")
	with := func(c Considerations) Affordance { return Affordance{Action: get, Considered: c} }
	list := []Affordance{
		with(Considerations{FactorWorth: 0.75, FactorKnow: 0.5, FactorFresh: 0.2, FactorNorm: 0.9}),
		with(Considerations{FactorKnow: 0.5, FactorCost: 0.999}),
		with(Considerations{FactorKnow: 0.5, FactorPeer: 0.4, FactorNorm: 0.8}),
		{}, // nop
	}
	var got [Decisive]Decided
	n := Decide(&got, list, 0)
	// fresh 0.8 below the others, worth one half of 0.5 above, peer 0.3 above; norm ties with none, know with all
	if n != 3 || got[0].Factor != FactorFresh || got[1].Factor != FactorWorth || got[2].Factor != FactorPeer {
		t.Errorf("%d factors decided: %+v", n, got)
	}
	if got[2].Value != 1 || got[2].Others < 0.69 || got[2].Others > 0.71 {
		t.Errorf("peer %+v; want 1 against 0.7", got[2])
	}
	if n := Decide(&got, list[:1], 0); n != 0 {
		t.Errorf("%d factors decided among one offer", n)
	}
}

func TestLayers(t *testing.T) {
	s := LayersOf([]string{"money", "beliefs", "none such"})
	if !s.Has(LayerMoney) || !s.Has(LayerBeliefs) || s.Has(LayerNotes) || s.Has(0) {
		t.Errorf("layers %b", s)
	}
}

func TestFactor_Names(t *testing.T) {
	if FactorWorth.String() != "worth" || FactorNorm.String() != "norm" || Factor(Factors).String() != "factor(8)" {
		t.Errorf("%v %v %v", FactorWorth, FactorNorm, Factor(Factors))
	}
}

// A factor near its neutral value is treated as neutral.
func TestConsiderations_SmallDifferencesAreNeutral(t *testing.T) {
	for _, c := range []struct {
		f     Factor
		v     float64
		notes bool
	}{
		{FactorNeed, 0.968, true}, {FactorNeed, 0.972, false}, {FactorWorth, 0.468, true}, {FactorWorth, 0.472, false}, {FactorWorth, 0.528, false}, {FactorWorth, 0.532, true},
	} {
		var of Considerations
		of[c.f] = c.v
		want := c.f.Neutral()
		if c.notes {
			want = c.v
		}
		if got := of.Of(c.f); got != want || (of.Notable() != nil) != c.notes {
			t.Errorf("%s of %v counts as %v, want %v", c.f, c.v, got, want)
		}
	}
}

func TestDecide_KeepsTheLargestDifferences(t *testing.T) {
	get, _ := action.ByName("entry_get")
	rest, _ := action.ByName("rest")
	for _, c := range []struct {
		name string
		of   Considerations // of the chosen offer; those of the other are neutral
		want []Factor
	}{
		{"the largest come first", Considerations{FactorNeed: 0.1, FactorKnow: 0.2, FactorPeer: 0.3, FactorFresh: 0.4}, []Factor{FactorNeed, FactorKnow, FactorPeer}},
		{"the largest come last", Considerations{FactorNeed: 0.4, FactorKnow: 0.3, FactorPeer: 0.2, FactorFresh: 0.1}, []Factor{FactorFresh, FactorPeer, FactorKnow}},
		{"equal ones stand in the order of factors", Considerations{FactorNeed: 0.5, FactorPeer: 0.5}, []Factor{FactorNeed, FactorPeer}},
		{"a small difference", Considerations{FactorNeed: 0.947}, []Factor{FactorNeed}},
		{"too small a difference", Considerations{FactorNeed: 0.953}, nil},
	} {
		var got [Decisive]Decided
		n := Decide(&got, []Affordance{{Action: get, Considered: c.of}, {Action: get}, {Action: rest, Considered: Considerations{FactorNorm: 0.05}}}, 0)
		var factors []Factor
		for _, d := range got[:n] {
			factors = append(factors, d.Factor)
		}
		if !reflect.DeepEqual(factors, c.want) {
			t.Errorf("%s: %v, want %v", c.name, factors, c.want)
		}
	}
	var got [Decisive]Decided
	if n := Decide(&got, []Affordance{{Action: get, Considered: Considerations{FactorNeed: 0.1}}, {Action: rest}}, 0); n != 0 {
		t.Errorf("a rest counts as an offer to compare with: %+v", got[:n])
	}
}

// full is a life whose facts have one item in every list.
type full struct{}

func (full) FillFacts(f *Facts, _ *Handles) {
	*f = *exampleFacts()
	f.State.NoMoney = false
}

func (full) About(wire.Hash, *Handles) (ref Ref, title Words, author string) { return Ref{}, "", "" }

// A blinded layer removes from the facts what it contributes, and nothing else.
func TestBlind_RemovesOneLayer(t *testing.T) {
	facts := func(blind ...string) *Facts { return (&Prompt{Life: full{}, Blind: LayersOf(blind)}).Facts() }
	for name, remove := range map[string]func(f *Facts, o *OfferFact){
		"beliefs":     func(f *Facts, _ *OfferFact) { f.Memory.Beliefs = nil },
		"knowledge":   func(f *Facts, _ *OfferFact) { f.Memory.Knowledge, f.Memory.Practice = nil, nil },
		"notes":       func(f *Facts, _ *OfferFact) { f.Memory.Notes = nil },
		"peers":       func(f *Facts, _ *OfferFact) { f.Memory.Peers = nil },
		"experiences": func(f *Facts, _ *OfferFact) { f.History, f.Offers[0].Lesson = HistoryFacts{}, "" },
		"plans":       func(f *Facts, o *OfferFact) { f.Memory.Plan, o.Plan = nil, false },
		"reputation": func(f *Facts, _ *OfferFact) {
			f.Me.KnownFor, f.State.Reputation, f.Memory.Peers[0].Reputation = nil, -1, -1
		},
		"money": func(f *Facts, o *OfferFact) { f.State.Prices, f.State.NoMoney, o.Spark, o.Reward = nil, true, 0, 0 },
	} {
		got, want := facts(name), facts()
		remove(want, &want.Offers[0].Offers[0])
		if !reflect.DeepEqual(got, want) {
			t.Errorf("without %s: got\n%+v\nwant\n%+v", name, got, want)
		}
	}
}
