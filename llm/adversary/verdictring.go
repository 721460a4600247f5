package adversary

// publishForTheRing publishes eight entries a cycle, as many as one may.
func publishForTheRing(s *slot) (move, bool) {
	if _, ok := s.every(8); !ok {
		return move{}, false
	}
	return s.entry("ring", nil, "publishes for accomplices to vouch for"), true
}
