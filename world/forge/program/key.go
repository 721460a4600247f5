package program

import (
	"hash/fnv"
	"math"
	"strings"

	"go.starlark.net/starlark"
)

// chainShare is how many entries of a table are charged as one step when a key is looked up. Keys can be chosen so that
// all of them fall into one chain of the interpreter's hash table.
const chainShare = 64

// The interpreter's hash of a text shorter than seededLen bytes has no seed, so an attacker can find any number of texts
// with the same hash. In a table with fewer than maxUncharged keys, the cost of the lookup covers comparing them.
const (
	seededLen    = 12
	maxUncharged = 256
)

// mayCollide reports whether a text of this length, a key of a table of n entries, may have been chosen for its hash.
func mayCollide(length, n int) bool { return length < seededLen && n >= maxUncharged }

// tables performs the operations on keys of dicts and sets, and charges for them: for the size of the key, for a chain of
// all entries of the table, and for comparing the key with all keys of the run that have the same hash, because an
// attacker can make any number of these.
type tables struct {
	m *meter
	// collisions counts, by hash, the keys that tables hold; only of kinds that are expensive to compare.
	collisions    map[uint32]*collision
	maxCollisions uint64 // the largest n in collisions

	floats, bigInts bool // tables hold such numbers; comparing one kind with the other is expensive
}

// collision counts the keys with one hash.
type collision struct {
	first starlark.Value
	n     uint64 // keys beside the first
}

// chargeLookup charges for looking k up in a table of n entries.
func (t *tables) chargeLookup(k starlark.Value, n int) error {
	switch k := k.(type) {
	case starlark.String:
		if err := t.chargeText(k, len(k), n); err != nil {
			return err
		}
	case starlark.Bytes:
		if err := t.chargeText(k, len(k), n); err != nil {
			return err
		}
	case starlark.Bool, starlark.NoneType:
	case starlark.Float:
		if err := t.chargeCollisions(k, bytesPerStep, 0); err != nil {
			return err
		}
	case starlark.Int:
		if !t.floats && isSmall(k) {
			break
		}
		if err := t.chargeCollisions(k, bytesPerStep+intSize(k), mixedCompareCost); err != nil {
			return err
		}
	default:
		size, err := t.m.chargeTree(k)
		if err != nil {
			return err
		}
		if err := t.chargeCollisions(k, bytesPerStep+size, mixedCompareCost); err != nil {
			return err
		}
	}
	if n >= chainShare {
		return t.m.chargeSteps(uint64(n / chainShare))
	}
	return nil
}

// chargeText charges for comparing a text, without the chain.
func (t *tables) chargeText(k starlark.Value, length, n int) error {
	if err := t.m.chargeRead(uint64(length)); err != nil || !mayCollide(length, n) {
		return err
	}
	return t.chargeCollisions(k, textCompareCost, 0)
}

// textCompareCost is the charge in bytes for comparing a short text with another one of the same hash.
const textCompareCost = 4

// mixedCompareCost is the charge in bytes for comparing a float with a large integer.
const mixedCompareCost = 2_048

// chargeCollisions charges for comparing k with the keys that have its hash.
func (t *tables) chargeCollisions(k starlark.Value, size, mixed uint64) error {
	if t.maxCollisions == 0 {
		return nil
	}
	c := t.collisions[modelHash(k, 0)]
	if c == nil || c.n == 0 {
		return nil
	}
	if t.floats && (mixed > 0 || t.bigInts) {
		size += mixedCompareCost
	}
	return t.m.chargeRead(c.n * size)
}

// recordKey counts a key that was added to a table of n entries.
func (t *tables) recordKey(k starlark.Value, n int) error {
	switch k := k.(type) {
	case starlark.Bool, starlark.NoneType:
		return nil
	case starlark.String:
		if !mayCollide(len(k), n) {
			return nil
		}
	case starlark.Bytes:
		if !mayCollide(len(k), n) {
			return nil
		}
	case starlark.Int:
		if isSmall(k) {
			return nil
		}
		t.bigInts = true
	case starlark.Float:
		t.floats = true
	default:
		t.bigInts, t.floats = true, t.floats || hasFloat(k, 0) // a tuple may hold both
	}
	h := modelHash(k, 0)
	c := t.collisions[h]
	if c == nil {
		t.collisions[h] = &collision{first: k}
		return t.m.chargeAlloc(96)
	}
	if same, err := starlark.Equal(c.first, k); err != nil || !same {
		c.n++
		t.maxCollisions = max(t.maxCollisions, c.n)
	}
	return nil
}

// chargeLookups charges for n lookups, in a table of size entries, of keys that were measured before.
func (t *tables) chargeLookups(n, size int) error {
	return t.m.chargeSteps(product(n, size/chainShare) + product(n, int(min(t.maxCollisions, 1<<20))))
}

func (t *tables) get(d *starlark.Dict, k starlark.Value) (starlark.Value, bool, error) {
	if err := t.chargeLookup(k, d.Len()); err != nil {
		return nil, false, err
	}
	return d.Get(k)
}

func (t *tables) set(d *starlark.Dict, k, v starlark.Value) error {
	n := d.Len()
	if err := t.chargeLookup(k, n); err != nil {
		return err
	}
	if err := d.SetKey(k, v); err != nil || d.Len() == n {
		return err
	}
	if err := t.m.chargeAlloc(entrySize); err != nil {
		return err
	}
	return t.recordKey(k, n)
}

func (t *tables) delete(d *starlark.Dict, k starlark.Value) (starlark.Value, bool, error) {
	if err := t.chargeLookup(k, d.Len()); err != nil {
		return nil, false, err
	}
	v, found, err := d.Delete(k)
	if found && shouldRebuild(d.Len()) {
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
	if err := t.chargeLookup(k, s.Len()); err != nil {
		return false, err
	}
	return s.Has(k)
}

func (t *tables) add(s *starlark.Set, k starlark.Value) error {
	n := s.Len()
	if err := t.chargeLookup(k, n); err != nil {
		return err
	}
	if err := s.Insert(k); err != nil || s.Len() == n {
		return err
	}
	if err := t.m.chargeAlloc(entrySize); err != nil {
		return err
	}
	return t.recordKey(k, n)
}

func (t *tables) remove(s *starlark.Set, k starlark.Value) (bool, error) {
	if err := t.chargeLookup(k, s.Len()); err != nil {
		return false, err
	}
	found, err := s.Delete(k)
	if found && shouldRebuild(s.Len()) {
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

// shouldRebuild reports whether a table that has n entries after a deletion is to be rebuilt. The interpreter's tables
// never get smaller, so without a rebuild the work on a table that was large stays as expensive as it was.
func shouldRebuild(n int) bool { return n >= 64 && n&(n-1) == 0 }

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

// modelHash is the interpreter's hash without the seed that it uses for long strings: keys that collide with every seed
// collide here.
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
