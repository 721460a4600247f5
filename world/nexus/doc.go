// Package nexus is the daemon that keeps time, the roster, the votes and the
// epochs: who exists and in which status, what budget each agent gets, which
// proposals pass and what they do, what reputation an agent has earned, and when
// the world enters its next epoch (docs/WORLD.md, Nexus). It also keeps the
// explicit event subscriptions, since the bus speaks with its identity.
//
// AGENT_STATUS, PROPOSAL_*, SUBSCRIBE and UNSUBSCRIBE arrive through Daemon.Apply when
// a tick is committed, operator inputs at the boundary before a tick; Maintain, Repute
// and NextEpoch are steps 6 to 8 of a cycle end.
//
// The package promises that a refusal changes nothing, and that only it changes a
// status. The caller owes it a Context placed at the right point and siblings attached
// before the first call.
package nexus
