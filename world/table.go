package world

import (
	"fmt"
	"slices"
	"strings"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// Key is the Go form of a table's key: fixed bytes, or a string of bytes.
type Key interface {
	~[32]byte | ~string
}

// Table keeps records of type R by key K. Records returned by Get and Each must not be changed. Edit marks a record
// as changed and returns it for writing.
type Table[K Key, R any] struct {
	label       string
	codec       *codec.Codec[R]
	recs        map[K]*R
	keys        []K // ascending; valid while !stale
	added       []K // not in keys yet
	stale       bool
	keysDropped bool // neither is kept, until somebody asks for the keys again
	dirty       map[K]struct{}
}

// NewTable registers a table on s.
func NewTable[K Key, R any](s *State, name string, codec *codec.Codec[R]) *Table[K, R] {
	t := &Table[K, R]{label: name, codec: codec, recs: map[K]*R{}, dirty: map[K]struct{}{}}
	s.tables = append(s.tables, t)
	return t
}

// Len counts the records.
func (t *Table[K, R]) Len() int { return len(t.recs) }

// Get returns the record of k or nil; read-only.
func (t *Table[K, R]) Get(k K) *R { return t.recs[k] }

// Edit returns the record of k for writing, or nil if there is none.
func (t *Table[K, R]) Edit(k K) *R {
	r := t.recs[k]
	if r != nil {
		t.dirty[k] = struct{}{}
	}
	return r
}

// Put stores r under k. The table owns r from now on.
func (t *Table[K, R]) Put(k K, r *R) {
	if _, ok := t.recs[k]; !ok {
		t.noteKey(k)
	}
	t.recs[k] = r
	t.dirty[k] = struct{}{}
}

// maxAdded is how many keys beyond as many as are in order wait to be put in order.
const maxAdded = 64

// noteKey keeps a new key for merge, unless so many wait that sorting all again costs about as much.
// The keys of most tables are asked for when a run is resumed and never after, and would take a third
// of a small record's memory.
func (t *Table[K, R]) noteKey(k K) {
	t.stale = true
	switch {
	case t.keysDropped:
	case len(t.added) < len(t.keys)+maxAdded:
		t.added = append(t.added, k)
	default:
		t.keys, t.added, t.keysDropped = nil, nil, true
	}
}

// Delete removes the record of k.
func (t *Table[K, R]) Delete(k K) {
	if _, ok := t.recs[k]; ok {
		delete(t.recs, k)
		t.stale = true
		t.dirty[k] = struct{}{}
	}
}

// Keys returns all keys ascending; the slice is valid until the next Put of a
// new key or Delete, and must not be written.
func (t *Table[K, R]) Keys() []K {
	if t.stale {
		t.merge()
	}
	return t.keys
}

// merge brings keys up to date: what was there already is in order, only what was
// added is sorted.
func (t *Table[K, R]) merge() {
	if t.keysDropped {
		t.added = make([]K, 0, len(t.recs))
		for k := range t.recs { //house:sorted below
			t.added = append(t.added, k)
		}
		t.keysDropped = false
	}
	sortKeys(t.added)
	old, out := t.keys, make([]K, 0, len(t.recs))
	take := func(k K) {
		if _, ok := t.recs[k]; ok && (len(out) == 0 || out[len(out)-1] != k) {
			out = append(out, k)
		}
	}
	for _, k := range t.added {
		for len(old) > 0 && compareKeys(old[0], k) <= 0 {
			take(old[0])
			old = old[1:]
		}
		take(k)
	}
	for _, k := range old {
		take(k)
	}
	t.keys, t.added, t.stale = out, nil, false
}

// Each calls f for every record in ascending key order. f may Edit, Put and
// Delete; records added meanwhile are not visited.
func (t *Table[K, R]) Each(f func(k K, r *R)) {
	for _, k := range t.Keys() {
		if r := t.recs[k]; r != nil {
			f(k, r)
		}
	}
}

func sortKeys[K Key](ks []K) {
	switch ks := any(ks).(type) {
	case []string:
		slices.Sort(ks)
	case []wire.Hash:
		slices.SortFunc(ks, wire.Hash.Compare)
	case []wire.AgentID:
		slices.SortFunc(ks, wire.AgentID.Compare)
	}
}

func compareKeys[K Key](a, b K) int {
	switch a := any(a).(type) {
	case string:
		return strings.Compare(a, any(b).(string))
	case wire.Hash:
		return a.Compare(any(b).(wire.Hash))
	case wire.AgentID:
		return a.Compare(any(b).(wire.AgentID))
	}
	return 0
}

// keyBytes returns the bytes of k in a slice of their own.
func keyBytes[K Key](k K) []byte {
	switch v := any(&k).(type) {
	case *string:
		return []byte(*v)
	case *wire.Hash:
		return slices.Clone(v[:])
	case *wire.AgentID:
		return slices.Clone(v[:])
	}
	panic(fmt.Sprintf("world: key type %T has no bytes", k))
}

func keyOf[K Key](b []byte) (K, error) {
	var k K
	switch v := any(&k).(type) {
	case *string:
		*v = string(b)
	case *wire.Hash:
		if copy(v[:], b) != 32 || len(b) != 32 {
			return k, fmt.Errorf("key %x has %d bytes, want 32", b, len(b))
		}
	case *wire.AgentID:
		if copy(v[:], b) != 32 || len(b) != 32 {
			return k, fmt.Errorf("key %x has %d bytes, want 32", b, len(b))
		}
	}
	return k, nil
}

func (t *Table[K, R]) name() string { return t.label }

// flush encodes and hashes what changed since the last call.
func (t *Table[K, R]) flush(s *State) {
	flush(s, t.label, t.dirty, func(dst []byte, k K) (body []byte, ok bool) {
		r := t.recs[k]
		if r == nil {
			return nil, false
		}
		return t.codec.Append(dst, r), true
	})
}

// flush hashes the records of a table that are dirty, and then none is. encode appends a record, or
// says that it is gone.
func flush[K Key](s *State, label string, dirty map[K]struct{}, encode func(dst []byte, k K) (body []byte, ok bool)) {
	if len(dirty) == 0 {
		return
	}
	changed := make([]K, 0, len(dirty))
	for k := range dirty { //house:sorted below
		changed = append(changed, k)
	}
	sortKeys(changed)
	clear(dirty)
	s.rows = slices.Grow(s.rows, len(changed))
	for _, k := range changed {
		body, ok := encode(s.body[:0], k)
		if ok {
			s.body = body
			body = slices.Clone(body)
		}
		s.queueRow(label, keyBytes(k), body)
	}
}

func (t *Table[K, R]) load(key, body []byte) error {
	k, r, err := decode[K](t.codec, key, body)
	if err == nil {
		t.Put(k, r)
	}
	return err
}

// decode reads a stored record of a table.
func decode[K Key, R any](codec *codec.Codec[R], key, body []byte) (k K, r *R, err error) {
	if k, err = keyOf[K](key); err != nil {
		return k, nil, err
	}
	r = new(R)
	if err = codec.DecodeCanonical(body, r); err != nil {
		return k, nil, fmt.Errorf("record %x: %w", key, err)
	}
	return k, r, nil
}

func (t *Table[K, R]) all(yield func(key, body []byte)) {
	for _, k := range t.Keys() {
		yield(keyBytes(k), t.codec.Append(nil, t.recs[k]))
	}
}
