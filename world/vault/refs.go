package vault

import (
	"bytes"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// mainChain is the name of the chain that every repo has.
var mainChain = []byte("main")

// refs are all branches and tags.
type refs struct {
	*world.Table[string, Ref]
	heads    map[wire.Hash][]string // by snap: keys of the branches whose head it is, ascending
	tags     map[wire.Hash]string   // by TAG object: key of its tag
	credited map[wire.Hash]struct{} // snaps whose author was credited for a tag on them

	newest   map[wire.Hash]wire.Hash // TAG object of the newest tag, by repo
	outdated []wire.Hash             // tags that became outdated in this cycle
}

func newRefs(s *world.State) *refs {
	return &refs{
		world.NewTable[string](s, "refs", refCodec),
		map[wire.Hash][]string{},
		map[wire.Hash]string{},
		map[wire.Hash]struct{}{},
		map[wire.Hash]wire.Hash{},
		nil,
	}
}

// newer reports whether tag a is newer than tag b. Of two tags of one tick, the one with the higher id is newer.
func newer(a, b *Ref) bool {
	return a.Tick > b.Tick || a.Tick == b.Tick && a.Tag.Compare(*b.Tag) > 0
}

func (x *refs) find(repo wire.Hash, kind refKind, name []byte) *Ref {
	return x.Get(refKey(repo, kind, name))
}

// findTag returns the tag of a TAG object, or nil.
func (x *refs) findTag(id wire.Hash) *Ref {
	if k, ok := x.tags[id]; ok {
		return x.Get(k)
	}
	return nil
}

func (x *refs) put(r *Ref, kind refKind) {
	k := refKey(r.Repo, kind, r.Name)
	x.Put(k, r)
	x.index(k, r)
}

func (x *refs) index(k string, r *Ref) {
	if r.Tag != nil {
		x.tags[*r.Tag] = k
		if old, ok := x.newest[r.Repo]; !ok || newer(r, x.findTag(old)) {
			x.newest[r.Repo] = *r.Tag
		}
		if r.Credit {
			x.credited[r.Head] = struct{}{}
		}
		return
	}
	list := x.heads[r.Head]
	i, _ := slices.BinarySearch(list, k)
	x.heads[r.Head] = slices.Insert(list, i, k)
}

// unindex removes a branch from the list of its head.
func (x *refs) unindex(k string, r *Ref) {
	list := x.heads[r.Head]
	if i, ok := slices.BinarySearch(list, k); ok {
		list = slices.Delete(list, i, i+1)
	}
	if x.heads[r.Head] = list; len(list) == 0 {
		delete(x.heads, r.Head)
	}
}

func (x *refs) restored() { x.Each(x.index) }

// branchAt returns the branch that a new snap on head advances: main if that has this head, else the first one by name,
// nil if no branch has it.
func (x *refs) branchAt(repo, head wire.Hash) *Ref {
	main := refKey(repo, branch, mainChain)
	list := x.heads[head]
	switch {
	case slices.Contains(list, main):
		return x.Get(main)
	case len(list) > 0:
		return x.Get(list[0])
	}
	return nil
}

// advance moves the head of a branch.
func (h *history) advance(c *world.Context, r *Ref, to wire.Hash) {
	k, old := refKey(r.Repo, branch, r.Name), r.Head
	r = h.refs.Edit(k)
	h.refs.unindex(k, r)
	r.Head = to
	h.refs.index(k, r)
	emit(c, wire.KindChainAdvanced, &wire.ChainAdvancedEvent{RepoID: r.Repo, ChainName: r.Name, OldHead: old, NewHead: to, Tick: c.Tick})
}

// snapOf finds a snap of a repo, or nil.
func (h *history) snapOf(repo, id wire.Hash) *commit {
	if m := h.commits.find(id); m != nil && m.repo == repo {
		return m
	}
	return nil
}

func (h *history) createChain(c *world.Context, q *wire.ChainCreate) wire.Reply {
	repo, r := h.store.findWritable(c, q.Repo)
	if r != nil {
		return c.Relay(sys, r)
	}
	switch {
	case h.snapOf(repo.ID, q.FromSnap) == nil:
		return refuse(c, wire.CategoryNotFound, "from_snap")
	case h.refs.find(repo.ID, branch, q.Name) != nil:
		return refuse(c, wire.CategoryConflict, "exists", world.Field("name"))
	}
	if r := h.store.charge(c, &pendingObjects{}, recordBytes); r != nil {
		return c.Relay(sys, r)
	}
	h.refs.put(&Ref{Repo: repo.ID, Name: q.Name, Head: q.FromSnap, Author: c.Source, Payer: c.Source, Tick: c.Tick}, branch)
	emit(c, wire.KindChainCreated, &wire.ChainCreatedEvent{RepoID: repo.ID, ChainName: q.Name, FromSnap: q.FromSnap, Tick: c.Tick})
	return c.Ack(nil)
}

func (h *history) advanceChain(c *world.Context, q *wire.ChainAdvance) wire.Reply {
	repo, r := h.store.findWritable(c, q.Repo)
	if r != nil {
		return c.Relay(sys, r)
	}
	x := h.refs.find(repo.ID, branch, q.ChainName)
	switch {
	case x == nil:
		return refuse(c, wire.CategoryNotFound, "chain")
	case q.NewHead == nil:
		return h.deleteChain(c, x)
	}
	to := h.snapOf(repo.ID, *q.NewHead)
	switch {
	case to == nil:
		return refuse(c, wire.CategoryNotFound, "new_head")
	case !to.descends(h.commits.find(x.Head)):
		return refuse(c, wire.CategoryConflict, "not_descendant", world.Field("new_head"))
	}
	h.advance(c, x, to.id)
	return c.Ack(nil)
}

func (h *history) deleteChain(c *world.Context, x *Ref) wire.Reply {
	if bytes.Equal(x.Name, mainChain) {
		return refuse(c, wire.CategoryConflict, "default_chain", world.Field("chain_name"))
	}
	k := refKey(x.Repo, branch, x.Name)
	h.refs.unindex(k, x)
	h.refs.Delete(k)
	h.store.storage.free(x.Payer, recordBytes)
	emit(c, wire.KindChainDeleted, &wire.ChainDeletedEvent{RepoID: x.Repo, ChainName: x.Name, Tick: c.Tick})
	return c.Ack(nil)
}
