// Package codec encodes Go structs as canonical MessagePack and as JSON, and decodes them. The tags of the fields describe
// the form; see [Codec] for the tags.
//
// [New] builds the plan of a type by reflection, once. From the plan come the MessagePack encoder and decoder, the JSON
// that minds read and write, and the [Shape] from which JSON Schemas and the descriptions in prompts are made. Every value
// has exactly one MessagePack encoding. A decoder returns a [DecodeError] that names the field for all input that it does
// not fully understand. Encoding does not allocate when the destination has room.
//
// The caller must provide valid values: an enum left at zero or a union without a variant panics when it is encoded. The
// package depends on no message and on no rule of the world. Package wire, the daemons and the engine use it wherever
// values become bytes.
package codec
