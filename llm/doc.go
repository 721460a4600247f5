// Package llm defines what an agent's turn and its mind exchange: the [Prompt] (typed sections, affordances,
// budgets), the [Thought] that is returned, the tier that decides which model is asked, and the one parser that turns
// the text of an answer into a typed action.
//
// In a tick, ooda.Turn.Ask builds a Prompt, the engine gives it to a mind, and ooda.Turn.Act parses the Thought with
// [Prompt.Parse].
//
// The package does no I/O, reads no clock and uses no randomness. The text of a prompt is created only when somebody
// renders it. The parser never panics and accepts exactly one JSON object. A Prompt belongs to the turn that built it
// and is valid until that turn's Act; nobody may change it in between.
//
// See docs/AGENT.md (thought, prompt and answer).
package llm
