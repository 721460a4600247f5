package oracle

import (
	"kingdom/wire"
	"kingdom/world"
)

// idNumbers number the ids of entries, so that what is kept of an entry in several places names
// it in 4 bytes.
type idNumbers struct {
	ids  world.Slab[wire.Hash]
	byID *world.Index
}

func newIDNumbers() *idNumbers {
	x := &idNumbers{}
	x.byID = world.NewIndex(func(n uint32) uint64 { return world.IndexKey(x.ids.At(n)) })
	return x
}

// id is that of entry n.
func (x *idNumbers) id(n uint32) *wire.Hash { return x.ids.At(n) }

// find is the number of an entry if it has one.
func (x *idNumbers) find(id wire.Hash) (n uint32, ok bool) {
	return x.byID.Find(world.IndexKey(&id), func(n uint32) bool { return *x.ids.At(n) == id })
}

// assign is the number of an entry, which gets one if it has none.
func (x *idNumbers) assign(id wire.Hash) uint32 {
	n, ok := x.find(id)
	if !ok {
		n = x.ids.Add(id)
		x.byID.Add(n)
	}
	return n
}
