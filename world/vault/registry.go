package vault

import (
	"cmp"
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// librariesSeen is how many published repos a view looks at, and libraryText how many bytes of a
// description it shows.
const (
	librariesSeen = 32
	libraryText   = 256
)

// AppendLibraries appends the newest published repos of others than a that everybody may read and
// that have a tag, at most limit. It only reads.
func AppendLibraries(d *Daemon, dst []wire.LibraryView, a wire.AgentID, limit int) []wire.LibraryView {
	first, order := len(dst), d.registry.order
	for i := len(order) - 1; i >= max(0, len(order)-librariesSeen) && len(dst)-first < limit; i-- {
		repo, l := d.repos.Get(order[i]), d.registry.Get(order[i])
		newest := d.refs.tagged(d.refs.newest[order[i]])
		if newest == nil || repo.Owner == a || wire.IsSystem(repo.Owner) || !repo.Access.Read.Public {
			continue
		}
		dst = append(dst, wire.LibraryView{
			Repo: repo.ID, Author: repo.Owner, Name: repo.Name, Description: l.Description[:min(len(l.Description), libraryText)],
			Tag: *newest.Tag, Snap: newest.Head,
		})
	}
	return dst
}

// registry is what was published, by repo.
type registry struct {
	*world.Table[wire.Hash, Listing]
	order      []wire.Hash            // repos by place
	byCategory map[string][]wire.Hash // the same of one category
}

func newRegistry(s *world.State) *registry {
	return &registry{Table: world.NewTable[wire.Hash](s, "registry", listingCodec), byCategory: map[string][]wire.Hash{}}
}

func (x *registry) restored() {
	x.Each(func(repo wire.Hash, _ *Listing) { x.order = append(x.order, repo) })
	slices.SortFunc(x.order, x.byPlace)
	for _, repo := range x.order {
		x.enter(repo, x.Get(repo))
	}
}

func (x *registry) byPlace(a, b wire.Hash) int { return cmp.Compare(x.Get(a).Place, x.Get(b).Place) }

// enter puts the newest listing into its categories.
func (x *registry) enter(repo wire.Hash, l *Listing) {
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
	for i, label := range l.Category {
		if !contains(l.Category[:i], label) {
			x.byCategory[string(label)] = out(x.byCategory[string(label)])
		}
	}
}

// publish enters a repo into the registry, or renews its entry.
func (d *Daemon) publish(c *world.Context, repo *Repo, snap wire.Hash, p *wire.Publication) {
	x := d.registry
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
	x.enter(repo.ID, l)
	emit(c, wire.KindRegistryPublished, &wire.RegistryPublishedEvent{
		RepoID: repo.ID, Name: repo.Name, Author: repo.Owner, Category: p.Category, Tick: c.Tick,
	})
	if old == nil { // who used it before it was published counts now
		for _, user := range det.SortedKeysFunc(d.deps.users[repo.ID], wire.AgentID.Compare) {
			d.creditRepo(c, repo.ID, user)
		}
	}
}

// reviewPrior is what stands beside the weights of a repo's reviews, 0.5, so that one review does
// not decide.
const reviewPrior = 1 << (det.QuantumBits - 1)

// Reviewed adds a verdict on a repo's code.
func (d *Daemon) Reviewed(_ *world.Context, repo wire.Hash, score, weight float64) {
	if r := d.repos.Edit(repo); r != nil {
		r.Score += uint64(det.QuantiseInt(float64(score * weight)))
		r.Weight += uint64(det.QuantiseInt(weight))
	}
}

// popularity is how many other owners, no kin, use a repo.
func (d *Daemon) popularity(repo wire.Hash) uint32 { return uint32(len(d.deps.users[repo])) }

// quality is the mean of the share of snaps with a valid proof, of the verdicts of reviews, and of
// the popularity, of which 10 is all that counts.
func (d *Daemon) quality(r *Repo) float32 {
	proven := float64(r.Proven) / float64(r.Snaps)
	reviews := float64(r.Score) / float64(r.Weight+reviewPrior)
	popular := float64(min(d.popularity(r.ID), 10)) / 10
	return float32(det.Quantise((proven + reviews + popular) / 3))
}
