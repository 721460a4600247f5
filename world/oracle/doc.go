// Package oracle is the daemon of the library: entries and their versions, verifications, peer review, citations and
// documentation gaps (docs/WORLD.md, Oracle).
//
// In a tick it works at the commit. Requests arrive through Daemon.Apply; other daemons publish and read through
// world.Oracle within the same commit. At a cycle end (step 2) waiting updates take effect, scores age, unanswered
// questions become bounties, and duplicates and missing links are reported.
//
// Versions, verdicts and citations are never taken back, all scores are multiples of 2^-20, and entry #0 never
// changes. A body is stored once, with its version; the record of an entry has everything else. The caller must have
// checked the sender and the fields that the runtime fills in, and must call Attach before the first request.
package oracle
