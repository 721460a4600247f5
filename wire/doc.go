// Package wire holds the words of Kingdom: ids, ticks, enums, message and event payloads, and
// the envelope in which they travel.
//
// A message becomes an [Envelope] whose msg_id is a function of header and body alone, so the
// same act at the same tick has the same id on every machine. The bytes of payloads are made by
// package codec from the tags of their fields; decoders refuse what they do not fully
// understand with a [codec.DecodeError].
//
// The caller owes well-formed values: an enum field left at zero or a union with no variant is
// a broken invariant and panics when encoded.
//
// In the tick, wire stands between ooda.Turn.Act, which seals a request, and Daemon.Apply,
// which reads it. The package knows no rule of the world; the byte format is described in
// docs/WIRE.md.
package wire
