package oracle

import (
	"kingdom/wire"
	"kingdom/world"
)

// entryReader is the part of Oracle that Forge uses.
type entryReader struct{ *Daemon }

// Entries returns d as Forge uses it.
func Entries(d *Daemon) world.Entries { return entryReader{d} }

// ShowEntry calls do with the JSON of a published entry in its newest version: at once, or when missing is filled if
// the body is not in memory. It returns false if there is no such entry.
func (d entryReader) ShowEntry(missing *[]wire.Missing, id wire.Hash, do func(text []byte)) bool {
	e := d.entries.find(id)
	if e == nil || !e.live() {
		return false
	}
	var shown wire.OracleEntry
	d.entries.fillHead(e, &shown, &listBuffers{})
	record, v := d.versions.find(id, shown.Version)
	if r := d.versions.Get(uint64(record)); r != nil {
		shown.Body = r.Body
		do(headCodec.AppendJSON(nil, &shown))
		return true
	}
	d.versions.Show(missing, uint64(record), v.matches, func(r *Version) {
		shown.Body = r.Body
		do(headCodec.AppendJSON(nil, &shown))
	})
	return true
}
