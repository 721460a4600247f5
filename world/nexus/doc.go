// Package nexus is the daemon that keeps time, the roster, the votes and the
// epochs: who exists and in which status, what budget each agent gets, which
// proposals pass and what they do, what reputation an agent has earned, and when
// the world enters its next epoch (docs/WORLD.md, Nexus). It also keeps the
// explicit event subscriptions, since the bus speaks with its identity.
//
// Place in the tick: commit, for AGENT_STATUS, PROPOSAL_*, SUBSCRIBE and
// UNSUBSCRIBE; the boundary, for operator inputs; cycle end, steps 6 to 8.
// The daemon is pure. It promises that a refusal changes nothing, and that only it
// changes a status. The caller owes it a Context placed at the right point and
// siblings attached before the first call.
package nexus
