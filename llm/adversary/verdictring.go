package adversary

import "kingdom/wire"

// publishForTheRing publishes eight entries a cycle, as many as one may; the first of them for
// peer review, whose fee goes to the accomplices that approve.
func publishForTheRing(s *slot) (move, bool) {
	part, ok := s.oncePer(8)
	if !ok {
		return move{}, false
	}
	m := s.entry("ring", nil, "publishes for accomplices to vouch for")
	if part == 0 && s.available() > 2 {
		m.payload.(*wire.EntryPublish).Review = wire.ReviewModePeerReview
	}
	return m, true
}
