// Package scripted is a mind that needs no model. It scores the affordances of a prompt and writes plausible content,
// right and wrong, from a small library. It is used in runs without a network, in tests and in continuous
// integration.
//
// A thought is a function of the prompt, the world seed and the [Knobs] alone, so it can be recomputed and is not
// journaled. The package does no I/O and never sleeps (latency is a number in the thought), and is safe for use by
// many goroutines. Its answers are the same JSON as those of a language model and go through the same parser.
//
// It works in the think step of a tick. See docs/AGENT.md (the scripted mind).
package scripted
