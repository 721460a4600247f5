// Package wire defines the messages of Kingdom: ids, ticks, enums, payloads of messages and events, and the envelope
// in which they are sent.
//
// A message becomes an [Envelope]. Its msg_id is a function of header and body alone, so the same act at the same
// tick has the same id on every machine. Package codec makes the bytes of payloads from the tags of their fields.
// Decoders return a [codec.DecodeError] for anything that they do not fully understand.
//
// The caller must provide valid values: an enum field left at zero or a union without a variant is a broken invariant
// and panics when it is encoded.
//
// In a tick, ooda.Turn.Act seals a request and Daemon.Apply reads it. The package knows no rule of the world.
// docs/WIRE.md describes the bytes.
package wire
