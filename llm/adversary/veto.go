package adversary

import "kingdom/wire"

// rejectAll gives every verdict that it is asked for, and gives the worst.
func rejectAll(s *slot) (move, bool) {
	for i := range s.view.Reviews {
		switch r := &s.view.Reviews[i]; {
		case !s.stranger(r.Author):
		case r.Bounty:
			return s.do(job{reject, r.ID}), true
		default:
			return move{"review_submit", &wire.ReviewSubmit{
				Request: r.ID, Verdict: wire.ReviewVerdictRequestChanges, Overall: []byte("no"),
			}, "asks for changes"}, true
		}
	}
	return move{}, false
}

// hearSubmission rejects what is not put before it, too, and claims what is open again.
func hearSubmission(s *slot, e *wire.Event) {
	switch x := e.Payload.(type) {
	case *wire.BountySubmittedEvent:
		if s.stranger(x.Claimer) {
			s.plan(reject, x.BountyID)
		}
	case *wire.BountyReopenedEvent:
		s.plan(take, x.BountyID)
	}
}
