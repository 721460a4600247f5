package program

import (
	"hash/fnv"
	"math"
	"strings"

	"go.starlark.net/starlark"
)

// chainShare is how many entries of a table one step of looking a key up pays for. Keys can be
// chosen so that all of them fall into one chain of the interpreter's hash table.
const chainShare = 64

// The interpreter's hash of a text of less than seeded bytes has no seed, so that as many with the same hash can be found as one
// likes. Comparing those of a table that holds fewer than crowd keys is paid for by what the look itself costs.
const (
	seeded = 12
	crowd  = 256
)

// chosen says whether a text that is a key of a table of n entries may have been chosen for its hash.
func chosen(length, n int) bool { return length < seeded && n >= crowd }

// tables does what is done with keys of dicts and sets, and charges for it: for the size of
// the key, for a chain of all entries of the table, and for comparing it with those keys of
// the run that have the same hash, of which an attacker can make as many as he likes.
type tables struct {
	m *meter
	// same holds, by hash, the keys that tables took on; only of kinds that are dear to compare.
	same map[uint32]*clash
	most uint64 // the greatest n of same

	floats, bigs bool // such numbers were taken on; comparing the one with the other is dear
}

type clash struct {
	first starlark.Value
	n     uint64 // keys beside the first
}

// key charges for one look at a table of n entries.
func (t *tables) key(k starlark.Value, n int) error {
	switch k := k.(type) {
	case starlark.String:
		if err := t.text(k, len(k), n); err != nil {
			return err
		}
	case starlark.Bytes:
		if err := t.text(k, len(k), n); err != nil {
			return err
		}
	case starlark.Bool, starlark.NoneType:
	case starlark.Float:
		if err := t.clashing(k, bytesPerStep, 0); err != nil {
			return err
		}
	case starlark.Int:
		if !t.floats && isSmall(k) {
			break
		}
		if err := t.clashing(k, bytesPerStep+intSize(k), mixedSize); err != nil {
			return err
		}
	default:
		size, err := t.m.tree(k)
		if err != nil {
			return err
		}
		if err := t.clashing(k, bytesPerStep+size, mixedSize); err != nil {
			return err
		}
	}
	if n >= chainShare {
		return t.m.steps(uint64(n / chainShare))
	}
	return nil
}

// text charges for comparing a text, without the chain.
func (t *tables) text(k starlark.Value, length, n int) error {
	if err := t.m.walk(uint64(length)); err != nil || !chosen(length, n) {
		return err
	}
	return t.clashing(k, textClash, 0)
}

// textClash is what comparing a short text with another of the same hash counts, bytes.
const textClash = 4

// mixedSize is what comparing a float with a great integer counts, bytes.
const mixedSize = 2_048

// clashing charges for comparing k with the keys that have its hash.
func (t *tables) clashing(k starlark.Value, size, mixed uint64) error {
	if t.most == 0 {
		return nil
	}
	c := t.same[modelHash(k, 0)]
	if c == nil || c.n == 0 {
		return nil
	}
	if t.floats && (mixed > 0 || t.bigs) {
		size += mixedSize
	}
	return t.m.walk(c.n * size)
}

// took notes a key that a table of n entries has taken on.
func (t *tables) took(k starlark.Value, n int) error {
	switch k := k.(type) {
	case starlark.Bool, starlark.NoneType:
		return nil
	case starlark.String:
		if !chosen(len(k), n) {
			return nil
		}
	case starlark.Bytes:
		if !chosen(len(k), n) {
			return nil
		}
	case starlark.Int:
		if isSmall(k) {
			return nil
		}
		t.bigs = true
	case starlark.Float:
		t.floats = true
	default:
		t.bigs, t.floats = true, t.floats || hasFloat(k, 0) // a tuple may hold both
	}
	h := modelHash(k, 0)
	c := t.same[h]
	if c == nil {
		t.same[h] = &clash{first: k}
		return t.m.grow(96)
	}
	if same, err := starlark.Equal(c.first, k); err != nil || !same {
		c.n++
		t.most = max(t.most, c.n)
	}
	return nil
}

// many charges for n looks at a table of size entries with keys that were measured before.
func (t *tables) many(n, size int) error {
	return t.m.steps(product(n, size/chainShare) + product(n, int(min(t.most, 1<<20))))
}

