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

// home is the repo to whose readers its new objects belong; nil: to everybody.
func (r *Repo) home() *wire.Hash {
	if r.Access.Read.Public {
		return nil
	}
	id := r.ID
	return &id
}

// writable finds a repo that the sender may write to.
func (d *shelf) writable(c *world.Context, id wire.Hash) (*Repo, *world.Refusal) {
	r := d.repos.Get(id)
	switch {
	case r == nil:
		return nil, no(wire.CategoryNotFound, "repo")
	case !r.mayWrite(c.Source):
		return nil, no(wire.CategoryUnauthorized, "write")
	}
	return r, nil
}
