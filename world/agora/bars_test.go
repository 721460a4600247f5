package agora

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
)

// A bar is kept up to its last cycle, in the table and in its index; a bar that never ends is kept as long as the bounty.
func TestBars_AreKeptAsLongAsTheyHold(t *testing.T) {
	for _, again := range []bool{false, true} {
		l := newLab(t)
		q := judgedOffer()
		q.Deadline = 90 * 256
		id := l.must(creator, q)
		bars := l.d.board.bars
		bars.set(id, claimer, 4)
		bars.set(id, other, 5)
		bars.set(id, agent(5), Never)
		bars.set(id, claimer, 3) // the longer one is kept
		next := l.must(creator, q)
		bars.set(next, claimer, 4)
		if again {
			l = l.restored()
			bars = l.d.board.bars
		}
		for _, tc := range []struct {
			cycle      wire.Cycle // that begins
			bars       int
			of, ofNext []wire.AgentID
		}{
			{2, 4, []wire.AgentID{claimer, other, agent(5)}, []wire.AgentID{claimer}},
			{3, 4, []wire.AgentID{claimer, other, agent(5)}, []wire.AgentID{claimer}},
			{4, 2, []wire.AgentID{other, agent(5)}, nil},
			{5, 1, []wire.AgentID{agent(5)}, nil},
			{6, 1, []wire.AgentID{agent(5)}, nil},
		} {
			l.endCycle()
			if l.c.Cycle != tc.cycle {
				t.Fatalf("cycle %d, want %d", l.c.Cycle, tc.cycle)
			}
			if bars.Len() != tc.bars || !slices.Equal(bars.barred[id], tc.of) || !slices.Equal(bars.barred[next], tc.ofNext) {
				t.Errorf("restored %t, cycle %d: %d bars, of %v and %v", again, tc.cycle, bars.Len(), bars.barred[id], bars.barred[next])
			}
		}
		if len(bars.expiring) != 0 || len(bars.barred) != 1 {
			t.Errorf("restored %t: %d cycles and %d bounties are still indexed", again, len(bars.expiring), len(bars.barred))
		}
		l.must(claimer, claimOf(id))
		l.must(claimer, submitOf(id))
		l.must(judge, verdictOf(id, approve))
		if bars.Len()+len(bars.barred) != 0 {
			t.Errorf("restored %t: a completed bounty still bars %v", again, bars.barred)
		}
	}
}

// How an ended claim counts against its claimer, and for how many cycles it bars it from all bounties.
func TestEndClaim_CountsAndBars(t *testing.T) {
	programs := []wire.BountyRequirement{mustPass(wire.Hash{7}, nil)}
	for _, tc := range []struct {
		name           string
		had            Counter
		edit           func(b *Bounty)
		held           wire.Cycle
		atFault        bool
		vain, released uint32
		cycles         wire.Cycle
	}{
		{"released at once", Counter{}, nil, 0, false, 0, 1, 0},
		{"released at once, the third time", Counter{Released: 2}, nil, 0, false, 0, 3, 1},
		{"the fourth time", Counter{Released: 3}, nil, 0, false, 0, 4, 2},
		{"the seventh time", Counter{Released: 6}, nil, 0, false, 0, 7, 16},
		{"the eighth time", Counter{Released: 7}, nil, 0, false, 0, 8, 16},
		{"held in vain", Counter{}, nil, 3, false, 1, 0, 3},
		{"held in vain, the fourth time", Counter{Vain: 3}, nil, 3, false, 4, 0, 24},
		{"the fifth time", Counter{Vain: 4}, nil, 3, false, 5, 0, 48},
		{"the sixth time", Counter{Vain: 5}, nil, 3, false, 6, 0, 48},
		{"at fault", Counter{Vain: 1}, nil, 3, true, 2, 0, 16},
		{"in review", Counter{Vain: 3, Released: 3}, func(b *Bounty) { b.Status = wire.BountyStatusReviewing }, 3, false, 3, 3, 3},
		{"in review, at once", Counter{Vain: 3, Released: 3}, func(b *Bounty) { b.Status = wire.BountyStatusReviewing }, 0, false, 3, 3, 0},
		{"tried an agent's programs", Counter{Vain: 3, Released: 3}, func(b *Bounty) { b.Tries, b.Requirements = 1, programs }, 3, false, 3, 3, 3},
		{"tried an agent's programs, at once", Counter{Vain: 3, Released: 3}, func(b *Bounty) { b.Tries, b.Requirements = 1, programs }, 0, false, 3, 3, 0},
		{"never tried an agent's programs", Counter{Vain: 3}, func(b *Bounty) { b.Requirements = programs }, 3, false, 4, 0, 24},
		{"tried a system's programs", Counter{Vain: 3}, func(b *Bounty) { b.Tries, b.Requirements, b.Creator = 1, programs, me }, 3, false, 4, 0, 24},
		{"failed checks, rejected", Counter{Vain: 3}, func(b *Bounty) { b.Tries, b.Status = maxTries, wire.BountyStatusRejected }, 3, false, 4, 0, 24},
		{"rejected", Counter{Vain: 3}, func(b *Bounty) { b.Status = wire.BountyStatusRejected }, 3, false, 3, 0, 3},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab(t)
			*l.d.counters.forUpdate(claimer) = tc.had
			b := &Bounty{ID: wire.Hash{5}, Creator: creator, Claimer: &claimer, ClaimedAt: l.c.Tick, Status: wire.BountyStatusClaimed}
			if tc.edit != nil {
				tc.edit(b)
			}
			l.at(l.c.Tick + wire.Tick(256*tc.held))
			l.d.board.endClaim(l.c, b, tc.atFault)
			want := Counter{Vain: tc.vain, Released: tc.released, BarredUntil: l.c.Cycle + tc.cycles}
			if diff := cmp.Diff(want, *l.d.counters.Get(claimer)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if got := l.d.board.bars.until(b.ID, claimer); got != l.c.Cycle+16 {
				t.Errorf("barred from this bounty until cycle %d, want 16 more", got)
			}
		})
	}
}

