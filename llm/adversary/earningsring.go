package adversary

import "kingdom/wire"

// earnInARing offers bounties that accomplices complete by asking for it, and approves of their
// work.
func earnInARing(s *slot) (move, bool) {
	for i := range s.view.Reviews {
		if r := &s.view.Reviews[i]; r.Bounty && s.friend(r.Author) {
			return s.do(job{approve, r.ID}), true
		}
	}
	if _, ok := s.every(8); !ok || s.available() < 12 {
		return move{}, false
	}
	return move{"bounty_create", &wire.BountyCreate{
		Title: []byte(s.name("favour")), Specification: []byte("Say that it is done."), Reward: 10, Difficulty: wire.DifficultyTrivial,
		Requirements: []wire.BountyRequirement{},
	}, "has a favour to pay for"}, true
}

// hearBounty claims what accomplices offer and delivers at once.
func hearBounty(s *slot, e *wire.Event) {
	switch x := e.Payload.(type) {
	case *wire.BountyCreatedEvent:
		if s.friend(x.Creator) {
			s.plan(take, x.BountyID)
			s.plan(deliver, x.BountyID)
		}
	}
}
