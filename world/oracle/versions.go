package oracle

import (
	"crypto/sha256"

	"kingdom/wire"
	"kingdom/world"
)

// versions are all bodies of all entries. Here is where they lie; the bodies themselves
// are in the store (docs/decisions/0010).
type versions struct {
	*world.Chain[Version]
	ids      *idNumbers
	all      world.Slab[version]
	byNumber *world.Index // by entry and version number
}

// version is what is kept of one body. Its number among all is that of its record.
type version struct {
	hash   hashPrefix // of the body
	entry  uint32     // number of the entry among names
	number uint32     // from 1
	length uint32     // of the body, in bytes
	tick   world.Stamp
}

// hashPrefix is the beginning of a body's SHA-256: enough to see that the store gives back what was written.
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

// key is what a version is found by.
func (v *version) key() uint64 { return uint64(v.entry)<<32 | uint64(v.number) }

// find returns a version of an entry and its record's number, or nil.
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

// placeholder stands for bodies that are not in memory.
var placeholder [maxSystemBody]byte

// show puts the body of a record into out; it follows from the store unless it is in memory.
func (x *versions) show(missing *[]wire.Missing, out *wire.OracleEntry, record uint32) {
	v := x.all.At(record)
	out.Body = placeholder[:v.length:v.length]
	if r := x.Get(uint64(record)); r != nil { // most are: no closure for them
		out.Body = r.Body
		return
	}
	x.Show(missing, uint64(record), v.matches, func(r *Version) { out.Body = r.Body })
}

// fetch asks for a body, for the end of a cycle.
func (x *versions) fetch(missing *[]wire.Missing, id wire.Hash, number uint32) {
	record, v := x.find(id, number)
	x.Fetch(missing, uint64(record), v.matches)
}

// body is a version's body; it must be in memory.
func (x *versions) body(id wire.Hash, number uint32) []byte {
	record, _ := x.find(id, number)
	r := x.Get(uint64(record))
	if r == nil {
		panic("oracle: a body of entry " + id.String() + " is read but was not fetched; Missing has to name it")
	}
	return r.Body
}
