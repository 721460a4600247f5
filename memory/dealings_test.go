package memory

import (
	"strings"
	"testing"

	"kingdom/wire"
)

func TestDealings_KeepTheNewestEight(t *testing.T) {
	var d Dealings
	for i := range byte(dealingsMax + 2) {
		d.Deal(wire.Hash{i}, wire.AgentID{i})
		d.AskedReview(wire.Hash{i})
		d.AddSleeper(wire.AgentID{i})
	}
	if len(d.Deals) != dealingsMax || len(d.Reviews) != dealingsMax || len(d.Sleepers) != dealingsMax {
		t.Fatalf("%d deals, %d reviews, %d sleepers", len(d.Deals), len(d.Reviews), len(d.Sleepers))
	}
	if _, ok := d.Other(wire.Hash{1}); ok || d.OwnReview(wire.Hash{1}) || d.Sleepers[0] != (wire.AgentID{2}) {
		t.Error("the oldest did not go first")
	}
	if p, ok := d.Other(wire.Hash{5}); !ok || p != (wire.AgentID{5}) {
		t.Errorf("other side %v %v", p, ok)
	}
}

func TestDealings_SleeperIsNotedOnce(t *testing.T) {
	var d Dealings
	d.AddSleeper(wire.AgentID{1})
	d.AddSleeper(wire.AgentID{2})
	d.AddSleeper(wire.AgentID{1})
	d.RemoveSleeper(wire.AgentID{2})
	if len(d.Sleepers) != 1 || d.Sleepers[0] != (wire.AgentID{1}) {
		t.Errorf("sleepers %v", d.Sleepers)
	}
}

// TestDealings_BountyAndReviewAreNotedOnce: of a bounty that another agent takes over, the newer other side counts and is
// forgotten with the bounty. What is noted twice takes no room of others.
func TestDealings_BountyAndReviewAreNotedOnce(t *testing.T) {
	var d Dealings
	for i := range byte(dealingsMax) {
		d.Deal(wire.Hash{i}, wire.AgentID{i})
		d.AskedReview(wire.Hash{i})
	}
	d.Deal(wire.Hash{3}, wire.AgentID{9})
	d.AskedReview(wire.Hash{3})
	if p, ok := d.Other(wire.Hash{3}); !ok || p != (wire.AgentID{9}) {
		t.Errorf("the other side after the second deal: %v %v", p, ok)
	}
	if _, ok := d.Other(wire.Hash{0}); !ok || !d.OwnReview(wire.Hash{0}) || len(d.Reviews) != dealingsMax {
		t.Errorf("the oldest made room for what was noted already: %d deals, %d reviews", len(d.Deals), len(d.Reviews))
	}
	if d.EndDeal(wire.Hash{3}); len(d.Deals) != dealingsMax-1 {
		t.Errorf("%d deals after one of %d ended", len(d.Deals), dealingsMax)
	}
}

// A request for review is awaited until it has its verdicts; one that wants none, or is noted twice, changes nothing.
func TestDealings_ReviewIsAwaitedUntilItHasItsVerdicts(t *testing.T) {
	var d Dealings
	d.AwaitReview(AwaitedReview{ID: wire.Hash{1}, Wants: 2})
	d.CountVerdict(wire.Hash{1})
	d.AwaitReview(AwaitedReview{ID: wire.Hash{1}, Wants: 2})
	d.AwaitReview(AwaitedReview{ID: wire.Hash{2}})
	d.CountVerdict(wire.Hash{3})
	if len(d.Awaited) != 1 || d.Awaited[0].Verdicts != 1 {
		t.Fatalf("after one of two verdicts: %+v", d.Awaited)
	}
	if d.CountVerdict(wire.Hash{1}); len(d.Awaited) != 0 {
		t.Errorf("after both verdicts: %+v", d.Awaited)
	}
}

// Eight proposals are kept, an own one longest, and of each the beginning of its text.
func TestDealings_OwnProposalIsKeptLongest(t *testing.T) {
	me, other := wire.AgentID{1}, wire.AgentID{2}
	var d Dealings
	d.NoteProposal(ProposalNote{ID: wire.Hash{100}, Author: me, Text: []byte(strings.Repeat("é", proposalText))}, me)
	for i := range byte(dealingsMax + 2) {
		d.NoteProposal(ProposalNote{ID: wire.Hash{i}, Author: other}, me)
		d.NoteProposal(ProposalNote{ID: wire.Hash{i}, Author: other, Text: []byte("again")}, me)
	}
	own := d.Proposal(wire.Hash{100})
	if len(d.Proposals) != dealingsMax || own == nil || string(own.Text) != strings.Repeat("é", proposalText/2) {
		t.Errorf("%d proposals, the own one is %+v", len(d.Proposals), own)
	}
	if d.Proposal(wire.Hash{2}) != nil || d.Proposal(wire.Hash{3}) == nil || d.Proposal(wire.Hash{3}).Text != nil && len(d.Proposal(wire.Hash{3}).Text) > 0 {
		t.Errorf("the oldest of others did not go first, or one was noted twice: %+v", d.Proposals)
	}
	for i := range byte(dealingsMax + 1) {
		d.NoteProposal(ProposalNote{ID: wire.Hash{200, i}, Author: me}, me)
	}
	if len(d.Proposals) != dealingsMax || d.Proposal(wire.Hash{100}) != nil {
		t.Errorf("%d own proposals, the oldest %+v", len(d.Proposals), d.Proposals[0])
	}
}
