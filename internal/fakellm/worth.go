package fakellm

import (
	"encoding/json"
	"slices"
	"strings"
)

// maxRest is the largest number of slots of a rest: meanwhile others act, so there may be something to do again.
const maxRest = 4

// worthDoing keeps the offers that were not refused lately and, by the rules of the prompt, are worth a slot; rest is
// what to do if there are none.
func worthDoing(offers []offer, refused map[string]bool) (some []offer, rest offer) {
	rest = offer{name: "nop", params: json.RawMessage("{}")}
	for i := range offers {
		if o := &offers[i]; o.name == "rest" {
			rest = *o
		}
	}
	rest.shorten()
	return slices.DeleteFunc(offers, func(o offer) bool {
		return o.name == "rest" || o.name == "nop" || refused[o.name] || o.worth() <= rest.priority
	}), rest
}

// worth is priority × success × the factors of an offer.
func (o *offer) worth() float64 {
	p, n := 1.0, 0.0
	for name, v := range o.factors {
		if name != "worth" {
			p, n = p*v, n+1
		}
	}
	if n > 1 { // many factors near 1 say little against it
		p += (1 - p) * (1 - 1/n) * p
	}
	if v, ok := o.factors["worth"]; ok {
		p *= 2 * v
	}
	return o.priority * o.success * p / o.ticks
}

// weigh reads factors: their names, each with a number behind it.
func weigh(factors map[string]float64, part string) {
	words := strings.Fields(part)
	for i := 0; i+1 < len(words); i += 2 {
		switch words[i] {
		case "worth", "need", "know", "peer", "fresh", "commit", "cost", "norm":
			factors[words[i]] = number(words[i+1])
		}
	}
}

// shorten makes a rest no longer than patience.
func (o *offer) shorten() {
	var p struct {
		Slots uint64 `json:"slots"`
	}
	if o.name != "rest" || json.Unmarshal(o.params, &p) != nil || p.Slots <= maxRest {
		return
	}
	p.Slots = maxRest
	o.params, _ = json.Marshal(p)
}
