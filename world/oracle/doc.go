// Package oracle is the world's library: entries and their versions, verifications,
// peer approvals, citations and documentation gaps (docs/WORLD.md, Oracle).
//
// Place in the tick: commit. Requests arrive through Daemon.Apply, other daemons publish
// and ask through world.Library inside the same commit, and at cycle end the realm calls
// CycleEnd (step 2): pending updates take effect, scores age, unanswered questions become
// bounties, duplicates and missing links are pointed out.
//
// The package promises that versions, verdicts and citations are never taken back, that
// all scores are multiples of 2^-20, and that entry #0 stays as it was written. A body is
// kept once, with its version; the record of an entry holds everything else. The caller
// owes a checked sender and true runtime fields (the receive pipeline); Attach must be
// called before the first request.
package oracle
