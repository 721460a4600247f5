package vault

import (
	"kingdom/wire"
	"kingdom/world"
)

// repos are all repositories.
type repos struct {
	*world.Table[wire.Hash, Repo]
	names map[repoName]struct{}
}

// repoName is a name that an owner has used for a repo.
type repoName struct {
	owner wire.AgentID
	name  string
}

func newRepos(s *world.State) *repos {
	return &repos{world.NewTable[wire.Hash](s, "repos", repoCodec), map[repoName]struct{}{}}
}

func (x *repos) index(r *Repo) { x.names[repoName{r.Owner, string(r.Name)}] = struct{}{} }

func (x *repos) restored() { x.Each(func(_ wire.Hash, r *Repo) { x.index(r) }) }

func (d *Daemon) createRepo(c *world.Context, q *wire.RepoCreate) wire.Reply {
	if _, taken := d.store.repos.names[repoName{c.Source, string(q.Name)}]; taken {
		return refuse(c, wire.CategoryConflict, "name_taken", world.Field("name"))
	}
	var source *Repo
	if q.ForkOf != nil {
		if source = d.store.repos.Get(*q.ForkOf); source == nil {
			return refuse(c, wire.CategoryNotFound, "fork_of")
		}
		if !source.mayRead(c.Source) || !source.Access.Fork && c.Source != source.Owner {
			return refuse(c, wire.CategoryUnauthorized, "fork")
		}
	}
	in, r := d.store.checkInline(q.Objects)
	if r != nil {
		return c.Relay(sys, r)
	}
	root := wire.EmptyTree
	switch {
	case q.Root != nil:
		root = *q.Root
		r = d.store.isTree(in, root)
	case source != nil:
		root, _ = d.MainRoot(source.ID)
	default:
		in.add(wire.ObjectTree, emptyTree)
	}
	if r != nil {
		return c.Relay(sys, r)
	}
	snap := q.Snap(root)
	data := wire.SnapCodec.Append(nil, &snap)
	id := wire.ObjectID(wire.ObjectSnap, data)
	if d.store.repos.Get(id) != nil {
		return refuse(c, wire.CategoryConflict, "exists")
	}
	in.add(wire.ObjectSnap, data)
	records := 2*recordBytes + listBytes(&q.AccessPolicy) // the repo and its chain main
	if _, r := d.store.checkQuota(c, in, records); r != nil {
		return c.Relay(sys, r)
	}
	if !preparedFor(c).signed && !snap.VerifyOwn(d.store.roster.PublicKey(c.Source)) { // the most expensive check comes last
		return refuse(c, wire.CategoryInvalidRequest, "signature", world.Field("signature"))
	}
	if r := d.store.charge(c, in, records); r != nil {
		return c.Relay(sys, r)
	}
	d.history.createRepo(c, in, &Repo{ID: id, Name: q.Name, Owner: c.Source, Access: q.AccessPolicy, ForkOf: q.ForkOf}, &snap)
	if source != nil {
		emit(c, wire.KindRepoForked, &wire.RepoForkedEvent{SourceRepo: source.ID, NewRepo: id, NewOwner: c.Source, Tick: c.Tick})
		d.registry.recordUse(c, source.ID, c.Source)
	}
	return c.Ack(&wire.RepoCreateAck{RepoID: id, SnapID: id})
}

// emptyTree is the content of a tree without entries.
var emptyTree = wire.TreeCodec.Append(nil, &wire.Tree{})

// createRepo creates a repo with its first snap and its chain main.
func (h *history) createRepo(c *world.Context, in *pendingObjects, r *Repo, first *wire.Snap) {
	r.Tick = c.Tick
	h.store.repos.Put(r.ID, r)
	h.store.repos.index(r)
	h.store.putAll(c, in, r.home())
	h.refs.put(&Ref{Repo: r.ID, Name: mainChain, Head: r.ID, Author: r.Owner, Payer: r.Owner, Tick: c.Tick}, branch)
	emit(c, wire.KindRepoCreated, &wire.RepoCreatedEvent{RepoID: r.ID, Name: r.Name, Owner: r.Owner, Tick: c.Tick})
	h.addSnap(c, r.ID, r.ID, first)
}

// addSnap adds a stored snap to a repo.
func (h *history) addSnap(c *world.Context, repo, id wire.Hash, s *wire.Snap) {
	h.commits.Append(&Commit{
		ID: id, Repo: repo, Parent: s.Parent, Root: s.Root, Author: s.Author, Proven: s.Proof != nil, Tick: c.Tick,
	})
	r := h.store.repos.Edit(repo)
	r.Snaps++
	if s.Proof != nil {
		r.Proven++
	}
	if s.Author != me || s.Parent == nil { // a merge has an event of its own
		emit(c, wire.KindSnapCreated, &wire.SnapCreatedEvent{RepoID: repo, SnapID: id, Author: s.Author, Parent: s.Parent, Tick: c.Tick})
	}
}
