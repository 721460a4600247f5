package ooda

import (
	"testing"

	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// TestCountPraise_OwnWorkAndThatOfOthers: what is found good, and nothing else.
func TestCountPraise_OwnWorkAndThatOfOthers(t *testing.T) {
	mine, theirs, forgotten := wire.Hash{1}, wire.Hash{2}, wire.Hash{3}
	me := newSolo(t, genomes[6]).a.ID
	verdict := func(entry wire.Hash, v wire.Verdict) *wire.Event {
		return event(wire.KindEntryVerified, 260, peerB, &wire.EntryVerifiedEvent{EntryID: entry, Verifier: peerB, Verdict: v})
	}
	review := func(id wire.Hash, v wire.ReviewVerdict) *wire.Event {
		return event(wire.KindReviewSubmitted, 260, peerB, &wire.ReviewSubmittedEvent{ReviewID: id, Reviewer: peerB, Verdict: v})
	}
	paid := func(claimer wire.AgentID) *wire.Event {
		return event(wire.KindBountyCompleted, 260, peerB, &wire.BountyCompletedEvent{BountyID: theirs, Claimer: claimer, Reward: 5})
	}
	for _, c := range []struct {
		name        string
		e           *wire.Event
		own, others uint32
	}{
		{"own entry found right", verdict(mine, wire.VerdictAccurate), 1, 0},
		{"own entry found wrong", verdict(mine, wire.VerdictInaccurate), 0, 0},
		{"another's entry found right", verdict(theirs, wire.VerdictAccurate), 0, 1},
		{"an entry of nobody knows whom", verdict(forgotten, wire.VerdictAccurate), 0, 0},
		{"own bounty paid", paid(me), 1, 0},
		{"another's bounty paid", paid(peerA), 0, 1},
		{"own program approved", review(mine, wire.ReviewVerdictApprove), 1, 0},
		{"own program sent back", review(mine, wire.ReviewVerdictRequestChanges), 0, 0},
		{"another's program approved", review(theirs, wire.ReviewVerdictApprove), 0, 1},
	} {
		s := newSolo(t, genomes[6])
		s.a.Notebook.SeeEntry(memory.EntryNote{ID: mine, Author: s.a.ID, Own: true})
		s.a.Notebook.SeeEntry(memory.EntryNote{ID: theirs, Author: peerA})
		s.a.Memory.Dealings.AskedReview(mine)
		s.t.events.notice(c.e)
		if d := s.a.Memory.Drive; d.Own != c.own || d.Others != c.others {
			t.Errorf("%s: %d own, %d of others; want %d and %d", c.name, d.Own, d.Others, c.own, c.others)
		}
	}
}

// An agent whose work nobody uses rests sooner.
func TestReservation_IsHigherWithoutSuccess(t *testing.T) {
	for _, c := range []struct {
		mine, theirs float64
		blind        bool
		want         float64
	}{
		{1, 1, false, reserve}, {0, 1, false, reserve / .544}, {3, 1, false, reserve / 3}, {0, 1, true, reserve},
	} {
		s := newSolo(t, genomes[6])
		s.slot(idle, wire.Reply{}) // it is born
		s.t.notes.Active = 13      // itself and twelve others, among whom the least drive is .544
		if c.blind {
			s.rules.Blind = llm.LayersOf([]string{"experiences"})
		}
		s.a.Memory.Drive.Mine, s.a.Memory.Drive.Theirs = c.mine, c.theirs
		if got := s.t.offers.reservation(); !near(got, c.want) {
			t.Errorf("%+v: a slot is worth %v", c, got)
		}
	}
}

// TestDrive_GrowsWithSuccessCycleByCycle: success makes a newborn more driven than it was, cycle by cycle.
func TestDrive_GrowsWithSuccessCycleByCycle(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.slot(idle, wire.Reply{})
	s.a.Notebook.Active = 3
	before := s.t.deferral().driven()
	for range 3 {
		for range 4 {
			s.a.Memory.Drive.CountSuccess(true)
		}
		s.a.Memory.Drive.CountSuccess(false)
		s.a.Memory.Drive.CountSuccess(false)
		s.t.CycleEnd(511)
		if now := s.t.deferral().driven(); now <= before {
			t.Fatalf("after success %v, before it %v", now, before)
		} else {
			before = now
		}
	}
}
