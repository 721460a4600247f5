package oracle

import (
	"kingdom/wire"
	"kingdom/world"
)

// idNumbers assigns a number to each id, so that other structures refer to an entry in 4 bytes instead of 32.
type idNumbers struct {
	ids  world.Slab[wire.Hash]
	byID *world.Index
}

func newIDNumbers() *idNumbers {
	x := &idNumbers{}
	x.byID = world.NewIndex(func(n uint32) uint64 { return world.IndexKey(x.ids.At(n)) })
	return x
}

// id returns the id with number n.
func (x *idNumbers) id(n uint32) *wire.Hash { return x.ids.At(n) }

// find returns the number of an id; ok is false if it has none.
func (x *idNumbers) find(id wire.Hash) (n uint32, ok bool) {
	return x.byID.Find(world.IndexKey(&id), func(n uint32) bool { return *x.ids.At(n) == id })
}

// assign returns the number of an id, and assigns one to a new id.
func (x *idNumbers) assign(id wire.Hash) uint32 {
	n, ok := x.find(id)
	if !ok {
		n = x.ids.Add(id)
		x.byID.Add(n)
	}
	return n
}
