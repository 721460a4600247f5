package det

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// streamLabel is the prefix of the hashed key, so that seeds differ from all other SHA-256 values in the system.
const streamLabel = "kingdom-rng-v1"

// Stream is a sequence of random numbers that belongs to one purpose, agent and tick. It is
// not safe for concurrent use and is used for one draw or one series of draws.
type Stream struct {
	src rand.ChaCha8
}

// NewStream returns the stream with the given key: ChaCha8 seeded with SHA-256 of label, world
// seed, purpose with its u16 length, agent and u64 tick, big-endian (docs/DETERMINISM.md).
func NewStream(seed [32]byte, purpose Purpose, agent [32]byte, tick uint64) *Stream {
	s := new(Stream)
	s.Reset(seed, purpose, agent, tick)
	return s
}

// Reset turns s into the stream with another key, without allocating.
func (s *Stream) Reset(seed [32]byte, purpose Purpose, agent [32]byte, tick uint64) {
	var buf [256]byte
	b := append(buf[:0], streamLabel...)
	b = append(b, seed[:]...)
	b = binary.BigEndian.AppendUint16(b, uint16(len(purpose)))
	b = append(b, purpose...)
	b = append(b, agent[:]...)
	b = binary.BigEndian.AppendUint64(b, tick)
	s.src.Seed(sha256.Sum256(b))
}

// Uint64 returns the next 64 random bits.
func (s *Stream) Uint64() uint64 { return s.src.Uint64() }

// Float64 returns a number in [0,1): the top 53 bits of the next Uint64 over 2^53, exact.
func (s *Stream) Float64() float64 {
	return float64(float64(s.Uint64()>>11) * 0x1p-53) // the conversion of the product keeps the compiler from fusing it with an addition of the caller
}
