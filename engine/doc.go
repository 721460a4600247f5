// Package engine turns the clock. It is the only owner of agent goroutines and
// the only caller of minds and stores; everything it drives is a pure machine.
//
// Place in the tick: all of it. open, view, ask, think, journal, act, barrier,
// commit, record, publish — a file per step — and at the end of a cycle
// settlement, world hash and one Store transaction (docs/ARCHITECTURE.md).
package engine
