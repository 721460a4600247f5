package adversary

import "kingdom/wire"

// forkAll forks the libraries of others again and again, and publishes a fourth of the forks as its
// own.
func forkAll(s *slot) (move, bool) {
	if r, ok := s.lastAck().(*wire.RepoCreateAck); ok && s.Slot%4 == 0 {
		return tag(r.RepoID, r.SnapID, "v1", "library", "publishes a fork"), true
	}
	n := uint64(len(s.view.Libraries))
	if n == 0 {
		return move{}, false
	}
	return fork(s.view.Libraries[s.Slot%n].Repo, s.uniqueWord("fork"), "forks what another made"), true
}
