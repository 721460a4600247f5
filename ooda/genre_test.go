package ooda

import (
	"testing"

	"kingdom/memory"
	"kingdom/wire"
)

// TestKindFor: an entry is of the kind that was planned if what it states suits that, else of the kind made for it, else a FAQ. Looks back on
// a time are postmortems, whatever they look at.
func TestKindFor(t *testing.T) {
	for _, c := range []struct {
		m       memory.Measure
		planned wire.EntryKind
		want    wire.EntryKind
	}{
		{memory.MeasureEraVerdicts, wire.EntryKindPostmortem, wire.EntryKindPostmortem},
		{memory.MeasureEraField, wire.EntryKindGlossary, wire.EntryKindPostmortem},
		{memory.MeasureEraChannel, wire.EntryKindTutorial, wire.EntryKindPostmortem},
		{memory.MeasureEraPay, wire.EntryKindSpecification, wire.EntryKindPostmortem},
		{memory.MeasureEraPay, wire.EntryKindFAQ, wire.EntryKindFAQ},
		{memory.MeasureKeeps, wire.EntryKindPostmortem, wire.EntryKindPostmortem},
		{memory.MeasureReward, wire.EntryKindPostmortem, wire.EntryKindGlossary},
		{memory.MeasureReward, wire.EntryKindSpecification, wire.EntryKindSpecification},
		{memory.MeasurePattern, wire.EntryKindPostmortem, wire.EntryKindPattern},
		{memory.MeasurePattern, wire.EntryKindTutorial, wire.EntryKindTutorial},
		{memory.MeasureSteps, wire.EntryKindPattern, wire.EntryKindBenchmark},
		{memory.MeasureVersed, wire.EntryKindTutorial, wire.EntryKindIndex},
		{memory.MeasureJudge, wire.EntryKindPostmortem, wire.EntryKindFAQ},
	} {
		if got := kindFor(&memory.Finding{Measure: c.m}, c.planned); got != c.want {
			t.Errorf("%s, planned as %v: %v, want %v", c.m.Title([]byte("X")), c.planned, got, c.want)
		}
	}
	for m, want := range map[memory.Measure]bool{memory.MeasureEraVerdicts: true, memory.MeasureEnds: true, memory.MeasureReward: false} {
		if got := suits(&memory.Finding{Measure: m}, wire.EntryKindPostmortem); got != want {
			t.Errorf("%s in a postmortem: %v", m.Title([]byte("X")), got)
		}
	}
}
