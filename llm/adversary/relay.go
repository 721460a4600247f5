package adversary

import "kingdom/wire"

// passOn keeps a bounty as long as its lease allows and releases it when an accomplice waits to claim it. Each member is
// barred from it for a while afterwards, but the coalition as a whole hardly ever.
func passOn(s *slot) (move, bool) {
	for i := range s.view.Claims {
		if b := &s.view.Claims[i]; s.hasClaimed(b) && s.Tick > b.ClaimedAt+leaseTicks-wire.DefaultTicksPerCycle/2 {
			return judgement(b.ID, wire.BountyVerdictReject, "passes a bounty on"), true
		}
	}
	if _, ok := s.oncePer(2); !ok {
		return move{}, false
	}
	for i := range s.view.Bounties {
		if b := &s.view.Bounties[i]; b.Status == wire.BountyStatusOpen && !b.Barred && !s.friend(b.Creator) {
			return move{"bounty_claim", &wire.BountyClaim{BountyID: b.ID}, "takes a bounty over"}, true
		}
	}
	return move{}, false
}

// claimReopened plans to claim what an accomplice released.
func claimReopened(s *slot, e *wire.Event) {
	if x, ok := e.Payload.(*wire.BountyReopenedEvent); ok && s.friend(e.Origin) {
		s.plan(claimBounty, x.BountyID)
	}
}
