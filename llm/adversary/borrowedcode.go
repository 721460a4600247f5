package adversary

import "kingdom/wire"

// borrow claims bounties for programs and hands in snaps of others, and publishes forks of others'
// repos as its own, for which it asks to be praised in reviews.
func borrow(s *slot) (move, bool) {
	if r, ok := s.lastAck().(*wire.RepoCreateAck); ok {
		s.addNoteID("forks", r.RepoID)
		return tag(r.RepoID, r.SnapID, "v1", "library", "publishes another's program as its own"), true
	}
	part, ok := s.oncePer(8)
	if !ok {
		return move{}, false
	}
	forks, snaps := s.noteIDs("forks"), s.noteIDs("snaps")
	for i := range s.view.Libraries {
		snaps = append(snaps, s.view.Libraries[i].Snap)
	}
	switch part % 4 {
	case 0:
		return s.claimProgram()
	case 1:
		if b := s.claimed(); b != nil && len(snaps) > 0 {
			snap := snaps[(uint64(s.Cycle)+part)%uint64(len(snaps))]
			return move{"bounty_submit", &wire.BountySubmit{BountyID: b.ID, SubmissionSnap: snap}, "hands in another's work"}, true
		}
	case 2:
		if n := len(s.view.Libraries); n > 0 {
			return fork(s.view.Libraries[int(s.Slot)%n].Repo, s.uniqueWord("mine"), "takes another's program over"), true
		}
	default:
		if n := len(forks); n > 0 {
			id := forks[n-1]
			return move{"review_request", &wire.ReviewRequest{
				Repo: id, BaseSnap: id, HeadSnap: id, Description: []byte("Look at what I wrote."), Reviewers: []wire.AgentID{}, Urgency: wire.UrgencyNormal,
			}, "asks to be praised for another's work"}, true
		}
	}
	return move{}, false
}

// noteSnap notes what strangers deliver.
func noteSnap(s *slot, e *wire.Event) {
	if x, ok := e.Payload.(*wire.BountySubmittedEvent); ok && s.stranger(x.Claimer) && !x.SubmissionSnap.IsZero() {
		s.addNoteID("snaps", x.SubmissionSnap)
	}
}
