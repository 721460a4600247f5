// Package memory is what one agent knows and remembers: working notes, a personal
// knowledge graph, experiences, beliefs, plans, and models of its peers.
//
// Events change beliefs and peers when a turn (package ooda) orients; it recalls and
// reads plans when it decides, and adds the experience and the mind's notes when it
// records. At the start of a cycle the working notes are gone that were not set in the
// cycle before; at its end weak beliefs are dropped. Everything is bounded; what
// happens at each bound is written beside the limit.
//
// The package promises that the same calls in the same order give the same bytes:
// lists are kept sorted by their keys, so no order depends on a map or on arrival.
// Stored scores are multiples of 2^-20, which a float32 holds exactly.
//
// The caller does not change slices that it handed in, nor slices that it was handed.
//
// Rules and numbers: docs/AGENT.md, memory; bytes: docs/STORE.md.
package memory
