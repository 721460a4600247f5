package llm

import (
	"fmt"
	"slices"

	"kingdom/det"
)

// Factor is one criterion by which an affordance is weighed.
type Factor uint8

// The closed list of factors, in the order in which prompts tell them.
const (
	FactorWorth  Factor = iota // what such acts brought before; the only one whose neutral value is 0.5
	FactorNeed                 // whether others have done it already
	FactorKnow                 // how well the agent knows what it is about
	FactorPeer                 // what the agent makes of the peer whom it concerns
	FactorFresh                // how much of it is new to the agent
	FactorCommit               // whether it goes on with what the agent is doing or has promised
	FactorCost                 // what is left of the agent's Spark after it, and whether it earns what the agent needs
	FactorNorm                 // whether a lesson or a rule of the agent's own speaks against it
)

// Factors is the number of factors.
const Factors = int(FactorNorm) + 1

var factorNames = [Factors]string{"worth", "need", "know", "peer", "fresh", "commit", "cost", "norm"}

// String returns the name that prompts and logs use.
func (f Factor) String() string {
	if int(f) >= Factors {
		return fmt.Sprintf("factor(%d)", uint8(f))
	}
	return factorNames[f]
}

// Neutral returns the value of a factor that changes nothing: 0.5 for worth, else 1.
func (f Factor) Neutral() float64 {
	if f == FactorWorth {
		return 0.5
	}
	return 1
}

// leastFactor is the lowest value of a factor. It is above 0, so that no single factor excludes an act.
const leastFactor = 0.05

// Considerations are the factors of one affordance, each a multiple of 2^-20 in [0.05,1], or 0 for neutral.
type Considerations [Factors]float64

// neutralMargin is the distance from its neutral value below which a factor is treated as neutral: prompts leave it out, and
// Of returns the neutral value.
const neutralMargin = 0.03

// Of returns a factor, or its neutral value if it is not set.
func (c *Considerations) Of(f Factor) float64 {
	if c.isNotable(f) {
		return c[f]
	}
	return f.Neutral()
}

// Weigh multiplies a factor by v, where 1 changes nothing. The result is limited to [0.05,1] and quantised.
func (c *Considerations) Weigh(f Factor, v float64) {
	if c[f] == 0 {
		c[f] = f.Neutral()
	}
	c[f] = det.Quantise(min(max(float64(c[f]*v), leastFactor), 1))
}

// Product returns the combined effect of the factors on an affordance: 1 if all are neutral, at most 2. The plain
// product p of n factors below 1 gets smaller the more factors there are, even if each is high. As in utility AI it
// is therefore corrected to p + (1-p)·(1-1/n)·p. Worth is not part of p; it counts by its ratio to 0.5.
func (c *Considerations) Product() float64 {
	p, n := 1.0, 0
	for f := FactorWorth + 1; int(f) < Factors; f++ {
		if v := c.Of(f); v < 1 {
			p = float64(p * v)
			n++
		}
	}
	if n > 1 {
		lift := float64((1 - p) * (1 - 1/float64(n)))
		p += float64(lift * p)
	}
	return float64(p * float64(2*c.Of(FactorWorth)))
}

// Notable returns the factors that a prompt names: those that are not neutral. It is nil if there are none.
func (c *Considerations) Notable() (list []FactorFact) {
	for f := Factor(0); int(f) < Factors; f++ {
		if c.isNotable(f) {
			list = append(list, FactorFact{f.String(), c.Of(f)})
		}
	}
	return list
}

// isNotable reports whether a factor is set and differs from its neutral value by at least neutralMargin.
func (c *Considerations) isNotable(f Factor) bool {
	d := c[f] - f.Neutral()
	return c[f] != 0 && (d <= -neutralMargin || d >= neutralMargin)
}

// Decided is a factor in which the chosen affordance differed from the others.
type Decided struct {
	Factor Factor
	Value  float64 // of the act
	Others float64 // mean of the other offers that do something
}

