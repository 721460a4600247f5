// Package adversary has minds that try to profit from the rules of the world in ways that the rules should prevent:
// pumps, rings, squatters, vandals and floods (see [Strategies] and docs/ADVERSARIES.md). They test the rules.
//
// An adversary is an agent like any other. It knows what its slots show (its view, the reply to its last request, its
// notes) and who its accomplices are. It may send any action that is open to it, with any parameters, whatever is
// offered to it. Its answers are JSON and go through the same parser as those of a language model.
//
// A thought is a function of the prompt and the list of accomplices, so it can be recomputed and is not journaled.
// What an adversary has to remember is in the agent's working memory. The package does no I/O, uses no randomness,
// and is safe for use by many goroutines.
package adversary
