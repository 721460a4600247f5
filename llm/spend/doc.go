// Package spend keeps the money of one run: what its calls to language models cost, and the
// caps that they must not pass. It works while a thought is waited for.
//
// A call reserves the dearest that it may become and settles what it cost. The sum of what is
// settled and reserved never passes a cap, however many calls are under way at once. A call
// that does not fit beside those under way waits for them; one that does not fit even alone is
// refused with a [*CapError].
//
// The ledger of a run is a file of lines, so that caps hold over kills and resumes: a call is
// written down before it is made. One whose process was killed before it was settled counts as
// the dearest it can have become. Lines are handed to the operating system at once and not
// synced: a machine that loses its power may lose the last of them.
//
// Nothing here is part of a hash. What a cap refuses is recorded in the journal like any other
// thought; a replay has no ledger.
package spend
