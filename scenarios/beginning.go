package scenarios

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Known is a fact that agents of a group know from the start.
type Known struct {
	Label      string   `key:"label" need:"yes" range:"1..200" doc:"Name of the fact; other facts refer to it. If it is a tag of entries, such as starlark, the fact is recalled with them."`
	Content    string   `key:"content" need:"yes" range:"1..2000" doc:"What is known."`
	Confidence float64  `key:"confidence" default:"0.8" range:"0..1" doc:"How sure the agent is of it."`
	Source     Source   `key:"source" default:"experience" doc:"Where the agent learned it."`
	RelatesTo  []string `key:"relates_to" range:"0..16" doc:"Labels of other facts of this list."`
}

// Source is where knowledge came from; the ordinal is that of memory.KnowledgeSource.
type Source uint8

// Values of [Source].
const (
	SourceOracle Source = iota + 1
	SourceExperience
	SourceInference
	SourcePeer
)

func (Source) EnumNames() []string {
	return []string{"oracle", "experience", "inference", "peer_communication"}
}
func (v Source) String() string { return v.EnumNames()[v-1] }

// Relation is the trust of the agents of a group in others.
type Relation struct {
	Agent        AgentRef `key:"agent" need:"yes" doc:"The trusted agent: a number in spawn order, or a name; the name of a group means all of its members. An agent has no relation to itself."`
	Trust        float64  `key:"trust" need:"yes" range:"0..1" doc:"The share of interactions that went well, rounded to a whole number of them. It fades like all trust until the two interact."`
	Interactions uint64   `key:"interactions" default:"10" range:"1..1000" doc:"Number of interactions before the world began."`
}

// maxRelations is the largest number of agents to whom the relations of a group may refer: as many as an agent can
// model (memory.PeerMax), so that none of them is forgotten at the start.
const maxRelations = 150

// Successes returns how many of the interactions went well.
func (r *Relation) Successes() uint64 {
	return uint64(math.Round(float64(r.Trust * float64(r.Interactions))))
}

// Balances returns the initial balances in ⚡ in spawn order, nil if all agents have mint.initial_balance.
func (s *Scenario) Balances() []uint64 {
	var out []uint64
	stated := false
	for i := range s.Population {
		g := &s.Population[i]
		have := s.Mint.InitialBalance
		if g.Balance >= 0 {
			have, stated = uint64(g.Balance), true
		}
		for range g.Count {
			out = append(out, have)
		}
	}
	if !stated {
		return nil
	}
	return out
}

// checkGroup checks what the agents of a group begin with.
func (d *checker) checkGroup(i int) {
	path := fmt.Sprintf("population[%d]", i)
	if d.valid(path + ".knowledge") {
		d.checkKnowledge(i)
	}
	if d.valid(path + ".relations") {
		d.checkRelations(i)
	}
	d.checkGoals(i)
}

// checkKnowledge checks that facts have different labels, refer to each other, and have room.
func (d *checker) checkKnowledge(i int) {
	s := d.s
	g, path := &s.Population[i], fmt.Sprintf("population[%d]", i)
	labels := map[string]string{}
	for k := range g.Knowledge {
		at := fmt.Sprintf("%s.knowledge[%d].label", path, k)
		if first, ok := labels[g.Knowledge[k].Label]; ok {
			d.fail(d.at(at), at, fmt.Sprintf("repeats the label %q", g.Knowledge[k].Label), "want each label once"+d.files.lineOfFirst(d.at(first)))
		}
		labels[g.Knowledge[k].Label] = at
	}
	if n := len(g.Knowledge); uint64(n) >= s.Memory.Nodes && d.valid("memory.nodes") {
		d.fail(d.at(path+".knowledge"), path+".knowledge", fmt.Sprintf("has %d facts", n), fmt.Sprintf("want fewer than memory.nodes, %d", s.Memory.Nodes))
	}
	for k := range g.Knowledge {
		for j, to := range g.Knowledge[k].RelatesTo {
			at := fmt.Sprintf("%s.knowledge[%d].relates_to[%d]", path, k, j)
			if labels[to] == "" || to == g.Knowledge[k].Label {
				d.fail(d.at(at), at, fmt.Sprintf("is %q, which is not the label of another fact in this list", to), "want the label of one")
			}
		}
	}
}

