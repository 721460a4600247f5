package world

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// Chain is an append-only table: digest ← SHA-256(digest ‖ u64be count ‖ SHA-256(record)). Its records are not kept
// in memory. What a daemon needs of them later it keeps in an index, which the seen callback fills.
type Chain[R any] struct {
	label    string
	state    *State
	codec    *codec.Codec[R]
	onRecord func(n uint64, r *R)
	digest   wire.Hash
	count    uint64
	recent   *recent[R] // nil: nobody reads the records again
	unhashed bool       // stands outside of the component hash
}

// NewChain registers an append-only table on s. seen, if not nil, is called for
// every record with its number: once when it is appended and once when it is
// restored.
func NewChain[R any](s *State, name string, codec *codec.Codec[R], seen func(n uint64, r *R)) *Chain[R] {
	c := &Chain[R]{label: name, state: s, codec: codec, onRecord: seen}
	s.chains = append(s.chains, c)
	return c
}

// Append adds r. It stays in memory only if [Chain.KeepRecent] was called.
func (c *Chain[R]) Append(r *R) {
	c.state.body = c.codec.Append(c.state.body[:0], r)
	body := slices.Clone(c.state.body)
	var key [8]byte
	binary.BigEndian.PutUint64(key[:], c.count)
	c.state.rows = append(c.state.rows, Row{System: c.state.system, Table: c.label, Key: key[:], Body: body, Chain: true})
	c.fold(body)
	if c.recent != nil {
		c.recent.add(c.count-1, r)
	}
	if c.onRecord != nil {
		c.onRecord(c.count-1, r)
	}
}

// Unhashed keeps the chain out of the component hash, because its records are functions of what
// is in it. They are stored and checked like all others. It returns c.
func (c *Chain[R]) Unhashed() *Chain[R] {
	c.unhashed = true
	return c
}

// Count returns the number of records ever appended.
func (c *Chain[R]) Count() uint64 { return c.count }

func (c *Chain[R]) fold(body []byte) {
	c.digest = FoldRecord(c.digest, c.count, body)
	c.count++
}

// FoldRecord returns the digest of an append-only table after record number n: SHA-256(digest ‖ u64be n ‖
// SHA-256(body)). With it a reader of stored records can check those that no daemon loads.
func FoldRecord(digest wire.Hash, n uint64, body []byte) wire.Hash {
	var b [72]byte
	copy(b[:], digest[:])
	binary.BigEndian.PutUint64(b[32:], n)
	h := sha256.Sum256(body)
	copy(b[40:], h[:])
	return sha256.Sum256(b[:])
}

func (c *Chain[R]) name() string              { return c.label }
func (c *Chain[R]) head() (wire.Hash, uint64) { return c.digest, c.count }

func (c *Chain[R]) setHead(d wire.Hash, n uint64) {
	c.digest, c.count = d, n
}

func (c *Chain[R]) hashed() bool { return !c.unhashed }

func (c *Chain[R]) indexed() bool { return c.onRecord != nil }

func (c *Chain[R]) load(body []byte) error {
	r := new(R)
	if err := c.codec.DecodeCanonical(body, r); err != nil {
		return err
	}
	c.fold(body)
	if c.onRecord != nil {
		c.onRecord(c.count-1, r)
	}
	return nil
}
