package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kingdom/goals"
	"kingdom/llm"
)

// Warnings returns values without effect, in file order: a goal in free text, knowledge, or a persona, for agents whose
// mind does not read, a goal that is reached as soon as the world begins, prompts where no model thinks, models that nobody asks, caps that no call fits in, inputs that the
// world will refuse, inputs and changes after the last cycle, settings that only count together with another one, and those of
// the scripted mind where it thinks for nobody.
func (s *Scenario) Warnings() []Problem { return s.warnings }

// findWarnings returns the warnings.
func (d *checker) findWarnings() []Problem {
	s := d.s
	from := len(d.problems)
	var personas, knowledge unread
	for i := range s.Population {
		g, path := &s.Population[i], fmt.Sprintf("population[%d]", i)
		given, read := false, false
		for _, ph := range s.Phases() {
			then := &ph.Scenario.Population[i]
			given, read = given || then.Persona != "", read || ph.Scenario.ModelsOf(then).Any()
		}
		if given && !read {
			personas.add(path, g.Name)
		}
		if s.ModelsOf(g).Any() {
			continue
		}
		if len(g.Knowledge) > 0 {
			knowledge.add(path, g.Name)
		}
		for k := range g.Goals {
			if g.Goals[k].Kind == GoalOperator && g.Goals[k].Domain == DomainUsual {
				d.warnFreeText(fmt.Sprintf("%s.goals[%d]", path, k))
			}
		}
	}
	personas.warn(d, "persona")
	knowledge.warn(d, "knowledge")
	for i := range s.Inputs {
		in := &s.Inputs[i]
		if in.Do == DoGoal && in.Kind == GoalOperator && in.Domain == DomainUsual && !s.allHaveModels(in.Agent) {
			d.warnFreeText(fmt.Sprintf("inputs[%d]", i))
		}
		if in.Do == DoSpawn {
			d.warnOfNewcomers(i)
		}
	}
	w := &warner{d.findings, s}
	w.unseenPersonas()
	w.reached()
	w.late()
	w.fullWorld()
	w.killed()
	w.incomplete()
	w.unheard()
	asked := s.askedModels()
	for i := range s.Minds.Models {
		if m := &s.Minds.Models[i]; asked[m.Name] == nil {
			path := join("minds.models", m.Name)
			d.fail(d.at(path), path, "is asked by no agent", "name it in minds.tiers (1, 2 and 3) or as the mind of a group; until then others think")
		}
	}
	w.caps(asked)
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

// unread are the groups that have a value which only language models read, and no model.
type unread struct{ paths, names []string }

// add adds a group; it is named by its path if it has no name.
func (u *unread) add(path, name string) {
	u.paths, u.names = append(u.paths, path), append(u.names, cmp.Or(name, path))
}

// warn warns once of the value of all of these groups.
func (u *unread) warn(d *checker, key string) {
	if len(u.paths) == 0 {
		return
	}
	who, right := "these agents", "it has no effect; give the group a model (docs/MINDS.md)"
	if last := len(u.names) - 1; last > 0 {
		who = "the groups " + strings.Join(u.names[:last], ", ") + " and " + u.names[last]
		right = "it has no effect in any of them; give the groups a model (docs/MINDS.md)"
	}
	path := u.paths[0] + "." + key
	d.fail(d.at(path), path, "is read by language models only, and none thinks for "+who, right)
}

// unseenPersonas warns of personas that stand in no prompt, because the scenario's own identity template leaves them out.
func (w *warner) unseenPersonas() {
	for _, ph := range w.s.Phases() {
		s := ph.Scenario
		if s.Prompts.Identity == "" || slices.ContainsFunc(s.Prompts.all(), func(text *string) bool { return strings.Contains(*text, "Persona") }) {
			continue
		}
		path := ""
		for i := range s.Population {
			if g := &s.Population[i]; path == "" && g.Persona != "" && s.ModelsOf(g).Any() {
				path = fmt.Sprintf("population[%d].persona", i)
			}
		}
		for i := range s.Inputs {
			if in := &s.Inputs[i]; path == "" && in.Do == DoSpawn && in.Persona != "" && s.ModelsOf(in.Newcomers()).Any() {
				path = fmt.Sprintf("inputs[%d].persona", i)
			}
		}
		if path != "" {
			w.d.fail(w.d.at(path), path, "stands in no prompt: the scenario's own template prompts.identity leaves it out", "it has no effect; write {{.Me.Persona}} where it is to stand")
			return
		}
	}
}

func (d *checker) warnFreeText(path string) {
	d.fail(d.at(path+".text"), path+".text", "is free text, which the scripted mind does not read", "give the goal a kind or a domain too (docs/SCENARIOS.md, goals)")
}

// prompted reports whether there is a template of a prompt, and whether a model thinks that is asked with it, at the
// start or after a change.
func (s *Scenario) prompted() (given, read bool) {
	for _, ph := range s.Phases() {
		for _, text := range ph.Scenario.Prompts.all() {
			given = given || *text != ""
		}
		read = read || slices.ContainsFunc(ph.Scenario.AllModels(), TierModels.Any)
	}
	return given, read
}

// warnOfNewcomers warns if the scripted mind thinks for agents that an input spawns, and nothing says that this is meant.
func (d *checker) warnOfNewcomers(i int) {
	s, in, path := d.s, &d.s.Inputs[i], fmt.Sprintf("inputs[%d]", i)
	read := false
	for _, ph := range s.Phases() {
		read = read || ph.Scenario.ModelsOf(in.Newcomers()).Any()
	}
	switch {
	case read:
	case in.Persona != "":
		d.fail(d.at(path+".persona"), path+".persona", "is read by no model", "name a model as the mind of the newcomers, or leave the persona out")
	case in.Mind == "" && slices.ContainsFunc(s.AllModels(), TierModels.Any):
		d.fail(d.at(path+".do"), path+".do", "spawns agents for which the scripted mind thinks", "name a model as their mind, or in minds.tiers; mind: scripted says that this is meant")
	}
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
		if !s.ModelsOf(of[n]).Any() {
			return false
		}
	}
	return true
}

