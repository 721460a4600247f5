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
	of map[wire.Hash][]version // by entry, by version number − 1
}

// version is what is kept of one body.
type version struct {
	record uint64    // its number in the chain
	hash   wire.Hash // SHA-256 of the body
	length uint32    // of the body, in bytes
	tick   wire.Tick
}

func newVersions(s *world.State) *versions {
	x := &versions{of: map[wire.Hash][]version{}}
	x.Chain = world.NewChain(s, "versions", versionCodec, x.see).ReadAgain()
	return x
}

func (x *versions) see(n uint64, v *Version) {
	x.of[v.EntryID] = append(x.of[v.EntryID], version{
		record: n, hash: sha256.Sum256(v.Body), length: uint32(len(v.Body)), tick: v.Tick,
	})
}

// find returns a version of an entry, or nil.
func (x *versions) find(id wire.Hash, number uint32) *version {
	if all := x.of[id]; number >= 1 && int(number) <= len(all) {
		return &all[number-1]
	}
	return nil
}

func (v version) wrote(r *Version) bool { return sha256.Sum256(r.Body) == v.hash }

// nothing stands for bodies that are not in memory.
var nothing [maxSystemBody]byte

// show puts a body into out; it follows from the store unless it is in memory.
func (x *versions) show(missing *[]wire.Missing, out *wire.OracleEntry, v *version) {
	out.Body = nothing[:v.length:v.length]
	if r := x.Get(v.record); r != nil { // most are: no closure for them
		out.Body = r.Body
		return
	}
	x.Show(missing, v.record, v.wrote, func(r *Version) { out.Body = r.Body })
}

// fetch asks for a body, for the end of a cycle.
func (x *versions) fetch(missing *[]wire.Missing, id wire.Hash, number uint32) {
	v := x.find(id, number)
	x.Fetch(missing, v.record, v.wrote)
}

// body is a version's body; it must be in memory.
func (x *versions) body(id wire.Hash, number uint32) []byte {
	r := x.Get(x.find(id, number).record)
	if r == nil {
		panic("oracle: a body of entry " + id.String() + " is read but was not fetched; Missing has to name it")
	}
	return r.Body
}
