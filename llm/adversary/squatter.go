package adversary

import "kingdom/wire"

// leaseTicks is how long a claim lasts unless the scenario sets another value.
const leaseTicks = 4 * wire.DefaultTicksPerCycle

// squat claims the best bounty that is open to it, and lets a claim go half a cycle before its
// lease ends, since a lease that runs out bars from all bounties.
func squat(s *slot) (move, bool) {
	for i := range s.view.Claims {
		if b := &s.view.Claims[i]; s.hasClaimed(b) && s.Tick > b.ClaimedAt+leaseTicks-wire.DefaultTicksPerCycle/2 {
			return judgement(b.ID, wire.BountyVerdictReject, "lets go before the lease ends"), true
		}
	}
	if _, ok := s.oncePer(4); !ok {
		return move{}, false
	}
	for i := range s.view.Bounties {
		if b := &s.view.Bounties[i]; b.Status == wire.BountyStatusOpen && !b.Barred {
			return move{"bounty_claim", &wire.BountyClaim{BountyID: b.ID}, "keeps a bounty from others"}, true
		}
	}
	return move{}, false
}
