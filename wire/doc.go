// Package wire holds the words of Kingdom: ids, ticks, enums, message and event payloads, and
// the bytes they become.
//
// It promises that a value has exactly one encoding (canonical MessagePack), that every
// decoder refuses what it does not fully understand with a typed [DecodeError], and that no
// encoder allocates when the destination has room. A message becomes an [Envelope] whose
// msg_id is a function of header and body alone, so the same act at the same tick has the same
// id on every machine.
//
// The caller owes well-formed values: an enum field left at zero or a union with no variant is
// a broken invariant and panics when encoded.
//
// In the tick, wire stands between ooda.Turn.Act, which seals a request, and Daemon.Apply,
// which reads it. The package knows no rule of the world; the byte format is described in
// docs/WIRE.md.
package wire