// checkGoals checks the goals that agents of a group have from the start, one by one and together.
func (d *checker) checkGoals(i int) {
	s := d.s
	g, path := &s.Population[i], fmt.Sprintf("population[%d]", i)
	room := map[Layer]uint64{LayerAspiration: s.Goals.Aspirations, LayerObjective: s.Goals.Objectives, LayerTask: s.Goals.Tasks}
	for k := range g.Goals {
		at := fmt.Sprintf("%s.goals[%d]", path, k)
		goal := &g.Goals[k]
		d.checkGoal(goal, at, 0)
		if !d.valid(at) || !d.valid("goals") {
			continue
		}
		if slices.ContainsFunc(g.Goals[:k], func(o StartGoal) bool {
			return o.Kind == goal.Kind && (o.Text == goal.Text && o.Subject == goal.Subject || goal.Subject != "" && o.Subject == goal.Subject)
		}) {
			d.fail(d.at(at), at, "repeats an earlier goal of this list", "remove one of the two")
		}
		if room[goal.Layer] == 0 {
			d.fail(d.at(at), at, fmt.Sprintf("exceeds the capacity of the layer %s", goal.Layer), fmt.Sprintf("remove goals of this layer, or raise goals.%ss", goal.Layer))
			continue
		}
		room[goal.Layer]--
	}
}

// checkRelations refuses relations to agents that do not exist, several relations to one agent, and more than maxRelations.
func (d *checker) checkRelations(i int) {
	g, path := &d.s.Population[i], fmt.Sprintf("population[%d].relations", i)
	if !d.populationValid() {
		d.skipped = d.skipped || len(g.Relations) > 0
		return
	}
	s := d.s
	first := map[uint64]string{}
	for k := range g.Relations {
		at := fmt.Sprintf("%s[%d].agent", path, k)
		d.checkAgent(g.Relations[k].Agent, at)
		if alone := s.members(i); len(alone) == 1 && slices.Equal(s.AgentsNamed(g.Relations[k].Agent), alone) {
			d.fail(d.at(at), at, fmt.Sprintf("is %s, the agent itself", g.Relations[k].Agent), "want another agent")
		}
		for _, n := range s.AgentsNamed(g.Relations[k].Agent) {
			if other, ok := first[n]; ok {
				_, line, _ := d.files.position(d.at(other))
				d.fail(d.at(at), at, fmt.Sprintf("is %s, to whom an earlier relation of this list applies", g.Relations[k].Agent), fmt.Sprintf("want one relation to each agent; the earlier one is in line %d", line))
				break
			}
			first[n] = at
		}
	}
	others := len(first)
	if !slices.ContainsFunc(s.members(i), func(n uint64) bool { return first[n] == "" }) {
		others-- // each member is one of those named
	}
	if others > maxRelations {
		d.fail(d.at(path), path, fmt.Sprintf("names %d other agents", others), fmt.Sprintf("want at most %d, as many as an agent can model", maxRelations))
	}
}

// Trusted returns the relations of the agents of a group, ascending by the number of the other agent. It includes
// those of the members to each other. Entries of a member to itself must be ignored.
func (s *Scenario) Trusted(g *Group) []Relation {
	var out []Relation
	for _, r := range g.Relations {
		for _, n := range s.AgentsNamed(r.Agent) {
			one := r
			one.Agent = AgentRef(fmt.Sprint(n))
			out = append(out, one)
		}
	}
	slices.SortStableFunc(out, func(a, b Relation) int { return cmp.Compare(s.AgentsNamed(a.Agent)[0], s.AgentsNamed(b.Agent)[0]) })
	return out
}

// members returns the numbers of the agents of a group, in spawn order.
func (s *Scenario) members(group int) []uint64 {
	before := uint64(0)
	for i := range group {
		before += s.Population[i].Count
	}
	out := make([]uint64, s.Population[group].Count)
	for n := range out {
		out[n] = before + uint64(n) + 1
	}
	return out
}
