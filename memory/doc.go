// Package memory is what one agent knows and remembers: working notes, a personal
// knowledge graph, experiences, beliefs, plans, and models of its peers.
//
// Place in the tick: orient updates beliefs and peers from events, decide recalls and
// reads plans, record adds the experience and applies the mind's notes. At a cycle's
// start working notes that were not set in the cycle before are gone; at its end weak
// beliefs are dropped. Everything is bounded; what happens at each bound is written
// beside the limit.
//
// Promises: the same calls in the same order give the same bytes. Lists are kept sorted
// by their keys, so no order depends on a map or on arrival. Stored scores are multiples
// of 2^-20, which a float32 holds exactly.
//
// Owed by the caller: slices handed in are not changed afterwards, and slices handed
// out are not changed at all.
//
// Rules and numbers: docs/AGENT.md, memory; bytes: docs/STORE.md.
package memory
