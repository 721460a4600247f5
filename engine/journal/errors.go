package journal

import (
	"cmp"
	"fmt"
)

// CorruptError says that a journal or snapshot does not have the bytes that were written.
type CorruptError struct {
	File   string
	Offset int64
	Record uint64 // ordinal in the file, from 0
	Reason string
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("read %s: record %d at offset %d: %s; the file was changed after it was written: restore it from a copy",
		e.File, e.Record, e.Offset, e.Reason)
}

// MismatchError says that a file, store or run directory belongs to another run than
// the one that was asked for.
type MismatchError struct {
	Run       string // directory of the run that was opened; empty: not known
	What      string // "scenario digest", "physics", "seed", …
	Want, Got string
	Hint      string
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("%s: %s is %s, want %s; %s", cmp.Or(e.Run, "open run"), e.What, e.Got, e.Want, e.Hint)
}