// warner finds values that concern more than one setting and are without effect.
type warner struct {
	d *findings
	s *Scenario
}

// reached warns of goals that agents have reached before they do anything, because they begin with enough money.
func (w *warner) reached() {
	for i := range w.s.Population {
		g := &w.s.Population[i]
		have, balanceKey := int64(w.s.Mint.InitialBalance), "mint.initial_balance"
		if g.Balance >= 0 {
			have, balanceKey = g.Balance, fmt.Sprintf("population[%d].balance", i)
		}
		for k := range g.Goals {
			if d := g.Goals[k].Description(); d.ReachedAtBirth(have) {
				path, right := fmt.Sprintf("population[%d].goals[%d].predicate", i, k), "ask for more"
				if g.Goals[k].Kind == GoalEarn {
					path, right = fmt.Sprintf("population[%d].goals[%d].kind", i, k), "take the kind operator with a predicate such as "+goals.Predicate{Quantity: goals.PredicateBalance, Min: float64(2 * have)}.String()
				}
				w.d.fail(w.d.at(path), path, fmt.Sprintf("is reached at once, since these agents begin with %d ⚡", have), right+", or lower "+balanceKey)
			}
		}
	}
}

// late warns once of all inputs and changes after the last cycle. They are no error, since cycles only says when to stop: a
// scenario is tried with a few cycles first, and the run may be extended, which lets them take effect.
func (w *warner) late() {
	d, s := w.d, w.s
	var paths []string // of the late ones
	inputs, changes, last := uint64(0), uint64(0), uint64(0)
	note := func(of *uint64, list string, i int, cycle uint64) {
		if cycle > s.Cycles {
			*of++
			paths, last = append(paths, fmt.Sprintf("%s[%d].cycle", list, i)), max(last, cycle)
		}
	}
	for i := range s.Inputs {
		note(&inputs, inputsKey, i, s.Inputs[i].Cycle)
	}
	for i := range s.Changes {
		note(&changes, changesKey, i, s.Changes[i].Cycle)
	}
	if len(paths) == 0 {
		return
	}
	what := llm.Count(inputs, "input")
	switch {
	case inputs == 0:
		what = llm.Count(changes, "change")
	case changes > 0:
		what += " and " + llm.Count(changes, "change")
	}
	wrong, right := "%s are for cycles after the last one, %d, and have no effect", "they take effect in a run of %d cycles (cycles: %d, or --cycles %d)"
	if len(paths) == 1 {
		wrong, right = "%s is for a cycle after the last one, %d, and has no effect", "it takes effect in a run of %d cycles (cycles: %d, or --cycles %d)"
	}
	d.fail(d.at(paths[0]), paths[0], fmt.Sprintf(wrong, what, s.Cycles), fmt.Sprintf(right, last, last, last))
}

// fullWorld warns of newcomers for whom there is no room in epoch 0 even if nobody is proposed.
func (w *warner) fullWorld() {
	d, s := w.d, w.s
	if s.Epoch != 0 || s.reached != 0 {
		return
	}
	agents := s.Agents()
	for i := range s.Inputs {
		in, path := &s.Inputs[i], fmt.Sprintf("inputs[%d].do", i)
		if in.Do != DoSpawn {
			continue
		}
		switch agents += in.Count; {
		case s.Spawn.Cap == 0:
			d.fail(d.at(path), path, "finds no room in epoch 0, where spawn.cap keeps the population at its initial size",
				fmt.Sprintf("unless agents have died or a later epoch has begun, the newcomers are refused; set spawn.cap, such as to %d", s.Agents()+in.Count))
		case agents > s.Spawn.Cap:
			d.fail(d.at(path), path, fmt.Sprintf("makes %d agents in epoch 0, where spawn.cap is %d", agents, s.Spawn.Cap),
				fmt.Sprintf("unless agents have died or a later epoch has begun, newcomers are refused; set spawn.cap to %d", agents))
		}
	}
}

