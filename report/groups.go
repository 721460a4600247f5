package report

import (
	"math"
	"slices"

	"kingdom/society"
)

// Group is some of the agents of a run, such as an item of its population, with what they did together.
type Group struct {
	Name    string
	Members int
	Figures []float64 // in the order of society.GroupCatalogue; NaN: none

	Balances   []float64 // mean ⚡ at the end of each cycle from 0 on; NaN while none of them lives
	Productive []float64 // productive acts per member in each cycle
}

// groupRow is a group of an arm in the table.
type groupRow struct {
	Arm     int
	Name    string
	Members string // how many; of several runs the mean
	Cells   []groupCell
}

// groupCell is the mean of a figure.
type groupCell struct {
	Text  string
	SD    string // over the runs; "": there are not two
	Seeds string // as in [cell]
}

// Grouped reports whether some arm has agents of several groups.
func (r *Report) Grouped() bool {
	return slices.ContainsFunc(r.Arms, func(a Arm) bool { return len(a.groups()) > 1 })
}

// GroupMeasures returns the figures of groups.
func (r *Report) GroupMeasures() []society.GroupMeasure { return society.GroupCatalogue() }

// GroupRows returns the table of groups.
func (r *Report) GroupRows() (out []groupRow) {
	for i := range r.Arms {
		a := &r.Arms[i]
		for _, name := range a.groups() {
			row := groupRow{Arm: i, Name: name, Cells: make([]groupCell, len(society.GroupCatalogue()))}
			members, _ := society.MeanSD(a.ofGroup(name, func(g *Group) float64 { return float64(g.Members) }))
			row.Members = number(members)
			for k := range row.Cells {
				xs := a.ofGroup(name, func(g *Group) float64 { return g.Figures[k] })
				mean, sd := society.MeanSD(xs)
				row.Cells[k].Text, row.Cells[k].Seeds = number(mean), fewerSeeds(len(xs), len(a.Runs))
				if !math.IsNaN(sd) {
					row.Cells[k].SD = number(sd)
				}
			}
			out = append(out, row)
		}
	}
	return out
}

// groups returns the names of the groups of an arm, in the order in which its runs have them.
func (a *Arm) groups() (names []string) {
	for i := range a.Runs {
		for k := range a.Runs[i].Groups {
			if name := a.Runs[i].Groups[k].Name; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// group returns a group of a run; nil if the run has none of that name.
func (r *Run) group(name string) *Group {
	if i := slices.IndexFunc(r.Groups, func(g Group) bool { return g.Name == name }); i >= 0 {
		return &r.Groups[i]
	}
	return nil
}

// ofGroup returns a value of a group in each run that has it, without NaN.
func (a *Arm) ofGroup(name string, of func(*Group) float64) (xs []float64) {
	for i := range a.Runs {
		if g := a.Runs[i].group(name); g != nil {
			if x := of(g); !math.IsNaN(x) {
				xs = append(xs, x)
			}
		}
	}
	return xs
}

// GroupNames returns the names of the groups whose lines GroupCharts draws; nil if it draws none.
func (r *Report) GroupNames() []string {
	if len(r.Arms) != 1 {
		return nil // there would be too many lines
	}
	names := r.Arms[0].groups()
	if len(names) < 2 || len(names) > MaxArms {
		return nil
	}
	return names
}

// groupSeries are the charts with a line for each group.
var groupSeries = []struct {
	series
	of func(g *Group) []float64
}{
	{series{title: "Mean balance", unit: "⚡, by group"}, func(g *Group) []float64 { return g.Balances }},
	{series{title: "Productive acts", unit: "per agent in the cycle, by group"}, func(g *Group) []float64 { return g.Productive }},
}

// GroupCharts returns charts with a line for each group of the only arm, if their colours can be told apart.
func (r *Report) GroupCharts() (out []chart) {
	names := r.GroupNames()
	if names == nil {
		return nil
	}
	a := &r.Arms[0]
	for i := range groupSeries {
		s := &groupSeries[i]
		var spreads []spread
		for _, name := range names {
			spreads = append(spreads, a.spread(func(run *Run) []float64 {
				if g := run.group(name); g != nil {
					return s.of(g)
				}
				return nil
			}))
		}
		if c, x, any := s.draw(spreads, slices.Repeat([]bool{len(a.Runs) > 1}, len(names))); any {
			c.Marks = a.marks(0, x)
			out = append(out, c)
		}
	}
	return out
}
