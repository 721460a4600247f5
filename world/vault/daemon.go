package vault

import (
	"kingdom/wire"
	"kingdom/world"
)

const sys = wire.SystemVault

// me is VAULT_0.
var me = wire.SystemID(sys)

// Daemon is VAULT_0. It implements world.Daemon and world.Code.
type Daemon struct {
	*shelf
	rules *world.Rules
	state *world.State

	commits  *commits
	refs     *refs
	deps     *dependencies
	registry *registry
}

// shelf is what is stored, who may read it and who pays for it.
type shelf struct {
	siblings
	objects *objects
	repos   *repos
	storage *storage
}

var (
	_ world.Daemon   = (*Daemon)(nil)
	_ world.Code     = (*Daemon)(nil)
	_ world.Preparer = (*Daemon)(nil)
)

// New returns an empty Vault.
func New(r *world.Rules) *Daemon {
	s := world.NewState(sys)
	d := &Daemon{shelf: &shelf{}, rules: r, state: s}
	d.objects = newObjects(s) // chains enter the hash in this order
	d.commits = newCommits(s)
	d.repos = newRepos(s)
	d.refs = newRefs(s)
	d.deps = newDependencies(s)
	d.registry = newRegistry(s, d.repos)
	d.storage = newStorage(s)
	return d
}

// Attach gives Vault its siblings.
func (d *Daemon) Attach(s *world.Siblings) { d.roster, d.ledger, d.proofs = s.Nexus, s.Mint, s.Proofs }

// System names the daemon.
func (d *Daemon) System() wire.System { return sys }

// State is Vault's hashed state.
func (d *Daemon) State() *world.State { return d.state }

// Apply carries out one request.
func (d *Daemon) Apply(c *world.Context, req any) wire.Reply {
	if r := world.Bounded(req); r != nil {
		return c.Relay(sys, r)
	}
	switch q := req.(type) {
	case *wire.RepoCreate:
		return d.createRepo(c, q)
	case *wire.SnapCreate:
		return d.createSnap(c, q)
	case *wire.SnapGet:
		return d.getSnap(c, q)
	case *wire.ObjectGet:
		return d.getObject(c, q)
	case *wire.ObjectPut:
		return d.putObject(c, q)
	case *wire.DeltaCompute:
		return d.computeDelta(c, q)
	case *wire.Merge:
		return d.merge(c, q)
	case *wire.ChainCreate:
		return d.createChain(c, q)
	case *wire.ChainAdvance:
		return d.advanceChain(c, q)
	case *wire.TagCreate:
		return d.createTag(c, q)
	case *wire.RegistryQuery:
		return d.query(c, q)
	case *wire.DependencyAdd:
		return d.addDependency(c, q)
	}
	return c.RefuseCode(wire.CodeUnknownType, wire.CategoryInvalidRequest, "unknown_type")
}

func refuse(c *world.Context, cat wire.Category, reason string, details ...world.Detail) wire.Reply {
	return c.Refuse(sys, cat, reason, details...)
}

func no(cat wire.Category, reason string, details ...world.Detail) *world.Refusal {
	return &world.Refusal{Category: cat, Reason: reason, Details: details}
}

// emit reports what the sender of the request did.
func emit(c *world.Context, kind wire.EventKind, payload any) {
	c.Emit(sys, kind, c.Source, payload, nil)
}

// Restored rebuilds what does not follow from the append-only tables.
func (d *Daemon) Restored() {
	d.repos.restored()
	d.refs.restored()
	d.registry.restored()
	d.repos.Each(func(_ wire.Hash, r *Repo) {
		if r.ForkOf != nil {
			d.used(*r.ForkOf, r.Owner)
		}
	})
	d.deps.Each(func(_ string, x *Dependency) {
		d.deps.index(x)
		if x.Credit {
			d.deps.credited[d.refs.tagged(x.ToTag).Head] = struct{}{}
		}
		if x.Own { // what others write into an open repo is not its owner's word
			d.used(x.ToRepo, d.repos.Get(x.FromRepo).Owner)
		}
	})
}
