package adversary

import "kingdom/wire"

// condemnPeerReviews plans to condemn the entries of strangers that ask for peer review: the reviewers share its fee.
func condemnPeerReviews(s *slot, e *wire.Event) {
	if x, ok := e.Payload.(*wire.EntryPublishedEvent); ok && x.ReviewMode == wire.ReviewModePeerReview && s.stranger(x.Author) {
		s.plan(verifyInaccurate, x.EntryID)
	}
}
