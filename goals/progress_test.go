package goals

import (
	"testing"

	"kingdom/wire"
)

// TestProgress measures each kind of goal by the numbers that complete it.
func TestProgress(t *testing.T) {
	l := &Learning{}
	for i, k := range []wire.EntryKind{wire.EntryKindPattern, wire.EntryKindSpecification, wire.EntryKindFAQ} {
		l.Publish(wire.Hash{byte(i + 1)}, k, 5)
		for range i + 1 {
			l.Verify(wire.Hash{byte(i + 1)}, wire.VerdictAccurate, 0.25)
		}
	}
	a := &Appraisal{Balance: 12, Reputation: 0.27, Learning: l}
	for kind, want := range map[Kind]Progress{
		KindEarn:              {12, 30, MeasureSpark},
		KindImproveReputation: {0.27, 0.3, MeasureReputation},
		KindMentor:            {2, 3, MeasureHelped},
		KindRaiseCoverage:     {2, 3, MeasureAccurate},
		KindTryNovel:          {2, 3, MeasureExperiences},
		KindExplore:           {0, 1, MeasureExperiences},
		KindBuildLibrary:      {1, 2, MeasureVerifiers},
		KindDesignSystem:      {0.25, 0.5, MeasureAccuracy},
		KindVote:              {},
	} {
		g := &Goal{Description: Description{Kind: kind}, Record: Record{Progress: 2, Reputation: 0.26}}
		if got := a.Progress(g); got != want || (got.Unit.String() == "") != (got.Unit == MeasureNone) {
			t.Errorf("%s: %+v, want %+v", kind, got, want)
		}
	}
	later := &Goal{Description: Description{Kind: KindBuildLibrary}, CreatedAt: 6}
	if got := a.Progress(later); got.Have != 0 { // the entries are of tick 5
		t.Errorf("older entries count: %+v", got)
	}
	if later.CreatedAt = 5; a.Progress(later).Have != 1 {
		t.Errorf("entries of the tick of the goal: %+v", a.Progress(later))
	}
	api := wire.Hash{9}
	l.Publish(api, wire.EntryKindAPI, 5)
	for range 2 {
		l.Verify(api, wire.VerdictAccurate, 1)
	}
	if got := a.Progress(later); got.Have != 2 {
		t.Errorf("verifiers of an API: %+v", got)
	}
	for i, want := range []float64{0.25, 0.5} { // one verdict may be a friend's; what is more than wanted does not show
		l.Publish(wire.Hash{10}, wire.EntryKindSpecification, 5)
		l.Verify(wire.Hash{10}, wire.VerdictAccurate, 0.9)
		if got := a.Progress(&Goal{Description: Description{Kind: KindDesignSystem}}); got.Have != want {
			t.Errorf("%d verdicts: %+v, want %v", i+1, got, want)
		}
	}
	for range 4 {
		l.Verify(wire.Hash{1}, wire.VerdictAccurate, 1)
	}
	if got := a.Progress(&Goal{Description: Description{Kind: KindBuildLibrary}}); got.Have != 2 {
		t.Errorf("more verifiers than wanted: %+v", got)
	}
	if got := a.Progress(&Goal{Description: Description{Kind: KindImproveReputation}, Record: Record{Reputation: 0.2}}); got.Want != 0.25 {
		t.Errorf("from 0.2: %+v", got)
	}
}
