// Package recorded is a mind that reuses the thoughts of another run: a thought is reused if agent, tick, purpose,
// try and the prompt's hash are the same. It works in the think step of a tick.
//
// The thoughts come from a run's journal or from a cassette, a compact file that a [Writer] writes and a [Reader]
// checks. A cassette contains the resolved scenario, the answers, and what they cost; it contains no key.
//
// A thought is never used for another prompt than the one that it answered. If a thought is missing, another mind is
// asked, or the result is an error that names agent, tick and reason. The source must return thoughts in the order of
// their ticks, and ticks must be asked for in that order; then only the thoughts of one tick are in memory.
package recorded
