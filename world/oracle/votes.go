package oracle

import (
	"kingdom/det"
	"kingdom/wire"
)

// vote is the newest verdict of one verifier on one entry.
type vote struct {
	verifier wire.AgentID
	version  uint32
	verdict  wire.Verdict
	weight   uint64
}

// votes holds the verdicts that count, by entry, in order of the verifier's first one.
type votes map[wire.Hash][]vote

// cast counts a verdict in place of the verifier's former one.
func (m votes) cast(v *Verification) {
	n := vote{verifier: v.Verifier, version: v.Version, verdict: v.Verdict, weight: v.Weight}
	if old := m.of(v.EntryID, v.Verifier); old != nil {
		*old = n
		return
	}
	m[v.EntryID] = append(m[v.EntryID], n)
}

func (m votes) of(entry wire.Hash, verifier wire.AgentID) *vote {
	for i := range m[entry] {
		if v := &m[entry][i]; v.verifier == verifier {
			return v
		}
	}
	return nil
}

// tenths is what a verdict is worth, in tenths.
var tenths = [...]uint64{
	wire.VerdictAccurate:          10,
	wire.VerdictPartiallyAccurate: 5,
	wire.VerdictOutdated:          3,
	wire.VerdictInaccurate:        0,
}

// accuracy is the mean verdict weighted by reputation, or the plain mean while nobody who
// judged has any.
func (m votes) accuracy(entry wire.Hash) float64 {
	var sum, weights, plain uint64
	for _, v := range m[entry] {
		sum += tenths[v.verdict] * v.weight
		weights += v.weight
		plain += tenths[v.verdict]
	}
	switch {
	case len(m[entry]) == 0:
		return 0
	case weights == 0:
		return det.Quantise(float64(plain) / float64(10*len(m[entry])))
	}
	return det.Quantise(float64(sum) / float64(10*weights))
}

// accurate lists who finds the entry accurate.
func (m votes) accurate(entry wire.Hash) []wire.AgentID {
	out := []wire.AgentID{}
	for _, v := range m[entry] {
		if v.verdict == wire.VerdictAccurate {
			out = append(out, v.verifier)
		}
	}
	return out
}
