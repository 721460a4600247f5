package oracle

import (
	"crypto/sha256"

	"kingdom/wire"
	"kingdom/world"
)

// EntryZero is the id of entry #0, the description of the world that every agent knows from its first tick.
var EntryZero = wire.Hash(sha256.Sum256([]byte("GENESIS_SPEC_ENTRY_0")))

// Genesis publishes entry #0 and returns its id. Nobody can update or verify this entry, it does not age, and it
// earns nothing.
func (d *Daemon) Genesis(c *world.Context) wire.Hash {
	list := specification(d.rules)
	d.entries.Put(EntryZero, &Entry{Versions: 1, Head: wire.OracleEntry{
		ID: EntryZero, Kind: wire.EntryKindSpecification, Title: []byte("Kingdom Starlark and Forge Specification"),
		Version: 1, Author: Self, CreatedAt: c.Tick, UpdatedAt: c.Tick,
		Tags:     [][]byte{[]byte("genesis"), []byte("language"), []byte("specification"), []byte("core"), []byte("starlark")},
		Accuracy: 1, Completeness: 1, Freshness: 1,
		VerifiedBy: []wire.AgentID{wire.SystemID(wire.SystemNexus)}, MsgID: c.Msg,
	}})
	d.versions.Append(&Version{EntryID: EntryZero, Version: 1, Author: Self, Body: Body(list), Tick: c.Tick, MsgID: c.Msg})
	e := d.entries.find(EntryZero)
	announce(c, d.entries, e, wire.ReviewModeImmediate)
	d.writer.makeLive(c, e)
	return EntryZero
}
