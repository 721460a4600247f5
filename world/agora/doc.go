// Package agora is the daemon of talk and joint work: channels and messages,
// signals on them, bounties, code reviews, discussions that end in a decision,
// and the crystallization of what was agreed into Oracle (docs/WORLD.md, Agora).
//
// Place in the tick: commit, for CHANNEL_CREATE, MSG_*, SIGNAL_SEND, BOUNTY_* and
// REVIEW_*; cycle end, step 1. Between the two it answers for the views of agents
// (open bounties, claims, reviews asked) from indices that are kept up to date at
// every write, so a view only reads and many may be filled at once.
//
// The daemon is pure. It promises that a refusal changes nothing and that its
// tables alone decide its later behaviour. The caller owes it siblings attached
// before the first call, a Context placed at the right point, a sender that the
// receive pipeline found ACTIVE with true runtime fields, and requests that nobody
// writes to afterwards: what a request holds becomes part of a record.
package agora
