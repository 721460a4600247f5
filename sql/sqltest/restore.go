package sqltest

import (
	"fmt"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

type thing struct {
	Name  []byte `kdom:"name"`
	Count uint64 `kdom:"count"`
}

var things = wire.NewCodec[thing]()

// machine is a small daemon state: a table and two chains, one of them indexed.
type machine struct {
	state *world.State
	table *world.Table[wire.Hash, thing]
	seen  *world.Chain[thing]
	blind *world.Chain[thing]
	sum   uint64 // index over seen
}

func newMachine() *machine {
	m := &machine{state: world.NewState(wire.SystemMint)}
	m.table = world.NewTable[wire.Hash](m.state, "things", things)
	m.seen = world.NewChain(m.state, "seen", things, func(_ uint64, r *thing) { m.sum += r.Count })
	m.blind = world.NewChain(m.state, "blind", things, nil)
	return m
}

// step changes something of everything, and deletes.
func (m *machine) step(c uint64) {
	for i := range uint64(20) {
		m.table.Put(hash("thing", c, i), &thing{Name: fmt.Append(nil, i), Count: c})
		m.seen.Append(&thing{Name: []byte("seen"), Count: i})
		m.blind.Append(&thing{Name: []byte("blind"), Count: c})
	}
	m.table.Delete(hash("thing", c, 3))
	if c > 0 {
		m.table.Delete(hash("thing", c-1, 5))
		m.table.Edit(hash("thing", c-1, 6)).Count = 1000
	}
}

// testRestoreWorld restores daemon state from the store: same hash, and the same
// hash again after going on.
func testRestoreWorld(t *testing.T, open Database) {
	s := open(t)
	m := newMachine()
	for c := range uint64(3) {
		m.step(c)
		m.state.Hash()
		b := Batch(wire.Cycle(c), 2)
		b.Rows, b.Heads = m.state.TakeRows(), m.state.Heads()
		must(t, s.CommitCycle(t.Context(), b))
	}
	must(t, s.Close())

	im := load(t, open(t))
	r := newMachine()
	for _, row := range im.Rows {
		if !row.Chain || r.state.Needs(row.Table) {
			must(t, r.state.Load(row))
		}
	}
	for _, h := range im.Heads {
		must(t, r.state.SetHead(h))
	}
	same(t, "restored hash", m.state.Hash(), r.state.Settled())
	same(t, "index", m.sum, r.sum)
	m.step(3)
	r.step(3)
	same(t, "hash a cycle later", m.state.Hash(), r.state.Hash())
}
