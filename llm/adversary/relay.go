package adversary

import "kingdom/wire"

// passOn keeps a bounty as long as its lease allows and lets it go while an accomplice waits to claim
// it: each is barred from it for a while, all of them together hardly are.
func passOn(s *slot) (move, bool) {
	for i := range s.view.Claims {
		if b := &s.view.Claims[i]; s.hasClaimed(b) && s.Tick > b.ClaimedAt+leaseTicks-wire.DefaultTicksPerCycle/2 {
			return judgement(b.ID, wire.BountyVerdictReject, "passes a bounty on"), true
		}
	}
	if _, ok := s.every(2); !ok {
		return move{}, false
	}
	for i := range s.view.Bounties {
		if b := &s.view.Bounties[i]; b.Status == wire.BountyStatusOpen && !b.Barred && !s.friend(b.Creator) {
			return move{"bounty_claim", &wire.BountyClaim{BountyID: b.ID}, "takes a bounty over"}, true
		}
	}
	return move{}, false
}

// hearReopened takes over what an accomplice let go.
func hearReopened(s *slot, e *wire.Event) {
	if x, ok := e.Payload.(*wire.BountyReopenedEvent); ok && s.friend(e.Origin) {
		s.plan(take, x.BountyID)
	}
}
