// Package goals decides what an agent wants: a three-layer stack of goals, the
// five sources that fill it, the priority that orders it, the committed facts
// that complete it, and what is learned from the result.
//
// Place in the tick: sources, completion and ranking run in the orient phase of
// a turn; completion runs again in the record phase, over the reply. Everything
// here is a pure function of its inputs: the caller brings the tick, the balance,
// trust in peers as a function, and the events; nothing is read from elsewhere.
//
// Promises: the same calls in the same order give the same stack, bit for bit;
// ranking a hundred goals allocates nothing; a layer never holds more than its
// capacity; a goal completes because of a committed fact, never because somebody
// says so.
//
// Owed by the caller: facts are given exactly once, in commit order; goals are
// changed through the [Stack] only, so that it knows what to flush.
//
// Rules and numbers: docs/AGENT.md, goals.
package goals
