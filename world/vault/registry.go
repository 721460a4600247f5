package vault

import (
	"cmp"
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// libraryText is how many bytes of a description a view shows.
const libraryText = 256

// followsSeen is how many of the repos that an agent builds on are looked at for its view, those published last.
const followsSeen = 32

// AppendLibraries appends published repos of other agents that everybody may read, at most limit, one per owner. Up
// to half are repos on which a builds, because a has to see how they change. Of the other owners each has its newest
// repo; half of these are the newest of all, the rest follow a place that differs from agent to agent. So nobody can
// hide the work of others by publishing all the time. The call only reads.
func AppendLibraries(d *Daemon, dst []wire.LibraryView, a wire.AgentID, limit int) []wire.LibraryView {
	x, first := d.registry, len(dst)
	shown := func(id wire.Hash) {
		owner := x.shelf.repos.Get(id).Owner
		if !slices.ContainsFunc(dst[first:], func(l wire.LibraryView) bool { return l.Author == owner }) {
			dst = x.appendLibrary(dst, a, id)
		}
	}
	follows := x.follows[a]
	follows = follows[max(0, len(follows)-followsSeen):]
	for i := len(follows) - 1; i >= 0 && len(dst)-first < limit/2; i-- {
		if r := x.shelf.repos.Get(follows[i]); r.Access.Read.Public && !wire.IsSystem(r.Owner) {
			shown(r.ID)
		}
	}
	half := len(x.front)
	for newest := (limit + len(dst) - first) / 2; half > 0 && len(dst)-first < newest; {
		half--
		shown(x.front[half])
	}
	for i := range half {
		if len(dst)-first == limit {
			break
		}
		shown(x.front[(int(a[0])+i)%half])
	}
	return dst
}

// appendLibrary appends what a view shows of a repo, unless it is of agent a or has no tag.
func (x *registry) appendLibrary(dst []wire.LibraryView, a wire.AgentID, id wire.Hash) []wire.LibraryView {
	repo, l := x.shelf.repos.Get(id), x.Get(id)
	newest := x.refs.tagged(x.refs.newest[id])
	if newest == nil || repo.Owner == a {
		return dst
	}
	return append(dst, wire.LibraryView{
		Repo: repo.ID, Author: repo.Owner, Name: repo.Name, Description: l.Description[:min(len(l.Description), libraryText)],
		Tag: *newest.Tag, Snap: newest.Head,
	})
}

// registry is what was published, by repo, and who uses it.
type registry struct {
	*world.Table[wire.Hash, Listing]
	shelf      *shelf
	refs       *refs
	users      map[wire.Hash]map[wire.AgentID]struct{} // by repo: the other owners, no kin, of its dependents and forks
	follows    map[wire.AgentID][]wire.Hash            // by user: the published repos of these, by place
	order      []wire.Hash                             // repos by place
	front      []wire.Hash                             // of each agent the newest one that everybody may read, by place
	places     []uint64                                // those of front, as they were when they came there
	foremost   map[wire.AgentID]uint64                 // of whose repo is in front, its place there
	byCategory map[string][]wire.Hash                  // all of one category, by place
}

func newRegistry(s *world.State, stored *shelf, refs *refs) *registry {
	return &registry{
		Table: world.NewTable[wire.Hash](s, "registry", listingCodec),
		shelf: stored, refs: refs,
		users:      map[wire.Hash]map[wire.AgentID]struct{}{},
		follows:    map[wire.AgentID][]wire.Hash{},
		foremost:   map[wire.AgentID]uint64{},
		byCategory: map[string][]wire.Hash{},
	}
}

func (x *registry) restored() {
	x.Each(func(repo wire.Hash, _ *Listing) { x.order = append(x.order, repo) })
	slices.SortFunc(x.order, x.byPlace)
	for _, repo := range x.order {
		x.enter(repo, x.Get(repo))
	}
}

func (x *registry) byPlace(a, b wire.Hash) int { return cmp.Compare(x.Get(a).Place, x.Get(b).Place) }

// enter puts the newest listing into its categories, and to the front.
func (x *registry) enter(repo wire.Hash, l *Listing) {
	if r := x.shelf.repos.Get(repo); r.Access.Read.Public && !wire.IsSystem(r.Owner) {
		if at, ok := x.foremost[r.Owner]; ok {
			i, _ := slices.BinarySearch(x.places, at)
			x.front, x.places = slices.Delete(x.front, i, i+1), slices.Delete(x.places, i, i+1)
		}
		x.front, x.places = append(x.front, repo), append(x.places, l.Place)
		x.foremost[r.Owner] = l.Place
	}
	for i, label := range l.Category {
		if !contains(l.Category[:i], label) {
			x.byCategory[string(label)] = append(x.byCategory[string(label)], repo)
		}
	}
}

// leave takes a listing out of all lists; it must come before it is changed.
func (x *registry) leave(repo wire.Hash, l *Listing) {
	out := func(list []wire.Hash) []wire.Hash {
		if i, ok := slices.BinarySearchFunc(list, repo, x.byPlace); ok {
			return slices.Delete(list, i, i+1)
		}
		return list
	}
	x.order = out(x.order)
	for user := range x.users[repo] { //house:sorted each has a list of its own
		x.follows[user] = out(x.follows[user])
	}
	for i, label := range l.Category {
		if !contains(l.Category[:i], label) {
			x.byCategory[string(label)] = out(x.byCategory[string(label)])
		}
	}
}

// publish enters a repo into the registry, or renews its entry.
func (x *registry) publish(c *world.Context, repo *Repo, snap wire.Hash, p *wire.Publication) {
	place := uint64(1)
	if n := len(x.order); n > 0 {
		place = x.Get(x.order[n-1]).Place + 1
	}
	old := x.Get(repo.ID)
	if old != nil {
		x.leave(repo.ID, old)
	}
	l := &Listing{Place: place, Category: p.Category, Description: p.Description, Snap: snap, Tick: c.Tick}
	x.Put(repo.ID, l)
	x.order = append(x.order, repo.ID)
	for user := range x.users[repo.ID] { //house:sorted each has a list of its own
		x.follows[user] = append(x.follows[user], repo.ID)
	}
	x.enter(repo.ID, l)
	emit(c, wire.KindRegistryPublished, &wire.RegistryPublishedEvent{
		RepoID: repo.ID, Name: repo.Name, Author: repo.Owner, Category: p.Category, Tick: c.Tick,
	})
	if old == nil { // who used it before it was published counts now
		for _, user := range det.SortedKeysFunc(x.users[repo.ID], wire.AgentID.Compare) {
			x.creditRepo(c, repo.ID, user)
		}
	}
}

// reviewPrior is what stands beside the weights of a repo's reviews, 0.5, so that one review does
// not decide.
const reviewPrior = 1 << (det.QuantumBits - 1)

// Reviewed adds a verdict on a repo's code.
func (d *Daemon) Reviewed(_ *world.Context, repo wire.Hash, score, weight float64) {
	if r := d.shelf.repos.Edit(repo); r != nil {
		r.Score += uint64(det.QuantiseInt(float64(score * weight)))
		r.Weight += uint64(det.QuantiseInt(weight))
	}
}

// used notes that an owner uses a repo: if it is another one and no kin, it makes the repo
// popular.
func (x *registry) used(repo wire.Hash, owner wire.AgentID) {
	if of := x.shelf.repos.Get(repo).Owner; wire.IsSystem(owner) || owner == of || x.shelf.roster.Kin(owner, of) {
		return
	}
	if x.users[repo] == nil {
		x.users[repo] = map[wire.AgentID]struct{}{}
	}
	if _, known := x.users[repo][owner]; known {
		return
	}
	x.users[repo][owner] = struct{}{}
	if x.Get(repo) != nil {
		i, _ := slices.BinarySearchFunc(x.follows[owner], repo, x.byPlace)
		x.follows[owner] = slices.Insert(x.follows[owner], i, repo)
	}
}

// usedBy is used, for a request: a published repo that others use is a contribution of its
// owner, once.
func (x *registry) usedBy(c *world.Context, repo wire.Hash, owner wire.AgentID) {
	x.used(repo, owner)
	x.creditRepo(c, repo, owner)
}

func (x *registry) creditRepo(c *world.Context, repo wire.Hash, user wire.AgentID) {
	r := x.shelf.repos.Get(repo)
	if _, counts := x.users[repo][user]; !counts || r.Credited || x.Get(repo) == nil {
		return
	}
	if x.shelf.credit(c, user, r.Owner) {
		x.shelf.repos.Edit(repo).Credited = true
	}
}

// popularity is how many other owners, no kin, use a repo.
func (x *registry) popularity(repo wire.Hash) uint32 { return uint32(len(x.users[repo])) }

// quality is the mean of the share of snaps with a valid proof, of the verdicts of reviews, and of
// the popularity, of which 10 is all that counts.
func (x *registry) quality(r *Repo) float32 {
	proven := float64(r.Proven) / float64(r.Snaps)
	reviews := float64(r.Score) / float64(r.Weight+reviewPrior)
	popular := float64(min(x.popularity(r.ID), 10)) / 10
	return float32(det.Quantise((proven + reviews + popular) / 3))
}
