package oracle

import (
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// maxNamed is how many contributors and verifiers an entry names.
const maxNamed = 32

// votes holds the verdicts on the newest judged version of each entry, and their sums, so that the cost of a new
// verdict does not depend on their number.
type votes struct {
	*world.Chain[Verification]
	ids     *idNumbers
	people  *world.Numbering[wire.AgentID]
	tallies world.Slab[tally]
	tallyOf []uint32 // by number of the entry: number + 1 of its tally, 0 for none
}

// tally holds the verdicts on one version of an entry; a new version starts without verdicts.
type tally struct {
	sum     uint64   // Σ tenths · weight
	weights uint64   // Σ weight of the verifiers
	by      []uint32 // verifiers: by[:agree] are the first who gave ACCURATE, in order; by[agree:] are all others, ascending
	version uint32
	agree   uint8            // at most maxNamed
	last    [verdicts]uint32 // by verdict: number + 1 of the last verifier that gave it, whom nobody has confirmed yet; 0: nobody gave it
}

func newVotes(s *world.State, ids *idNumbers, people *world.Numbering[wire.AgentID]) *votes {
	m := &votes{ids: ids, people: people}
	m.Chain = world.NewChain(s, "verifications", verificationCodec, func(_ uint64, v *Verification) { m.cast(v) })
	return m
}

// verdicts is how many different verdicts there are, with the zero value.
const verdicts = len(tenths)

// tenths is the accuracy that a verdict stands for, in tenths.
var tenths = [...]uint64{
	wire.VerdictAccurate:          10,
	wire.VerdictPartiallyAccurate: 5,
	wire.VerdictOutdated:          3,
	wire.VerdictInaccurate:        0,
}

// cast counts a verdict. The first verdict on a new version replaces those on the older one.
func (m *votes) cast(v *Verification) {
	entry := m.ids.assign(v.EntryID)
	for uint32(len(m.tallyOf)) <= entry {
		m.tallyOf = append(m.tallyOf, 0)
	}
	if m.tallyOf[entry] == 0 {
		m.tallyOf[entry] = m.tallies.Add(tally{}) + 1
	}
	t := m.tallies.At(m.tallyOf[entry] - 1)
	if t.version != v.Version {
		*t = tally{version: v.Version}
	}
	t.weights += v.Weight
	t.sum += tenths[v.Verdict] * v.Weight
	n := m.people.Assign(v.Verifier)
	t.last[v.Verdict] = n + 1
	if v.Verdict == wire.VerdictAccurate && t.agree < maxNamed {
		t.insert(int(t.agree), n)
		t.agree++
	} else {
		at, _ := slices.BinarySearch(t.by[t.agree:], n)
		t.insert(int(t.agree)+at, n)
	}
}

// insert adds a verifier at index at. The list grows by a quarter only, because there are many short ones.
func (t *tally) insert(at int, n uint32) {
	if len(t.by) == cap(t.by) {
		t.by = append(make([]uint32, 0, len(t.by)+1+len(t.by)/4), t.by...)
	}
	t.by = slices.Insert(t.by, at, n)
}

// has reports whether a verifier gave one of the verdicts.
func (t *tally) has(n uint32) bool {
	if slices.Contains(t.by[:t.agree], n) {
		return true
	}
	_, ok := slices.BinarySearch(t.by[t.agree:], n)
	return ok
}

// judged reports whether a verifier gave a verdict on a version of an entry. It must be the newest version, because
// verdicts on older ones are not kept.
func (m *votes) judged(entry wire.Hash, version uint32, verifier wire.AgentID) bool {
	e, named := m.ids.find(entry)
	a, known := m.people.Find(verifier)
	if !named || !known || int(e) >= len(m.tallyOf) || m.tallyOf[e] == 0 {
		return false
	}
	t := m.tallies.At(m.tallyOf[e] - 1)
	return t.version == version && t.has(a)
}

// agreed appends the first maxNamed verifiers that found the newest judged version of an entry accurate, in order.
func (m *votes) agreed(dst []wire.AgentID, entry uint32) []wire.AgentID {
	t := m.tallies.At(m.tallyOf[entry] - 1)
	for _, n := range t.by[:t.agree] {
		dst = append(dst, m.people.Key(n))
	}
	return dst
}

// tally returns the tally of an entry, which must have one.
func (m *votes) tally(entry wire.Hash) *tally {
	n, _ := m.ids.find(entry)
	return m.tallies.At(m.tallyOf[n] - 1)
}

// unconfirmed returns the last verifier that gave a verdict on a version of an entry, which the next one that gives the same
// confirms; ok is false if there is none.
func (m *votes) unconfirmed(entry wire.Hash, version uint32, v wire.Verdict) (verifier wire.AgentID, ok bool) {
	e, named := m.ids.find(entry)
	if !named || int(e) >= len(m.tallyOf) || m.tallyOf[e] == 0 {
		return verifier, false
	}
	t := m.tallies.At(m.tallyOf[e] - 1)
	if t.version != version || t.last[v] == 0 {
		return verifier, false
	}
	return m.people.Key(t.last[v] - 1), true
}

// accuracy returns the mean verdict weighted by reputation.
func (t *tally) accuracy() float64 {
	return det.Quantise(float64(t.sum) / float64(10*t.weights))
}
