package llm

import (
	"testing"

	"pgregory.net/rapid"

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
