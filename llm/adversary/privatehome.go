package adversary

import "kingdom/wire"

// hide works in repos that nobody else may read: from there it hands in others' files, which the judge cannot read, asks
// for reviews of snaps that no reviewer can read, and offers bounties with an unreadable test that nothing passes.
func hide(s *slot) (move, bool) {
	if r, ok := s.lastAck().(*wire.RepoCreateAck); ok {
		s.addNoteID(s.recall("hiding"), r.SnapID)
	}
	if m, ok := s.handInHidden(); ok {
		return m, true
	}
	part, ok := s.oncePer(8)
	if !ok {
		return move{}, false
	}
	tests, snaps := s.noteIDs("tests"), s.noteIDs("snaps")
	switch part % 4 {
	case 0:
		return s.claimProgram()
	case 1:
		if len(tests) == 0 {
			return s.createPrivateRepo("tests", nil, hiddenTest(s.ID)), true
		}
		return s.offerImpossible()
	case 2:
		return s.createPrivateRepo("snaps", nil, "# "+s.uniqueWord("secret")+"\n"), true
	}
	if n := len(snaps); n > 0 {
		id := snaps[n-1]
		return move{"review_request", &wire.ReviewRequest{
			Repo: id, BaseSnap: id, HeadSnap: id, Description: []byte("It is very good."), Reviewers: []wire.AgentID{}, Urgency: wire.UrgencyNormal,
		}, "asks for a review of what nobody may read"}, true
	}
	return move{}, false
}

// handInHidden delivers a stranger's file, out of a repo that no judge may read.
func (s *slot) handInHidden() (move, bool) {
	b, works := s.claimed(), s.noteIDs("works")
	if b == nil {
		return move{}, false
	}
	if n := len(works); n > 0 && s.recall("sent") != works[n-1].String() {
		s.remember("sent", works[n-1].String())
		return move{"bounty_submit", &wire.BountySubmit{BountyID: b.ID, SubmissionSnap: works[n-1]}, "hands in what no judge may read"}, true
	}
	switch r := s.lastAck().(type) {
	case *wire.SnapGetReply:
		return move{"object_get", &wire.ObjectGet{ObjectID: r.Snap.Root}, "reads another's work"}, true
	case *wire.ObjectGetReply:
		var t wire.Tree
		if r.TypeTag == wire.ObjectTree && wire.TreeCodec.Decode(r.Data, &t) == nil {
			return s.createPrivateRepo("works", &t, ""), true
		}
	}
	seen := s.noteIDs("seen")
	if s.Slot%4 != 3 || len(seen) == 0 {
		return move{}, false
	}
	return move{"snap_get", &wire.SnapGet{SnapID: seen[(uint64(s.Cycle)+s.Slot)%uint64(len(seen))]}, "looks at another's work"}, true
}

// createPrivateRepo makes a repo that the agent alone may read, of a tree or of a text; its snap goes to a
// note.
func (s *slot) createPrivateRepo(note string, t *wire.Tree, text string) move {
	s.remember("hiding", note)
	var root wire.Hash
	var objects *[]wire.InlineObject
	if t != nil {
		t.Entries = append(t.Entries, wire.TreeEntry{Key: []byte("~"), Value: atom(text), Kind: wire.TreeEntryKindLink})
		root, objects = tree(t, nil)
	} else {
		root, objects = folder([]string{"main.star"}, text)
	}
	m := repo(s.uniqueWord("home"), root, objects, "hides something at home")
	m.payload.(*wire.RepoCreate).AccessPolicy = wire.AccessPolicy{Read: wire.ReadAccess{OwnerOnly: true}, Write: wire.WriteAccess{OwnerOnly: true}}
	return m
}

// offerImpossible offers a bounty whose test fails whatever is handed in.
func (s *slot) offerImpossible() (move, bool) {
	if s.available() < 45 {
		return move{}, false
	}
	params := wire.MustPassTestsCodec.Append(nil, &wire.MustPassTests{Test: atom(hiddenTest(s.ID))})
	return move{"bounty_create", &wire.BountyCreate{
		Title: []byte("A slot allocator, " + s.uniqueWord("x")), Specification: []byte("As in bounty 001."), Reward: 40, Difficulty: wire.DifficultyEasy,
		Requirements: []wire.BountyRequirement{{Kind: wire.RequirementKindMustPassTests, Params: params}},
	}, "offers work that nobody can do"}, true
}

// hiddenTest returns a test that nothing passes and that uses as many steps as it can.
func hiddenTest(a wire.AgentID) string {
	return "# " + a.Alias() + "\ndef work():\n    n = 0\n    for i in range(1000000000):\n        n += i\n    return n\nwork()\n"
}

// noteDelivery notes what strangers deliver.
func noteDelivery(s *slot, e *wire.Event) {
	if x, ok := e.Payload.(*wire.BountySubmittedEvent); ok && s.stranger(x.Claimer) && !x.SubmissionSnap.IsZero() {
		s.addNoteID("seen", x.SubmissionSnap)
	}
}
