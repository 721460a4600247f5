package history

import (
	"encoding/binary"
	"errors"
	"slices"

	"kingdom/wire"
)

// Counts are the numbers of events of each kind.
type Counts map[wire.EventKind]uint64

// Append writes the counts behind b, ascending by kind.
func (c Counts) Append(b []byte) []byte {
	kinds := make([]wire.EventKind, 0, len(c))
	for k := range c {
		kinds = append(kinds, k)
	}
	slices.Sort(kinds)
	b = append(b, format)
	for _, k := range kinds {
		b = binary.AppendUvarint(b, uint64(k))
		b = binary.AppendUvarint(b, c[k])
	}
	return b
}

var errCounts = errors.New("the counts of events are damaged: restore the database from a copy")

// ReadCounts reads what Append wrote.
func ReadCounts(b []byte) (Counts, error) {
	if len(b) == 0 || b[0] != format {
		return nil, errCounts
	}
	out := Counts{}
	for b = b[1:]; len(b) > 0; {
		k, n := binary.Uvarint(b)
		if n <= 0 || k > 1<<16-1 {
			return nil, errCounts
		}
		count, m := binary.Uvarint(b[n:])
		if m <= 0 {
			return nil, errCounts
		}
		out[wire.EventKind(k)] = count
		b = b[n+m:]
	}
	return out, nil
}
