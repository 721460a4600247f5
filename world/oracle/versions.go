package oracle

import (
	"crypto/sha256"

	"kingdom/wire"
	"kingdom/world"
)

// versions is the index of all bodies of all entries. The bodies themselves are in the store (docs/decisions/0010).
type versions struct {
	*world.Chain[Version]
	ids      *idNumbers
	all      world.Slab[version]
	byNumber *world.Index // by entry and version number
}

// version is the in-memory form of one body. Its index in all is the number of its record.
type version struct {
	hash   hashPrefix // of the body
	entry  uint32     // number of the entry in ids
	number uint32     // from 1
	length uint32     // of the body, in bytes
	tick   world.Stamp
}

// hashPrefix is the first 8 bytes of a body's SHA-256, which check that the store returns what was written.
type hashPrefix [8]byte

func hashPrefixOf(body []byte) hashPrefix {
	h := sha256.Sum256(body)
	return hashPrefix(h[:])
}

func newVersions(s *world.State, ids *idNumbers) *versions {
	x := &versions{ids: ids}
	x.byNumber = world.NewIndex(func(ids uint32) uint64 { return x.all.At(ids).key() })
	x.Chain = world.NewChain(s, "versions", versionCodec, x.indexRecord).KeepRecent()
	return x
}

func (x *versions) indexRecord(_ uint64, v *Version) {
	x.byNumber.Add(x.all.Add(version{
		hash: hashPrefixOf(v.Body), entry: x.ids.assign(v.EntryID), number: v.Version,
		length: uint32(len(v.Body)), tick: world.StampOf(v.Tick),
	}))
}

// key is the key of a version in byNumber.
func (v *version) key() uint64 { return uint64(v.entry)<<32 | uint64(v.number) }

// find returns a version of an entry and the number of its record; v is nil if there is none.
func (x *versions) find(id wire.Hash, number uint32) (record uint32, v *version) {
	entry, ok := x.ids.find(id)
	if !ok {
		return 0, nil
	}
	want := version{entry: entry, number: number}
	n, ok := x.byNumber.Find(want.key(), func(n uint32) bool { return x.all.At(n).key() == want.key() })
	if !ok {
		return 0, nil
	}
	return n, x.all.At(n)
}

func (v *version) matches(r *Version) bool { return hashPrefixOf(r.Body) == v.hash }

// placeholder has the length of a body that is not in memory, so that the size of a reply is known before it is read.
var placeholder [maxSystemBody]byte

// show puts the body of a record into out. If it is not in memory, it is added to missing.
func (x *versions) show(missing *[]wire.Missing, out *wire.OracleEntry, record uint32) {
	v := x.all.At(record)
	out.Body = placeholder[:v.length:v.length]
	if r := x.Get(uint64(record)); r != nil { // the common case, without allocating a closure
		out.Body = r.Body
		return
	}
	x.Show(missing, uint64(record), v.matches, func(r *Version) { out.Body = r.Body })
}

// fetch adds a body to missing if it is not in memory. It is for bodies that a cycle end reads.
func (x *versions) fetch(missing *[]wire.Missing, id wire.Hash, number uint32) {
	record, v := x.find(id, number)
	x.Fetch(missing, uint64(record), v.matches)
}

// body returns the body of a version. It panics if the body is not in memory.
func (x *versions) body(id wire.Hash, number uint32) []byte {
	record, _ := x.find(id, number)
	r := x.Get(uint64(record))
	if r == nil {
		panic("oracle: a body of entry " + id.String() + " is read but was not fetched; Missing has to name it")
	}
	return r.Body
}
