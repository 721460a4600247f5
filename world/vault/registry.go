package vault

import (
	"cmp"
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// maxShownDescription is the largest number of bytes of a description in a view.
const maxShownDescription = 256

// maxFollowsShown is the number of repos that an agent builds on, last published first, that are considered for its view.
const maxFollowsShown = 32

// AppendLibraries appends published repos of other agents that everybody may read, at most limit, one per owner. Up
// to half are repos on which a builds, because a has to see how they change. Of the other owners each has its newest
// repo; half of these are the newest of all, the rest follow a place that differs from agent to agent. So nobody can
// hide the work of others by publishing all the time. The call only reads.
func AppendLibraries(d *Daemon, dst []wire.LibraryView, a wire.AgentID, limit int) []wire.LibraryView {
	x, first := d.registry, len(dst)
	has := func(owner wire.AgentID, views []wire.LibraryView) bool {
		return slices.ContainsFunc(views, func(l wire.LibraryView) bool { return l.Author == owner })
	}
	follows := x.follows[a]
	follows = follows[max(0, len(follows)-maxFollowsShown):]
	for i := len(follows) - 1; i >= 0 && len(dst)-first < limit/2; i-- {
		r := x.store.repos.Get(follows[i])
		if !r.Access.Read.Public || wire.IsSystem(r.Owner) || has(r.Owner, dst[first:]) {
			continue
		}
		if l := x.viewOf(r, x.Get(r.ID)); x.canShow(&l, a) {
			dst = append(dst, l)
		}
	}
	followed := len(dst)
	show := func(l *wire.LibraryView) {
		if x.canShow(l, a) && !has(l.Author, dst[first:followed]) {
			dst = append(dst, *l)
		}
	}
	half := len(x.newest)
	for newest := (limit + len(dst) - first) / 2; half > 0 && len(dst)-first < newest; {
		half--
		show(&x.newest[half])
	}
	for i := range half {
		if len(dst)-first == limit {
			break
		}
		show(&x.newest[(int(a[0])+i)%half])
	}
	return dst
}

// canShow reports whether the view of agent a can show a repo: one of somebody else that has a tag.
func (*registry) canShow(l *wire.LibraryView, a wire.AgentID) bool {
	return l.Author != a && !l.Tag.IsZero()
}

// viewOf is what a view shows of a repo; its Tag is zero if the repo has none.
func (x *registry) viewOf(repo *Repo, l *Listing) wire.LibraryView {
	v := wire.LibraryView{
		Repo: repo.ID, Author: repo.Owner, Name: repo.Name, Description: l.Description[:min(len(l.Description), maxShownDescription)],
	}
	if t := x.refs.findTag(x.refs.newest[repo.ID]); t != nil {
		v.Tag, v.Snap = *t.Tag, t.Head
	}
	return v
}

// registry holds the published repos and who uses them.
type registry struct {
	*world.Table[wire.Hash, Listing]
	store         *store
	refs          *refs
	users         map[wire.Hash]map[wire.AgentID]struct{} // by repo: owners of its dependents and forks, without its own owner and kin
	follows       map[wire.AgentID][]wire.Hash            // by user: the published repos that it uses, by place
	order         []wire.Hash                             // repos by place
	newest        []wire.LibraryView                      // what views show of the newest publicly readable repo of each agent, by place
	newestPlaces  []uint64                                // the places of the repos in newest
	placeOfNewest map[wire.AgentID]uint64                 // by owner: the place of its repo in newest
	byCategory    map[string][]wire.Hash                  // by category: repos by place
}

func newRegistry(s *world.State, stored *store, refs *refs) *registry {
	return &registry{
		Table: world.NewTable[wire.Hash](s, "registry", listingCodec),
		store: stored, refs: refs,
		users:         map[wire.Hash]map[wire.AgentID]struct{}{},
		follows:       map[wire.AgentID][]wire.Hash{},
		placeOfNewest: map[wire.AgentID]uint64{},
		byCategory:    map[string][]wire.Hash{},
	}
}

func (x *registry) restored() {
	x.Each(func(repo wire.Hash, _ *Listing) { x.order = append(x.order, repo) })
	slices.SortFunc(x.order, x.byPlace)
	for _, repo := range x.order {
		x.addToLists(repo, x.Get(repo))
	}
}

func (x *registry) byPlace(a, b wire.Hash) int { return cmp.Compare(x.Get(a).Place, x.Get(b).Place) }

// addToLists adds a listing, which must have the highest place, to the lists of its owner and its categories.
func (x *registry) addToLists(repo wire.Hash, l *Listing) {
	if r := x.store.repos.Get(repo); r.Access.Read.Public && !wire.IsSystem(r.Owner) {
		if at, ok := x.placeOfNewest[r.Owner]; ok {
			i, _ := slices.BinarySearch(x.newestPlaces, at)
			x.newest, x.newestPlaces = slices.Delete(x.newest, i, i+1), slices.Delete(x.newestPlaces, i, i+1)
		}
		x.newest, x.newestPlaces = append(x.newest, x.viewOf(r, l)), append(x.newestPlaces, l.Place)
		x.placeOfNewest[r.Owner] = l.Place
	}
	for i, label := range l.Category {
		if !contains(l.Category[:i], label) {
			x.byCategory[string(label)] = append(x.byCategory[string(label)], repo)
		}
	}
}

// tagged notes that a repo has a new tag.
func (x *registry) tagged(repo *Repo) {
	if at, ok := x.placeOfNewest[repo.Owner]; ok {
		i, _ := slices.BinarySearch(x.newestPlaces, at)
		if x.newest[i].Repo == repo.ID {
			x.newest[i] = x.viewOf(repo, x.Get(repo.ID))
		}
	}
}

// removeFromLists removes a listing from the lists. It must be called before the listing changes.
func (x *registry) removeFromLists(repo wire.Hash, l *Listing) {
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
			if list := out(x.byCategory[string(label)]); len(list) > 0 {
				x.byCategory[string(label)] = list
			} else {
				delete(x.byCategory, string(label))
			}
		}
	}
}

