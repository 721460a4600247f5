// Package spend counts what the calls to language models of one run cost, and enforces the caps.
//
// Before a call the most that it can cost is reserved; afterwards what it did cost is booked. The sum of bookings and
// reservations never exceeds a cap, however many calls are under way. A call that does not fit beside those under way
// waits for them. A call that does not fit even alone is refused with a [*CapError].
//
// The ledger of a run is a file of lines, so that caps hold across kills and resumes: a call is written down before
// it is made. A call whose process was killed before it was settled counts with the most that it can have cost. Lines
// are given to the operating system at once but not synced; after a power failure the last of them may be missing.
//
// Nothing here is part of a hash. A refusal by a cap is recorded in the journal like any other thought; a replay has
// no ledger.
package spend
