package codec

import (
	"cmp"
	"slices"
)

// CanonicalFreeMap returns the canonical form of exactly one free map whose keys may come in
// any order and whose values may be longer than they need be. It refuses keys that stand twice
// and what no free map holds.
func CanonicalFreeMap(b []byte) ([]byte, error) {
	const op = "read free map"
	r := newReader(b)
	defer r.free()
	if c, err := r.peek(); err != nil || !isMapCode(c) {
		return nil, &DecodeError{Kind: DecodeKindType, Op: op, Want: "a map"}
	}
	out, err := appendFree(make([]byte, 0, len(b)), r, freeSorted)
	if err == nil {
		err = r.end()
	}
	if err != nil {
		return nil, WithOp(err, op)
	}
	return out, nil
}

// appendFreeSorted reads the n pairs of a map and appends the map with its keys in order.
func appendFreeSorted(dst []byte, r *reader, n int) ([]byte, error) {
	type pair struct {
		key   string
		value []byte
	}
	var pairs []pair
	for range n {
		key, err := r.str()
		if err != nil {
			return dst, err
		}
		value, err := appendFree(nil, r, freeSorted)
		if err != nil {
			return dst, inField(err, key)
		}
		pairs = append(pairs, pair{key, value})
	}
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Compare(a.key, b.key) })
	dst = AppendMapLen(dst, n)
	for i, p := range pairs {
		if i > 0 && p.key == pairs[i-1].key {
			return dst, inField(r.fail(DecodeKindDuplicateField, "each key once"), p.key)
		}
		dst = append(AppendString(dst, p.key), p.value...)
	}
	return dst, nil
}
