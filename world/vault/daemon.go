package vault

import (
	"kingdom/wire"
	"kingdom/world"
)

const sys = wire.SystemVault

// me is VAULT_0.
var me = wire.SystemID(sys)

// Daemon is VAULT_0. It implements world.Daemon and world.Vault.
type Daemon struct {
	state *world.State

	store    *store
	history  *history
	deps     *dependencies
	registry *registry
}

// store holds the objects and repos, and the storage that agents use. It decides who may read them.
type store struct {
	siblings
	objects *objects
	repos   *repos
	storage *storage
}

var (
	_ world.Daemon   = (*Daemon)(nil)
	_ world.Vault    = (*Daemon)(nil)
	_ world.Preparer = (*Daemon)(nil)
)

// New returns an empty Vault.
func New() *Daemon {
	s := world.NewState(sys)
	d := &Daemon{state: s, store: &store{}}
	d.history = &history{store: d.store}
	d.store.objects = newObjects(s) // chains enter the hash in this order
	d.history.commits = newCommits(s)
	d.store.repos = newRepos(s)
	d.history.refs = newRefs(s)
	d.deps = newDependencies(s, d.history)
	d.registry = newRegistry(s, d.store, d.history.refs)
	d.deps.registry = d.registry
	d.store.storage = newStorage(s)
	return d
}

// Attach gives Vault its siblings.
func (d *Daemon) Attach(s *world.Siblings) {
	d.store.roster, d.store.ledger, d.store.proofs = s.Nexus, s.Mint, s.Proofs
}

// System names the daemon.
func (d *Daemon) System() wire.System { return sys }

// Repo returns a repo or nil; read-only.
func (d *Daemon) Repo(id wire.Hash) *Repo { return d.store.repos.Get(id) }

// MaySee reports whether a may see e, an event of Vault: events of a repo are for its readers.
func (d *Daemon) MaySee(e *wire.Event, a wire.AgentID) bool {
	r := d.Repo(repoOf(e))
	return r == nil || r.mayRead(a)
}

// Measure counts the repos.
func (d *Daemon) Measure(m *world.Metrics) { m.VaultRepos = uint64(d.store.repos.Len()) }

// State is Vault's hashed state.
func (d *Daemon) State() *world.State { return d.state }

// Apply carries out one request.
func (d *Daemon) Apply(c *world.Context, req any) wire.Reply {
	if r := world.CheckBounds(req); r != nil {
		return c.Relay(sys, r)
	}
	switch q := req.(type) {
	case *wire.RepoCreate:
		return d.createRepo(c, q)
	case *wire.SnapCreate:
		return d.history.createSnap(c, q)
	case *wire.SnapGet:
		return d.history.getSnap(c, q)
	case *wire.ObjectGet:
		return d.store.getObject(c, q)
	case *wire.ObjectPut:
		return d.store.putObject(c, q)
	case *wire.DeltaCompute:
		return d.computeDelta(c, q)
	case *wire.Merge:
		return d.merge(c, q)
	case *wire.ChainCreate:
		return d.history.createChain(c, q)
	case *wire.ChainAdvance:
		return d.history.advanceChain(c, q)
	case *wire.TagCreate:
		return d.createTag(c, q)
	case *wire.RegistryQuery:
		return d.registry.query(c, q)
	case *wire.DependencyAdd:
		return d.deps.add(c, q)
	}
	return c.RefuseCode(wire.CodeUnknownType, wire.CategoryInvalidRequest, "unknown_type")
}

func refuse(c *world.Context, cat wire.Category, reason string, details ...world.Detail) wire.Reply {
	return c.Refuse(sys, cat, reason, details...)
}

func refusal(cat wire.Category, reason string, details ...world.Detail) *world.Refusal {
	return &world.Refusal{Category: cat, Reason: reason, Details: details}
}

// emit reports what the sender of the request did.
func emit(c *world.Context, kind wire.EventKind, payload any) {
	c.Emit(sys, kind, c.Source, payload, nil)
}

// Restored rebuilds the indexes that do not follow from the append-only tables.
func (d *Daemon) Restored() {
	d.store.repos.restored()
	d.history.refs.restored()
	d.registry.restored()
	d.store.repos.Each(func(_ wire.Hash, r *Repo) {
		if r.ForkOf != nil {
			d.registry.addUser(*r.ForkOf, r.Owner)
		}
	})
	d.deps.Each(func(_ string, x *Dependency) {
		d.deps.index(x)
		if x.Credit {
			d.deps.credited[d.history.refs.findTag(x.ToTag).Head] = struct{}{}
		}
		if x.Own { // what others write into an open repo is not its owner's word
			d.registry.addUser(x.ToRepo, d.store.repos.Get(x.FromRepo).Owner)
		}
	})
}