// A bounty completed when nothing has to be cleared does not delay the next one's clearing.
func TestRecordDelivery_NothingToClear(t *testing.T) {
	l := newLab(t)
	l.d.counters.forUpdate(claimer)
	l.d.board.recordDelivery(20, claimer)
	l.d.counters.Edit(claimer).Vain = 2
	l.d.board.recordDelivery(21, claimer)
	if n := l.d.counters.Get(claimer); n.Vain != 1 {
		t.Errorf("%d failed claims, want 1", n.Vain)
	}
}

// At a cycle's end the counters that say nothing about later cycles are deleted, of agents that used them in the cycle.
func TestCounters_DeletedAtCycleEnd(t *testing.T) {
	for _, tc := range []struct {
		name string
		n    Counter
		used bool
		kept bool
	}{
		{"nothing left", Counter{Posts: 1, Text: 9, BarredUntil: 2, GapUntil: 2, ClearedFrom: 2}, true, false},
		{"barred", Counter{Text: 9, BarredUntil: 3}, true, true},
		{"may claim no documentation bounty", Counter{Text: 9, GapUntil: 3}, true, true},
		{"clears later", Counter{Text: 9, ClearedFrom: 3}, true, true},
		{"failed", Counter{Text: 9, Vain: 1}, true, true},
		{"released", Counter{Text: 9, Released: 1}, true, true},
		{"as many of both", Counter{Text: 9, Vain: 1, Released: 1}, true, true},
		{"not used in the cycle", Counter{BarredUntil: 1}, false, true},
	} {
		for _, again := range []bool{false, true} {
			l := newLab(t)
			*l.d.counters.forUpdate(claimer) = tc.n
			if tc.used {
				l.d.counters.used[claimer] = struct{}{}
			}
			if again {
				l = l.restored()
			}
			l.endCycle() // of cycle 1
			n := l.d.counters.Get(claimer)
			if (n != nil) != tc.kept {
				t.Errorf("%s, restored %t: kept %t, want %t", tc.name, again, n != nil, tc.kept)
			}
			if n != nil && (n.Posts != 0 || n.Text != 0) {
				t.Errorf("%s, restored %t: %+v", tc.name, again, n)
			}
			if len(l.d.counters.used) != 0 {
				t.Errorf("%s, restored %t: still counted as used", tc.name, again)
			}
		}
	}
}

// A rejected claim that waits for a dispute does not count towards the limit, and its claimer may leave without ending it.
func TestClaim_RejectedOneCountsNoMore(t *testing.T) {
	l := newLab(t)
	rejected := l.inState(wire.BountyStatusRejected)
	for range 2 {
		l.must(claimer, claimOf(l.must(creator, judgedOffer())))
	}
	l.refused(claimer, claimOf(l.must(creator, judgedOffer())), "CONFLICT claim_limit")
	l.d.AgentLeft(l.c, claimer, wire.StatusDormant)
	l.status(rejected, wire.BountyStatusRejected)
	if n := l.d.board.openClaims(claimer); n != 0 {
		t.Errorf("%d claims are left", n)
	}
}

// After a documentation bounty only the next documentation bounty has to wait.
func TestGap_OtherBountiesNeedNotWait(t *testing.T) {
	l := newLab(t)
	l.d.counters.forUpdate(claimer).GapUntil = 9
	id := l.must(creator, judgedOffer())
	if l.d.Open(nil, claimer, l.c.Tick)[0].Barred {
		t.Error("the view says that it is barred")
	}
	l.must(claimer, claimOf(id))
}
