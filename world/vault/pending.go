package vault

import (
	"kingdom/wire"
	"kingdom/world"
)

// pendingObject is an object that a request wants stored. It was checked.
type pendingObject struct {
	id   wire.Hash
	tag  wire.ObjectType
	data []byte
}

// pendingObjects are all objects that a request wants stored. None is stored before the request is known to succeed.
type pendingObjects struct {
	list  []pendingObject
	index map[wire.Hash]int
}

// add adds an object that was checked and returns its id.
func (in *pendingObjects) add(t wire.ObjectType, data []byte) wire.Hash {
	id := wire.ObjectID(t, data)
	if _, ok := in.index[id]; ok {
		return id
	}
	if in.index == nil {
		in.index = map[wire.Hash]int{}
	}
	in.index[id] = len(in.list)
	in.list = append(in.list, pendingObject{id, t, data})
	return id
}

// find returns an object of the request, or nil.
func (in *pendingObjects) find(id wire.Hash) *pendingObject {
	if i, ok := in.index[id]; ok {
		return &in.list[i]
	}
	return nil
}

// checkInline checks the objects that a request carries.
func (d *store) checkInline(list *[]wire.InlineObject) (*pendingObjects, *world.Refusal) {
	in := &pendingObjects{}
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

// isTree refuses a root that is not a TREE of the request or a stored one.
func (d *store) isTree(in *pendingObjects, root wire.Hash) *world.Refusal {
	t := wire.ObjectType(0)
	if x := in.find(root); x != nil {
		t = x.tag
	} else if o := d.objects.find(root); o != nil {
		t = o.tag
	}
	switch t {
	case 0:
		return refusal(wire.CategoryNotFound, "root")
	case wire.ObjectTree:
		return nil
	}
	return refusal(wire.CategoryInvalidRequest, "not_tree", world.Field("root"))
}

// putAll stores the objects of a request for the readers of the repo home (nil: for everybody).
func (d *store) putAll(c *world.Context, in *pendingObjects, home *wire.Hash) {
	for i := range in.list {
		d.objects.put(c, &in.list[i], home)
	}
}

func (d *store) putObject(c *world.Context, q *wire.ObjectPut) wire.Reply {
	if r := check(q.TypeTag, q.Data); r != nil {
		return c.Relay(sys, r)
	}
	in := &pendingObjects{}
	id := in.add(q.TypeTag, q.Data)
	stored := d.objects.find(id) != nil
	var repo *Repo
	if q.TypeTag == wire.ObjectClaim && !stored {
		if repo = d.claimedRepo(c, q.Data); repo == nil {
			return refuse(c, wire.CategoryInvalidRequest, "malformed", world.Field("data"))
		}
	}
	if r := d.charge(c, in, 0); r != nil {
		return c.Relay(sys, r)
	}
	d.putAll(c, in, nil)
	if !stored {
		emit(c, wire.KindObjectStored, &wire.ObjectStoredEvent{ObjectID: id, TypeTag: q.TypeTag, SizeBytes: uint64(len(q.Data)), Tick: c.Tick})
	}
	if repo != nil {
		d.repos.Edit(repo.ID).Claim = &id
		emit(c, wire.KindClaimCreated, &wire.ClaimCreatedEvent{RepoID: repo.ID, Owner: c.Source, ClaimID: id, Tick: c.Tick})
	}
	return c.Ack(&wire.ObjectPutAck{ObjectID: id})
}

// claimedRepo returns the repo of a claim, nil if the claim is not valid: the sender must own the repo and have signed.
func (d *store) claimedRepo(c *world.Context, data []byte) *Repo {
	x := decoded(wire.ClaimCodec, data)
	repo := d.repos.Get(x.RepoID)
	if repo == nil || x.Owner != c.Source || repo.Owner != c.Source || !x.Verify(d.roster.PublicKey(c.Source)) {
		return nil
	}
	return repo
}
