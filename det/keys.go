package det

import (
	"cmp"
	"maps"
	"slices"
)

// SortedKeys returns the keys of m in ascending order. The core iterates over maps only in this way.
// Keys that are arrays of bytes go through [SortedKeysFunc].
func SortedKeys[M ~map[K]V, K cmp.Ordered, V any](m M) []K {
	return slices.Sorted(maps.Keys(m))
}

// SortedKeysFunc is SortedKeys with the caller's order, such as wire.Hash.Compare. The
// order must be total on the keys.
func SortedKeysFunc[M ~map[K]V, K comparable, V any](m M, compare func(a, b K) int) []K {
	return slices.SortedFunc(maps.Keys(m), compare)
}
