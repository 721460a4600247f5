// Package memory is what one agent knows and remembers: working notes, a knowledge graph, experiences, beliefs,
// plans, opinions of peers, and what it has counted.
//
// A turn (package ooda) changes beliefs and peers when it orients, recalls knowledge and reads plans when it decides,
// and adds the experience and the mind's notes when it records. At the start of a cycle notes that were not set in
// the cycle before are deleted; at its end weak beliefs are dropped. Everything has a limit; the comment at each
// limit says what happens there.
//
// The same calls in the same order give the same bytes: lists are sorted by their keys, so no order depends on a map
// or on arrival. Stored scores are multiples of 2^-20, which a float32 represents exactly.
//
// The caller must not change slices that it passed in or that were returned.
//
// Rules and numbers are in docs/AGENT.md (memory), bytes in docs/STORE.md.
package memory
