// Package goals decides what an agent wants: a three-layer stack of goals, the
// five sources that fill it, the priority that orders it, the committed facts
// that complete it, and what is learned from the result.
//
// A turn (package ooda) asks the sources and ranks the stack when it orients, and
// gives it facts then and when it records a reply. Everything here is a pure function
// of its inputs: the caller brings the tick, the balance, trust in peers as a function,
// and the events.
//
// The package promises that the same calls in the same order give the same stack, bit
// for bit; that ranking a hundred goals allocates nothing; that a layer never holds
// more than its capacity; and that a goal is completed by a committed fact, never
// because somebody says so.
//
// The caller gives each fact once, in commit order, and changes goals through the
// [Stack] only, so that it knows what to flush.
//
// Rules and numbers: docs/AGENT.md, goals.
package goals
