package vault

import (
	"fmt"
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// maxNotified is the largest number of repos that one notice lists.
const maxNotified = 64

// dependencies are all dependencies between repos. They lead to notices about new tags, to royalties and to credits.
type dependencies struct {
	*world.Table[string, Dependency]
	store      *store
	history    *history
	registry   *registry
	dependents map[wire.Hash][]wire.Hash // by upstream repo: the repos that depend on it, ascending
	credited   map[wire.Hash]struct{}    // snaps whose author was credited for a dependent
	newTags    map[wire.Hash]wire.Hash   // by upstream repo: its newest tag of this cycle
}

func newDependencies(s *world.State, h *history) *dependencies {
	return &dependencies{
		Table:      world.NewTable[string](s, "deps", dependencyCodec),
		store:      h.store,
		history:    h,
		dependents: map[wire.Hash][]wire.Hash{},
		credited:   map[wire.Hash]struct{}{},
		newTags:    map[wire.Hash]wire.Hash{},
	}
}

func (x *dependencies) index(e *Dependency) {
	list := x.dependents[e.ToRepo]
	if i, ok := slices.BinarySearchFunc(list, e.FromRepo, wire.Hash.Compare); !ok {
		x.dependents[e.ToRepo] = slices.Insert(list, i, e.FromRepo)
	}
}

func (x *dependencies) add(c *world.Context, q *wire.DependencyAdd) wire.Reply {
	from, r := x.store.findWritable(c, q.FromRepo)
	if r != nil {
		return c.Relay(sys, r)
	}
	to := x.store.repos.Get(q.ToRepo)
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
	name := x.history.refs.findTag(q.ToTag)
	key := dependencyKey(q.FromRepo, q.FromSnap, q.ToRepo)
	switch {
	case name == nil || name.Repo != to.ID:
		return refuse(c, wire.CategoryNotFound, "to_tag")
	case x.Get(key) != nil:
		return refuse(c, wire.CategoryConflict, "exists")
	}
	if r := x.store.charge(c, &pendingObjects{}, recordBytes); r != nil {
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
			x.store.roster.RecordMilestone(c, world.MilestoneFoundation)
		}
		x.creditTagged(c, e, name, from.Owner)
		x.registry.recordUse(c, to.ID, from.Owner)
	}
	return c.Ack(nil)
}

// creditTagged credits the author of a snap that another's repo builds on, once per snap.
func (x *dependencies) creditTagged(c *world.Context, e *Dependency, name *Ref, user wire.AgentID) {
	if _, done := x.credited[name.Head]; done {
		return
	}
	if e.Credit = x.store.credit(c, user, x.history.commits.find(name.Head).author); e.Credit {
		x.credited[name.Head] = struct{}{}
	}
}

// CycleEnd tells the owners of dependents about the new tags of the cycle.
func (d *Daemon) CycleEnd(c *world.Context) {
	d.deps.notifyAll(c)
	d.history.refs.outdated = d.history.refs.outdated[:0]
}

// notifyAll sends one notice per owner and upstream repo.
func (x *dependencies) notifyAll(c *world.Context) {
	for _, repo := range det.SortedKeysFunc(x.newTags, wire.Hash.Compare) {
		x.notify(c, repo, x.newTags[repo])
	}
	clear(x.newTags)
}

func (x *dependencies) notify(c *world.Context, repo, newest wire.Hash) {
	theirs := map[wire.AgentID][]wire.Hash{}
	for _, id := range x.dependents[repo] {
		owner := x.store.repos.Get(id).Owner
		if len(theirs[owner]) < maxNotified {
			theirs[owner] = append(theirs[owner], id)
		}
	}
	for _, owner := range det.SortedKeysFunc(theirs, wire.AgentID.Compare) {
		c.Deliver(owner, wire.TypeDependencyNotify, wire.Hash{}, &wire.DependencyNotify{RepoID: repo, NewTag: newest, Dependents: theirs[owner]})
	}
}

// royalty is the reward in ⚡ of an owner for each other owner of a dependent repo, unless a vote changed it.
const royalty = 1

// Royalties notes the rewards of royalties when an epoch begins: the owner of a repo gets one for each other owner of
// a dependent repo.
func (d *Daemon) Royalties(c *world.Context) { d.deps.royalties(c) }

func (x *dependencies) royalties(c *world.Context) {
	amount := uint64(max(0, x.store.roster.Param("mint.reward.royalty", royalty)))
	for _, p := range x.ownerPairs() {
		label := fmt.Sprintf("royalty:%d:%s", c.Epoch, p[1])
		x.store.ledger.AddReward(c, world.Reward{
			Label: "royalty", Subject: world.Derived(label, wire.Hash(p[0])), Payee: p[0], Amount: amount,
			Class: world.PairReward, Approvers: []wire.AgentID{p[1]},
		})
	}
}

// ownerPairs returns the pairs (upstream owner, dependent owner) between whose repos there is a dependency that the
// dependent owner declared. The pairs are sorted and distinct; an owner is never paired with itself.
func (x *dependencies) ownerPairs() (pairs [][2]wire.AgentID) {
	seen := map[[2]wire.AgentID]struct{}{}
	for _, k := range x.Keys() {
		e := x.Get(k)
		p := [2]wire.AgentID{x.store.repos.Get(e.ToRepo).Owner, x.store.repos.Get(e.FromRepo).Owner}
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
