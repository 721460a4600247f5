package nexus

import (
	"slices"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

func TestBudgetTicks(t *testing.T) {
	for _, tc := range []struct {
		base, extra, whole uint64
		insolvent          uint32
		want               uint64
	}{
		{64, 0, 256, 0, 64},
		{64, 100, 256, 0, 164},
		{64, 192, 256, 0, 256},
		{100, 192, 256, 0, 256}, // never more than a cycle has
		{64, 0, 256, 1, 32},
		{64, 36, 256, 1, 50},
		{64, 0, 256, 3, 32},
		{64, 0, 256, 4, 16},
		{64, 0, 256, 5, 16},
		{64, 192, 256, 4, 64},
		{3, 0, 256, 1, 1}, // divisions floor
		{64, 0, 40, 0, 40},
	} {
		if got := budgetTicks(tc.base, tc.extra, tc.whole, tc.insolvent); got != tc.want {
			t.Errorf("base %d, extra %d, whole %d, %d cycles in debt: %d ticks, want %d", tc.base, tc.extra, tc.whole, tc.insolvent, got, tc.want)
		}
	}
}

// TestPopulationCap: a vote may lower it, but not raise it above 64·s.
func TestPopulationCap(t *testing.T) {
	for _, tc := range []struct {
		cap   uint64
		epoch uint32
		param int64 // -1 = not voted on
		want  uint64
	}{
		{8, 0, -1, 8},
		{8, 3, -1, 20},
		{60, 6, -1, 64},
		{8, 3, 9, 9},
		{8, 3, 0, 0},
		{8, 0, 64, 64},
		{8, 0, 65, 64},
		{8, 0, 1 << 62, 64},
	} {
		d := New(&world.Rules{Population: 8, PopulationCap: tc.cap})
		d.clock.edit().Epoch = tc.epoch
		if tc.param >= 0 {
			d.params.set("population.cap", tc.param, 0)
		}
		if got := d.spawning.populationCap(); got != tc.want {
			t.Errorf("%+v: %d", tc, got)
		}
	}
}

// At its deadline a proposal can still be voted on; after it, it takes no place from others.
func TestOpenProposals_IncludeThoseAtTheirDeadline(t *testing.T) {
	d := New(&world.Rules{})
	for i, deadline := range []wire.Tick{300, 300, 301, 400} {
		p := &Proposal{ID: wire.Hash{byte(i)}, Status: wire.ProposalStatusOpen, VoteDeadline: deadline}
		d.proposals.Put(p.ID, p)
		d.governance.index(p)
	}
	for now, want := range map[wire.Tick][]wire.Tick{
		300: {300, 300, 301}, 301: {301, 400}, 400: {400}, 401: nil,
	} {
		d.clock.edit().Tick = now
		var got []wire.Tick
		for _, v := range d.OpenProposals(nil, wire.AgentID{}, 3) {
			got = append(got, v.Deadline)
		}
		if !slices.Equal(got, want) {
			t.Errorf("tick %d: deadlines %v, want %v", now, got, want)
		}
	}
}

// Sixteen agents have two proposals each whose deadlines are a tick before that of another's. It is shown all the same, and
// who has voted on those that are shown sees the others. Before, it came into view at its last tick.
func TestOpenProposals_FloodHidesNothing(t *testing.T) {
	const limit = 32
	l := newLab(t, 18)
	var flood []wire.Hash
	for i := range 32 {
		id, no := l.propose(1+i/2, custom, text(20), 599)
		if no != "" {
			t.Fatal(no)
		}
		flood = append(flood, id)
	}
	honest, _ := l.propose(17, custom, text(20), 600)
	shown := func() (ids []wire.Hash) {
		for _, p := range l.OpenProposals(nil, l.ids[0], limit) {
			ids = append(ids, p.ID)
		}
		return ids
	}
	if got := shown(); len(got) != limit || !slices.Contains(got[:17], honest) {
		t.Errorf("%d are shown, want %d with the one of another among the first 17", len(got), limit)
	}
	for _, id := range flood {
		l.ballot(0, id, false)
	}
	if got := shown(); !slices.Equal(got, []wire.Hash{honest}) {
		t.Errorf("after votes on all others %d are shown, want the one that is left", len(got))
	}
}
