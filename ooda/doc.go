// Package ooda is one turn of one agent: observe, orient, decide, act, record.
//
// In a tick, Ask runs between view and think, Act between think and the barrier, and Record after the commit.
//
// A [Turn] has two halves, because it has to wait for the thought in between. At each slot of its agent the engine
// calls Ask with the agent's view (observe, orient, the first half of decide), gives the prompt to a mind, and calls
// Act with the thought (the rest of decide, and act), again while the step says StepAgain. Then it commits the
// envelope of the step and calls Record with the reply. CycleStart and CycleEnd are called before and after the slots
// of a cycle.
//
// Turn only runs the phases in order; each phase has a file. These types have state of their own:
//
//	slotView     what the view of this slot showed (slot_view.go)
//	goalTracker  goals that begin and end (goal_tracker.go)
//	planner      plans of goals and their next steps (plan.go, template.go, predicate.go, refs.go)
//	offers       the affordances of this slot (offer.go, collect.go, generate.go)
//	registers    the working notes that say what the agent is doing (registers.go)
//	eventReader  what the agent learns from events (events.go, bounty.go, counting.go)
//	replyReader  what the agent learns from replies (replies.go); messageReader and workReader belong to it
//	taskRunner   the action that takes more than one slot (task.go)
//	rester       when the agent lets slots pass, and when it sleeps (rest.go)
//
// All of them hold [self]: the agent, its notes, the rules and the view. These types are views of self, each with what
// it decides from it, and have no state: relations and believer (self.go), expert (topics.go), counter and demand
// (counting.go), deferral (deferral.go), shelf (reading.go), purse (price.go), payer (fund.go), rank (standing.go), voter
// (vote.go). These are views of offers, each with the sort of affordances that it makes: reader, talker, explorer,
// worker, scribe, buyer, programmer, citizen, mentor, creator; weigher rates what they made.
//
// The package guarantees: the same agent, rules, views, thoughts and replies give the same prompts, envelopes and agent
// state, bit for bit. It does no I/O, reads no clock and starts no goroutine. A mind sees only the prompt, and its
// answer changes the agent only through the one parser of answers. The caller must make calls in the legal order
// (this is asserted), use one turn per agent, and never make two calls to it at once.
//
// See docs/AGENT.md.
package ooda
