package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// AgentRef names agents of the initial population: one by its number in spawn order, from 1, or by
// its name, or all of a group by the group's name.
type AgentRef string

// nameOf returns the name of a member of a group, counted from 1; "" where the group has none. In a
// group of more than one, a dash and the member's number follow the group's name.
func (g *Group) nameOf(member uint64) string { return memberName(g.Name, g.Count, member) }

// NameOf returns the name of an agent that the input spawns, counted from 1; "" where it gives none.
func (in *Input) NameOf(member uint64) string { return in.Newcomers().nameOf(member) }

func memberName(name string, count, member uint64) string {
	if name == "" || count == 1 {
		return name
	}
	return name + "-" + strconv.FormatUint(member, 10)
}

// AgentNames returns the names of the initial population in spawn order, "" for agents without one.
func (s *Scenario) AgentNames() []string {
	out := make([]string, 0, s.Agents())
	for i := range s.Population {
		g := &s.Population[i]
		for n := range g.Count {
			out = append(out, g.nameOf(n+1))
		}
	}
	return out
}

// AgentsNamed returns the agents that w means by their number in spawn order, from 1; nil if there is no such agent.
func (s *Scenario) AgentsNamed(w AgentRef) []uint64 {
	if n, err := strconv.ParseUint(string(w), 10, 64); err == nil {
		if n == 0 || n > s.Agents() {
			return nil
		}
		return []uint64{n}
	}
	before := uint64(0) // agents of the groups before
	for i := range s.Population {
		g := &s.Population[i]
		if g.Name != "" && g.Name == string(w) {
			out := make([]uint64, g.Count)
			for n := range out {
				out[n] = before + uint64(n) + 1
			}
			return out
		}
		if member, ok := strings.CutPrefix(string(w), g.Name+"-"); ok && g.Name != "" && g.Count > 1 {
			if n, err := strconv.ParseUint(member, 10, 64); err == nil && n >= 1 && n <= g.Count && g.nameOf(n) == string(w) {
				return []uint64{before + n}
			}
		}
		before += g.Count
	}
	return nil
}

// who decodes a number or a name.
func (d *decoder) who(n *yaml.Node, tag string) (w string, ok bool) {
	if tag == "!!str" {
		return n.Value, n.Value == "" || isAgentName(n.Value)
	}
	x, ok := whole(tag, n.Value)
	return n.Value, ok && x >= 1 && x <= maxAgents
}

// checkAgent refuses a reference to an agent that is not in the population.
func (d *checker) checkAgent(w AgentRef, path string) {
	s := d.s
	if !d.populationValid() {
		d.skipped = true
		return
	}
	if !d.valid(path) || s.AgentsNamed(w) != nil {
		return
	}
	if w == "" {
		d.missing(path, fmt.Sprintf("want the number of an agent in spawn order, from 1 to %d, or a name of population", s.Agents()))
		return
	}
	total := s.Agents()
	right := fmt.Sprintf("want at most %d, the agents of population", total)
	wrong := "is " + string(w)
	if _, err := strconv.ParseUint(string(w), 10, 64); err != nil {
		wrong = fmt.Sprintf("is the text %q, which names nobody", w)
		right = fmt.Sprintf("want a name of population, or a number from 1 to %d", total)
		if i := slices.IndexFunc(s.Inputs, func(in Input) bool {
			return in.Name != "" && (in.Name == string(w) || strings.HasPrefix(string(w), in.Name+"-"))
		}); i >= 0 {
			wrong = fmt.Sprintf("is the text %q, which inputs[%d] gives to agents that do not exist when the run begins", w, i)
		}
		if near := Nearest(string(w), s.allNames()); near != "" {
			right = fmt.Sprintf("did you mean %s? %s", near, right)
		}
	}
	d.fail(d.at(path), path, wrong, right)
}

// allNames returns the names of groups and of their members; of large groups only the first few.
func (s *Scenario) allNames() (out []string) {
	for i := range s.Population {
		g := &s.Population[i]
		if g.Name == "" {
			continue
		}
		out = append(out, g.Name)
		for n := range min(g.Count, 64) {
			out = append(out, g.nameOf(n+1))
		}
	}
	return out
}

// NewcomersGroup is what commands call the agents that are spawned later without a name.
const NewcomersGroup = "newcomers"

// EveryAgent is what kingdom interview calls all agents of a run.
const EveryAgent = "all"

// checkName refuses a name of agents that looks like a number, an alias or an id, or that commands give to others.
func (d *checker) checkName(name, path string) {
	if name == NewcomersGroup && d.valid(path) {
		d.fail(d.at(path), path, fmt.Sprintf("is the text %q", name),
			"want another name: kingdom society and the report call the agents so that are spawned later without a name")
	}
	if name == EveryAgent && d.valid(path) {
		d.fail(d.at(path), path, fmt.Sprintf("is the text %q", name), "want another name: kingdom interview --agent all asks each agent of a run")
	}
	if name != "" && !isAgentName(name) && d.valid(path) {
		d.fail(d.at(path), path, fmt.Sprintf("is the text %q", name),
			"want lower-case letters, digits, '-' and '_', a letter first, and not 8 or 64 digits of 0-9 and a-f, which would be an alias or id")
	}
}

// checkNames refuses names that two agents, or an agent and a group, would share.
func (d *checker) checkNames() {
	first := map[string]string{} // path of the group whose name or whose member's name it is
	for i := range d.s.Population {
		g := &d.s.Population[i]
		d.checkUnique(first, fmt.Sprintf("population[%d].name", i), g.Name, g.Count)
	}
	for i := range d.s.Inputs {
		if in := &d.s.Inputs[i]; in.Do == DoSpawn {
			d.checkUnique(first, fmt.Sprintf("inputs[%d].name", i), in.Name, in.Count)
		}
	}
}

// checkUnique refuses the name of so many agents if one of them has that of another. first has the path of each name so far.
func (d *checker) checkUnique(first map[string]string, path, group string, count uint64) {
	if group == "" || !isAgentName(group) {
		return
	}
	names := []string{group}
	for n := range count {
		if name := memberName(group, count, n+1); name != group {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if other, ok := first[name]; ok {
			wrong := fmt.Sprintf("is the text %q", group)
			if name != group {
				wrong += fmt.Sprintf(", which names a member %q", name)
			}
			d.fail(d.at(path), path, wrong+" as "+other+" does", "want names that no other agent or group has"+d.files.lineOfFirst(d.at(other)))
			return
		}
		first[name] = path
	}
}

// isAgentName reports whether a name cannot be mistaken for a number, alias or id.
func isAgentName(s string) bool {
	hex := strings.Trim(s, "0123456789abcdef") == "" && (len(s) == 8 || len(s) == 64)
	return isName(s) && !hex
}
