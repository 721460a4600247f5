package memory

import (
	"testing"

	"kingdom/wire"
)

func TestEra_HasFiveCycles(t *testing.T) {
	for cycle, want := range map[wire.Cycle]string{0: "cycles 1 to 5", 1: "cycles 1 to 5", 5: "cycles 1 to 5", 6: "cycles 6 to 10", 50: "cycles 46 to 50"} {
		if got := string(AppendEra(nil, cycle)); got != want {
			t.Errorf("cycle %d: %q, want %q", cycle, got, want)
		}
	}
	if !SameEra(6, 10) || SameEra(5, 6) {
		t.Error("the borders of an era are off")
	}
}

func TestEndEras_ForgetsOldPeriodsExceptOwnEntries(t *testing.T) {
	var l Findings
	for _, c := range []wire.Cycle{3, 8, 13} {
		l.Observe(MeasureEraVerdicts, AppendEra(nil, c), 1, c)
		l.Observe(MeasureEraPay, AppendEra(nil, c), 9, c)
		l.Observe(MeasureJudge, []byte("0a0b0000"), 1, 3)
	}
	l.Get(MeasureEraPay, []byte("cycles 1 to 5")).Own = true
	l.EndEras(15)
	if len(l) != 7 {
		t.Errorf("in cycle 15 %d are left, want all", len(l))
	}
	l.EndEras(16)
	if len(l) != 6 || l.Get(MeasureEraVerdicts, []byte("cycles 1 to 5")) != nil || l.Get(MeasureEraPay, []byte("cycles 1 to 5")) == nil {
		t.Errorf("in cycle 16 left: %v", l)
	}
}

// How far a finding is from the mean of its measure, and how many findings are below it.
func TestContrast_DistanceFromMeanAndCountBelow(t *testing.T) {
	var l Findings
	for subject, share := range map[string]float64{"0a": 1, "0b": 0.5, "0c": 0} {
		for range 4 {
			l.Observe(MeasureJudge, []byte(subject), share, 1)
		}
	}
	l.Observe(MeasureJudge, []byte("0d"), 1, 1) // too few
	l.Observe(MeasureKind, []byte("0a"), 1, 1)  // of another sort
	d, above, among := l.DistanceToOthers(l.Get(MeasureJudge, []byte("0a")), 3)
	if d != 0.75 || above != 2 || among != 2 {
		t.Errorf("contrast %v, above %d of %d, want 0.75, 2 of 2", d, above, among)
	}
}
