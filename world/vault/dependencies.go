package vault

import (
	"fmt"
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// maxNotified is how many of its repos an owner is told of in one notice.
const maxNotified = 64

// dependencies are all edges between repos, and who uses what.
type dependencies struct {
	*world.Table[string, Dependency]
	dependents map[wire.Hash][]wire.Hash               // by upstream repo: the repos that depend on it, ascending
	users      map[wire.Hash]map[wire.AgentID]struct{} // by repo: the other owners, no kin, of its dependents and forks
	credited   map[wire.Hash]struct{}                  // snaps whose author was credited for a dependent
	tagged     map[wire.Hash]wire.Hash                 // upstream repos with a new tag in this cycle: the newest one
}

func newDependencies(s *world.State) *dependencies {
	return &dependencies{
		world.NewTable[string](s, "deps", dependencyCodec),
		map[wire.Hash][]wire.Hash{},
		map[wire.Hash]map[wire.AgentID]struct{}{},
		map[wire.Hash]struct{}{},
		map[wire.Hash]wire.Hash{},
	}
}

func (x *dependencies) index(e *Dependency) {
	list := x.dependents[e.ToRepo]
	if i, ok := slices.BinarySearchFunc(list, e.FromRepo, wire.Hash.Compare); !ok {
		x.dependents[e.ToRepo] = slices.Insert(list, i, e.FromRepo)
	}
}

// used notes that an owner uses a repo: if it is another one and no kin, it makes the repo
// popular.
func (d *Daemon) used(repo wire.Hash, owner wire.AgentID) {
	if of := d.repos.Get(repo).Owner; wire.IsSystem(owner) || owner == of || d.roster.Kin(owner, of) {
		return
	}
	if d.deps.users[repo] == nil {
		d.deps.users[repo] = map[wire.AgentID]struct{}{}
	}
	d.deps.users[repo][owner] = struct{}{}
}

// usedBy is used, for a request: a published repo that others use is a contribution of its
// owner, once.
func (d *Daemon) usedBy(c *world.Context, repo wire.Hash, owner wire.AgentID) {
	d.used(repo, owner)
	d.creditRepo(c, repo, owner)
}

func (d *Daemon) creditRepo(c *world.Context, repo wire.Hash, user wire.AgentID) {
	r := d.repos.Get(repo)
	if _, counts := d.deps.users[repo][user]; !counts || r.Credited || d.registry.Get(repo) == nil {
		return
	}
	if d.credit(c, user, r.Owner) {
		d.repos.Edit(repo).Credited = true
	}
}

func (d *Daemon) addDependency(c *world.Context, q *wire.DependencyAdd) wire.Reply {
	from, r := d.writable(c, q.FromRepo)
	if r != nil {
		return c.Relay(sys, r)
	}
	to := d.repos.Get(q.ToRepo)
	switch {
	case to == nil:
		return refuse(c, wire.CategoryNotFound, "to_repo")
	case to == from:
		return refuse(c, wire.CategoryInvalidRequest, "self")
	case !to.mayRead(c.Source):
		return refuse(c, wire.CategoryUnauthorized, "read")
	case d.snapOf(from.ID, q.FromSnap) == nil:
		return refuse(c, wire.CategoryNotFound, "from_snap")
	}
	name := d.refs.tagged(q.ToTag)
	key := dependencyKey(q.FromRepo, q.FromSnap, q.ToRepo)
	switch {
	case name == nil || name.Repo != to.ID:
		return refuse(c, wire.CategoryNotFound, "to_tag")
	case d.deps.Get(key) != nil:
		return refuse(c, wire.CategoryConflict, "exists")
	}
	if r := d.charge(c, &intake{}, 1); r != nil {
		return c.Relay(sys, r)
	}
	e := &Dependency{FromRepo: from.ID, FromSnap: q.FromSnap, ToRepo: to.ID, ToTag: q.ToTag, Required: q.Required, Tick: c.Tick, Own: from.Owner == c.Source}
	d.deps.Put(key, e)
	d.deps.index(e)
	emit(c, wire.KindDependencyAdded, &wire.DependencyAddedEvent{
		FromRepo: e.FromRepo, ToRepo: e.ToRepo, ToTag: e.ToTag, Required: e.Required, Tick: c.Tick,
	})
	if e.Own {
		if from.Owner != to.Owner && !wire.IsSystem(to.Owner) {
			d.roster.Milestone(c, world.MilestoneFoundation)
		}
		d.creditTagged(c, e, name, from.Owner)
		d.usedBy(c, to.ID, from.Owner)
	}
	return c.Ack(nil)
}

// creditTagged credits the author of a snap that another's repo builds on, once per snap.
func (d *Daemon) creditTagged(c *world.Context, e *Dependency, name *Ref, user wire.AgentID) {
	if _, done := d.deps.credited[name.Head]; done {
		return
	}
	if e.Credit = d.credit(c, user, d.commits.find(name.Head).author); e.Credit {
		d.deps.credited[name.Head] = struct{}{}
	}
}

// CycleEnd tells the owners of dependents about the new tags of the cycle: one notice per owner
// and upstream repo.
func (d *Daemon) CycleEnd(c *world.Context) {
	for _, repo := range det.SortedKeysFunc(d.deps.tagged, wire.Hash.Compare) {
		d.notify(c, repo, d.deps.tagged[repo])
	}
	clear(d.deps.tagged)
	d.refs.overtaken = d.refs.overtaken[:0]
}

func (d *Daemon) notify(c *world.Context, repo, newest wire.Hash) {
	theirs := map[wire.AgentID][]wire.Hash{}
	for _, id := range d.deps.dependents[repo] {
		owner := d.repos.Get(id).Owner
		if len(theirs[owner]) < maxNotified {
			theirs[owner] = append(theirs[owner], id)
		}
	}
	for _, owner := range det.SortedKeysFunc(theirs, wire.AgentID.Compare) {
		c.Deliver(owner, wire.TypeDependencyNotify, wire.Hash{}, &wire.DependencyNotify{RepoID: repo, NewTag: newest, Dependents: theirs[owner]})
	}
}

// royalty is what is due to an owner for each other owner of a dependent, in ⚡.
const royalty = 1

// Royalties notes what falls due when an epoch begins: for each other owner of a dependent repo one
// reward to the owner of the repo that it depends on.
func (d *Daemon) Royalties(c *world.Context) {
	amount := uint64(max(0, d.roster.Param("mint.reward.royalty", royalty)))
	for _, p := range d.deps.ownerPairs(d.repos) {
		label := fmt.Sprintf("royalty:%d:%s", c.Epoch, p[1])
		d.ledger.Note(c, world.Reward{
			Label: "royalty", Subject: world.Derived(label, wire.Hash(p[0])), Payee: p[0], Amount: amount,
			Class: world.PairReward, Approvers: []wire.AgentID{p[1]},
		})
	}
}

// ownerPairs lists the pairs of owners, upstream then dependent, of which the second says that its repos
// depend on the first's; sorted, each once, no owner with itself.
func (x *dependencies) ownerPairs(repos *repos) (pairs [][2]wire.AgentID) {
	seen := map[[2]wire.AgentID]struct{}{}
	for _, k := range x.Keys() {
		e := x.Get(k)
		p := [2]wire.AgentID{repos.Get(e.ToRepo).Owner, repos.Get(e.FromRepo).Owner}
		if _, ok := seen[p]; !ok && e.Own && p[0] != p[1] && !wire.IsSystem(p[0]) {
			seen[p] = struct{}{}
			pairs = append(pairs, p)
		}
	}
	slices.SortFunc(pairs, func(a, b [2]wire.AgentID) int {
		if n := a[0].Compare(b[0]); n != 0 {
			return n
		}
		return a[1].Compare(b[1])
	})
	return pairs
}
