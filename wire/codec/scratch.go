package codec

import (
	"bytes"
	"sync"
)

// Scratch is a borrowed buffer for bytes that are only hashed or copied. Buffers are pooled, because thousands of
// agents with a buffer each would need much more memory.
type Scratch struct {
	// B is empty when borrowed; the borrower appends to it.
	B []byte
}

var scratchPool = sync.Pool{New: func() any { return new(Scratch) }}

// Borrow returns an empty buffer, to be given back by Return or Take.
func Borrow() *Scratch {
	s := scratchPool.Get().(*Scratch)
	s.B = s.B[:0]
	return s
}

// Return gives the buffer back; nothing of it may be used any more.
func (s *Scratch) Return() { scratchPool.Put(s) }

// Take returns a copy of the bytes in a slice of their own size and gives the buffer back.
func (s *Scratch) Take() []byte {
	out := bytes.Clone(s.B)
	s.Return()
	return out
}

// Bytes returns the canonical MessagePack of v in a slice of its own size.
func (c *Codec[T]) Bytes(v *T) []byte {
	s := Borrow()
	s.B = c.Append(s.B, v)
	return s.Take()
}
