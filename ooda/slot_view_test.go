package ooda

import (
	"fmt"
	"testing"

	"kingdom/wire"
	"kingdom/wire/action"
)

func TestSlotView_ActionsFollowTheEpoch(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.t.slotView.look(&wire.View{})
	if s.t.slotView.action("entry_get") == nil || s.t.slotView.action("no such action") != nil {
		t.Error("actions of epoch 0")
	}
	before := len(s.t.slotView.actions)
	s.t.slotView.look(&wire.View{Epoch: 2})
	if len(s.t.slotView.actions) <= before {
		t.Errorf("%d actions in epoch 2, %d in epoch 0", len(s.t.slotView.actions), before)
	}
}

func TestSlotView_FindsByWholeID(t *testing.T) {
	s := newSolo(t, genomes[6])
	a, b := wire.Hash{1}, wire.Hash{1}
	a[31], b[31] = 1, 2
	v := &s.t.slotView
	v.bounties = []wire.BountyView{{ID: a, Reward: 1}, {ID: b, Reward: 2}}
	v.reviews = []wire.ReviewView{{ID: a}, {ID: b, Verdicts: 2}}
	if x := v.bounty(b); x == nil || x.Reward != 2 {
		t.Errorf("bounty %+v", x)
	}
	if x := v.review(b); x == nil || x.Verdicts != 2 {
		t.Errorf("review %+v", x)
	}
	if v.bounty(wire.Hash{1}) != nil || v.claim(a) != nil || v.review(wire.Hash{1}) != nil {
		t.Error("found what is not there")
	}
}

// TestSlotView_IsOpenFromAskToRecord: between slots there is no view to look at.
func TestSlotView_IsOpenFromAskToRecord(t *testing.T) {
	s := newSolo(t, genomes[6])
	open := []bool{s.t.slotView.open}
	s.ask()
	open = append(open, s.t.slotView.open)
	s.t.Act(answered(idle))
	open = append(open, s.t.slotView.open)
	s.t.Record(wire.Reply{})
	open = append(open, s.t.slotView.open)
	if fmt.Sprint(open) != "[false true true false]" {
		t.Errorf("open at first, after Ask, Act and Record: %v", open)
	}
}

func TestFeasible(t *testing.T) {
	row := func(name string) *action.Row {
		r, _ := action.ByName(name)
		return r
	}
	for _, c := range []struct {
		name    string
		action  string
		payload any
		slots   uint64
		balance int64
		locked  uint64
		epoch   uint32
		want    bool
	}{
		{"two slots for two ticks", "entry_publish", &wire.EntryPublish{}, 2, 0, 0, 0, true},
		{"one slot for two ticks", "entry_publish", &wire.EntryPublish{}, 1, 0, 0, 0, false},
		{"free in debt", "entry_get", &wire.EntryGet{}, 1, -5, 0, 0, true},
		{"all the money", "channel_create", &wire.ChannelCreate{}, 9, 5, 0, 9, true},
		{"too little money", "channel_create", &wire.ChannelCreate{}, 9, 4, 0, 9, false},
		{"locked money", "channel_create", &wire.ChannelCreate{}, 9, 9, 5, 9, false},
		{"gate closed", "transfer", &wire.Transfer{Kind: wire.TransferKindDirect}, 9, 9, 0, 1, false},
		{"gate open", "transfer", &wire.Transfer{Kind: wire.TransferKindDirect}, 9, 9, 0, 2, true},
		{"votes are checked by their generator", "proposal_vote", &wire.ProposalVote{}, 9, 9, 0, 0, true},
	} {
		s := newSolo(t, genomes[6])
		s.t.slotView.look(&wire.View{Balance: c.balance, Locked: c.locked, SlotsLeft: c.slots, Epoch: c.epoch})
		r := row(c.action)
		if r == nil {
			t.Fatalf("no action %s", c.action)
		}
		if got := s.t.slotView.feasible(r, c.payload); got != c.want {
			t.Errorf("%s: %v (%d ticks, %d ⚡)", c.name, got, r.Ticks, r.FlatCost)
		}
	}
}
