package memory

import (
	"crypto/sha256"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// Book numbers and hashes the rows of one agent. A row id is the same in all stores:
// spawn_index << 32 | counter, the counter going up from 1 over all of its tables.
type Book struct {
	SpawnIndex uint64
	Last       uint32 // counter of the newest row
}

// Next returns a new row id.
func (l *Book) Next() uint64 {
	if l.Last == 1<<32-1 {
		panic("memory: row counter of an agent is exhausted")
	}
	l.Last++
	return l.SpawnIndex<<32 | uint64(l.Last)
}

// Sum returns SHA-256 of the canonical bytes of a row.
func Sum[T any](c *codec.Codec[T], row *T) wire.Hash {
	s := codec.Borrow()
	defer s.Return()
	s.B = c.Append(s.B, row)
	return sha256.Sum256(s.B)
}
