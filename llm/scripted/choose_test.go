package scripted

import (
	"testing"

	"pgregory.net/rapid"

	"kingdom/det"
	"kingdom/llm"
	"kingdom/wire"
)

// offering is a prompt with offers of some priorities by action, each certain to succeed, and nop.
func offering(tb testing.TB, risk float32, offers ...llm.Affordance) *llm.Prompt {
	p := &llm.Prompt{Identity: llm.Identity{ID: wire.AgentID{3}, Risk: risk}, Affordances: append(offers, llm.Affordance{})}
	for i := range p.Affordances {
		p.Affordances[i].Success, p.Affordances[i].Ticks = 1, 1
	}
	return p
}

func offer(tb testing.TB, action string, priority float64) llm.Affordance {
	return llm.Affordance{Action: row(tb, action), Priority: priority}
}

// The chance of a verb does not grow with the number of its targets.
func TestWeigh_ChanceIsSharedByVerbsNotTargets(t *testing.T) {
	like := offer(t, "signal_send", 1)
	p := offering(t, 0, like, like, like, like, offer(t, "entry_get", 1))
	w := New(seed, Knobs{}).Weigh(p)
	likes := w[0].Chance + w[1].Chance + w[2].Chance + w[3].Chance
	if likes < 0.499 || likes > 0.501 || w[4].Chance < 0.499 {
		t.Errorf("four equal likes have %.3f, the one other act %.3f; want one half each", likes, w[4].Chance)
	}
}

// A verb that promises less than nop, or far less than the best, is never drawn. A verb whose second option is poor is.
func TestWeigh_OptionsFarBelowTheBestHaveNoChance(t *testing.T) {
	m := New(seed, Knobs{})
	p := offering(t, 0, offer(t, "signal_send", 1), offer(t, "entry_get", 1-3*baseTemperature-0.01), offer(t, "entry_query", 1-3*baseTemperature+0.01), offer(t, "signal_send", 0.9))
	w := m.Weigh(p)
	if w[0].Chance == 0 || w[1].Chance != 0 || w[2].Chance == 0 || w[3].Chance == 0 || w[4].Chance != 0 {
		t.Errorf("chances %+v; want none for the second and for nop", w)
	}
	p = offering(t, 1, offer(t, "entry_get", 0.149))
	p.Affordances[1].Priority = 0.15
	for tick := range wire.Tick(200) {
		p.Tick = tick
		if w := m.Weigh(p); w[0].Chance != 0 || w[1].Chance != 1 {
			t.Fatalf("tick %d: what is worth less than nop has a chance of %v", tick, w[0].Chance)
		}
	}
}

// A rest is drawn if and only if no act is worth as much, and nop if no rest is offered.
func TestWeigh_RestsIfNoActIsWorthAsMuch(t *testing.T) {
	m := New(seed, Knobs{})
	for _, c := range []struct {
		offers []llm.Affordance
		want   []float64
	}{
		{[]llm.Affordance{offer(t, "entry_get", 0.31), offer(t, "rest", 0.3), {Priority: 0.3}}, []float64{1, 0, 0}},
		{[]llm.Affordance{offer(t, "entry_get", 0.29), offer(t, "rest", 0.3), {Priority: 0.3}}, []float64{0, 1, 0}},
		{[]llm.Affordance{offer(t, "entry_get", 0.29), {Priority: 0.3}}, []float64{0, 1}},
		{[]llm.Affordance{offer(t, "rest", 0.3), {Priority: 0.3}}, []float64{1, 0}},
	} {
		p := offering(t, 0, c.offers...)
		p.Affordances = p.Affordances[:len(c.offers)]
		for i, w := range m.Weigh(p) {
			if w.Chance != c.want[i] {
				t.Errorf("%s of %+v has the chance %v, want %v", p.Affordances[i].Name(), c.offers, w.Chance, c.want[i])
			}
		}
	}
	p := offering(t, 0, offer(t, "rest", 0.3))
	p.Affordances[1].Priority = 0.3
	if w := New(seed, Knobs{RefuseActions: []string{"rest"}}).Weigh(p); w[1].Chance != 1 {
		t.Errorf("who refuses to rest does %+v", w)
	}
}

