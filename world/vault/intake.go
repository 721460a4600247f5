package vault

import (
	"kingdom/wire"
	"kingdom/world"
)

// incoming is an object that a request wants stored; it was checked.
type incoming struct {
	id   wire.Hash
	tag  wire.ObjectType
	data []byte
}

// intake is all that a request wants stored. Nothing is stored before the request is known to
// succeed.
type intake struct {
	list  []incoming
	index map[wire.Hash]int
}

// add takes an object that is known to be right.
func (in *intake) add(t wire.ObjectType, data []byte) wire.Hash {
	id := wire.ObjectID(t, data)
	if _, ok := in.index[id]; ok {
		return id
	}
	if in.index == nil {
		in.index = map[wire.Hash]int{}
	}
	in.index[id] = len(in.list)
	in.list = append(in.list, incoming{id, t, data})
	return id
}

// find returns an object of the request, or nil.
func (in *intake) find(id wire.Hash) *incoming {
	if i, ok := in.index[id]; ok {
		return &in.list[i]
	}
	return nil
}

// take checks the objects that a request brings along.
func (d *shelf) take(list *[]wire.InlineObject) (*intake, *world.Refusal) {
	in := &intake{}
	if list == nil {
		return in, nil
	}
	for i := range *list {
		o := &(*list)[i]
		if r := check(o.TypeTag, o.Data); r != nil {
			return nil, r
		}
		in.add(o.TypeTag, o.Data)
	}
	return in, nil
}

// isTree says whether root can be the root of a snap.
func (d *shelf) isTree(in *intake, root wire.Hash) *world.Refusal {
	t := wire.ObjectType(0)
	if x := in.find(root); x != nil {
		t = x.tag
	} else if o := d.objects.find(root); o != nil {
		t = o.tag
	}
	switch t {
	case 0:
		return no(wire.CategoryNotFound, "root")
	case wire.ObjectTree:
		return nil
	}
	return no(wire.CategoryInvalidRequest, "not_tree", world.Field("root"))
}

// keep stores what a request brought, for the readers of home.
func (d *shelf) keep(c *world.Context, in *intake, home *wire.Hash) {
	for i := range in.list {
		d.objects.put(c, &in.list[i], home)
	}
}

func (d *shelf) putObject(c *world.Context, q *wire.ObjectPut) wire.Reply {
	if r := check(q.TypeTag, q.Data); r != nil {
		return c.Relay(sys, r)
	}
	in := &intake{}
	id := in.add(q.TypeTag, q.Data)
	stored := d.objects.find(id) != nil
	var repo *Repo
	if q.TypeTag == wire.ObjectClaim && !stored {
		if repo = d.claimed(c, q.Data); repo == nil {
			return refuse(c, wire.CategoryInvalidRequest, "malformed", world.Field("data"))
		}
	}
	if r := d.charge(c, in, 0); r != nil {
		return c.Relay(sys, r)
	}
	d.keep(c, in, nil)
	if !stored {
		emit(c, wire.KindObjectStored, &wire.ObjectStoredEvent{ObjectID: id, TypeTag: q.TypeTag, SizeBytes: uint64(len(q.Data)), Tick: c.Tick})
	}
	if repo != nil {
		d.repos.Edit(repo.ID).Claim = &id
		emit(c, wire.KindClaimCreated, &wire.ClaimCreatedEvent{RepoID: repo.ID, Owner: c.Source, ClaimID: id, Tick: c.Tick})
	}
	return c.Ack(&wire.ObjectPutAck{ObjectID: id})
}

// claimed returns the repo that a claim of the sender is about, nil if the claim is not good: the
// owner of the repo claims and signs.
func (d *shelf) claimed(c *world.Context, data []byte) *Repo {
	x := decoded(wire.ClaimCodec, data)
	repo := d.repos.Get(x.RepoID)
	if repo == nil || x.Owner != c.Source || repo.Owner != c.Source || !x.Verify(d.roster.PublicKey(c.Source)) {
		return nil
	}
	return repo
}
