// Package ooda is one turn of one agent: observe, orient, decide, act, record.
//
// A Turn is cut at its only wait, the thought. At each slot of its agent the engine calls
// Ask with what the agent sees (observe, orient, the first half of decide); hands the prompt
// to a mind; calls Act with the thought (the rest of decide, and act), again while the step
// says StepAgain; commits the envelope of the step; and calls Record with the reply.
// CycleStart and CycleEnd frame the slots of a cycle.
//
// Turn only sequences the phases, a file each. What has a state of its own is a type:
//
//	sight        what the view of this slot showed (sight.go)
//	goalTracker  goals that come up and end (track.go)
//	planner      plans of goals and their next steps (plan.go, template.go, predicate.go, refs.go)
//	offers       the affordances of this slot (offer.go, collect.go, generate.go)
//	eventReader  what events teach (events.go, bounty.go)
//	replyReader  what replies teach (replies.go)
//
// The package promises: the same agent, rules, views, thoughts and replies give
// the same prompts, envelopes and agent state, bit for bit; no I/O, no clock, no
// goroutine; the mind sees only the prompt, and nothing it says reaches the agent
// but through the one parser. The caller owes: calls in the legal order (asserted),
// one turn per agent, never two calls at once.
//
// See docs/AGENT.md.
package ooda