// Whatever is offered, something is drawn, and Think draws what Weigh gives a chance.
func TestWeigh_ChancesSumToOne(t *testing.T) {
	verbs := []string{"signal_send", "entry_get", "entry_query", "msg_query", "entry_verify"}
	m := New(seed, Knobs{RefuseActions: []string{"entry_query"}})
	rapid.Check(t, func(r *rapid.T) {
		var offers []llm.Affordance
		for range rapid.IntRange(0, 20).Draw(r, "offers") {
			a := offer(t, rapid.SampledFrom(verbs).Draw(r, "verb"), rapid.Float64Range(0, 4).Draw(r, "priority"))
			a.Considered[llm.FactorNeed] = rapid.Float64Range(0.05, 1).Draw(r, "need")
			offers = append(offers, a)
		}
		p := offering(t, rapid.Float32Range(0, 1).Draw(r, "risk"), offers...)
		p.Tick = wire.Tick(rapid.Uint16().Draw(r, "tick"))
		w := m.Weigh(p)
		sum := 0.0
		for i := range w {
			if sum += w[i].Chance; p.Affordances[i].Name() == "entry_query" && w[i].Chance > 0 {
				r.Fatalf("the refused action has a chance of %v", w[i].Chance)
			}
		}
		if sum < 1-1e-9 || sum > 1+1e-9 {
			r.Fatalf("chances add up to %v: %+v", sum, w)
		}
		a := m.choose(new(det.Stream), p)
		for i := range w {
			if a == &p.Affordances[i] && w[i].Chance == 0 {
				r.Fatalf("affordance %d was drawn without a chance", i)
			}
		}
	})
}

// Each factor of an offer changes both the choice of the scripted mind and the text that a model gets.
func TestFactors_ChangeChoiceAndPrompt(t *testing.T) {
	m := New(seed, Knobs{})
	plain := situation(t, 3, 0.5, 0.5)
	text, weights := string(plain.Render(nil)), m.Weigh(plain)
	for f := llm.Factor(0); int(f) < llm.Factors; f++ {
		p := situation(t, 3, 0.5, 0.5)
		p.Affordances[2].Considered.Weigh(f, 0.5)
		if string(p.Render(nil)) == text {
			t.Errorf("%s is not in the prompt", f)
		}
		if w := m.Weigh(p); w[2].Score >= weights[2].Score || w[2].Chance >= weights[2].Chance {
			t.Errorf("%s of one half: weight %+v, before %+v", f, w[2], weights[2])
		}
	}
}

// The best option of a verb decides, wherever it stands among the others, and an option that is worth less is drawn less.
func TestWeigh_OrderOfOptionsDoesNotMatter(t *testing.T) {
	m := New(seed, Knobs{})
	poor, good, other := offer(t, "signal_send", 0.9), offer(t, "signal_send", 1), offer(t, "entry_get", 0.95)
	a, b := m.Weigh(offering(t, 0, good, poor, other)), m.Weigh(offering(t, 0, poor, good, other))
	for i, j := range []int{1, 0, 2, 3} {
		if d := a[i].Chance - b[j].Chance; d < -1e-9 || d > 1e-9 {
			t.Errorf("offer %d has the chance %v, in another order %v", i, a[i].Chance, b[j].Chance)
		}
	}
	if ratio := a[1].Chance / a[0].Chance; ratio < 0.135 || ratio > 0.136 { // two temperatures below: e^-2
		t.Errorf("the poor option is drawn %.3f times as often as the good one", ratio)
	}
}

func TestWeigh_BoundsAreInclusive(t *testing.T) {
	m := New(seed, Knobs{})
	if w := m.Weigh(offering(t, 0, offer(t, "entry_get", 0.3), offer(t, "rest", 0.3))); w[0].Chance != 1 {
		t.Errorf("an act that is worth as much as a rest has the chance %v", w[0].Chance)
	}
	below := float64(maxTemperaturesBelow * baseTemperature)
	if w := m.Weigh(offering(t, 0, offer(t, "signal_send", 1), offer(t, "entry_get", 1-below))); w[1].Chance == 0 {
		t.Error("a verb just so many temperatures below the best has no chance")
	}
}

func TestWeigh_NOPCannotBeRefused(t *testing.T) {
	if w := New(seed, Knobs{RefuseActions: []string{llm.NOP}}).Weigh(offering(t, 0)); w[0].Score != 0 || w[0].Chance != 1 {
		t.Errorf("nop has the weight %+v", w[0])
	}
}
