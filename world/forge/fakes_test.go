package forge

import (
	"maps"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// town is Nexus and Mint as a lab's Forge sees them. Agents i and i+4 are of one house.
type town struct {
	world.Nexus
	world.Mint
	ids        []wire.AgentID
	money      map[wire.AgentID]int64
	bought     map[wire.AgentID]uint64
	milestones []string
}

func (n *town) clone() *town {
	return &town{ids: n.ids, money: maps.Clone(n.money), bought: maps.Clone(n.bought), milestones: slices.Clone(n.milestones)}
}

func (n *town) Param(_ string, fallback int64) int64 { return fallback }
func (n *town) Living() []wire.AgentID               { return n.ids }
func (n *town) Kin(a, b wire.AgentID) bool {
	return slices.Index(n.ids, a)%4 == slices.Index(n.ids, b)%4
}

func (n *town) RecordMilestone(_ *world.Context, name string) {
	n.milestones = append(n.milestones, name)
}
func (n *town) Available(a wire.AgentID) int64                       { return n.money[a] }
func (n *town) Debit(_ *world.Context, a wire.AgentID, price uint64) { n.money[a] -= int64(price) }
func (n *town) Fee(_ *world.Context, a wire.AgentID, price uint64) *world.Refusal {
	r := n.CanPayService(a, price)
	if r == nil {
		n.money[a] -= int64(price)
	}
	return r
}

func (n *town) CanPayService(a wire.AgentID, fee uint64) *world.Refusal {
	if n.money[a] < int64(fee) {
		return refusal(wire.CategoryQuotaExceeded, "funds")
	}
	return nil
}

func (n *town) PayService(_ *world.Context, a, owner wire.AgentID, fee uint64) {
	n.money[a] -= int64(fee)
	n.money[owner] += int64(fee)
}

func (n *town) TakeForgeTicks(_ *world.Context, a wire.AgentID) uint64 {
	b := n.bought[a]
	delete(n.bought, a)
	return b
}

// fakeStore is Vault and Oracle as a lab's Forge sees them.
type fakeStore struct {
	objects   map[wire.Hash]thing
	roots     map[wire.Hash]wire.Hash // of snaps
	entries   map[wire.Hash][]byte
	published []world.Publication
	shown     int // contents that were asked for
}

type thing struct {
	world.Object
	data   []byte
	stored bool           // its content is not in memory
	hidden []wire.AgentID // who may not read it
}

func (x *fakeStore) Object(id wire.Hash) (world.Object, bool) {
	o, ok := x.objects[id]
	return o.Object, ok
}

func (x *fakeStore) MayRead(id wire.Hash, a wire.AgentID) bool {
	return !slices.Contains(x.objects[id].hidden, a)
}

func (x *fakeStore) ShowObject(missing *[]wire.Missing, id wire.Hash, do func(data []byte)) {
	x.shown++
	o := x.objects[id]
	if !o.stored {
		do(o.data)
		return
	}
	*missing = append(*missing, wire.Missing{Fill: func([]byte) error { do(o.data); return nil }})
}

func (x *fakeStore) PutAtom(c *world.Context, text []byte) (wire.Hash, *world.Refusal) {
	return x.put(c.Source, c.Tick, wire.ObjectAtom, text), nil
}
func (x *fakeStore) Root(snap wire.Hash) (wire.Hash, bool) { r, ok := x.roots[snap]; return r, ok }
func (x *fakeStore) Published(string) []world.Publication  { return x.published }

func (x *fakeStore) ShowEntry(_ *[]wire.Missing, id wire.Hash, do func([]byte)) bool {
	data, ok := x.entries[id]
	if ok {
		do(data)
	}
	return ok
}

func (x *fakeStore) put(a wire.AgentID, t wire.Tick, typ wire.ObjectType, data []byte) wire.Hash {
	id := wire.ObjectID(typ, data)
	if _, ok := x.objects[id]; !ok {
		x.objects[id] = thing{Object: world.Object{Type: typ, Size: len(data), Putter: a, Tick: t}, data: data}
	}
	return id
}