// Decisive is how many factors are logged to explain a decision.
const Decisive = 3

// Decide fills dst with the factors in which a chosen affordance differs most from the mean of the others, the
// largest difference first, and returns how many there are. Differences below 0.05 are left out. Rest and nop are not
// among the others.
func Decide(dst *[Decisive]Decided, list []Affordance, chosen int) (n int) {
	for f := Factor(0); int(f) < Factors; f++ {
		sum, others := 0.0, 0
		for i := range list {
			if a := &list[i]; i != chosen && a.Action != nil && !a.Action.IsRest() {
				sum += a.Considered.Of(f)
				others++
			}
		}
		if others == 0 {
			return 0
		}
		d := Decided{f, list[chosen].Considered.Of(f), det.Quantise(sum / float64(others))}
		if d.distance() < 0.05 {
			continue
		}
		i := n
		for i > 0 && dst[i-1].distance() < d.distance() {
			i--
		}
		if i == Decisive {
			continue
		}
		n = min(n+1, Decisive)
		copy(dst[i+1:n], dst[i:n-1])
		dst[i] = d
	}
	return n
}

// distance returns the absolute difference in units of the factor's neutral value.
func (d *Decided) distance() float64 {
	v := d.Value - d.Others
	if v < 0 {
		v = -v
	}
	return v / d.Factor.Neutral()
}

// Layer is a part of an agent's memory to which a scenario can blind it.
type Layer uint8

// The closed list of layers. 0 is what no scenario blinds: what the slot itself shows.
const (
	LayerBeliefs Layer = iota + 1
	LayerKnowledge
	LayerNotes
	LayerPeers
	LayerExperiences
	LayerPlans
	LayerReputation
	LayerMoney
)

var layerNames = []string{"beliefs", "knowledge", "notes", "peers", "experiences", "plans", "reputation", "money"}

// LayerNames lists the names that minds.blind of a scenario may have.
func LayerNames() []string { return layerNames }

// Layers is a set of layers.
type Layers uint16

// LayersOf returns the set of the layers with these names; unknown names are ignored.
func LayersOf(names []string) (s Layers) {
	for _, name := range names {
		if i := slices.Index(layerNames, name); i >= 0 {
			s |= 1 << (i + 1)
		}
	}
	return s
}

// Has reports whether a layer is in the set.
func (s Layers) Has(l Layer) bool { return s&(1<<l) != 0 }

// blind removes from the facts what the blinded layers contribute. Handles that were created for it stay.
func (f *Facts) blind(s Layers) {
	if s.Has(LayerBeliefs) {
		f.Memory.Beliefs = nil
	}
	if s.Has(LayerKnowledge) {
		f.Memory.Knowledge, f.Memory.Practice = nil, nil
	}
	if s.Has(LayerNotes) {
		f.Memory.Notes = nil
	}
	if s.Has(LayerPeers) {
		f.Memory.Peers = nil
	}
	if s.Has(LayerExperiences) {
		f.History = HistoryFacts{}
		for i := range f.Offers {
			f.Offers[i].Lesson = ""
		}
	}
	if s.Has(LayerPlans) {
		f.Memory.Plan = nil
		for i := range f.Offers {
			for j := range f.Offers[i].Offers {
				f.Offers[i].Offers[j].Plan = false
			}
		}
	}
	if s.Has(LayerReputation) {
		f.Me.KnownFor, f.State.Reputation = nil, -1
		for i := range f.Memory.Peers {
			f.Memory.Peers[i].Reputation = -1
		}
	}
	if s.Has(LayerMoney) {
		f.State.Prices, f.State.NoMoney = nil, true
		for i := range f.Offers {
			for j := range f.Offers[i].Offers {
				f.Offers[i].Offers[j].Spark, f.Offers[i].Offers[j].Reward = 0, 0
			}
		}
	}
}
