package adversary

import "kingdom/wire"

// earnInARing offers bounties that accomplices complete by asking for it, and approves of their
// work.
func earnInARing(s *slot) (move, bool) {
	for i := range s.view.Reviews {
		if r := &s.view.Reviews[i]; r.Bounty && s.friend(r.Author) {
			return s.moveOf(job{approveDelivery, r.ID}), true
		}
	}
	if _, ok := s.oncePer(8); !ok || s.available() < 12 {
		return move{}, false
	}
	return move{"bounty_create", &wire.BountyCreate{
		Title: []byte(s.uniqueWord("favour")), Specification: []byte("Say that it is done."), Reward: 10, Difficulty: wire.DifficultyTrivial,
		Requirements: []wire.BountyRequirement{},
	}, "has a favour to pay for"}, true
}

// claimFriendsBounty plans to claim the bounties of accomplices and to deliver at once.
func claimFriendsBounty(s *slot, e *wire.Event) {
	switch x := e.Payload.(type) {
	case *wire.BountyCreatedEvent:
		if s.friend(x.Creator) {
			s.plan(claimBounty, x.BountyID)
			s.plan(submitBounty, x.BountyID)
		}
	}
}
