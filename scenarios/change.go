package scenarios

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Change is a change of a scenario's minds or prompts from a cycle on. Up to then the run is bit for bit that of the
// scenario without it.
type Change struct {
	Cycle uint64   `key:"cycle" need:"yes" range:"1..1000000" doc:"First cycle with the change."`
	Set   []string `key:"set" need:"yes" range:"1..64" doc:"The changed values, each path=value as for --set: paths under minds (except minds.caps) and prompts (the text itself, not a file), and mind and persona of a group of population."`
}

// changeable matches the paths that a change may set. Rules of the world and its initial state cannot change.
var changeable = regexp.MustCompile(`^(minds\.(scripted|models|tiers|blind)\b|prompts\.|population\[\d+\]\.(mind|persona)$)`)

// Phases returns the scenario with the values from cycle 1 on, and from each of its changes on. They differ only in
// values that a change may set.
func (s *Scenario) Phases() []Phase {
	out := []Phase{{From: 1, Scenario: s}}
	for i, next := range s.changed {
		out = append(out, Phase{From: s.Changes[i].Cycle, Scenario: next})
	}
	return out
}

// In returns the scenario with the values that hold in a cycle.
func (s *Scenario) In(cycle uint64) *Scenario {
	now := s
	for _, ph := range s.Phases()[1:] {
		if ph.From <= cycle {
			now = ph.Scenario
		}
	}
	return now
}

// Phase is a scenario with the values that hold from a cycle on.
type Phase struct {
	From     uint64
	Scenario *Scenario
}

// checkChanges checks the changes and computes the scenario after each of them. What is wrong without a change, or after
// an earlier one, is told once.
func (d *checker) checkChanges() {
	s := d.s
	if len(s.Changes) == 0 {
		return
	}
	told := map[string]bool{}
	for _, p := range d.problems {
		told[p.Field+" "+p.Wrong] = true
	}
	now := clone(s.root, map[*yaml.Node]*yaml.Node{}, s.files)
	remove(now.node, changesKey)
	for i := range s.Changes {
		c, path := &s.Changes[i], fmt.Sprintf("%s[%d]", changesKey, i)
		if !d.valid(path) {
			continue
		}
		if i > 0 && c.Cycle <= s.Changes[i-1].Cycle && d.valid(fmt.Sprintf("%s[%d]", changesKey, i-1)) {
			d.fail(d.at(path+".cycle"), path+".cycle", fmt.Sprintf("is %d, not after the cycle of the change before, %d", c.Cycle, s.Changes[i-1].Cycle), "want one change for a cycle, in the order of the cycles")
		}
		for j, set := range c.Set {
			at := fmt.Sprintf("%s.set[%d]", path, j)
			if p := applyChange(now, set); p != nil {
				d.fail(d.at(at), at, fmt.Sprintf("is %q%s", set, p.Wrong), p.Right)
			}
		}
		next, err := decode(now.node, now.files)
		if wrong := (*Error)(nil); errors.As(err, &wrong) {
			for _, p := range wrong.Problems {
				if what := p.Field + " " + p.Wrong; !told[what] {
					told[what] = true
					d.fail(d.at(path+".set"), path+".set", "makes the scenario invalid: "+what, p.Right)
				}
			}
		}
		s.changed = append(s.changed, next)
		now = clone(now.node, map[*yaml.Node]*yaml.Node{}, now.files)
	}
}

// applyChange applies one assignment of a change.
func applyChange(now yamlTree, set string) *Problem {
	path, value, found := strings.Cut(set, "=")
	if found && !changeable.MatchString(path) {
		return &Problem{
			Wrong: ", which cannot change while a run goes on",
			Right: "want a path under minds.scripted, minds.models, minds.tiers, minds.blind or prompts, or mind or persona of a group; what the world keeps is changed by inputs (do: param, grant, take, goal …)",
		}
	}
	if n, err := parseValue(value); err == nil && strings.HasPrefix(path, "prompts.") && n.Value != "" && !isTemplate(n.Value) {
		return &Problem{Wrong: ", which names a file", Right: "want the text itself, with a line break or {{ in it"}
	}
	p := assign(now, set)
	switch {
	case p != nil && p.Field != "":
		p.Wrong = ": " + p.Field + ": " + p.Wrong
	case p != nil:
		p.Wrong = ", which " + p.Wrong
	}
	return p
}

// remove removes a key from a mapping.
func remove(n *yaml.Node, key string) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			n.Content = append(n.Content[:i:i], n.Content[i+2:]...)
			return
		}
	}
}
