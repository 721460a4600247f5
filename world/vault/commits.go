package vault

import (
	"kingdom/wire"
	"kingdom/world"
)

// history holds the snaps of repos, and the branches and tags that point to them.
type history struct {
	store   *store
	commits *commits
	refs    *refs
}

// commits are the snaps of all repos, with their ancestors.
type commits struct {
	*world.Chain[Commit]
	byID map[wire.Hash]*commit
}

// commit is a snap of a repo. jump points to an ancestor further back (a skew-binary jump pointer), so that an ancestor at
// any depth is found in O(log depth) steps.
type commit struct {
	id, repo, root wire.Hash
	author         wire.AgentID
	parent, jump   *commit
	depth          uint32 // 0: the first of its repo
	tick           wire.Tick
}

func newCommits(s *world.State) *commits {
	x := &commits{byID: map[wire.Hash]*commit{}}
	x.Chain = world.NewChain(s, "snaps", commitCodec, x.indexRecord)
	return x
}

func (x *commits) find(id wire.Hash) *commit { return x.byID[id] }

// indexRecord indexes a record when it is appended or restored.
func (x *commits) indexRecord(_ uint64, r *Commit) {
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

// descends reports whether a is an ancestor of m.
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
