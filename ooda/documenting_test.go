package ooda

import (
	"slices"
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// verified asks for so many verified entries of a kind.
func verified(k wire.EntryKind, count uint32) []wire.BountyRequirement {
	return custom(wire.CustomCheck{Check: wire.CheckOracleVerified, Kind: &k, Count: &count})
}

// Which kinds of entries are paid for: those of which open bounties want some, each once, if the agent may claim bounties at all.
func TestKindsPaidFor_ByOpenBounties(t *testing.T) {
	count := uint32(2)
	faq := wire.EntryKindFAQ
	s, o := offering(t, nil)
	for _, needs := range [][]wire.BountyRequirement{
		verified(wire.EntryKindGlossary, 3), verified(wire.EntryKindTutorial, 1), verified(wire.EntryKindGlossary, 1),
		{{Kind: wire.RequirementKindMustCompile}},
		custom(wire.CustomCheck{Check: wire.CheckOracleAnswered, Kind: &faq, Count: &count}),
		custom(wire.CustomCheck{Check: wire.CheckOracleVerified, Kind: &faq}),
		custom(wire.CustomCheck{Check: wire.CheckOracleVerified, Count: &count}),
	} {
		s.t.slotView.bounties = append(s.t.slotView.bounties, wire.BountyView{Requirements: needs})
	}
	if got := (scribe{o}).kindsPaidFor(); !slices.Equal(got, []wire.EntryKind{wire.EntryKindGlossary, wire.EntryKindTutorial}) {
		t.Errorf("paid for are %v", got)
	}
	s.rules.Allowed = []string{"entry_publish"}
	s.t.slotView.actions = s.rules.Actions(0)
	if got := (scribe{o}).kindsPaidFor(); got != nil {
		t.Errorf("who may claim nothing is paid for %v", got)
	}
}

// An agent can deliver an entry about what it has counted, and several entries of a kind if it has so many findings that suit the kind,
// that it has counted often enough to publish and that no entry states. Of other work it can tell only by trying.
func TestCanDeliver_CountedFindingsThatSuitTheKind(t *testing.T) {
	about := titleDocument + memory.MeasureReward.Question([]byte("A"))
	for _, c := range []struct {
		name     string
		title    string
		needs    []wire.BountyRequirement
		measure  memory.Measure
		subjects int // counted
		times    int // each
		stated   int // of them
		want     bool
	}{
		{"an entry about what it has counted", about, nil, memory.MeasureReward, 1, 9, 0, true},
		{"an entry about what it has counted once", about, nil, memory.MeasureReward, 1, 1, 0, false},
		{"an entry about something else", about, nil, memory.MeasureTaken, 1, 9, 0, false},
		{"two glossaries", "x", verified(wire.EntryKindGlossary, 2), memory.MeasureReward, 2, 9, 0, true},
		{"two glossaries of one finding", "x", verified(wire.EntryKindGlossary, 2), memory.MeasureReward, 1, 9, 0, false},
		{"two glossaries, one of them published", "x", verified(wire.EntryKindGlossary, 2), memory.MeasureReward, 2, 9, 1, false},
		{"two glossaries, hardly counted", "x", verified(wire.EntryKindGlossary, 2), memory.MeasureReward, 2, 2, 0, false},
		{"two glossaries, of findings for another kind", "x", verified(wire.EntryKindGlossary, 2), memory.MeasureSteps, 2, 9, 0, false},
		{"other work", "x", nil, memory.MeasureReward, 0, 0, 0, true},
	} {
		s, _ := offering(t, nil)
		for i := range c.subjects {
			for range c.times {
				s.a.Memory.Findings.Observe(c.measure, []byte{'A' + byte(i)}, 10, 1)
			}
			if i < c.stated {
				s.a.Memory.Findings.Get(c.measure, []byte{'A' + byte(i)}).SetEntry(wire.Hash{9})
			}
		}
		b := &wire.BountyView{ID: wire.Hash{7}, Title: []byte(c.title), Requirements: c.needs}
		if got := s.t.expert().canDeliver(b); got != c.want {
			t.Errorf("%s: can deliver %v", c.name, got)
		}
	}
}

// Who has claimed a bounty for an entry about something states what it has counted of that, and nothing else.
func TestPrepared_EntryForBountyStatesWhatItAsksFor(t *testing.T) {
	for _, c := range []struct {
		name    string
		counted string
		want    bool
	}{{"counted", "HARD", true}, {"something else counted", "EASY", false}} {
		s, o := offering(t, func(s *solo) {
			s.holding().Title = []byte(titleDocument + memory.MeasureReward.Question([]byte("HARD")))
			for range 9 {
				s.a.Memory.Findings.Observe(memory.MeasureReward, []byte(c.counted), 10, 1)
			}
		})
		var a llm.Affordance
		got := scribe{o}.prepared(&a, s.about(goals.KindClaimBounty, mine), &plannedStep{planned: &memory.PlanStep{Precondition: condition("bounty_mine")}, payload: &wire.EntryPublish{Entry: wire.EntryDraft{Kind: wire.EntryKindFAQ}}})
		if got != c.want || got && (a.Finding == nil || a.Finding.Title != memory.MeasureReward.Title([]byte("HARD")) || a.Know != s.t.expert().knowOf(memory.MeasureReward, []byte("HARD"))) {
			t.Errorf("%s: it can state it %v: %+v", c.name, got, a.Finding)
		}
	}
}
