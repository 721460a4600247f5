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
	names *names
	all   world.Slab[version]
	of    *world.Index // by entry and version number
}

// version is what is kept of one body. Its number among all is that of its record.
type version struct {
	hash   sum    // of the body
	entry  uint32 // number of the entry among names
	number uint32 // from 1
	length uint32 // of the body, in bytes
	tick   world.Stamp
}

// sum is the beginning of a body's SHA-256: enough to see that the store gives back what was written.
type sum [8]byte

func sumOf(body []byte) sum {
	h := sha256.Sum256(body)
	return sum(h[:])
}

func newVersions(s *world.State, n *names) *versions {
	x := &versions{names: n}
	x.of = world.NewIndex(func(n uint32) uint64 { return x.all.At(n).key() })
	x.Chain = world.NewChain(s, "versions", versionCodec, x.see).KeepRecent()
	return x
}

func (x *versions) see(_ uint64, v *Version) {
	x.of.Add(x.all.Add(version{
		hash: sumOf(v.Body), entry: x.names.of(v.EntryID), number: v.Version,
		length: uint32(len(v.Body)), tick: world.StampOf(v.Tick),
	}))
}

// key is what a version is found by.
func (v *version) key() uint64 { return uint64(v.entry)<<32 | uint64(v.number) }

// find returns a version of an entry and its record's number, or nil.
func (x *versions) find(id wire.Hash, number uint32) (record uint32, v *version) {
	entry, ok := x.names.find(id)
	if !ok {
		return 0, nil
	}
	want := version{entry: entry, number: number}
	n, ok := x.of.Find(want.key(), func(n uint32) bool { return x.all.At(n).key() == want.key() })
	if !ok {
		return 0, nil
	}
	return n, x.all.At(n)
}

func (v *version) wrote(r *Version) bool { return sumOf(r.Body) == v.hash }

// nothing stands for bodies that are not in memory.
var nothing [maxSystemBody]byte

// show puts the body of a record into out; it follows from the store unless it is in memory.
func (x *versions) show(missing *[]wire.Missing, out *wire.OracleEntry, record uint32) {
	v := x.all.At(record)
	out.Body = nothing[:v.length:v.length]
	if r := x.Get(uint64(record)); r != nil { // most are: no closure for them
		out.Body = r.Body
		return
	}
	x.Show(missing, uint64(record), v.wrote, func(r *Version) { out.Body = r.Body })
}

// fetch asks for a body, for the end of a cycle.
func (x *versions) fetch(missing *[]wire.Missing, id wire.Hash, number uint32) {
	record, v := x.find(id, number)
	x.Fetch(missing, uint64(record), v.wrote)
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
