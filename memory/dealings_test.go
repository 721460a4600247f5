package memory

import (
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
