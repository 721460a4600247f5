// Package nexus is the daemon that manages time, agents, votes and epochs: which agents exist in which status, the
// budget of each agent, which proposals pass and what they change, the reputation of agents, and when the next epoch
// begins (docs/WORLD.md, Nexus). It also keeps the event subscriptions that agents add, because events are delivered
// in its name.
//
// AGENT_STATUS, PROPOSAL_*, SUBSCRIBE and UNSUBSCRIBE arrive through Daemon.Apply at the commit of a tick, operator
// inputs at the boundary before a tick. Maintain, UpdateReputations and NextEpoch are steps 6 to 8 of a cycle end.
//
// A refusal changes nothing, and only this package changes a status. The caller must pass a Context that is placed at
// the right point, and attach siblings before the first call.
package nexus
