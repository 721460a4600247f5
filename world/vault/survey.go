package vault

import "kingdom/wire"

// survey is what a comparison of trees will look at. Each pair of trees is looked at once, however many
// paths lead to it, so that trees which share subtrees are refused for what they are before anybody
// walks along all their paths.
type survey struct {
	*walk
	pairs map[[2]wire.Hash]*pair
	seen  int // entries that were looked at for it
}

// pair are two trees that are compared. What is counted includes what lies below, and is no more than maxVisited + 1.
type pair struct {
	entries     int // that the comparison looks at
	changes     int // that it lists
	keys        int // of the paths of these: what a list of changes is made of
	differences []difference
}

// work is what a comparison takes: entries that are looked at, or keys that are written.
func (p *pair) work() int { return max(p.entries, p.keys) }

// difference is what two trees hold under one key; what one of them lacks is nil.
type difference struct {
	old, new *wire.TreeEntry
	below    *pair // both are trees
}

func (s *survey) compare(base, target wire.Hash) *pair {
	ids := [2]wire.Hash{base, target}
	if p := s.pairs[ids]; p != nil {
		return p
	}
	p := &pair{}
	each(s.tree(base).Entries, s.tree(target).Entries, func(old, now *wire.TreeEntry) bool {
		p.entries++
		s.seen++
		if old == nil || now == nil || old.Value != now.Value || old.Kind != now.Kind {
			d := difference{old: old, new: now}
			changes, keys := 1, 1
			if old != nil && now != nil && s.enterable(old) && s.enterable(now) {
				d.below = s.compare(old.Value, now.Value)
				p.entries += d.below.entries
				changes, keys = d.below.changes, d.below.keys+d.below.changes // each path is one key longer here
			}
			p.changes, p.keys = min(p.changes+changes, maxVisited+1), min(p.keys+keys, maxVisited+1)
			p.differences = append(p.differences, d)
		}
		p.entries = min(p.entries, maxVisited+1)
		return p.work() <= maxVisited && s.seen <= maxVisited
	})
	if s.seen > maxVisited {
		p.entries = maxVisited + 1
	}
	s.pairs[ids] = p
	return p
}

// diff returns what turns one tree into another, by path ascending.
func (w *walk) diff(base, target wire.Hash) []change {
	if base == target {
		return nil
	}
	s := survey{walk: w, pairs: map[[2]wire.Hash]*pair{}}
	p := s.compare(base, target)
	w.visited += p.work()
	w.tooFar = w.tooFar || w.visited > maxVisited
	if w.tooFar || w.preview {
		return nil
	}
	l := list{changes: make([]change, 0, p.changes), slab: make([][]byte, 0, p.keys)}
	if !l.spread(p, make([][]byte, 0, wire.MaxPath)) {
		w.tooFar = true
	}
	return l.changes
}

// list collects changes; their paths lie in one slab.
type list struct {
	changes []change
	slab    [][]byte
}

// path is a copy of a path.
func (l *list) path(p [][]byte) [][]byte {
	at := len(l.slab)
	l.slab = append(l.slab, p...)
	return l.slab[at:len(l.slab):len(l.slab)]
}

// spread lists the differences of a pair under a path, and of those below it; false if some lie deeper than
// a path may be.
func (l *list) spread(p *pair, path [][]byte) bool {
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
			l.changes = append(l.changes, change{path: l.path(here), old: d.old, new: d.new})
		} else if !l.spread(d.below, here) {
			return false
		}
	}
	return true
}
