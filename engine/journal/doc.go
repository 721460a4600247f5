// Package journal is an append-only log of records in segment files. It knows bytes, positions and checksums; the
// caller defines what a record's kind and body mean.
//
// It promises that a record is on disk once Writer.PutSync has returned, that records are read in the order in which
// they were appended, and that a file that was changed after it was written is reported as damaged ([CorruptError])
// and never read as something else. Only an incomplete record at the end of the last file, as a crash leaves it,
// counts as torn; readers end before it, and [RemoveTorn] removes it.
//
// Concurrent appends share one sync (group commit) without a timer. An error while writing is final: the writer
// accepts nothing more, and the file is cut back to its last good record. During a run only the engine uses the
// journal: thoughts and inputs are synced before they take effect in a tick, other records by the end of a cycle.
package journal
