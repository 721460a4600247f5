package oracle

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// plainCount is the definition: the verdicts on the newest version of those judged count.
func plainCount(cast []*Verification) (accuracy float64, agree []wire.AgentID) {
	newest := cast[len(cast)-1].Version
	var sum, weights uint64
	for _, v := range cast {
		if v.Version != newest {
			continue
		}
		sum += tenths[v.Verdict] * v.Weight
		weights += v.Weight
		if v.Verdict == wire.VerdictAccurate && len(agree) < maxNamed {
			agree = append(agree, v.Verifier)
		}
	}
	return det.Quantise(float64(sum) / float64(10*weights)), agree
}

// lastSame is the last verdict that says the same of the same version; nil if there is none.
func lastSame(cast []*Verification, as *Verification) *Verification {
	for _, v := range slices.Backward(cast) {
		if v.Version == as.Version && v.Verdict == as.Verdict {
			return v
		}
	}
	return nil
}

func TestProperty_VotesEqualPlainCount(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		names := newIDNumbers()
		m, version := newVotes(world.NewState(wire.SystemOracle), names, &world.Numbering[wire.AgentID]{}), uint32(1)
		var cast []*Verification
		for i := range rapid.IntRange(1, 80).Draw(rt, "verdicts") {
			if rapid.IntRange(0, 60).Draw(rt, "update") == 0 {
				version++
			}
			v := &Verification{
				EntryID: wire.Hash{7}, Verifier: id(i), Version: version,
				Verdict: wire.Verdict(rapid.IntRange(1, 4).Draw(rt, "verdict")),
				Weight:  uint64(rapid.SampledFrom([]int{1, 1, 2, 1 << 19, 1 << 20}).Draw(rt, "weight")),
			}
			if m.judged(v.EntryID, version, v.Verifier) {
				rt.Fatal("judged before its verdict")
			}
			by, confirms := m.unconfirmed(v.EntryID, version, v.Verdict)
			if last := lastSame(cast, v); confirms != (last != nil) || confirms && by != last.Verifier {
				rt.Fatalf("after %d verdicts: confirms %v %v, want %v", i, by, confirms, last)
			}
			m.cast(v)
			cast = append(cast, v)
			tally := m.tally(v.EntryID)
			accuracy, agree := plainCount(cast)
			if named := m.agreed(nil, names.assign(v.EntryID)); tally.accuracy() != accuracy || !slices.Equal(named, agree) {
				rt.Fatalf("after %d verdicts: %v %v, want %v %v", i+1, tally.accuracy(), named, accuracy, agree)
			}
			if !m.judged(v.EntryID, version, v.Verifier) || m.judged(v.EntryID, version+1, v.Verifier) {
				rt.Fatal("a verdict counts for its version alone")
			}
			for _, w := range cast {
				if m.judged(w.EntryID, version, w.Verifier) != (w.Version == version) {
					rt.Fatal("an older verdict is forgotten, or one on an older version counts")
				}
			}
		}
	})
}
