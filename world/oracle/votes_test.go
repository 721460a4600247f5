package oracle

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// plainCount is the definition: the newest verdict of each verifier counts, in the order
// of their first ones.
func plainCount(cast []*Verification) (accuracy float64, agree []wire.AgentID) {
	var order []wire.AgentID
	newest := map[wire.AgentID]*Verification{}
	for _, v := range cast {
		if newest[v.Verifier] == nil {
			order = append(order, v.Verifier)
		}
		newest[v.Verifier] = v
	}
	var sum, weights, plain uint64
	for _, a := range order {
		v := newest[a]
		sum += tenths[v.Verdict] * v.Weight
		weights += v.Weight
		plain += tenths[v.Verdict]
		if v.Verdict == wire.VerdictAccurate {
			agree = append(agree, a)
		}
	}
	if weights == 0 {
		return det.Quantise(float64(plain) / float64(10*len(order))), agree
	}
	return det.Quantise(float64(sum) / float64(10*weights)), agree
}

func TestProperty_VotesAreTheDefinition(t *testing.T) {
	verification := rapid.Custom(func(t *rapid.T) *Verification {
		return &Verification{
			EntryID: wire.Hash{7}, Verifier: id(rapid.IntRange(0, 6).Draw(t, "verifier")),
			Verdict: wire.Verdict(rapid.IntRange(1, 4).Draw(t, "verdict")),
			Weight:  uint64(rapid.SampledFrom([]int{0, 0, 1, 1 << 19, 1 << 20}).Draw(t, "weight")),
		}
	})
	rapid.Check(t, func(rt *rapid.T) {
		cast := rapid.SliceOfN(verification, 1, 30).Draw(rt, "verdicts")
		m := newVotes(world.NewState(wire.SystemOracle))
		for i, v := range cast {
			var before, shown []wire.AgentID
			if i > 0 { // what was handed out stays as it was
				shown = slices.Clip(m.tallies[v.EntryID].agree)
				before = slices.Clone(shown)
			}
			m.cast(v)
			tally := m.tallies[v.EntryID]
			accuracy, agree := plainCount(cast[:i+1])
			if tally.accuracy() != accuracy || !slices.Equal(tally.agree, agree) {
				rt.Fatalf("after %d verdicts: %v %v, want %v %v", i+1, tally.accuracy(), tally.agree, accuracy, agree)
			}
			if last := m.of(v.EntryID, v.Verifier); last == nil || last.verdict != v.Verdict || last.weight != v.Weight {
				rt.Fatalf("verdict of %v: %+v, want %+v", v.Verifier, last, v)
			}
			if !slices.Equal(before, shown) {
				rt.Fatal("a list that was handed out changed")
			}
		}
	})
}
