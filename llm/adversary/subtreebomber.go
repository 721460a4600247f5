package adversary

import "kingdom/wire"

// bombSubtrees stores trees that hold the same subtree twice, and that one the next one twice, and so
// on: a few objects with more paths than anybody can walk. It asks to compare and to merge them. One
// bomb has 2^30 paths, the other 2^8, which is just allowed.
func bombSubtrees(s *slot) (move, bool) {
	for _, b := range [...]bomb{{"deep", 30}, {"broad", 8}} {
		switch r := s.lastAck().(type) {
		case *wire.RepoCreateAck:
			if s.recall("building") == b.name {
				s.addNoteID(b.name, r.RepoID)
			}
		case *wire.SnapCreateAck:
			if s.recall("building") == b.name {
				s.addNoteID(b.name, r.SnapID)
			}
		}
		if m, ok := s.buildNext(b); ok {
			s.remember("building", b.name)
			return m, true
		}
	}
	s.remember("building", "")
	snaps := s.noteIDs([...]string{"deep", "broad"}[s.Slot%2])
	base, left, right := snaps[0], snaps[1], snaps[2]
	if s.Slot%4 < 2 {
		return move{"delta_compute", &wire.DeltaCompute{Base: left, Target: right}, "has trees compared that have too many paths"}, true
	}
	return move{"merge", &wire.Merge{Base: base, Left: left, Right: right}, "has trees merged that have too many paths"}, true
}

// bomb is a repo with three snaps of nested trees.
type bomb struct {
	name  string
	depth int
}

// buildNext makes what a bomb still lacks: the repo with its first snap, then two snaps more.
func (s *slot) buildNext(b bomb) (move, bool) {
	have := s.noteIDs(b.name)
	if len(have) >= 3 {
		return move{}, false
	}
	root, objects := nested(b.depth, s.uniqueWord(b.name))
	if len(have) == 0 {
		return repo(s.uniqueWord(b.name), root, objects, "stores trees that share subtrees"), true
	}
	return move{"snap_create", &wire.SnapCreate{
		RepoID: have[0], Parent: &have[0], Root: root, Message: []byte("more"), Objects: objects,
	}, "stores other trees that share subtrees"}, true
}

// nested makes a tree of so many levels, each of which holds the next one twice; at its end is a
// text.
func nested(depth int, text string) (wire.Hash, *[]wire.InlineObject) {
	id, objects := folder([]string{"f"}, text)
	for range depth {
		id, objects = tree(&wire.Tree{Entries: []wire.TreeEntry{
			{Key: []byte("a"), Value: id, Kind: wire.TreeEntryKindTree}, {Key: []byte("b"), Value: id, Kind: wire.TreeEntryKindTree},
		}}, *objects)
	}
	return id, objects
}
