// Package recorded is a mind that thinks what another run thought: a thought is used where
// the same agent comes to the same tick, purpose and try with a prompt of the same hash. It
// works in the think stage of a tick.
//
// The thoughts come from a run's journal or from a cassette, a compact file that a [Writer]
// makes and a [Reader] checks. A cassette holds no secret: the resolved scenario, what was
// answered, and what it took.
//
// What it promises: no thought is used for another prompt than the one that it answered, and
// a thought that is missing is an error that names agent, tick and reason, or is asked of
// another mind. What the caller owes: thoughts in the order of their ticks, and ticks that
// never go back; then what is held in memory are the thoughts of one tick.
package recorded
