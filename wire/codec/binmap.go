package codec

import (
	"slices"
	"strings"
)

// BinMap is a free map from text to bytes. Its entries are sorted by key, so that iteration and encoding have one
// order. Build it with Set.
type BinMap []BinEntry

// BinEntry is one pair of a [BinMap].
type BinEntry struct {
	Key   string
	Value []byte
}

func (m BinMap) search(key string) (int, bool) {
	return slices.BinarySearchFunc(m, key, func(e BinEntry, k string) int {
		return strings.Compare(e.Key, k)
	})
}

// Get returns the value of a key.
func (m BinMap) Get(key string) ([]byte, bool) {
	i, ok := m.search(key)
	if !ok {
		return nil, false
	}
	return m[i].Value, true
}

// Set inserts or replaces a pair, keeping the order.
func (m *BinMap) Set(key string, value []byte) {
	i, ok := m.search(key)
	if ok {
		(*m)[i].Value = value
		return
	}
	*m = slices.Insert(*m, i, BinEntry{Key: key, Value: value})
}
