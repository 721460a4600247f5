package oracle

import (
	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// maxNamed is how many contributors and verifiers an entry names.
const maxNamed = 32

// votes holds the verdicts on the newest judged version of each entry, with their sums, so
// that one more costs the same however many there are.
type votes struct {
	*world.Chain[Verification]
	tallies map[wire.Hash]*tally // by entry
}

// tally is the verdicts on one version of an entry: a new version has none yet.
type tally struct {
	version uint32
	given   map[wire.AgentID]struct{}
	sum     uint64         // of what they are worth, in tenths, times weight
	weights uint64         // of who gave them
	plain   uint64         // of what they are worth
	agree   []wire.AgentID // the first who gave ACCURATE, in order; only ever appended to
}

func newVotes(s *world.State) *votes {
	m := &votes{tallies: map[wire.Hash]*tally{}}
	m.Chain = world.NewChain(s, "verifications", verificationCodec, func(_ uint64, v *Verification) { m.cast(v) })
	return m
}

// tenths is what a verdict is worth, in tenths.
var tenths = [...]uint64{
	wire.VerdictAccurate:          10,
	wire.VerdictPartiallyAccurate: 5,
	wire.VerdictOutdated:          3,
	wire.VerdictInaccurate:        0,
}

// cast counts a verdict, in place of all those on an older version.
func (m *votes) cast(v *Verification) {
	t := m.tallies[v.EntryID]
	if t == nil || t.version != v.Version {
		t = &tally{version: v.Version, given: map[wire.AgentID]struct{}{}, agree: []wire.AgentID{}}
		m.tallies[v.EntryID] = t
	}
	t.given[v.Verifier] = struct{}{}
	t.sum += tenths[v.Verdict] * v.Weight
	t.weights += v.Weight
	t.plain += tenths[v.Verdict]
	if v.Verdict == wire.VerdictAccurate && len(t.agree) < maxNamed {
		t.agree = append(t.agree, v.Verifier)
	}
}

// judged says whether a verifier gave its verdict on a version of an entry.
func (m *votes) judged(entry wire.Hash, version uint32, verifier wire.AgentID) bool {
	t := m.tallies[entry]
	if t == nil || t.version != version {
		return false
	}
	_, ok := t.given[verifier]
	return ok
}

// accuracy is the mean verdict weighted by reputation, or the plain mean while nobody who
// judged has any.
func (t *tally) accuracy() float64 {
	if t.weights == 0 {
		return det.Quantise(float64(t.plain) / float64(10*len(t.given)))
	}
	return det.Quantise(float64(t.sum) / float64(10*t.weights))
}
