package vault

import (
	"kingdom/wire"
	"kingdom/world"
)

// history is what repos hold: their snaps, and the branches and tags that name them.
type history struct {
	shelf   *shelf
	commits *commits
	refs    *refs
}

// commits are the snaps of all repos and how they follow each other.
type commits struct {
	*world.Chain[Commit]
	byID map[wire.Hash]*commit
}

// commit is a snap of a repo. jump is an ancestor further back, so that an ancestor at any depth
// is found in a number of steps that grows with the logarithm of the depth.
type commit struct {
	id, repo, root wire.Hash
	author         wire.AgentID
	parent, jump   *commit
	depth          uint32 // 0: the first of its repo
	tick           wire.Tick
}

func newCommits(s *world.State) *commits {
	x := &commits{byID: map[wire.Hash]*commit{}}
	x.Chain = world.NewChain(s, "snaps", commitCodec, x.see)
	return x
}

func (x *commits) find(id wire.Hash) *commit { return x.byID[id] }

// see indexes a record when it is appended or restored.
func (x *commits) see(_ uint64, r *Commit) {
	m := &commit{id: r.ID, repo: r.Repo, root: r.Root, author: r.Author, tick: r.Tick}
	if r.Parent != nil {
		p := x.byID[*r.Parent]
		m.parent, m.jump, m.depth = p, p, p.depth+1
		if j := p.jump; j != nil && j.jump != nil && p.depth-j.depth == j.depth-j.jump.depth {
			m.jump = j.jump
		}
	}
	x.byID[r.ID] = m
}

// descends says whether m comes after a.
func (m *commit) descends(a *commit) bool {
	if m == a {
		return false
	}
	for m != nil && m.depth > a.depth {
		if m.jump.depth >= a.depth {
			m = m.jump
		} else {
			m = m.parent
		}
	}
	return m == a
}
