// Package llm holds the words between an agent's turn and the mind that thinks
// for it: the Prompt (typed sections, affordances, budgets), the Thought that
// comes back, the tier that decides which model is asked, and the one parser
// that turns the text of an answer into a typed action.
//
// It stands in the middle of a tick: ooda.Turn.Ask builds a Prompt, the engine
// hands it to a mind, ooda.Turn.Act parses the Thought with Parse.
//
// The package promises: no I/O, no clock, no randomness; a prompt's text is made
// only when somebody renders it; the parser never panics and accepts exactly one
// JSON object. The caller owes: a Prompt belongs to the turn that built it and is
// valid until that turn's Act; nobody writes to it in between.
//
// See docs/AGENT.md (decide, answer).
package llm
