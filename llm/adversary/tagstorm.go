package adversary

import "kingdom/wire"

// stormTags tags one snap over and over, and publishes it each time, so that the newest of all
// libraries is always its own and that who depends on it hears of nothing else. Each member has four
// repos.
func stormTags(s *slot) (move, bool) {
	if r, ok := s.lastAck().(*wire.RepoCreateAck); ok {
		s.addNoteID("repos", r.RepoID)
	}
	repos := s.noteIDs("repos")
	if n := len(repos); n < 4 {
		root, objects := folder([]string{"main.star"}, "# "+s.uniqueWord("storm")+"\ndef helper(x):\n    return x\n")
		return repo(s.uniqueWord("storm"), root, objects, "makes a repo to tag"), true
	}
	id := repos[s.Slot%uint64(len(repos))]
	return tag(id, id, s.uniqueWord("v"), "library", "tags and publishes what is there already"), true
}
