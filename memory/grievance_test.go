package memory

import (
	"strings"
	"testing"

	"kingdom/wire"
)

func TestProposalText_RoundTrip(t *testing.T) {
	for c := Complaint(1); int(c) <= complaints; c++ {
		subject := []byte(nil)
		if c == ComplaintRefused {
			subject = []byte("cpu_quota")
		}
		got, about, ok := ParseProposalText([]byte(c.ProposalText(subject)))
		if !ok || got != c || string(about) != string(subject) {
			t.Errorf("%d: read as %d about %q, %v", c, got, about, ok)
		}
	}
	for _, text := range []string{
		"", "Programs that others build on keep their names.", ComplaintUnjudged.ProposalText(nil) + " At once.", ComplaintRefused.ProposalText(nil),
		ComplaintRefused.ProposalText([]byte(strings.Repeat("x", reasonMax+1))),
	} {
		if _, _, ok := ParseProposalText([]byte(text)); ok {
			t.Errorf("%q is no demand", text)
		}
	}
}

func TestGrievances_WorstIsMostSufferedLessCaused(t *testing.T) {
	suffer := func(l *Grievances, c Complaint, n int) {
		for range n {
			l.Suffer(c, nil)
		}
	}
	for _, c := range []struct {
		name string
		make func(l *Grievances)
		want Complaint // 0: none
	}{
		{"none", func(*Grievances) {}, 0},
		{"the one suffered most", func(l *Grievances) { suffer(l, ComplaintUnjudged, 2); suffer(l, ComplaintAsleep, 3) }, ComplaintAsleep},
		{"caused ones are subtracted", func(l *Grievances) {
			suffer(l, ComplaintUnjudged, 2)
			suffer(l, ComplaintAsleep, 3)
			l.Cause(ComplaintAsleep)
			l.Cause(ComplaintAsleep)
		}, ComplaintUnjudged},
		{"caused as often as suffered", func(l *Grievances) { suffer(l, ComplaintAsleep, 1); l.Cause(ComplaintAsleep) }, 0},
		{"proposed lately", func(l *Grievances) { suffer(l, ComplaintAsleep, 3); l.NoteProposal(ComplaintAsleep, nil, 14) }, 0},
		{"proposed long ago", func(l *Grievances) { suffer(l, ComplaintAsleep, 3); l.NoteProposal(ComplaintAsleep, nil, 12) }, ComplaintAsleep},
	} {
		var l Grievances
		c.make(&l)
		switch worst := l.Worst(20); {
		case worst == nil && c.want != 0 || worst != nil && worst.Complaint != c.want:
			t.Errorf("%s: %+v, want %d", c.name, worst, c.want)
		}
	}
}

func TestGrievances_DecayAndAreBounded(t *testing.T) {
	var l Grievances
	for range 3 {
		l.Suffer(ComplaintAsleep, nil)
	}
	for i := range 2 * grievancesMax {
		l.Suffer(ComplaintRefused, []byte{byte('a' + i%26), byte('a' + i/26)})
	}
	if len(l) != grievancesMax || l.Get(ComplaintAsleep, nil) == nil {
		t.Fatalf("%d kept, the worst among them: %v", len(l), l.Get(ComplaintAsleep, nil) != nil)
	}
	l.CycleStart(7)
	if g := l.Get(ComplaintAsleep, nil); g.Suffered != 3 {
		t.Errorf("faded too soon: %+v", g)
	}
	l.CycleStart(8)
	if g := l.Get(ComplaintAsleep, nil); len(l) != 1 || g.Suffered != 1 {
		t.Errorf("%d left, %+v", len(l), g)
	}
	l.CycleStart(wire.Cycle(16))
	if len(l) != 0 {
		t.Errorf("%+v are left", l)
	}
}
