package goals

import "kingdom/wire"

// Measure is the unit in which the progress of a goal is counted.
type Measure uint8

// Values of [Measure].
const (
	// MeasureNone: one act or one event completes the goal; there is nothing to count.
	MeasureNone Measure = iota
	MeasureSpark
	MeasureReputation
	MeasureHelped      // answers and reviews given to agents of lower reputation
	MeasureAccurate    // own entries that others found accurate
	MeasureVerifiers   // agents who found the best own API or PATTERN entry accurate
	MeasureAccuracy    // of the best own SPECIFICATION entry
	MeasureExperiences // sorts of acts that were never done before
	MeasureActs        // of a goal that somebody set
)

var measureNames = []string{
	"", "Spark", "reputation", "agents helped", "entries found accurate", "verifiers of one entry", "accuracy", "new experiences", "acts",
}

// String returns what is counted, in words; "" for [MeasureNone].
func (m Measure) String() string { return measureNames[m] }

// Progress is how far a goal is from completion.
type Progress struct {
	Have, Want float64
	Unit       Measure
}

// Progress returns how far a living goal is, in the numbers that decide its completion.
func (a *Appraisal) Progress(g *Goal) Progress {
	r := &g.Record
	switch g.Kind() {
	case KindEarn:
		return Progress{float64(a.Balance), earnTarget, MeasureSpark}
	case KindImproveReputation:
		return Progress{a.Reputation, min(reputationTarget, r.Reputation+reputationGain), MeasureReputation}
	case KindMentor:
		return Progress{float64(r.Progress), mentorTarget, MeasureHelped}
	case KindRaiseCoverage:
		return Progress{float64(r.Progress), coverageTarget, MeasureAccurate}
	case KindTryNovel:
		return Progress{float64(r.Progress), novelTarget, MeasureExperiences}
	case KindExplore:
		return Progress{0, 1, MeasureExperiences}
	case KindBuildLibrary:
		return Progress{a.best(g, libraryVerifiers, func(w *Work) float64 {
			if w.Kind == wire.EntryKindAPI || w.Kind == wire.EntryKindPattern {
				return float64(w.Accurate)
			}
			return 0
		}), libraryVerifiers, MeasureVerifiers}
	case KindDesignSystem:
		return Progress{a.best(g, designAccuracy, func(w *Work) float64 {
			if w.Kind == wire.EntryKindSpecification && w.Verdicts >= designVerdicts {
				return w.Accuracy
			}
			return 0
		}), designAccuracy, MeasureAccuracy}
	case KindOwn, KindOperator:
		return a.predicateProgress(g)
	default:
		return Progress{}
	}
}

// predicateProgress measures a goal by its stated predicate.
func (a *Appraisal) predicateProgress(g *Goal) Progress {
	p, ok := g.predicate()
	switch {
	case !ok:
		return Progress{}
	case p.Quantity == PredicateBalance:
		return Progress{float64(a.Balance), p.Min, MeasureSpark}
	case p.Quantity == PredicateReputation:
		return Progress{a.Reputation, p.Min, MeasureReputation}
	}
	return Progress{float64(g.Record.Progress), p.Min, MeasureActs}
}

// best is the highest worth among the own entries since a goal was set, at most what is wanted.
func (a *Appraisal) best(g *Goal, want float64, worth func(*Work) float64) (most float64) {
	works := a.Learning.Works
	for i := range works {
		if works[i].At >= g.CreatedAt {
			most = max(most, worth(&works[i]))
		}
	}
	return min(most, want)
}
