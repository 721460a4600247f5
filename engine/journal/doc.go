// Package journal is an append-only log of records in segment files. It knows bytes,
// places and checksums; what a record's kind and body mean is its caller's.
//
// It promises that a record for which [Writer.PutSync] has returned is on disk; that
// records come back in the order in which they were appended; and that a file which was
// changed after it was written is named as damaged ([CorruptError]), never read as
// something else. Only a record that the end of the last file cuts short counts as
// torn, which is what a crash leaves; [Check] cuts it.
//
// Concurrent appends share one sync (group commit) without a timer. An error while
// writing is final: the writer takes nothing more, and the file is cut back to its last
// good record. Within a run only the engine uses it: thoughts and inputs are synced before
// they take effect in a tick, the rest by the end of a cycle.
package journal
