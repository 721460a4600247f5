// Package codec turns Go structs into bytes and JSON and back, by the tags of their fields.
//
// From one type [New] builds a plan, and from the plan come canonical MessagePack, its strict
// decoder, the JSON that minds read and write, and the [Shape] from which JSON Schemas and the
// words of prompts are made. A value has exactly one encoding; a decoder refuses what it does
// not fully understand with a typed [DecodeError] that names the field; encoding allocates
// nothing when the destination has room.
//
// The caller owes well-formed values: an enum left at zero or a union with no variant is a
// broken invariant and panics when encoded. The package knows no message and no rule of the
// world. It has no place of its own in the tick: wire, the daemons and the engine call it
// wherever values become bytes.
package codec
