package vault

import (
	"kingdom/wire"
	"kingdom/world"
)

// Sizes that count against the storage of an agent, in bytes.
const (
	maxStorage  = 64 << 20 // largest quota, with the storage that it bought
	objectBytes = 128      // charged for every object beside its content
	recordBytes = 256      // charged for every repo, chain, tag, dependency and registry entry
)

// publicationBytes returns the bytes that are charged for a registry entry: its record, its description and its labels.
func publicationBytes(description []byte, labels [][]byte) uint64 {
	n := recordBytes + len(description)
	for _, label := range labels {
		n += len(label)
	}
	return uint64(n)
}

// storage counts the storage that agents use.
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

// free releases the bytes of a deleted record.
func (x *storage) free(a wire.AgentID, bytes uint64) {
	if u := x.Edit(a); u != nil {
		u.Bytes -= min(bytes, u.Bytes)
	}
}

// limit returns the number of bytes that a may store.
func (d *store) limit(a wire.AgentID) uint64 {
	return min(uint64(max(0, d.roster.Param("vault.quota_bytes", world.VaultQuota)))+d.ledger.Storage(a), maxStorage)
}

// checkQuota returns how many bytes of storage a request needs for its new objects and for records of so many bytes, and
// a refusal if the sender does not have them.
func (d *store) checkQuota(c *world.Context, in *pendingObjects, records uint64) (need uint64, r *world.Refusal) {
	need = records
	for i := range in.list {
		if d.objects.find(in.list[i].id) == nil {
			need += uint64(len(in.list[i].data)) + objectBytes
		}
	}
	if need == 0 || wire.IsSystem(c.Source) {
		return 0, nil
	}
	if used, limit := d.storage.of(c.Source), d.limit(c.Source); used+need > limit {
		return need, refusal(wire.CategoryQuotaExceeded, "storage", world.Limit(limit), world.Have(limit-min(used, limit)), world.Need(need))
	}
	return need, nil
}

// charge counts what a request stores against the sender's storage. It refuses what does not fit and must be the last
// check of a request.
func (d *store) charge(c *world.Context, in *pendingObjects, records uint64) *world.Refusal {
	need, r := d.checkQuota(c, in, records)
	if r == nil && need > 0 {
		d.storage.Put(c.Source, &Usage{Bytes: d.storage.of(c.Source) + need})
	}
	return r
}
