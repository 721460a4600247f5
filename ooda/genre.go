package ooda

import (
	"slices"

	"kingdom/memory"
	"kingdom/wire"
)

// genres lists what entries of a kind can state, where that is not everything that is counted.
var genres = map[wire.EntryKind][]memory.Measure{
	wire.EntryKindPattern:   {memory.MeasurePattern},
	wire.EntryKindBenchmark: {memory.MeasureSteps},
	wire.EntryKindIndex:     {memory.MeasureDependent, memory.MeasureVersed},
	wire.EntryKindPostmortem: {
		memory.MeasureEnds, memory.MeasureKeeps, memory.MeasureDelivers, memory.MeasureRefused, memory.MeasureSleeps,
	},
	wire.EntryKindGlossary: {
		memory.MeasureAsked, memory.MeasureLook, memory.MeasureGenre, memory.MeasureWelcome, memory.MeasureReward, memory.MeasureDemand, memory.MeasureField, memory.MeasureRefused,
	},
	wire.EntryKindSpecification: {
		memory.MeasureSteps, memory.MeasureDependent, memory.MeasureReward, memory.MeasureTaken, memory.MeasureEnds, memory.MeasureChannel,
		memory.MeasureRefused, memory.MeasureJudged, memory.MeasureSolved, memory.MeasureField, memory.MeasurePattern,
	},
}

// showsProgram reports whether entries of a kind show programs first of all.
func showsProgram(k wire.EntryKind) bool {
	return k == wire.EntryKindPattern || k == wire.EntryKindTutorial || k == wire.EntryKindAPI
}

// suits reports whether an entry of a kind can state a finding. A look back on a time is a postmortem, too. A FAQ answers any question; what is counted
// of agents stands there too.
func suits(f *memory.Finding, k wire.EntryKind) bool {
	if k == wire.EntryKindPostmortem && f.Measure.Era() {
		return true
	}
	if list, some := genres[k]; some {
		return slices.Contains(list, f.Measure)
	}
	return true
}

// kindFor is the kind of an entry that the agent writes of its own accord: the one that was planned if the
// finding suits it, else the kind made for it, else a FAQ.
func kindFor(f *memory.Finding, planned wire.EntryKind) wire.EntryKind {
	if showsProgram(planned) == (f.Measure == memory.MeasurePattern) && suits(f, planned) {
		return planned
	}
	for _, k := range [...]wire.EntryKind{wire.EntryKindPattern, wire.EntryKindBenchmark, wire.EntryKindIndex, wire.EntryKindPostmortem, wire.EntryKindGlossary} {
		if suits(f, k) {
			return k
		}
	}
	return wire.EntryKindFAQ
}
