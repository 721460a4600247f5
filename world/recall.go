package world

import (
	"fmt"

	"kingdom/wire"
)

// recent holds those records of a chain that the store may not have yet, and those that
// were fetched from it for the end of a cycle. Everything older lies in the store only.
type recent[R any] struct {
	first   uint64 // number of list[0]
	list    []*R
	fetched map[uint64]*R
}

func (x *recent[R]) add(n uint64, r *R) {
	if len(x.list) == 0 {
		x.first = n
	}
	x.list = append(x.list, r)
}

// KeepRecent makes the chain keep appended records in memory until Forget says that the store has them; without a
// store that is for ever. It returns c.
func (c *Chain[R]) KeepRecent() *Chain[R] {
	c.recent = &recent[R]{fetched: map[uint64]*R{}}
	return c
}

// Get returns record n if it is in memory, else nil; it is read-only. A record is in memory from Append until Forget,
// and from Fetch until the next Forget.
func (c *Chain[R]) Get(n uint64) *R {
	x := c.recent
	if i := n - x.first; i < uint64(len(x.list)) { // n below first wraps around and is greater
		return x.list[i]
	}
	return x.fetched[n]
}

// Show calls show with record n: at once if it is in memory, else when the entry that it adds to missing is filled.
// same reports whether a record read from the store is the one that was written. What show does must not influence
// the world.
func (c *Chain[R]) Show(missing *[]wire.Missing, n uint64, same func(*R) bool, show func(*R)) {
	if r := c.Get(n); r != nil {
		show(r)
		return
	}
	*missing = append(*missing, wire.Missing{Record: c.id(n), Fill: func(record []byte) error {
		r, err := c.read(n, record, same)
		if err == nil {
			show(r)
		}
		return err
	}})
}

// Fetch adds record n to missing unless it is in memory; once filled, Get returns it.
func (c *Chain[R]) Fetch(missing *[]wire.Missing, n uint64, same func(*R) bool) {
	c.Show(missing, n, same, func(r *R) {
		if c.Get(n) == nil {
			c.recent.fetched[n] = r
		}
	})
}

func (c *Chain[R]) id(n uint64) wire.RecordID {
	return wire.RecordID{System: c.state.system, Table: c.label, Number: n}
}

func (c *Chain[R]) read(n uint64, record []byte, same func(*R) bool) (*R, error) {
	r := new(R)
	err := c.codec.DecodeCanonical(record, r)
	if err == nil && !same(r) {
		err = fmt.Errorf("its content is not the one that was written")
	}
	if err != nil {
		return nil, fmt.Errorf("read record %d of %v table %s: %w; the store was changed from outside", n, c.state.system, c.label, err)
	}
	return r, nil
}

// forget drops the records below stored and those that were fetched.
func (c *Chain[R]) forget(stored uint64) {
	x := c.recent
	if x == nil {
		return
	}
	clear(x.fetched)
	if stored <= x.first {
		return
	}
	n := min(stored-x.first, uint64(len(x.list)))
	rest := make([]*R, uint64(len(x.list))-n)
	copy(rest, x.list[n:])
	x.first, x.list = x.first+n, rest
}

// Forget releases the records that the store has: those of each append-only table below its head.
func (s *State) Forget(heads []Head) {
	for _, h := range heads {
		for _, c := range s.chains {
			if h.System == s.system && c.name() == h.Table {
				c.forget(h.Count)
			}
		}
	}
}