// killed warns of inputs for agents that an input of an earlier cycle kills.
func (w *warner) killed() {
	d, s := w.d, w.s
	killed := map[uint64]int{} // the input that kills an agent first
	for i := range s.Inputs {
		if in := &s.Inputs[i]; in.Do == DoKill {
			for _, n := range s.AgentsNamed(in.Agent) {
				if first, ok := killed[n]; !ok || in.Cycle < s.Inputs[first].Cycle {
					killed[n] = i
				}
			}
		}
	}
	for i := range s.Inputs {
		in := &s.Inputs[i]
		for _, n := range s.AgentsNamed(in.Agent) {
			if by, ok := killed[n]; ok && s.Inputs[by].Cycle < in.Cycle {
				path := fmt.Sprintf("inputs[%d].agent", i)
				d.fail(d.at(path), path, fmt.Sprintf("is agent %d, which inputs[%d] kills in cycle %d", n, by, s.Inputs[by].Cycle), "the dead get nothing and never wake; choose an earlier cycle, or put the agent to sleep (do: sleep)")
				break
			}
		}
	}
}

// incomplete warns of values that count only together with another one.
func (w *warner) incomplete() {
	d, s := w.d, w.s
	const bursts, latency = "minds.scripted.failure_bursts", "minds.scripted.latency"
	switch b := s.Minds.Scripted.FailureBursts; {
	case b.EveryCycles > 0 && b.LengthSlots == 0:
		d.fail(d.at(bursts+".every_cycles"), bursts+".every_cycles", "has no effect without length_slots", "set length_slots, the number of slots that fail, such as to 10")
	case b.LengthSlots > 0 && b.EveryCycles == 0:
		d.fail(d.at(bursts+".length_slots"), bursts+".length_slots", "has no effect without every_cycles", "set every_cycles, such as to 5")
	}
	switch l := s.Minds.Scripted.Latency; {
	case l.MedianMS > 0 && l.Distribution == SpreadNone:
		d.fail(d.at(latency+".median_ms"), latency+".median_ms", "has no effect with the distribution none", "set distribution to constant, uniform or lognormal")
	case l.MedianMS == 0 && l.Distribution != SpreadNone:
		d.fail(d.at(latency+".distribution"), latency+".distribution", "has no effect while median_ms is 0", "set median_ms, such as to 800")
	}
	if within := s.Mint.UpkeepWithinRewards; within != nil && *within && s.Mint.Upkeep == 0 {
		d.fail(d.at("mint.upkeep_within_rewards"), "mint.upkeep_within_rewards", "has no effect while upkeep is 0", "set mint.upkeep, such as to 1")
	}
	if room := s.Time.TicksPerCycle - s.Time.BaseBudget; d.nodes["time.max_extra"] != nil && s.Time.MaxExtra > room {
		d.fail(d.at("time.max_extra"), "time.max_extra", fmt.Sprintf("is %d, and a cycle has room for %d more slots", s.Time.MaxExtra, room), fmt.Sprintf("set it to %d, or lower time.base_budget", room))
	}
}

// unheard warns once of how the scripted mind is to think, where it thinks for nobody.
func (w *warner) unheard() {
	for _, ph := range w.s.Phases() {
		s := ph.Scenario
		if s.Think.OnOutage == OnOutageFallback || !TierModels(s.Minds.Tiers.All()).Any() { // which think for newcomers too
			return
		}
		for i := range s.Population {
			if g := &s.Population[i]; g.Adversary == "" && !s.ModelsOf(g).Any() {
				return
			}
		}
		for i := range s.Inputs {
			if in := &s.Inputs[i]; in.Do == DoSpawn && !s.ModelsOf(in.Newcomers()).Any() {
				return
			}
		}
	}
	const scripted = "minds.scripted."
	m := &w.s.Minds.Scripted
	for _, set := range []struct {
		key   string
		given bool
	}{
		{"malformed_rate", m.MalformedRate > 0},
		{"nop_rate", m.NOPRate > 0},
		{"refuse_actions", len(m.RefuseActions) > 0},
		{"failure_bursts", m.FailureBursts.EveryCycles > 0 && m.FailureBursts.LengthSlots > 0},
		{"latency", m.Latency.MedianMS > 0 && m.Latency.Distribution != SpreadNone},
	} {
		if set.given {
			w.d.fail(w.d.at(scripted+set.key), scripted+set.key, "is about the scripted mind, and models think for all agents", "it has no effect; leave it out, or give a group mind: scripted")
			return
		}
	}
}
