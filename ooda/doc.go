// Package ooda is one turn of one agent: observe, orient, decide, act, record.
//
// Place in the tick: Ask stands between view and think, Act between think and the
// barrier, Record after the commit. A Turn is cut at its only wait, the thought. At
// each slot of its agent the engine calls Ask with what the agent sees; hands the prompt to a mind; calls
// Act with the thought, again while the step says StepAgain; commits the envelope
// of the step; and calls Record with the reply. CycleStart and CycleEnd frame the
// slots of a cycle. A file holds each phase.
//
// The package promises: the same agent, rules, views, thoughts and replies give
// the same prompts, envelopes and agent state, bit for bit; no I/O, no clock, no
// goroutine; the mind sees only the prompt, and nothing it says reaches the agent
// but through the one parser. The caller owes: calls in the legal order (asserted),
// one turn per agent, never two calls at once.
//
// See docs/AGENT.md.
package ooda
