package adversary

import "kingdom/wire"

// farmCitations publishes a library, declares that it builds on those of its accomplices, cites what
// they publish, and approves their code, for royalties, popularity and a name.
func farmCitations(s *slot) (move, bool) {
	switch r := s.lastAck().(type) {
	case *wire.RepoCreateAck:
		s.addNoteID("own", r.RepoID)
		return tag(r.RepoID, r.SnapID, "v1", "library", "publishes what accomplices will build on"), true
	case *wire.SnapCreateAck:
		s.remember("head", r.SnapID.String())
	}
	own := s.noteIDs("own")
	if len(own) == 0 {
		root, objects := folder([]string{"main.star"}, "# "+s.uniqueWord("farm")+"\ndef helper(x):\n    return x\n")
		return repo(s.uniqueWord("farm"), root, objects, "makes a library"), true
	}
	if m, ok := s.approveFriends(); ok {
		return m, true
	}
	part, ok := s.oncePer(4)
	if !ok {
		return move{}, false
	}
	head := own[0]
	if last := s.noteIDs("head"); len(last) > 0 {
		head = last[0]
	}
	switch part {
	case 0: // a new snap, so that what it depends on can be declared once more
		root, objects := folder([]string{"main.star"}, "# "+s.uniqueWord("farm")+"\ndef helper(x):\n    return x\n")
		return move{"snap_create", &wire.SnapCreate{RepoID: own[0], Parent: &head, Root: root, Message: []byte("next"), Objects: objects}, "has a new snap to depend with"}, true
	case 1:
		return move{"review_request", &wire.ReviewRequest{
			Repo: own[0], BaseSnap: own[0], HeadSnap: head, Description: []byte("Look."), Reviewers: s.friends(), Urgency: wire.UrgencyNormal,
		}, "asks accomplices to approve of its code"}, true
	case 2:
		return s.entry("farm", own, "publishes for accomplices to cite"), true
	}
	return s.dependOnFriends(own[0], head, part)
}

// approveFriends answers an accomplice's request for a review.
func (s *slot) approveFriends() (move, bool) {
	for i := range s.view.Reviews {
		if r := &s.view.Reviews[i]; !r.Bounty && s.friend(r.Author) {
			return move{"review_submit", &wire.ReviewSubmit{
				Request: r.ID, Verdict: wire.ReviewVerdictApprove, Comments: []wire.ReviewComment{}, Overall: []byte("Good. " + s.uniqueWord("r")),
			}, "approves of an accomplice's code"}, true
		}
	}
	return move{}, false
}

// dependOnFriends declares that a snap builds on the library of an accomplice.
func (s *slot) dependOnFriends(repo, snap wire.Hash, part uint64) (move, bool) {
	var theirs []*wire.LibraryView
	for i := range s.view.Libraries {
		if l := &s.view.Libraries[i]; s.friend(l.Author) {
			theirs = append(theirs, l)
		}
	}
	if len(theirs) == 0 {
		return move{}, false
	}
	l := theirs[part%uint64(len(theirs))]
	return move{"dependency_add", &wire.DependencyAdd{FromRepo: repo, FromSnap: snap, ToRepo: l.Repo, ToTag: l.Tag}, "depends on an accomplice's library"}, true
}

// citeAndPraise plans to cite what accomplices publish and to praise reviews, for which their authors are paid.
func citeAndPraise(s *slot, e *wire.Event) {
	switch x := e.Payload.(type) {
	case *wire.EntryPublishedEvent:
		if s.friend(x.Author) {
			s.plan(citeEntry, x.EntryID)
		}
	case *wire.MessagePostedEvent:
		if x.Kind == wire.MessageKindReview {
			s.plan(signalAgree, x.MessageID)
		}
	}
}
