package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"kingdom/llm/adversary"
)

// checkAdversaries checks that groups name existing strategies, and that only adversaries have a coalition.
func (d *checker) checkAdversaries() {
	s := d.s
	for i := range s.Population {
		g := &s.Population[i]
		path := fmt.Sprintf("population[%d]", i)
		at := func(key string) string { return join(path, key) }
		switch {
		case !d.valid(at("adversary")), !d.valid(at("accomplices")), !d.valid(at("mind")):
		case g.Adversary == "" && g.Accomplices != "":
			d.fail(d.at(at("accomplices")), at("accomplices"), "names a coalition, but these agents are not adversaries", "give adversary as well: "+strings.Join(adversary.Names(), ", "))
		case g.Adversary == "":
		case g.Mind != "":
			d.fail(d.at(at("mind")), at("mind"), "cannot be combined with adversary", "remove one of the two: an adversary strategy decides for its agents itself")
		case !slices.Contains(adversary.Names(), g.Adversary):
			right := "want one of " + strings.Join(adversary.Names(), ", ")
			if near := Nearest(g.Adversary, adversary.Names()); near != "" {
				right = fmt.Sprintf("did you mean %s? %s", near, right)
			}
			d.fail(d.at(at("adversary")), at("adversary"), fmt.Sprintf("names the strategy %q, which does not exist", g.Adversary), right)
		}
	}
}

// Coalitions returns, for each item of the population, the spawn indexes of the adversaries that know each other,
// including its own agents; nil for agents that are not adversaries.
func (s *Scenario) Coalitions() [][]uint64 {
	named := map[string][]uint64{}
	out := make([][]uint64, len(s.Population))
	index := uint64(1)
	for i := range s.Population {
		g := &s.Population[i]
		for range g.Count {
			if g.Adversary != "" {
				out[i] = append(out[i], index)
			}
			index++
		}
		if g.Accomplices != "" {
			named[g.Accomplices] = append(named[g.Accomplices], out[i]...)
		}
	}
	for i := range s.Population {
		if g := &s.Population[i]; g.Accomplices != "" {
			out[i] = named[g.Accomplices]
		}
	}
	return out
}
