// Package scripted is a mind that needs no model: a policy that scores the
// affordances of a prompt and writes plausible content, right and wrong, from a
// small library. Runs without a network, tests and continuous integration think
// with it.
//
// It promises: a thought is a function of the prompt, the world seed and the
// knobs, and of nothing else, so it can be recomputed and need not be journalled;
// no I/O, no sleep (latency is a number in the thought); safe for use by many
// goroutines. It answers in the same JSON as a language model and is read by the
// same parser; it has no way around it.
//
// Place in the tick: think, between ask and act. See docs/AGENT.md (scripted mind).
package scripted
