package ooda

import (
	"testing"

	"kingdom/memory"
	"kingdom/wire"
)

// Events against the agent count as suffered, what it does to others as caused.
func TestComplainer_CountsEventsSufferedAndCaused(t *testing.T) {
	mine, theirs, program := wire.Hash{1}, wire.Hash{2}, wire.Hash{3}
	for _, c := range []struct {
		name             string
		kind             wire.EventKind
		payload          func(me wire.AgentID) any
		about            memory.Complaint
		suffered, caused uint32
	}{
		{"an own entry is stated anew", wire.KindDuplicateFlagged, func(wire.AgentID) any {
			return &wire.DuplicateFlaggedEvent{ExistingEntryID: mine, NewEntryID: theirs}
		}, memory.ComplaintCopied, 1, 0},
		{"the agent states anew", wire.KindDuplicateFlagged, func(wire.AgentID) any {
			return &wire.DuplicateFlaggedEvent{ExistingEntryID: theirs, NewEntryID: mine}
		}, memory.ComplaintCopied, 0, 1},
		{"its correction is rejected", wire.KindEntryUpdateRejected, func(wire.AgentID) any {
			return &wire.EntryUpdateRejectedEvent{EntryID: theirs, RejectedBy: peerA}
		}, memory.ComplaintRebuffed, 1, 0},
		{"it rejects one", wire.KindEntryUpdateRejected, func(me wire.AgentID) any {
			return &wire.EntryUpdateRejectedEvent{EntryID: mine, RejectedBy: me}
		}, memory.ComplaintRebuffed, 0, 1},
		{"another's correction is rejected", wire.KindEntryUpdateRejected, func(wire.AgentID) any {
			return &wire.EntryUpdateRejectedEvent{EntryID: wire.Hash{9}, RejectedBy: peerA}
		}, memory.ComplaintRebuffed, 0, 0},
		{"what it and two others build on changes", wire.KindDependencyUpdated, func(wire.AgentID) any {
			return &wire.DependencyUpdatedEvent{RepoID: program, DependentCount: 3}
		}, memory.ComplaintChanged, 1, 0},
		{"what it and another build on changes", wire.KindDependencyUpdated, func(wire.AgentID) any {
			return &wire.DependencyUpdatedEvent{RepoID: program, DependentCount: 2}
		}, memory.ComplaintChanged, 0, 0},
		{"it changes what others build on", wire.KindDependencyUpdated, func(wire.AgentID) any {
			return &wire.DependencyUpdatedEvent{RepoID: mine, DependentCount: 3}
		}, memory.ComplaintChanged, 0, 1},
	} {
		s, _ := offering(t, func(s *solo) {
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: mine, Own: true})
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: theirs, Author: peerA, Corrected: true})
			s.a.Notebook.Works = []memory.WorkNote{{Repo: mine, Uses: program}}
		})
		complainer{&s.t.self}.event(event(c.kind, 256, peerA, c.payload(s.a.ID)))
		g := s.a.Memory.Grievances.Get(c.about, nil)
		if none := c.suffered+c.caused == 0; none != (g == nil) || g != nil && (g.Suffered != c.suffered || g.Caused != c.caused) {
			t.Errorf("%s: %+v, want suffered %d, caused %d", c.name, g, c.suffered, c.caused)
		}
	}
}

// TestPassed_InOneCycleOnly: what the agent waits for is counted in the one cycle with whose end its patience ends, however
// late in it that is, so that it suffers from it once.
func TestPassed_InOneCycleOnly(t *testing.T) {
	const since, tpc = 100, 256
	for _, c := range []struct {
		now    wire.Tick
		cycles uint64
		want   bool
	}{
		{100, 1, false},
		{355, 1, false},
		{356, 1, true},
		{611, 1, true},
		{612, 1, false},
		{1123, 4, false},
		{1124, 4, true},
		{1379, 4, true},
		{1380, 4, false},
	} {
		if got := passed(since, c.now, c.cycles, tpc); got != c.want {
			t.Errorf("%d cycles since tick %d passed in the cycle that ends at %d: %v, want %v", c.cycles, wire.Tick(since), c.now, got, c.want)
		}
	}
}
