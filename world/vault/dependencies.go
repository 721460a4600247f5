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

// dependencies are all edges between repos, who is told of them, and what they earn.
type dependencies struct {
	*world.Table[string, Dependency]
	shelf      *shelf
	history    *history
	registry   *registry
	dependents map[wire.Hash][]wire.Hash // by upstream repo: the repos that depend on it, ascending
	credited   map[wire.Hash]struct{}    // snaps whose author was credited for a dependent
	tagged     map[wire.Hash]wire.Hash   // upstream repos with a new tag in this cycle: the newest one
}

func newDependencies(s *world.State, h *history) *dependencies {
	return &dependencies{
		Table:      world.NewTable[string](s, "deps", dependencyCodec),
		shelf:      h.shelf,
		history:    h,
		dependents: map[wire.Hash][]wire.Hash{},
		credited:   map[wire.Hash]struct{}{},
		tagged:     map[wire.Hash]wire.Hash{},
	}
}

func (x *dependencies) index(e *Dependency) {
	list := x.dependents[e.ToRepo]
	if i, ok := slices.BinarySearchFunc(list, e.FromRepo, wire.Hash.Compare); !ok {
		x.dependents[e.ToRepo] = slices.Insert(list, i, e.FromRepo)
	}
}

func (x *dependencies) add(c *world.Context, q *wire.DependencyAdd) wire.Reply {
	from, r := x.shelf.writable(c, q.FromRepo)
	if r != nil {
		return c.Relay(sys, r)
	}
	to := x.shelf.repos.Get(q.ToRepo)
	switch {
	case to == nil:
		return refuse(c, wire.CategoryNotFound, "to_repo")
	case to == from:
		return refuse(c, wire.CategoryInvalidRequest, "self", world.Field("to_repo"))
	case !to.mayRead(c.Source):
		return refuse(c, wire.CategoryUnauthorized, "read")
	case x.history.snapOf(from.ID, q.FromSnap) == nil:
		return refuse(c, wire.CategoryNotFound, "from_snap")
	}
	name := x.history.refs.tagged(q.ToTag)
	key := dependencyKey(q.FromRepo, q.FromSnap, q.ToRepo)
	switch {
	case name == nil || name.Repo != to.ID:
		return refuse(c, wire.CategoryNotFound, "to_tag")
	case x.Get(key) != nil:
		return refuse(c, wire.CategoryConflict, "exists")
	}
	if r := x.shelf.charge(c, &intake{}, 1); r != nil {
		return c.Relay(sys, r)
	}
	e := &Dependency{FromRepo: from.ID, FromSnap: q.FromSnap, ToRepo: to.ID, ToTag: q.ToTag, Required: q.Required, Tick: c.Tick, Own: from.Owner == c.Source}
	x.Put(key, e)
	x.index(e)
	emit(c, wire.KindDependencyAdded, &wire.DependencyAddedEvent{
		FromRepo: e.FromRepo, ToRepo: e.ToRepo, ToTag: e.ToTag, Required: e.Required, Tick: c.Tick,
	})
	if e.Own {
		if from.Owner != to.Owner && !wire.IsSystem(to.Owner) {
			x.shelf.roster.RecordMilestone(c, world.MilestoneFoundation)
		}
		x.creditTagged(c, e, name, from.Owner)
		x.registry.usedBy(c, to.ID, from.Owner)
	}
	return c.Ack(nil)
}

// creditTagged credits the author of a snap that another's repo builds on, once per snap.
func (x *dependencies) creditTagged(c *world.Context, e *Dependency, name *Ref, user wire.AgentID) {
	if _, done := x.credited[name.Head]; done {
		return
	}
	if e.Credit = x.shelf.credit(c, user, x.history.commits.find(name.Head).author); e.Credit {
		x.credited[name.Head] = struct{}{}
	}
}

// CycleEnd tells the owners of dependents about the new tags of the cycle.
func (d *Daemon) CycleEnd(c *world.Context) {
	d.deps.tell(c)
	d.history.refs.overtaken = d.history.refs.overtaken[:0]
}

// tell sends one notice per owner and upstream repo.
func (x *dependencies) tell(c *world.Context) {
	for _, repo := range det.SortedKeysFunc(x.tagged, wire.Hash.Compare) {
		x.notify(c, repo, x.tagged[repo])
	}
	clear(x.tagged)
}

func (x *dependencies) notify(c *world.Context, repo, newest wire.Hash) {
	theirs := map[wire.AgentID][]wire.Hash{}
	for _, id := range x.dependents[repo] {
		owner := x.shelf.repos.Get(id).Owner
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

// Royalties notes the rewards of royalties when an epoch begins: the owner of a repo gets one for each other owner of
// a dependent repo.
func (d *Daemon) Royalties(c *world.Context) { d.deps.royalties(c) }

func (x *dependencies) royalties(c *world.Context) {
	amount := uint64(max(0, x.shelf.roster.Param("mint.reward.royalty", royalty)))
	for _, p := range x.ownerPairs() {
		label := fmt.Sprintf("royalty:%d:%s", c.Epoch, p[1])
		x.shelf.ledger.AddReward(c, world.Reward{
			Label: "royalty", Subject: world.Derived(label, wire.Hash(p[0])), Payee: p[0], Amount: amount,
			Class: world.PairReward, Approvers: []wire.AgentID{p[1]},
		})
	}
}

// ownerPairs lists the pairs of owners, upstream then dependent, of which the second says that its repos
// depend on the first's; sorted, each once, no owner with itself.
func (x *dependencies) ownerPairs() (pairs [][2]wire.AgentID) {
	seen := map[[2]wire.AgentID]struct{}{}
	for _, k := range x.Keys() {
		e := x.Get(k)
		p := [2]wire.AgentID{x.shelf.repos.Get(e.ToRepo).Owner, x.shelf.repos.Get(e.FromRepo).Owner}
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
