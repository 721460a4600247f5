package world

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"kingdom/wire"
)

// Row is one stored record of a daemon's state, as it is written to the store and to snapshots and read back. For an
// append-only table Key is the record's number (u64, big-endian, from 0).
type Row struct {
	System wire.System `kdom:"system"`
	Table  string      `kdom:"table"`
	Key    []byte      `kdom:"key"`
	Body   []byte      `kdom:"body"` // canonical MessagePack; nil = the record was deleted
	Chain  bool        `kdom:"-"`    // append-only table
}

// State is the hashed state of one daemon: tables of records that change, which form one hash tree, and append-only
// chains. Tables are registered once; the order of registration is that of the chain digests in the component hash.
type State struct {
	system wire.System
	tree   tree
	tables []table
	chains []chain
	rows   []Row
	buf    []byte // scratch of hashes
	body   []byte // scratch of encodings
}

// Head is the state of one append-only table: its digest and its number of records.
type Head struct {
	System wire.System `kdom:"system"`
	Table  string      `kdom:"table"`
	Digest wire.Hash   `kdom:"digest"`
	Count  uint64      `kdom:"count"`
}

type table interface {
	name() string
	flush(s *State)
	load(key, body []byte) error
	all(yield func(key, body []byte))
}

type chain interface {
	name() string
	head() (wire.Hash, uint64)
	setHead(d wire.Hash, n uint64)
	indexed() bool
	hashed() bool
	load(body []byte) error
	forget(stored uint64)
}

// NewState returns the empty state of daemon s.
func NewState(s wire.System) *State { return &State{system: s} }

// Hash returns the component hash: SHA-256(tree root ‖ chain digests in table order), 32 zero bytes if nothing was
// ever recorded. It encodes and hashes changed records and queues them for TakeRows.
func (s *State) Hash() wire.Hash {
	for _, t := range s.tables {
		t.flush(s)
	}
	root := s.tree.sum()
	b := append(s.buf[:0], root[:]...)
	empty := s.tree.n == 0
	for _, c := range s.chains {
		if !c.hashed() {
			continue
		}
		d, n := c.head()
		b = append(b, d[:]...)
		empty = empty && n == 0
	}
	s.buf = b
	if empty {
		return wire.Hash{}
	}
	return sha256.Sum256(b)
}

// TakeRows returns the records that changed since the last call, with their values at the last Hash. They belong to
// the caller.
func (s *State) TakeRows() []Row {
	r := s.rows
	s.rows = nil
	return r
}

// All returns every record of the tables that change, for a snapshot: table by table, keys ascending. Records of
// chains are in the store; Heads says how many there are.
func (s *State) All() []Row {
	var out []Row
	for _, t := range s.tables {
		t.all(func(key, body []byte) {
			out = append(out, Row{System: s.system, Table: t.name(), Key: key, Body: body})
		})
	}
	return out
}

// Heads returns the heads of all chains in table order.
func (s *State) Heads() []Head {
	out := make([]Head, 0, len(s.chains))
	for _, c := range s.chains {
		d, n := c.head()
		out = append(out, Head{System: s.system, Table: c.name(), Digest: d, Count: n})
	}
	return out
}

// Needs reports whether the records of an append-only table must be loaded to restore the state. If not, SetHead
// suffices.
func (s *State) Needs(table string) bool {
	for _, c := range s.chains {
		if c.name() == table {
			return c.indexed()
		}
	}
	return false
}

// SetHead restores a chain whose records were not loaded, and checks one whose records were.
func (s *State) SetHead(h Head) error {
	for _, c := range s.chains {
		if c.name() != h.Table {
			continue
		}
		if !c.indexed() {
			c.setHead(h.Digest, h.Count)
			return nil
		}
		if d, n := c.head(); d != h.Digest || n != h.Count {
			return fmt.Errorf("restore %v table %s: %d records give digest %v, want %d records and %v; rows are missing or changed",
				s.system, h.Table, n, d, h.Count, h.Digest)
		}
		return nil
	}
	return fmt.Errorf("restore %v: unknown table %q; the run was written by another version", s.system, h.Table)
}

// FinishRestore ends a restore: it hashes what was loaded, and marks it as stored.
func (s *State) FinishRestore() wire.Hash {
	h := s.Hash()
	s.rows = nil
	return h
}

// Load puts one stored row back. Chains must be loaded in order of their keys.
func (s *State) Load(r Row) error {
	for _, t := range s.tables {
		if t.name() == r.Table {
			if err := t.load(r.Key, r.Body); err != nil {
				return fmt.Errorf("restore %v table %s: %w", s.system, r.Table, err)
			}
			return nil
		}
	}
	for _, c := range s.chains {
		if c.name() == r.Table {
			if _, n := c.head(); len(r.Key) != 8 || binary.BigEndian.Uint64(r.Key) != n {
				return fmt.Errorf("restore %v table %s: record %x is out of order, want number %d", s.system, r.Table, r.Key, n)
			}
			if err := c.load(r.Body); err != nil {
				return fmt.Errorf("restore %v table %s: %w", s.system, r.Table, err)
			}
			return nil
		}
	}
	return fmt.Errorf("restore %v: unknown table %q; the run was written by another version", s.system, r.Table)
}

// queueRow queues the row of a record that changed, and hashes it; body nil = deleted.
func (s *State) queueRow(tbl string, key, body []byte) {
	s.rows = append(s.rows, Row{System: s.system, Table: tbl, Key: key, Body: body})
	if body == nil {
		s.tree.remove(s.keyHash(tbl, key))
		return
	}
	s.tree.put(s.keyHash(tbl, key), sha256.Sum256(body))
}

// keyHash is kh = SHA-256(table ‖ 0x00 ‖ key).
func (s *State) keyHash(tbl string, key []byte) wire.Hash {
	b := append(s.buf[:0], tbl...)
	b = append(b, 0)
	s.buf = append(b, key...)
	return sha256.Sum256(s.buf)
}
