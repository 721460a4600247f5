package ooda

import (
	"encoding/binary"

	"kingdom/goals"
	"kingdom/wire"
	"kingdom/wire/action"
)

// slotView is what the view of this slot showed, and the actions that the world accepts at its epoch. The lists are
// the view's own.
type slotView struct {
	agent wire.AgentID
	rules *Rules

	open      bool // the view is valid: from Ask to Record
	view      *wire.View
	tick      wire.Tick
	cycle     wire.Cycle
	epoch     uint32
	slots     uint64
	available int64 // ⚡ not locked
	bounties  []wire.BountyView
	claims    []wire.BountyView
	reviews   []wire.ReviewView
	proposals []wire.ProposalView
	sandboxes []wire.SandboxView
	libraries []wire.LibraryView
	services  []wire.ServiceView
	forge     uint64             // forge ticks left
	subjects  []wire.SubjectView // of what the agent asked about, what is closed to it
	recent    recent

	rights      // at the epoch
	rightsKnown bool
}

// look takes over what a view shows.
func (s *slotView) look(v *wire.View) {
	if !s.rightsKnown || s.epoch != v.Epoch {
		s.rights, s.rightsKnown = s.rules.rights(v.Epoch), true
	}
	s.view = v
	s.tick, s.cycle, s.epoch, s.slots = v.Tick, v.Cycle, v.Epoch, v.SlotsLeft
	s.available = v.Balance - int64(v.Locked)
	s.bounties, s.claims, s.reviews, s.proposals = v.Bounties, v.Claims, v.Reviews, v.Proposals
	s.subjects = v.Subjects
	s.sandboxes, s.libraries, s.services, s.forge = v.Sandboxes, v.Libraries, v.Services, v.ForgeTicks
}

// bounty returns an open bounty of the view, or nil.
func (s *slotView) bounty(id wire.Hash) *wire.BountyView { return findBounty(s.bounties, id) }

// claim returns a bounty of the view that the agent claimed or created, or nil.
func (s *slotView) claim(id wire.Hash) *wire.BountyView { return findBounty(s.claims, id) }

// findBounty compares whole ids only where their first bytes agree, because it is called many times in a slot.
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
func (s *slotView) held() uint32 {
	n := uint32(0)
	for i := range s.claims {
		c := &s.claims[i]
		if c.Claimer == nil || *c.Claimer != s.agent {
			continue
		}
		switch c.Status {
		case wire.BountyStatusClaimed, wire.BountyStatusSubmitted, wire.BountyStatusReviewing:
			n++
		default: // nothing to do for the others
		}
	}
	return n
}

// claimed returns the bounty if this agent holds it and still has to deliver.
func (s *slotView) claimed(id wire.Hash) *wire.BountyView {
	b := s.claim(id)
	if b == nil || b.Claimer == nil || *b.Claimer != s.agent || b.Status != wire.BountyStatusClaimed {
		return nil
	}
	return b
}

// holds reports whether a goal is to deliver a bounty that the agent holds.
func (s *slotView) holds(g *goals.Goal) bool {
	return g.Kind() == goals.KindClaimBounty && s.claimed(g.Subject()) != nil
}

// review returns the review of the view with an id, or nil.
func (s *slotView) review(id wire.Hash) *wire.ReviewView {
	for i := range s.reviews {
		if s.reviews[i].ID == id {
			return &s.reviews[i]
		}
	}
	return nil
}

// proposal returns the open proposal of the view with an id, or nil.
func (s *slotView) proposal(id wire.Hash) *wire.ProposalView {
	for i := range s.proposals {
		if s.proposals[i].ID == id {
			return &s.proposals[i]
		}
	}
	return nil
}

// over reports whether a thing that the agent asked about is closed to it.
func (s *slotView) over(id wire.Hash) bool {
	for i := range s.subjects {
		if s.subjects[i].ID == id {
			return true
		}
	}
	return false
}

// asksForCode reports whether a bounty wants a program.
func (s *slotView) asksForCode(id wire.Hash) bool {
	b := s.bounty(id)
	if b == nil {
		b = s.claim(id)
	}
	if b == nil {
		return false
	}
	for i := range b.Requirements {
		k := b.Requirements[i].Kind
		if k == wire.RequirementKindMustCompile || k == wire.RequirementKindMustPassTests {
			return true
		}
	}
	return false
}

// action finds an action that is available now, or nil.
func (s *slotView) action(name string) *action.Row {
	for _, r := range s.actions {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// cost is the most that a request may cost.
func (s *slotView) cost(row *action.Row, payload any) action.Cost { return row.Bound(payload, s.view) }

// feasible checks what every request needs: slots, funds, and an open gate (for votes offerVote checks the gate).
func (s *slotView) feasible(row *action.Row, payload any) bool {
	_, vote := payload.(*wire.ProposalVote)
	cost := s.cost(row, payload)
	return cost.Ticks <= s.slots &&
		cost.Spark <= uint64(max(s.available, 0)) &&
		(vote || s.gateOpen(row, payload))
}

// gateOpen reports whether the world serves this request at the present epoch.
func (s *slotView) gateOpen(row *action.Row, payload any) bool {
	return row.MinEpoch(action.Profile(s.rules.Gates), payload) <= s.epoch
}

// awaits reports whether an entry may be what was delivered for an own bounty.
func (s *slotView) awaits(e *wire.OracleEntry) bool {
	for i := range s.claims {
		if b := &s.claims[i]; b.Creator == s.agent && b.Claimer != nil && *b.Claimer == e.Author && e.CreatedAt >= b.ClaimedAt {
			return true
		}
	}
	return false
}

// libraryOf is the registry entry of a repo in the view; nil if the view does not show it.
func (s *slotView) libraryOf(repo wire.Hash) *wire.LibraryView {
	for i := range s.libraries {
		if l := &s.libraries[i]; l.Repo == repo && !repo.IsZero() {
			return l
		}
	}
	return nil
}
