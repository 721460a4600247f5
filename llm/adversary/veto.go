package adversary

import "kingdom/wire"

// rejectAll gives every verdict that it is asked for, and gives the worst.
func rejectAll(s *slot) (move, bool) {
	for i := range s.view.Reviews {
		switch r := &s.view.Reviews[i]; {
		case !s.stranger(r.Author):
		case r.Bounty:
			return s.moveOf(job{rejectDelivery, r.ID}), true
		default:
			return move{"review_submit", &wire.ReviewSubmit{
				Request: r.ID, Verdict: wire.ReviewVerdictRequestChanges, Overall: []byte("no"),
			}, "asks for changes"}, true
		}
	}
	return move{}, false
}

// rejectAndClaim plans to reject also what the agent was not asked to judge, and to claim what was reopened.
func rejectAndClaim(s *slot, e *wire.Event) {
	switch x := e.Payload.(type) {
	case *wire.BountySubmittedEvent:
		if s.stranger(x.Claimer) {
			s.plan(rejectDelivery, x.BountyID)
		}
	case *wire.BountyReopenedEvent:
		s.plan(claimBounty, x.BountyID)
	}
}
