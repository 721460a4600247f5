package oracle

import (
	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// vote is the newest verdict of one verifier on one entry.
type vote struct {
	verifier wire.AgentID
	version  uint32
	verdict  wire.Verdict
	weight   uint64
}

// votes holds the verdicts that count, with their sums, so that one more costs the same
// however many there are.
type votes struct {
	*world.Chain[Verification]
	tallies map[wire.Hash]*tally // by entry
	places  map[ballot]int       // in the tally of the entry
}

// ballot is what a verifier has one of per entry.
type ballot struct {
	entry    wire.Hash
	verifier wire.AgentID
}

// tally is the verdicts on one entry.
type tally struct {
	list    []vote         // in order of the verifier's first one
	sum     uint64         // of what they are worth, in tenths, times weight
	weights uint64         // of who gave them
	plain   uint64         // of what they are worth
	agree   []wire.AgentID // who gave ACCURATE, in order of list; only ever appended to, or new
}

func newVotes(s *world.State) *votes {
	m := &votes{tallies: map[wire.Hash]*tally{}, places: map[ballot]int{}}
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

// cast counts a verdict in place of the verifier's former one.
func (m *votes) cast(v *Verification) {
	n := vote{verifier: v.Verifier, version: v.Version, verdict: v.Verdict, weight: v.Weight}
	t := m.tallies[v.EntryID]
	if t == nil {
		t = &tally{agree: []wire.AgentID{}}
		m.tallies[v.EntryID] = t
	}
	t.sum += tenths[n.verdict] * n.weight
	t.weights += n.weight
	t.plain += tenths[n.verdict]
	at, again := m.places[ballot{v.EntryID, v.Verifier}]
	if !again {
		m.places[ballot{v.EntryID, v.Verifier}] = len(t.list)
		t.list = append(t.list, n)
		if n.verdict == wire.VerdictAccurate {
			t.agree = append(t.agree, n.verifier)
		}
		return
	}
	old := t.list[at]
	t.list[at] = n
	t.sum -= tenths[old.verdict] * old.weight
	t.weights -= old.weight
	t.plain -= tenths[old.verdict]
	if (old.verdict == wire.VerdictAccurate) != (n.verdict == wire.VerdictAccurate) {
		t.recount()
	}
}

// recount lists anew who finds the entry accurate: somebody changed their mind.
func (t *tally) recount() {
	t.agree = []wire.AgentID{}
	for i := range t.list {
		if t.list[i].verdict == wire.VerdictAccurate {
			t.agree = append(t.agree, t.list[i].verifier)
		}
	}
}

// of is the verdict of a verifier on an entry that counts, or nil; read-only.
func (m *votes) of(entry wire.Hash, verifier wire.AgentID) *vote {
	if at, ok := m.places[ballot{entry, verifier}]; ok {
		return &m.tallies[entry].list[at]
	}
	return nil
}

// accuracy is the mean verdict weighted by reputation, or the plain mean while nobody who
// judged has any.
func (t *tally) accuracy() float64 {
	if t.weights == 0 {
		return det.Quantise(float64(t.plain) / float64(10*len(t.list)))
	}
	return det.Quantise(float64(t.sum) / float64(10*t.weights))
}
