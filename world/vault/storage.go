package vault

import (
	"kingdom/wire"
	"kingdom/world"
)

// What storage counts, in bytes.
const (
	quotaBytes  = 1 << 20  // of each agent, before what it bought
	maxStorage  = 64 << 20 // with what it bought, at most
	objectBytes = 128      // of every object beside its content
	recordBytes = 256      // of every repo, chain, tag, dependency and registry entry
)

// storage is what agents have used up.
type storage struct {
	*world.Table[wire.AgentID, Usage]
}

func newStorage(s *world.State) *storage {
	return &storage{world.NewTable[wire.AgentID](s, "usage", usageCodec)}
}

func (x *storage) of(a wire.AgentID) uint64 {
	if u := x.Get(a); u != nil {
		return u.Bytes
	}
	return 0
}

// free gives back what a record took.
func (x *storage) free(a wire.AgentID, bytes uint64) {
	if u := x.Edit(a); u != nil {
		u.Bytes -= min(bytes, u.Bytes)
	}
}

// limit is how many bytes a may store.
func (d *shelf) limit(a wire.AgentID) uint64 {
	return min(uint64(max(0, d.roster.Param("vault.quota_bytes", quotaBytes)))+d.ledger.Storage(a), maxStorage)
}

// room says how many bytes of storage a request takes: its new objects and so many records; or that
// the sender has not got them.
func (d *shelf) room(c *world.Context, in *intake, records uint64) (need uint64, r *world.Refusal) {
	need = records * recordBytes
	for i := range in.list {
		if d.objects.find(in.list[i].id) == nil {
			need += uint64(len(in.list[i].data)) + objectBytes
		}
	}
	if need == 0 || wire.IsSystem(c.Source) {
		return 0, nil
	}
	if used, limit := d.storage.of(c.Source), d.limit(c.Source); used+need > limit {
		return need, no(wire.CategoryQuotaExceeded, "storage", world.Limit(limit), world.Have(limit-min(used, limit)), world.Need(need))
	}
	return need, nil
}

// charge counts what a request stores against the sender's storage. It refuses what does not fit and must be the last
// check of a request.
func (d *shelf) charge(c *world.Context, in *intake, records uint64) *world.Refusal {
	need, r := d.room(c, in, records)
	if r == nil && need > 0 {
		d.storage.Put(c.Source, &Usage{Bytes: d.storage.of(c.Source) + need})
	}
	return r
}
