package vault

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

func (r *Repo) mayRead(a wire.AgentID) bool {
	p := &r.Access.Read
	return p.Public || a == r.Owner || p.AgentsOnly != nil && slices.Contains(*p.AgentsOnly, a)
}

func (r *Repo) mayWrite(a wire.AgentID) bool {
	p := &r.Access.Write
	return p.Open || a == r.Owner || p.Approved != nil && slices.Contains(*p.Approved, a)
}

// listBytes returns the bytes of the ids in the lists of p.
func listBytes(p *wire.AccessPolicy) (n uint64) {
	for _, list := range []*[]wire.AgentID{p.Read.AgentsOnly, p.Write.Approved} {
		if list != nil {
			n += uint64(len(*list)) * uint64(len(wire.AgentID{}))
		}
	}
	return n
}

// home returns the repo whose readers may read its new objects, nil if everybody may.
func (r *Repo) home() *wire.Hash {
	if r.Access.Read.Public {
		return nil
	}
	id := r.ID
	return &id
}

// findWritable returns a repo that the sender may write to, or a refusal.
func (d *store) findWritable(c *world.Context, id wire.Hash) (*Repo, *world.Refusal) {
	r := d.repos.Get(id)
	switch {
	case r == nil:
		return nil, refusal(wire.CategoryNotFound, "repo")
	case !r.mayWrite(c.Source):
		return nil, refusal(wire.CategoryUnauthorized, "write")
	}
	return r, nil
}
