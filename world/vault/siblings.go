package vault

import (
	"kingdom/wire"
	"kingdom/world"
)

// siblings are the other daemons as Vault sees them.
type siblings struct {
	roster nexus
	ledger mint
	proofs world.Proofs // nil: nothing is proved
}

// nexus is what Vault asks of Nexus.
type nexus interface {
	world.Roster
	world.Keys
	world.Merits
	world.Milestones
	world.Params
}

// mint is what Vault asks of Mint.
type mint interface {
	world.Pairs
	world.Purchases
	world.Rewards
}

// Stored reports whether snap is the snap of a repo and was stored before tick t.
func (d *Daemon) Stored(snap wire.Hash, t wire.Tick) bool {
	x := d.history.commits.find(snap)
	return x != nil && x.tick < t
}

// Contains reports whether object is a repo itself, or a snap or tag of it.
func (d *Daemon) Contains(repo, object wire.Hash) bool {
	if x := d.history.commits.find(object); x != nil {
		return x.repo == repo
	}
	x := d.history.refs.findTag(object)
	return x != nil && x.Repo == repo
}

// Owner returns the owner of the repo of a snap or tag, and its author.
func (d *Daemon) Owner(object wire.Hash) (owner, author wire.AgentID, ok bool) {
	if x := d.history.commits.find(object); x != nil {
		return d.store.repos.Get(x.repo).Owner, x.author, true
	}
	if x := d.history.refs.findTag(object); x != nil {
		return d.store.repos.Get(x.Repo).Owner, x.Author, true
	}
	return owner, author, false
}

// Readable reports whether these agents may read a snap and its tree, or everybody if none is given.
func (d *Daemon) Readable(snap wire.Hash, by ...wire.AgentID) bool {
	m := d.history.commits.find(snap)
	if m == nil {
		return false
	}
	repo := d.store.repos.Get(m.repo)
	if len(by) == 0 {
		return repo.Access.Read.Public && d.store.objects.homes.Get(m.root) == nil
	}
	for _, a := range by {
		if !repo.mayRead(a) || !d.store.readable(m.root, a) {
			return false
		}
	}
	return true
}

// Public reports whether everybody may read a stored object.
func (d *Daemon) Public(object wire.Hash) bool { return d.store.readable(object, wire.AgentID{}) }

// Tag returns when a tag was stored and whether its repo has a newer one; ok is false if id is not a tag.
func (d *Daemon) Tag(id wire.Hash) (at wire.Tick, outdated, ok bool) {
	r := d.history.refs.findTag(id)
	if r == nil {
		return 0, false, false
	}
	return r.Tick, d.history.refs.newest[r.Repo] != id, true
}

// OutdatedTags returns the tags that became outdated in the open cycle.
func (d *Daemon) OutdatedTags() []wire.Hash { return d.history.refs.outdated }

// MainRoot returns the tree of a repo's branch main; ok is false for unknown repos. The runtime of an agent that
// forks the repo needs it to sign the first snap.
func (d *Daemon) MainRoot(repo wire.Hash) (root wire.Hash, ok bool) {
	main := d.history.refs.find(repo, branch, mainChain)
	if main == nil {
		return root, false
	}
	return d.history.commits.find(main.Head).root, true
}

// credit records a contribution of a that is due to agent from, and reports whether it counts. It does not count for
// systems, nor if the pair of agents is used up (docs/WORLD.md, pairs).
func (s *siblings) credit(c *world.Context, from, a wire.AgentID) bool {
	if wire.IsSystem(a) || !s.ledger.UsePair(c, world.PairMerit, from, a) {
		return false
	}
	s.roster.AddContribution(c, a, 4)
	return true
}