// publish adds a repo to the registry, or replaces its entry.
func (x *registry) publish(c *world.Context, repo *Repo, snap wire.Hash, p *wire.Publication) {
	place := uint64(1)
	if n := len(x.order); n > 0 {
		place = x.Get(x.order[n-1]).Place + 1
	}
	old := x.Get(repo.ID)
	if old != nil {
		x.removeFromLists(repo.ID, old)
	}
	l := &Listing{Place: place, Category: p.Category, Description: p.Description, Snap: snap, Tick: c.Tick}
	x.Put(repo.ID, l)
	x.order = append(x.order, repo.ID)
	for user := range x.users[repo.ID] { //house:sorted each has a list of its own
		x.follows[user] = append(x.follows[user], repo.ID)
	}
	x.addToLists(repo.ID, l)
	emit(c, wire.KindRegistryPublished, &wire.RegistryPublishedEvent{
		RepoID: repo.ID, Name: repo.Name, Author: repo.Owner, Category: p.Category, Tick: c.Tick,
	})
	if old == nil { // users from before the publication count now
		for _, user := range det.SortedKeysFunc(x.users[repo.ID], wire.AgentID.Compare) {
			x.creditRepo(c, repo.ID, user)
		}
	}
}

// reviewPrior is added to the weights of a repo's reviews, so that one review does not decide. It is 0.5 in units of
// det.QuantumBits.
const reviewPrior = 1 << (det.QuantumBits - 1)

// Reviewed adds a verdict on a repo's code.
func (d *Daemon) Reviewed(_ *world.Context, repo wire.Hash, score, weight float64) {
	if r := d.store.repos.Edit(repo); r != nil {
		r.Score += uint64(det.QuantiseInt(float64(score * weight)))
		r.Weight += uint64(det.QuantiseInt(weight))
	}
}

// addUser records that an owner uses a repo. Systems, the repo's own owner and its kin do not count.
func (x *registry) addUser(repo wire.Hash, owner wire.AgentID) {
	if of := x.store.repos.Get(repo).Owner; wire.IsSystem(owner) || owner == of || x.store.roster.Kin(owner, of) {
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

// recordUse is addUser for a request. It also credits the repo's owner with a contribution, once per repo, if the repo is
// published.
func (x *registry) recordUse(c *world.Context, repo wire.Hash, owner wire.AgentID) {
	x.addUser(repo, owner)
	x.creditRepo(c, repo, owner)
}

func (x *registry) creditRepo(c *world.Context, repo wire.Hash, user wire.AgentID) {
	r := x.store.repos.Get(repo)
	if _, counts := x.users[repo][user]; !counts || r.Credited || x.Get(repo) == nil {
		return
	}
	if x.store.credit(c, user, r.Owner) {
		x.store.repos.Edit(repo).Credited = true
	}
}

// popularity returns how many other owners who are no kin use a repo.
func (x *registry) popularity(repo wire.Hash) uint32 { return uint32(len(x.users[repo])) }

// quality returns the mean of three shares in [0,1]: snaps with a valid proof, the verdicts of reviews, and the popularity
// of at most 10, divided by 10.
func (x *registry) quality(r *Repo) float32 {
	proven := float64(r.Proven) / float64(r.Snaps)
	reviews := float64(r.Score) / float64(r.Weight+reviewPrior)
	popular := float64(min(x.popularity(r.ID), 10)) / 10
	return float32(det.Quantise((proven + reviews + popular) / 3))
}
