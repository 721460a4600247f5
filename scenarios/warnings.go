package scenarios

import (
	"cmp"
	"fmt"
	"slices"
)

// Warnings returns values without effect, in file order: a goal in free text, knowledge, or a persona, for agents whose
// mind does not read, and prompts where no model thinks.
func (s *Scenario) Warnings() []Problem { return s.warnings }

// findWarnings returns the warnings.
func (d *decoder) findWarnings(s *Scenario) []Problem {
	from := len(d.problems)
	for i := range s.Population {
		g, path := &s.Population[i], fmt.Sprintf("population[%d]", i)
		given, read := false, false
		for _, ph := range s.Phases() {
			then := &ph.Scenario.Population[i]
			given, read = given || then.Persona != "", read || ph.Scenario.hasModel(then)
		}
		if given && !read {
			d.fail(d.at(path+".persona"), path+".persona", "is read by language models only, and none thinks for these agents", "it has no effect; give the group a model (docs/MINDS.md)")
		}
		if s.hasModel(g) {
			continue
		}
		if len(g.Knowledge) > 0 {
			d.fail(d.at(path+".knowledge"), path+".knowledge", "is read by language models only, and none thinks for these agents", "it has no effect; give the group a model (docs/MINDS.md)")
		}
		for k := range g.Goals {
			if g.Goals[k].Kind == GoalOperator && g.Goals[k].Domain == DomainUsual {
				d.warnFreeText(fmt.Sprintf("%s.goals[%d]", path, k))
			}
		}
	}
	for i := range s.Inputs {
		in := &s.Inputs[i]
		if in.Do == DoGoal && in.Kind == GoalOperator && in.Domain == DomainUsual && !s.allHaveModels(in.Agent) {
			d.warnFreeText(fmt.Sprintf("inputs[%d]", i))
		}
		if in.Do == DoSpawn && slices.ContainsFunc(s.Population, func(g Group) bool { return s.hasModel(&g) }) {
			path := fmt.Sprintf("inputs[%d].do", i)
			d.fail(d.at(path), path, "spawns agents for which the scripted mind thinks", "models think only for agents of population; give it more agents, kept asleep until then (do: sleep with for_cycles), if the newcomers should have models")
		}
		if in.Do == DoSpawn && s.Spawn.Cap == 0 && s.Epoch == 0 {
			path := fmt.Sprintf("inputs[%d].do", i)
			d.fail(d.at(path), path, "finds no room in epoch 0, where spawn.cap keeps the population at its initial size",
				fmt.Sprintf("unless agents have died or a later epoch has begun, the newcomers are refused; set spawn.cap, such as to %d", s.Agents()+in.Count))
		}
	}
	if given, read := s.prompted(); given && !read {
		d.fail(d.at("prompts"), "prompts", "are read by language models only, and none thinks for any agent", "they have no effect; give a group a model (docs/MINDS.md)")
	}
	warnings := slices.Clone(d.problems[from:])
	slices.SortStableFunc(warnings, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	d.problems = d.problems[:from]
	return warnings
}

func (d *decoder) warnFreeText(path string) {
	d.fail(d.at(path+".text"), path+".text", "is free text, which the scripted mind does not read", "give the goal a kind or a domain too (docs/SCENARIOS.md, goals)")
}

// prompted reports whether there is a template of a prompt, and whether a model thinks that is asked with it, at the
// start or after a change.
func (s *Scenario) prompted() (given, read bool) {
	for _, ph := range s.Phases() {
		for _, text := range ph.Scenario.Prompts.all() {
			given = given || *text != ""
		}
		for i := range ph.Scenario.Population {
			read = read || ph.Scenario.hasModel(&ph.Scenario.Population[i])
		}
	}
	return given, read
}

// hasModel reports whether language models think for a group.
func (s *Scenario) hasModel(g *Group) bool {
	if g.Adversary != "" {
		return false
	}
	for _, models := range s.ModelsOf(g) {
		if len(models) > 0 {
			return true
		}
	}
	return false
}

// allHaveModels reports whether language models think for all agents that w names.
func (s *Scenario) allHaveModels(w AgentRef) bool {
	of := map[uint64]*Group{}
	n := uint64(0)
	for i := range s.Population {
		for range s.Population[i].Count {
			n++
			of[n] = &s.Population[i]
		}
	}
	for _, n := range s.AgentsNamed(w) {
		if !s.hasModel(of[n]) {
			return false
		}
	}
	return true
}
