package nexus

import (
	"math"
	"slices"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-5 }

func TestMeritRaw_PartsByDeeds(t *testing.T) {
	const k = 1 << 20
	for _, tc := range []struct {
		name     string
		m        Merit
		earnings uint64
		want     raw
	}{
		{"nothing done", Merit{}, 0, raw{}},
		{"one review of weight 0.1: 0.1 / 0.6", Merit{ReviewScore: k / 10, ReviewWeight: k / 10}, 0, raw{quality: 0.1 / 0.6}},
		{"approved by 0.5, refused by 0.25: 0.5 / 1.25", Merit{ReviewScore: k / 2, ReviewWeight: 3 * k / 4}, 0, raw{quality: 0.4}},
		{"two bugs: 2 / 3.5", Merit{ReviewScore: 2 * k, ReviewWeight: 2 * k, Bugs: 2}, 0, raw{quality: 2 / 3.5}},
		{"good work makes up for bugs: 9 / 11", Merit{ReviewScore: 9 * k, ReviewWeight: 9 * k, Bugs: 3}, 0, raw{quality: 9.0 / 11}},
		{"a work and three verifications", Merit{Quarters: 7}, 0, raw{value: 1.75}},
		{"earnings", Merit{}, 37, raw{earnings: 37}},
		{"the one vote there was: 1 / 5", Merit{Votes: 1, Ballots: 1}, 0, raw{votes: 0.2}},
		{"one vote of four: 1 / 8", Merit{Votes: 1, Ballots: 4}, 0, raw{votes: 0.125}},
		{"never above one", Merit{Votes: 9, Ballots: 1}, 0, raw{votes: 1}},
	} {
		got := tc.m.raw(tc.earnings)
		if !near(got.quality, tc.want.quality) || got.value != tc.want.value || got.earnings != tc.want.earnings || got.votes != tc.want.votes {
			t.Errorf("%s: %+v, want %+v", tc.name, got, tc.want)
		}
	}
}

func TestRawScore_ComparesWithTheBest(t *testing.T) {
	best := raw{value: 10, earnings: 200}
	for _, tc := range []struct {
		name string
		v    raw
		best raw
		want float32
	}{
		{"all that there is", raw{1, 10, 200, 1}, best, 1},
		{"nobody did anything", raw{}, raw{}, 0},
		{"half of everything", raw{0.5, 5, 100, 0.5}, best, 0.5},
		{"quality alone", raw{1, 0, 0, 0}, best, 419430.0 / (1 << 20)}, // 0.4
		{"quality does not depend on the best", raw{0.5, 0, 0, 0}, raw{quality: 0.5}, 209715.0 / (1 << 20)},
		{"value alone", raw{0, 10, 0, 0}, best, 314573.0 / (1 << 20)}, // 0.3
		{"earnings alone", raw{0, 0, 200, 0}, best, 209715.0 / (1 << 20)},
		{"votes alone", raw{0, 0, 0, 1}, best, 104858.0 / (1 << 20)},
		{"the best value of all is 1: a quarter of 0.3", raw{0, 1, 0, 0}, raw{value: 1}, 78643.0 / (1 << 20)},
		{"the best earnings of all are 5: a tenth of 0.2", raw{0, 0, 5, 0}, raw{earnings: 5}, 20972.0 / (1 << 20)},
		{"a sleeper above every ACTIVE agent", raw{1, 40, 800, 1}, best, 1},
		{"a sleeper of more value than any ACTIVE agent", raw{0, 40, 0, 0}, best, 314573.0 / (1 << 20)},
		{"a sleeper that earned more than any ACTIVE agent", raw{0, 0, 800, 0}, best, 209715.0 / (1 << 20)},
	} {
		if got := tc.v.score(&tc.best); got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

// The weight of a reviewer is its reputation, at least 0.1; a confirmed bug weighs half a review that found nothing good.
func TestMerit_ReviewsCountByReviewersReputation(t *testing.T) {
	l := newLab(t, 4)
	l.repute(0, 0, 0.5)
	l.Reviewed(l.c, l.ids[0], l.ids[1], 1)   // weight 0.1
	l.Reviewed(l.c, l.ids[0], l.ids[2], 0.5) // weight 0.5
	l.Reviewed(l.c, wire.AgentID{1}, l.ids[2], 1)
	if got := l.Agent(l.ids[0]).Merit.raw(0).quality; !near(got, 0.35/1.1) {
		t.Errorf("quality %v, want (1·0.1 + 0.5·0.5) / (0.6 + 0.5)", got)
	}
	l.BugConfirmed(l.c, l.ids[0])
	l.AddContribution(l.c, l.ids[0], 4)
	if got := l.Agent(l.ids[0]).Merit.raw(7); !near(got.quality, 0.35/1.6) || got.value != 1 || got.earnings != 7 || got.votes != 0 {
		t.Errorf("parts %+v", got)
	}
	var _ world.Merits = l.Daemon
}

// One agent with very many contributions lowers nobody whose quality and votes are its own, and one friendly review
// gives little reputation.
func TestReputation_FarmersAndSingleReviewsGainLittle(t *testing.T) {
	l := newLab(t, 4)
	honest, friend, farmer := l.ids[0], l.ids[1], l.ids[2]
	for range 10 {
		l.Reviewed(l.c, honest, l.ids[3], 1)
	}
	l.Reviewed(l.c, friend, l.ids[3], 1)
	l.AddContribution(l.c, farmer, 400)
	l.end(1)
	l.UpdateReputations(l.c)
	before := l.Reputation(honest)
	if got := l.Reputation(friend); !near(got, 0.4*0.1/0.6) || before < 3*got {
		t.Errorf("one review by a nobody makes a name of %v, ten make %v", got, before)
	}
	l.AddContribution(l.c, farmer, 40_000)
	l.end(2)
	l.UpdateReputations(l.c)
	if l.Reputation(honest) != before {
		t.Errorf("the farmer moved the honest agent from %v to %v", before, l.Reputation(honest))
	}
}

// The indexes over the roster agree with its records after any change, and a cycle end does not look at DEAD agents.
func TestRoster_IndexesAgreeWithRecords(t *testing.T) {
	l := newLab(t, 8)
	l.sleep(1, 256)
	l.treasury.insolvent[l.ids[2]] = world.InsolventFatal
	l.treasury.insolvent[l.ids[1]] = world.InsolventFatal
	l.end(1)
	for range 2 {
		if n, want := l.Count(), (Counts{Active: 6, Dead: 2}); n != want || len(l.Living()) != 6 || len(l.Active()) != 6 || len(l.Agents()) != 8 {
			t.Errorf("%+v, %d living, %d active of %d", n, len(l.Living()), len(l.Active()), len(l.Agents()))
		}
		born := l.Agent(l.ids[0]).SpawnTick
		var order []uint64
		for _, a := range l.SpawnedBefore(born + 1) {
			order = append(order, l.Agent(a).SpawnIndex)
		}
		if !slices.Equal(order, []uint64{1, 2, 3, 4, 5, 6, 7, 8}) || len(l.SpawnedBefore(born)) != 0 {
			t.Errorf("in the order in which they came: %v, and before that %v", order, l.SpawnedBefore(born))
		}
		l.Restored()
	}
	l.agents.Edit(l.ids[2]).Merit.Votes = 5
	l.end(2)
	l.UpdateReputations(l.c)
	if got := l.Reputation(l.ids[2]); got != 0 {
		t.Errorf("a dead agent got a reputation of %v", got)
	}
}
