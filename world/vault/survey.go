package vault

import "kingdom/wire"

// survey counts what a comparison will look at.
type survey struct {
	*walk
	pairs map[[2]wire.Hash]int // entries that comparing two trees looks at, those below included
	seen  int                  // entries that were looked at for it
}

// count is the number of entries for a pair of trees, or more than maxVisited.
func (s *survey) count(base, target wire.Hash, depth int) int {
	pair := [2]wire.Hash{base, target}
	if n, ok := s.pairs[pair]; ok {
		return n
	}
	n := 0
	each(s.tree(base).Entries, s.tree(target).Entries, func(old, now *wire.TreeEntry) bool {
		n++
		s.seen++
		if below := s.below(old, now); below && depth < wire.MaxPath {
			n += s.count(old.Value, now.Value, depth+1)
		}
		n = min(n, maxVisited+1)
		return n <= maxVisited && s.seen <= maxVisited
	})
	if s.seen > maxVisited {
		n = maxVisited + 1
	}
	s.pairs[pair] = n
	return n
}

// below says whether a comparison goes on into two entries under one key.
func (w *walk) below(old, now *wire.TreeEntry) bool {
	return old != nil && now != nil && (old.Value != now.Value || old.Kind != now.Kind) && w.enterable(old) && w.enterable(now)
}
