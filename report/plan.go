package report

import (
	"cmp"
	"fmt"
	"slices"
)

// Descriptions returns the arms that have a description, or only the first if all have the same.
func (r *Report) Descriptions() (out []described) {
	same := true
	for i := range r.Arms {
		same = same && r.Arms[i].Description == r.Arms[0].Description
		if text := r.Arms[i].Description; text != "" {
			out = append(out, described{i, r.Arms[i].Name, text})
		}
	}
	if same && len(out) > 0 {
		out = []described{{Text: out[0].Text}}
	}
	return out
}

// described is an arm with its description; without Name it is that of all arms.
type described struct {
	Arm        int
	Name, Text string
}

// PlansSomething reports whether the scenario of some arm plans something.
func (r *Report) PlansSomething() bool {
	return slices.ContainsFunc(r.Arms, func(a Arm) bool { return len(a.Planned) > 0 })
}

// Last returns the last cycle that a run of the arm has reached.
func (a *Arm) Last() (last uint64) {
	for i := range a.Runs {
		last = max(last, a.Runs[i].Cycle)
	}
	return last
}

// shownAfterFork is how many changes the sentence about a fork names.
const shownAfterFork = 5

// AfterFork returns what a fork's scenario plans after the cycles that it has in common with its parent, and how many more
// there are than are returned.
func (a *Arm) AfterFork() (p afterFork) {
	for _, x := range a.Planned {
		switch {
		case x.Cycle <= a.Fork.Cycle:
		case len(p.Shown) < shownAfterFork:
			p.Shown = append(p.Shown, x)
		default:
			p.More++
		}
	}
	return p
}

type afterFork struct {
	Shown []Planned
	More  int
}

// event is a cycle of an arm in which something came from outside.
type event struct {
	cycle uint64
	text  string
}

// events returns the cycles of inputs and changes, and the last cycle that a fork has in common with its parent, by cycle;
// each cycle is there once.
func (a *Arm) events() (out []event) {
	add := func(cycle uint64, text string) {
		if i := slices.IndexFunc(out, func(e event) bool { return e.cycle == cycle }); i >= 0 {
			out[i].text += "; " + text
			return
		}
		out = append(out, event{cycle, fmt.Sprintf("cycle %d: %s", cycle, text)})
	}
	if a.Fork != nil {
		add(a.Fork.Cycle, "the last in common with "+a.Fork.Of)
	}
	for _, p := range a.Planned {
		text := p.What
		if no := p.RefusedText(len(a.Runs)); no != "" {
			text += " (" + no + ")"
		}
		add(p.Cycle, text)
	}
	for i := range a.Runs {
		for _, o := range a.Runs[i].Outside {
			add(o.Cycle, o.Input)
		}
	}
	slices.SortFunc(out, func(a, b event) int { return cmp.Compare(a.cycle, b.cycle) })
	return out
}

// mark is a cycle of an arm that a chart marks by a vertical line.
type mark struct {
	Arm  int
	At   string
	Text string
}

// marks returns the events of an arm that lie on an axis of cycles.
func (a *Arm) marks(arm int, x scale) (out []mark) {
	for _, e := range a.events() {
		if c := float64(e.cycle); x.low <= c && c <= x.high {
			out = append(out, mark{arm, coordinate(x.at(c)), e.text})
		}
	}
	return out
}

// Marked reports whether some chart has a mark.
func (r *Report) Marked() bool {
	return slices.ContainsFunc(r.Arms, func(a Arm) bool {
		events := a.events()
		return len(events) > 0 && events[0].cycle <= a.Last()
	})
}

// Forked reports whether some run is a fork.
func (r *Report) Forked() bool {
	return slices.ContainsFunc(r.Arms, func(a Arm) bool { return a.Fork != nil })
}
