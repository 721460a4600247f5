// Package adversary holds minds that play against the rules of the world, to show that the
// rules hold: pumps, rings, squatters, vandals and floods (see [Strategies] and
// docs/ADVERSARIES.md).
//
// An adversary is an agent like any other. It knows what its slots show (its view, the reply
// to its last request, its notes) and who its accomplices are; it may send any action that is
// open to it, with any parameters, whatever is offered to it; and its answers are JSON, read by
// the parser that reads a language model's.
//
// It promises, like the scripted mind: a thought is a function of the prompt and the list of
// accomplices, so it can be recomputed and need not be journaled; what it has to remember
// stands in the agent's working memory. No I/O, no randomness; safe for use by many goroutines.
package adversary
