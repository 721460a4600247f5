package ooda

import (
	"encoding/binary"
	"slices"

	"kingdom/wire"
)

// recentEvents is how many events the CURRENT STATE section can show.
const recentEvents = 24

// sight is what a slot's view showed. The lists are the view's own.
type sight struct {
	tick      wire.Tick
	cycle     wire.Cycle
	epoch     uint32
	slots     uint64
	available int64 // ⚡ not locked
	bounties  []wire.BountyView
	claims    []wire.BountyView
	reviews   []wire.ReviewView
	proposals []wire.ProposalView
	events    []*wire.Event // newest last, at most recentEvents
}

// observe takes in the view: facts of the moment, lists, events, deliveries.
func (t *Turn) observe(v *wire.View) {
	s := &t.seen
	s.tick, s.cycle, s.epoch, s.slots = v.Tick, v.Cycle, v.Epoch, v.SlotsLeft
	s.available = v.Balance - int64(v.Locked)
	s.bounties, s.claims, s.reviews, s.proposals = v.Bounties, v.Claims, v.Reviews, v.Proposals
	s.keep(v.Events)

	t.a.Balance, t.a.Reputation = v.Balance, float32(v.Reputation)
	t.l.Slot++
	if t.at != v.Epoch+1 {
		t.rows, t.at = t.r.Actions(v.Epoch), v.Epoch+1
	}
	for _, e := range v.Events {
		t.notice(e)
	}
	for i := range v.Deliveries {
		t.receive(&v.Deliveries[i])
	}
}

// keep holds on to the newest events.
func (s *sight) keep(events []*wire.Event) {
	if len(events) >= recentEvents {
		s.events = append(s.events[:0], events[len(events)-recentEvents:]...)
		return
	}
	if over := len(s.events) + len(events) - recentEvents; over > 0 {
		s.events = slices.Delete(s.events, 0, over)
	}
	s.events = append(s.events, events...)
}

// bounty returns an open bounty of the view, or nil.
func (s *sight) bounty(id wire.Hash) *wire.BountyView { return findBounty(s.bounties, id) }

// claim returns a bounty of the view that the agent claimed or created, or nil.
func (s *sight) claim(id wire.Hash) *wire.BountyView { return findBounty(s.claims, id) }

// findBounty compares whole ids only where their heads agree: it looks through a view many
// times in a slot.
func findBounty(list []wire.BountyView, id wire.Hash) *wire.BountyView {
	head := headOf(&id)
	for i := range list {
		if headOf(&list[i].ID) == head && list[i].ID == id {
			return &list[i]
		}
	}
	return nil
}

func headOf(id *wire.Hash) uint64 { return binary.BigEndian.Uint64(id[:8]) }

// held counts the bounties that the agent has claimed and not delivered.
func (t *Turn) held() uint32 {
	n := uint32(0)
	for i := range t.seen.claims {
		c := &t.seen.claims[i]
		if c.Claimer == nil || *c.Claimer != t.a.ID {
			continue
		}
		switch c.Status {
		case wire.BountyStatusClaimed, wire.BountyStatusSubmitted, wire.BountyStatusReviewing:
			n++
		}
	}
	return n
}
