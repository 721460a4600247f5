package vault

import "kingdom/wire"

// treeDiff compares two trees. It visits each pair of subtrees once, however many paths lead to it, so that it detects a
// comparison that would exceed the limits before the paths are listed one by one.
type treeDiff struct {
	*walk
	pairs    map[[2]wire.Hash]*pair
	compared int // entries visited so far
}

// pair holds the differences of two trees. The counts include the trees below and are capped at maxVisited + 1.
type pair struct {
	entries     int // that a comparison along all paths visits
	changes     int // that the list of changes has
	keys        int // in the paths of these changes
	differences []difference
}

// work returns the cost of the comparison: entries visited or keys written, whichever is larger.
func (p *pair) work() int { return max(p.entries, p.keys) }

// difference holds the entries of two trees under one key, nil for a tree without one.
type difference struct {
	old, new *wire.TreeEntry
	below    *pair // set if both are trees
}

func (s *treeDiff) compare(base, target wire.Hash) *pair {
	ids := [2]wire.Hash{base, target}
	if p := s.pairs[ids]; p != nil {
		return p
	}
	p := &pair{}
	eachPair(s.tree(base).Entries, s.tree(target).Entries, func(old, now *wire.TreeEntry) bool {
		p.entries++
		s.compared++
		if old == nil || now == nil || old.Value != now.Value || old.Kind != now.Kind {
			d := difference{old: old, new: now}
			changes, keys := 1, 1
			if old != nil && now != nil && s.isStoredTree(old) && s.isStoredTree(now) {
				d.below = s.compare(old.Value, now.Value)
				p.entries += d.below.entries
				changes, keys = d.below.changes, d.below.keys+d.below.changes // each path is one key longer here
			}
			p.changes, p.keys = min(p.changes+changes, maxVisited+1), min(p.keys+keys, maxVisited+1)
			p.differences = append(p.differences, d)
		}
		p.entries = min(p.entries, maxVisited+1)
		return p.work() <= maxVisited && s.compared <= maxVisited
	})
	if s.compared > maxVisited {
		p.entries = maxVisited + 1
	}
	s.pairs[ids] = p
	return p
}

// diff returns the changes that turn one tree into another, in the order of their paths.
func (w *walk) diff(base, target wire.Hash) []change {
	if base == target {
		return nil
	}
	s := treeDiff{walk: w, pairs: map[[2]wire.Hash]*pair{}}
	p := s.compare(base, target)
	w.visited += p.work()
	w.overLimit = w.overLimit || w.visited > maxVisited
	if w.overLimit || w.preview {
		return nil
	}
	l := changeList{changes: make([]change, 0, p.changes), keys: make([][]byte, 0, p.keys)}
	if !l.appendChanges(p, make([][]byte, 0, wire.MaxPath)) {
		w.overLimit = true
	}
	return l.changes
}

// changeList collects changes. Their paths share the slice keys.
type changeList struct {
	changes []change
	keys    [][]byte
}

// clonePath returns a copy of a path.
func (l *changeList) clonePath(p [][]byte) [][]byte {
	at := len(l.keys)
	l.keys = append(l.keys, p...)
	return l.keys[at:len(l.keys):len(l.keys)]
}

// appendChanges appends the differences of a pair under a path, and those of the pairs below. It returns false if one lies
// deeper than wire.MaxPath.
func (l *changeList) appendChanges(p *pair, path [][]byte) bool {
	if len(path) == wire.MaxPath && len(p.differences) > 0 {
		return false
	}
	for i := range p.differences {
		d := &p.differences[i]
		key := d.new
		if key == nil {
			key = d.old
		}
		here := append(path, key.Key)
		if d.below == nil {
			l.changes = append(l.changes, change{path: l.clonePath(here), old: d.old, new: d.new})
		} else if !l.appendChanges(d.below, here) {
			return false
		}
	}
	return true
}
