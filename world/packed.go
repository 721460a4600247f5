package world

import (
	"slices"

	"kingdom/wire/codec"
)

// Packed is a table whose records the daemon keeps itself, in a form that takes less memory than a Go struct. It is
// meant for records that are numerous and rarely change. It is hashed, stored and restored like a [Table]. The record
// is made from the daemon's form when it is hashed, after a change.
type Packed[K Key, R any] struct {
	label string
	codec *codec.Codec[R]
	form  Form[K, R]
	dirty map[K]struct{}
	rec   R // scratch of settle
}

// Form is a daemon's own representation of the records of a [Packed] table.
type Form[K Key, R any] interface {
	// Pack keeps r, and what it points to, under k.
	Pack(k K, r *R)
	// Unpack makes the record of k in r, which is read before the next Unpack; false if there is none.
	Unpack(k K, r *R) bool
	// Keys lists the keys of all records, in any order.
	Keys() []K
}

// NewPacked registers a table on s whose records form keeps.
func NewPacked[K Key, R any](s *State, name string, codec *codec.Codec[R], form Form[K, R]) *Packed[K, R] {
	t := &Packed[K, R]{label: name, codec: codec, form: form, dirty: map[K]struct{}{}}
	s.tables = append(s.tables, t)
	return t
}

// Put keeps r under k.
func (t *Packed[K, R]) Put(k K, r *R) {
	t.form.Pack(k, r)
	t.Changed(k)
}

// Changed notes that the record of k was changed or deleted.
func (t *Packed[K, R]) Changed(k K) { t.dirty[k] = struct{}{} }

func (t *Packed[K, R]) name() string { return t.label }

// flush encodes and hashes what changed since the last call.
func (t *Packed[K, R]) flush(s *State) {
	flush(s, t.label, t.dirty, func(dst []byte, k K) (body []byte, ok bool) {
		if !t.form.Unpack(k, &t.rec) {
			return nil, false
		}
		return t.codec.Append(dst, &t.rec), true
	})
}

func (t *Packed[K, R]) load(key, body []byte) error {
	k, r, err := decode[K](t.codec, key, body)
	if err == nil {
		t.Put(k, r)
	}
	return err
}

func (t *Packed[K, R]) all(yield func(key, body []byte)) {
	keys := slices.Clone(t.form.Keys())
	sortKeys(keys)
	for _, k := range keys {
		if t.form.Unpack(k, &t.rec) {
			yield(keyBytes(k), t.codec.Append(nil, &t.rec))
		}
	}
}
