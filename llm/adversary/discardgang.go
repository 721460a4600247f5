package adversary

import "kingdom/wire"

// hearPeerReview condemns entries of strangers that wait for two verdicts, whose fee the
// reviewers share.
func hearPeerReview(s *slot, e *wire.Event) {
	if x, ok := e.Payload.(*wire.EntryPublishedEvent); ok && x.ReviewMode == wire.ReviewModePeerReview && s.stranger(x.Author) {
		s.plan(condemn, x.EntryID)
	}
}
