package scenarios

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"kingdom/llm"
)

// askedModels returns the models that think for somebody, at the start or after a change, with the least that their
// longest answer may cost in US dollars. A call reserves that much of each cap, and its prompt besides.
func (s *Scenario) askedModels() map[string]*float64 {
	asked := map[string]*float64{}
	for _, ph := range s.Phases() {
		for _, tiers := range ph.Scenario.AllModels() {
			for _, tier := range tiers {
				for _, name := range tier {
					m := ph.Scenario.Model(name)
					if m == nil {
						continue
					}
					if usd := float64(m.MaxOutput) * m.PriceOutput / 1e6; asked[name] == nil || usd < *asked[name] {
						asked[name] = &usd
					}
				}
			}
		}
	}
	return asked
}

// caps warns of caps where no model is asked, and of those that the answer of one call may exceed.
func (w *warner) caps(asked map[string]*float64) {
	d, s := w.d, w.s
	least := func(names []string) (usd float64, any bool) {
		for _, name := range names {
			if a := asked[name]; a != nil && (!any || *a < usd) {
				usd, any = *a, true
			}
		}
		return usd, any
	}
	check := func(path string, limit float64, models []string) {
		if limit < 0 {
			return
		}
		switch usd, any := least(models); {
		case !any && len(asked) == 0:
			d.fail(d.at(path), path, "limits calls to models, and none is asked", "it has no effect; give a group a model (docs/MINDS.md)")
		case any && usd > limit:
			d.fail(d.at(path), path, fmt.Sprintf("is %s, and the longest answer of one call may cost %s", dollars(limit), dollars(usd)), "every call will be refused; raise the cap, or lower max_output of the model")
		}
	}
	all := slices.Collect(maps.Keys(asked))
	c := &s.Minds.Caps
	check("minds.caps.run_usd", c.Run, all)
	check("minds.caps.agent_usd", c.Agent, all)
	for _, m := range c.Model {
		check("minds.caps.model_usd."+m.Name, m.USD, []string{m.Name})
	}
	for i, usd := range c.Tier.All() {
		check(fmt.Sprintf("minds.caps.tier_usd.%d", i+1), usd, all)
	}
}

// dollars formats an amount as it is everywhere, rounded up to a millionth.
func dollars(usd float64) string { return llm.USD(uint64(math.Ceil(usd*1e6 - 1e-6))) }
