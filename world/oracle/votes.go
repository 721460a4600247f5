package oracle

import (
	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// maxNamed is how many contributors and verifiers an entry names.
const maxNamed = 32

// votes holds who judged which version of an entry, and the sums of the verdicts on the
// newest judged version of each, so that one more costs the same however many there are.
type votes struct {
	*world.Chain[Verification]
	names     *names
	verifiers world.Numbering[wire.AgentID]
	given     world.Slab[vote]
	byVote    *world.Index
	tallies   world.Slab[tally]
	of        []uint32 // by number of the entry: number + 1 of its tally, 0 for none
}

// vote says that a verifier judged a version of an entry.
type vote struct {
	entry    uint32 // number among names
	version  uint32
	verifier uint32 // number among verifiers
}

// key is what a vote is found by.
func (v vote) key() uint64 {
	return (uint64(v.entry)<<32 | uint64(v.verifier)) ^ uint64(v.version)*0xD6E8FEB86659FD93
}

// tally is the verdicts on one version of an entry: a new version has none yet.
type tally struct {
	version uint32
	count   uint32
	sum     uint64         // of what they are worth, in tenths, times weight
	weights uint64         // of who gave them
	plain   uint64         // of what they are worth
	agree   []wire.AgentID // the first who gave ACCURATE, in order; only ever appended to
}

func newVotes(s *world.State, n *names) *votes {
	m := &votes{names: n}
	m.byVote = world.NewIndex(func(n uint32) uint64 { return m.given.At(n).key() })
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
	entry := m.names.of(v.EntryID)
	for uint32(len(m.of)) <= entry {
		m.of = append(m.of, 0)
	}
	if m.of[entry] == 0 {
		m.of[entry] = m.tallies.Add(tally{}) + 1
	}
	t := m.tallies.At(m.of[entry] - 1)
	if t.version != v.Version {
		*t = tally{version: v.Version, agree: []wire.AgentID{}}
	}
	m.byVote.Add(m.given.Add(vote{entry: entry, version: v.Version, verifier: m.verifiers.Of(v.Verifier)}))
	t.count++
	t.sum += tenths[v.Verdict] * v.Weight
	t.weights += v.Weight
	t.plain += tenths[v.Verdict]
	if v.Verdict == wire.VerdictAccurate && len(t.agree) < maxNamed {
		t.agree = append(t.agree, v.Verifier)
	}
}

// judged says whether a verifier gave its verdict on a version of an entry.
func (m *votes) judged(entry wire.Hash, version uint32, verifier wire.AgentID) bool {
	e, named := m.names.find(entry)
	a, known := m.verifiers.Find(verifier)
	if !named || !known {
		return false
	}
	want := vote{entry: e, version: version, verifier: a}
	_, ok := m.byVote.Find(want.key(), func(n uint32) bool { return *m.given.At(n) == want })
	return ok
}

// tally is that of the newest judged version of an entry, which must have one.
func (m *votes) tally(entry wire.Hash) *tally {
	n, _ := m.names.find(entry)
	return m.tallies.At(m.of[n] - 1)
}

// accuracy is the mean verdict weighted by reputation, or the plain mean while nobody who
// judged has any.
func (t *tally) accuracy() float64 {
	if t.weights == 0 {
		return det.Quantise(float64(t.plain) / float64(10*t.count))
	}
	return det.Quantise(float64(t.sum) / float64(10*t.weights))
}
