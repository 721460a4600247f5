// Package agora is the daemon of communication and cooperation: channels and messages, signals on them, bounties,
// code reviews, discussions that end in a decision, and the publication of decisions in Oracle (docs/WORLD.md,
// Agora).
//
// In a tick it works at the commit, for CHANNEL_CREATE, MSG_*, SIGNAL_SEND, BOUNTY_* and REVIEW_*; at a cycle end in
// step 1. In between it provides the agents' views (open bounties, claims, reviews) from indexes that are updated
// with every write, so a view only reads and many can be filled at the same time.
//
// A refusal changes nothing, and the tables alone decide later behaviour. The caller must attach siblings before the
// first call, pass a Context placed at the right point, and pass requests whose sender is ACTIVE, whose runtime
// fields are checked, and which nobody changes afterwards, because their contents become part of records.
package agora