func (t *tables) get(d *starlark.Dict, k starlark.Value) (starlark.Value, bool, error) {
	if err := t.key(k, d.Len()); err != nil {
		return nil, false, err
	}
	return d.Get(k)
}

func (t *tables) set(d *starlark.Dict, k, v starlark.Value) error {
	n := d.Len()
	if err := t.key(k, n); err != nil {
		return err
	}
	if err := d.SetKey(k, v); err != nil || d.Len() == n {
		return err
	}
	if err := t.m.grow(entrySize); err != nil {
		return err
	}
	return t.took(k, n)
}

func (t *tables) delete(d *starlark.Dict, k starlark.Value) (starlark.Value, bool, error) {
	if err := t.key(k, d.Len()); err != nil {
		return nil, false, err
	}
	v, found, err := d.Delete(k)
	if found && shrinks(d.Len()) {
		old := d.Items()
		*d = starlark.Dict{}
		for _, e := range old {
			if err := t.set(d, e[0], e[1]); err != nil {
				return nil, false, err
			}
		}
	}
	return v, found, err
}

func (t *tables) has(s *starlark.Set, k starlark.Value) (bool, error) {
	if err := t.key(k, s.Len()); err != nil {
		return false, err
	}
	return s.Has(k)
}

func (t *tables) add(s *starlark.Set, k starlark.Value) error {
	n := s.Len()
	if err := t.key(k, n); err != nil {
		return err
	}
	if err := s.Insert(k); err != nil || s.Len() == n {
		return err
	}
	if err := t.m.grow(entrySize); err != nil {
		return err
	}
	return t.took(k, n)
}

func (t *tables) remove(s *starlark.Set, k starlark.Value) (bool, error) {
	if err := t.key(k, s.Len()); err != nil {
		return false, err
	}
	found, err := s.Delete(k)
	if found && shrinks(s.Len()) {
		var old []starlark.Value
		for e := range s.Elements() {
			old = append(old, e)
		}
		*s = starlark.Set{}
		for _, e := range old {
			if err := t.add(s, e); err != nil {
				return false, err
			}
		}
	}
	return found, err
}

// shrinks says when a table that lost an entry is built anew: the interpreter's own never
// get smaller, so that looking at one that was large stays as dear as it was.
func shrinks(n int) bool { return n >= 64 && n&(n-1) == 0 }

// clearDict empties a dict at once, without walking the table that it may have had.
func clearDict(d *starlark.Dict) error {
	if err := mutable(d.SetKey(starlark.NewList(nil), starlark.None)); err != nil {
		return err
	}
	*d = starlark.Dict{}
	return nil
}

func clearSet(s *starlark.Set) error {
	if err := mutable(s.Insert(starlark.NewList(nil))); err != nil {
		return err
	}
	*s = starlark.Set{}
	return nil
}

// mutable reads the error of adding an unhashable key: a table that is frozen or iterated
// over says so before it looks at the key.
func mutable(err error) error {
	if err != nil && strings.HasPrefix(err.Error(), "cannot ") {
		return err
	}
	return nil
}

func isSmall(i starlark.Int) bool {
	v, ok := i.Int64()
	return ok && v >= math.MinInt32 && v <= math.MaxInt32
}

// modelHash is the interpreter's hash, except that it does not depend on the seed which that
// has for long strings: keys that collide whatever the seed is collide here.
func modelHash(v starlark.Value, depth int) uint32 {
	switch v := v.(type) {
	case starlark.Tuple:
		x, mult := uint32(0x345678), uint32(1000003)
		if depth > maxNesting {
			return x
		}
		for _, e := range v {
			x ^= modelHash(e, depth+1) * mult
			mult += 82520 + uint32(len(v)+len(v))
		}
		return x
	case starlark.String:
		return textHash(string(v))
	case starlark.Bytes:
		return textHash(string(v))
	case *starlark.Function:
		return textHash(v.Name())
	case *starlark.Builtin:
		return textHash(v.Name())
	}
	h, _ := v.Hash() // of what is unhashable 0
	return h
}

func textHash(s string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s))
	return h.Sum32()
}

func hasFloat(v starlark.Value, depth int) bool {
	switch v := v.(type) {
	case starlark.Float:
		return true
	case starlark.Tuple:
		for _, e := range v {
			if depth < maxNesting && hasFloat(e, depth+1) {
				return true
			}
		}
	}
	return false
}
