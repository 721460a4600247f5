package report

import (
	"slices"
	"testing"
)

// A chart marks each cycle once, at the cycle's place on its axis, and no cycle that it does not show.
func TestMarks(t *testing.T) {
	a := Arm{
		Fork:    &Fork{Of: "control", Cycle: 2},
		Planned: []Planned{{Cycle: 1, What: "set x=1"}, {Cycle: 4, What: "{do: wake, agent: 1}", Refused: []string{"not_dormant"}}, {Cycle: 9, What: "{do: kill, agent: 2}"}},
		Runs:    []Run{{Cycle: 5, Outside: []Outside{{Cycle: 4, Input: "{do: take}"}, {Cycle: 2, Input: "{do: grant}"}}}},
	}
	want := []mark{{3, "10.0", "cycle 1: set x=1"}, {3, "20.0", "cycle 2: the last in common with control; {do: grant}"}, {3, "40.0", "cycle 4: {do: wake, agent: 1} (refused: not_dormant); {do: take}"}}
	if got := a.marks(3, scale{0, 5, 0, 50}); !slices.Equal(got, want) {
		t.Errorf("marks %v; want %v", got, want)
	}
	if got := a.marks(3, scale{2, 5, 0, 30}); len(got) != 2 || got[0].At != "0.0" {
		t.Errorf("an axis from cycle 2 on has the marks %v; want those of the cycles 2 and 4", got)
	}
	if later := (&Report{Arms: []Arm{{Planned: []Planned{{Cycle: 6, What: "x"}}, Runs: []Run{{Cycle: 5}}}}}); later.Marked() {
		t.Error("a page says that it marks a cycle that was not reached")
	}
}

// The sentence about a fork has what comes after the common cycles, and not all of a long plan.
func TestAfterFork(t *testing.T) {
	a := Arm{Fork: &Fork{Cycle: 3}}
	for c := range uint64(10) {
		a.Planned = append(a.Planned, Planned{Cycle: c})
	}
	if got := a.AfterFork(); len(got.Shown) != 5 || got.Shown[0].Cycle != 4 || got.More != 1 {
		t.Errorf("%+v; want the cycles 4 to 8 and one more", got)
	}
}

// What all scenarios say they are for is said once.
func TestDescriptions(t *testing.T) {
	r := Report{Arms: []Arm{{Name: "a", Description: "x"}, {Name: "b", Description: "x"}}}
	if got := r.Descriptions(); !slices.Equal(got, []described{{Text: "x"}}) {
		t.Errorf("the same: %+v", got)
	}
	r.Arms[0].Description = ""
	if got := r.Descriptions(); !slices.Equal(got, []described{{1, "b", "x"}}) {
		t.Errorf("one has none: %+v", got)
	}
	r.Arms[1].Description = ""
	if got := r.Descriptions(); len(got) != 0 {
		t.Errorf("none: %+v", got)
	}
}
