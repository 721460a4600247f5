package vault

import (
	"fmt"

	"kingdom/wire"
	"kingdom/world"
)

// objects are all stored objects. A content is in memory only until the database has it.
type objects struct {
	records  *world.Chain[Object]
	contents *world.Chain[Content] // same numbers
	homes    *world.Table[wire.Hash, Home]
	all      world.Slab[object]
	byID     *world.Index
	putters  world.Numbering[wire.AgentID] // everybody who put something
}

// object is the part of an object that stays in memory. It is small, because there may be millions.
type object struct {
	id     wire.Hash
	tick   world.Stamp
	number uint32 // of its record
	size   uint32
	putter uint32 // number among putters
	tag    wire.ObjectType
}

func newObjects(s *world.State) *objects {
	x := &objects{}
	x.byID = world.NewIndex(func(n uint32) uint64 { return world.IndexKey(&x.all.At(n).id) })
	x.records = world.NewChain(s, "objects", objectCodec, x.indexRecord)
	x.contents = world.NewChain(s, "contents", contentCodec, nil).KeepRecent().Unhashed()
	x.homes = world.NewTable[wire.Hash](s, "homes", homeCodec)
	return x
}

// indexRecord indexes a record when it is appended or restored.
func (x *objects) indexRecord(n uint64, r *Object) {
	x.byID.Add(x.all.Add(object{
		id: r.ID, tick: world.StampOf(r.Tick), number: uint32(n), size: uint32(r.Size), putter: x.putters.Assign(r.Putter), tag: r.TypeTag,
	}))
}

// find returns a stored object or nil.
func (x *objects) find(id wire.Hash) *object {
	n, ok := x.byID.Find(world.IndexKey(&id), func(n uint32) bool { return x.all.At(n).id == id })
	if !ok {
		return nil
	}
	return x.all.At(n)
}

// is reports whether an object is stored and has a type.
func (x *objects) is(id wire.Hash, t wire.ObjectType) bool {
	o := x.find(id)
	return o != nil && o.tag == t
}

// put stores an object for the readers of the repo home (nil: for everybody). If the object is stored already under
// another home, everybody may read it from then on, because somebody who has its bytes stored them elsewhere.
func (x *objects) put(c *world.Context, in *pendingObject, home *wire.Hash) {
	if x.find(in.id) != nil {
		if h := x.homes.Get(in.id); h != nil && (home == nil || *home != h.Repo) {
			x.homes.Delete(in.id)
		}
		return
	}
	x.records.Append(&Object{ID: in.id, TypeTag: in.tag, Size: uint64(len(in.data)), Putter: c.Source, Tick: c.Tick})
	x.contents.Append(&Content{Data: in.data})
	if home != nil {
		x.homes.Put(in.id, &Home{Repo: *home})
	}
}

// show calls do with the content of an object, at once or when missing is filled.
func (x *objects) show(missing *[]wire.Missing, id wire.Hash, do func(data []byte)) {
	o := x.find(id)
	wrote := func(r *Content) bool { return wire.ObjectID(o.tag, r.Data) == id }
	x.contents.Show(missing, uint64(o.number), wrote, func(r *Content) { do(r.Data) })
}

// readable reports whether a may read an object, which must be stored.
func (d *store) readable(id wire.Hash, a wire.AgentID) bool {
	h := d.objects.homes.Get(id)
	if h == nil {
		return true
	}
	if o := d.objects.find(id); d.objects.putters.Key(o.putter) == a {
		return true
	}
	return d.repos.Get(h.Repo).mayRead(a)
}

// zeros is the placeholder of contents that are not in memory.
var zeros [wire.MaxObject]byte

func (d *store) getObject(c *world.Context, q *wire.ObjectGet) wire.Reply {
	o := d.objects.find(q.ObjectID)
	switch {
	case o == nil:
		return refuse(c, wire.CategoryNotFound, "object")
	case !d.readable(q.ObjectID, c.Source):
		return refuse(c, wire.CategoryUnauthorized, "read")
	}
	reply := &wire.ObjectGetReply{TypeTag: o.tag, Data: zeros[:o.size:o.size]}
	var missing []wire.Missing
	d.objects.show(&missing, q.ObjectID, func(data []byte) { reply.Data = data })
	return c.Answer(wire.TypeObjectGet, reply).Without(missing)
}

// decoded decodes a stored object, which was checked before it was stored. It panics on an error.
func decoded[T any](c interface {
	DecodeCanonical(b []byte, v *T) error
}, data []byte,
) *T {
	v := new(T)
	if err := c.DecodeCanonical(data, v); err != nil {
		panic(fmt.Sprintf("vault: a stored object cannot be read: %v", err))
	}
	return v
}
