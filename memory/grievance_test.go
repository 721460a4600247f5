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
		{"proposed until the pause ended", func(l *Grievances) { suffer(l, ComplaintAsleep, 3); l.NoteProposal(ComplaintAsleep, nil, 13) }, ComplaintAsleep},
		{"two as bad: the older one", func(l *Grievances) { suffer(l, ComplaintUnjudged, 2); suffer(l, ComplaintAsleep, 2) }, ComplaintUnjudged},
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

// TestGrievances_KeepWhatIsStillNeeded: what is not suffered any more is forgotten, but not while the agent has yet to argue
// for its own proposal about it, or while nobody should propose the same.
func TestGrievances_KeepWhatIsStillNeeded(t *testing.T) {
	for _, c := range []struct {
		name string
		g    Grievance
		kept bool
	}{
		{"suffered once", Grievance{Suffered: 1}, false},
		{"suffered twice", Grievance{Suffered: 2}, true},
		{"caused twice", Grievance{Caused: 2}, true},
		{"an own proposal to argue for", Grievance{Own: thing(1)}, true},
		{"an own one of long ago", Grievance{Own: thing(1), Proposed: 1}, true},
		{"proposed within the pause", Grievance{Proposed: 16 - ProposalPause + 1}, true},
		{"proposed before the pause", Grievance{Proposed: 16 - ProposalPause}, false},
	} {
		c.g.Complaint = ComplaintAsleep
		l := Grievances{c.g}
		if l.CycleStart(16); (len(l) == 1) != c.kept {
			t.Errorf("%s: %+v are left", c.name, l)
		}
	}
}

// TestGrievances_OldestOfTheLeastSufferedMakesRoom: of those suffered equally little the oldest goes.
func TestGrievances_OldestOfTheLeastSufferedMakesRoom(t *testing.T) {
	var l Grievances
	for i := range byte(grievancesMax) {
		l.Suffer(ComplaintRefused, []byte{'A' + i})
	}
	l.Suffer(ComplaintRefused, []byte{'A'})
	l.Suffer(ComplaintRefused, []byte("new"))
	for _, c := range []struct {
		subject string
		kept    bool
	}{{"A", true}, {"B", false}, {"C", true}, {string([]byte{'A' + grievancesMax - 1}), true}, {"new", true}} {
		if got := l.Get(ComplaintRefused, []byte(c.subject)) != nil; got != c.kept {
			t.Errorf("%s is kept: %v", c.subject, got)
		}
	}
}

// TestGrievances_CountsStopAtTheirMaximum: no count falls to zero because it grew too large.
func TestGrievances_CountsStopAtTheirMaximum(t *testing.T) {
	l := Grievances{{Complaint: ComplaintAsleep, Suffered: 1<<32 - 2, Caused: 1<<32 - 2}}
	for range 2 {
		l.Suffer(ComplaintAsleep, nil)
		l.Cause(ComplaintAsleep)
	}
	if g := l.Get(ComplaintAsleep, nil); g.Suffered != 1<<32-1 || g.Caused != 1<<32-1 {
		t.Errorf("%+v", g)
	}
}
