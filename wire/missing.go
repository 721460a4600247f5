package wire

import "cmp"

// Missing is a part of a reply that is not in memory but in a record of the store. The reply has as many zero bytes
// in its place until it is filled.
type Missing struct {
	Record RecordID
	// Fill puts the part of the record, which is canonical, where it is missing. It
	// fails when the record is not the one that was written.
	Fill func(record []byte) error
}

// RecordID names a record of an append-only table.
type RecordID struct {
	System System
	Table  string
	Number uint64 // from 0
}

// Without returns r with the parts that are missing in its body.
func (r Reply) Without(missing []Missing) Reply {
	if r.Err == nil {
		r.Missing = missing
	}
	return r
}

// Compare orders records by system, table and number.
func (r RecordID) Compare(o RecordID) int {
	return cmp.Or(cmp.Compare(r.System, o.System), cmp.Compare(r.Table, o.Table), cmp.Compare(r.Number, o.Number))
}
