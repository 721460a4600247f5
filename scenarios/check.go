package scenarios

import (
	"fmt"
	"reflect"

	"kingdom/wire/action"
)

// checker finds what is wrong with values together, or with what a value names, once all of them have been read.
type checker struct {
	*findings
	s *Scenario
}

// check checks what concerns more than one value. It skips values that were already found wrong, and everything that
// depends on them.
func (d *checker) check() {
	s := d.s
	d.localProblems = len(d.problems)
	if d.valid("time.base_budget") && d.valid("time.ticks_per_cycle") && s.Time.BaseBudget > s.Time.TicksPerCycle {
		d.fail(d.at("time.base_budget"), "time.base_budget", fmt.Sprintf("is %d", s.Time.BaseBudget),
			fmt.Sprintf("want at most time.ticks_per_cycle, %d", s.Time.TicksPerCycle))
	}
	if n := s.Agents(); n > maxAgents && d.populationValid() {
		d.fail(d.at("population"), "population", fmt.Sprintf("has %d agents", n), fmt.Sprintf("want at most %d", maxAgents))
	}
	for i := range s.Population {
		path := fmt.Sprintf("population[%d]", i)
		s.Population[i].Traits.check(d, path+".traits")
		d.checkName(s.Population[i].Name, path+".name")
	}
	if d.populationValid() {
		d.checkNames()
	}
	for i := range s.Population {
		d.checkGroup(i)
	}
	for i := range s.Inputs {
		d.checkInput(i)
	}
	d.checkMinds()
	d.checkAdversaries()
	d.checkPrompts()
	d.checkPortal()
	for i, name := range s.Minds.Scripted.RefuseActions {
		if _, ok := action.ByName(name); !ok && name != "" {
			d.unknownAction(name, fmt.Sprintf("minds.scripted.refuse_actions[%d]", i))
		}
	}
	d.checkOnce(s.Minds.Scripted.RefuseActions, "minds.scripted.refuse_actions")
	d.checkChanges()
}

// check checks the traits, which stand at a path.
func (t *Traits) check(d *checker, path string) {
	for j, trait := range t.all() {
		if at := path + "." + traitKeys[j]; d.valid(at) {
			d.checkTrait(trait, at)
		}
	}
}

// checkTrait refuses keys that the chosen distribution does not read.
func (d *checker) checkTrait(t *Trait, path string) {
	for _, f := range fieldsOf(reflect.TypeFor[Trait]())[1:] {
		at := join(path, f.key)
		if n := d.nodes[at]; n != nil && !t.uses(f.key) {
			d.fail(n, at, fmt.Sprintf("has no meaning for dist %s", t.Dist), "remove it or change dist")
		}
	}
	if t.uses("min") && t.Min > t.Max {
		d.fail(d.at(path), path, fmt.Sprintf("has min %g above max %g", t.Min, t.Max), "want min at most max")
	}
}

func (d *checker) unknownAction(name, path string) {
	var names []string
	for _, r := range action.All() {
		names = append(names, r.Name)
	}
	right := "kingdom actions lists them"
	if near := Nearest(name, names); near != "" {
		right = fmt.Sprintf("did you mean %s? %s", near, right)
	}
	d.fail(d.nodes[path], path, fmt.Sprintf("is %q, which is not an action", name), right)
}
