package memory

import (
	"slices"
	"strconv"

	"kingdom/wire"
)

// eraCycles is how many cycles are counted together where a measure is about a time: what changes over time is
// news again in each of them.
const eraCycles = 5

// Era reports whether a measure is about a period of cycles.
func (m Measure) Era() bool { return m >= MeasureEraVerdicts && m <= MeasureEraChannel }

// eraOf is the first cycle of the era that a cycle lies in. Cycle 0 is the bootstrap and lies in the first.
func eraOf(c wire.Cycle) wire.Cycle { return (max(c, 1)-1)/eraCycles*eraCycles + 1 }

// EraEnd returns the last cycle of the period that contains c.
func EraEnd(c wire.Cycle) wire.Cycle { return eraOf(c) + eraCycles - 1 }

// SameEra reports whether two cycles are in the same period of five cycles.
func SameEra(a, b wire.Cycle) bool { return eraOf(a) == eraOf(b) }

// LastEra reports whether a finding is about the period of five cycles before the one that contains c.
func LastEra(f *Finding, c wire.Cycle) bool {
	return f.Measure.Era() && eraOf(f.At)+eraCycles == eraOf(c)
}

// AppendEra appends the subject of measures about the period of five cycles that contains c, such as "cycles 6 to
// 10".
func AppendEra(dst []byte, c wire.Cycle) []byte {
	first := uint64(eraOf(c))
	dst = strconv.AppendUint(append(dst, "cycles "...), first, 10)
	return strconv.AppendUint(append(dst, " to "...), first+eraCycles-1, 10)
}

// EndEras forgets counts of periods that are long over, unless an entry of the agent states them.
func (l *Findings) EndEras(now wire.Cycle) {
	const kept = 2 * eraCycles // beyond the era itself
	*l = slices.DeleteFunc(*l, func(f Finding) bool { return f.Measure.Era() && !f.Own && eraOf(f.At)+kept < eraOf(now) })
}
