package memory

import (
	"fmt"
	"slices"
	"strings"

	"kingdom/wire/codec"
)

// WorkingMax limits the canonical encoding of working memory, in bytes.
const WorkingMax = 65_536

// OverflowError says that an update did not fit into working memory; nothing of it was applied.
type OverflowError struct {
	Size, Max int // bytes
}

// Error names both sizes.
func (e *OverflowError) Error() string {
	return fmt.Sprintf("update working memory: %d bytes exceed %d: drop notes or shorten them", e.Size, e.Max)
}

// Note is one entry of working memory.
type Note struct {
	Key   string
	Value []byte
	fresh bool // set in the running cycle
}

// Working is working memory: notes sorted by key. At the start of a cycle a note is kept if and only if it was set in
// the cycle that ended.
type Working struct {
	notes    []Note
	payload  int // encoded bytes of all notes, without the map's head
	revision uint64
}

// Get returns the value of a note; ok is false when there is none.
func (w *Working) Get(key string) (value []byte, ok bool) {
	if i, ok := w.find(key); ok {
		return w.notes[i].Value, true
	}
	return nil, false
}

// Notes returns all notes by key. The slice is valid until the next change.
func (w *Working) Notes() []Note { return w.notes }

// Size returns the bytes of the canonical encoding.
func (w *Working) Size() int { return mapHeaderSize(len(w.notes)) + w.payload }

// Set writes one note.
func (w *Working) Set(key string, value []byte) error {
	return w.Update(codec.BinMap{{Key: key, Value: value}}, nil)
}

// Drop removes one note, if it is there.
func (w *Working) Drop(key string) { w.drop(key) }

// Keep marks a note as set in the current cycle, so that it is kept at the next start of a cycle.
func (w *Working) Keep(key string) {
	if i, ok := w.find(key); ok && !w.notes[i].fresh {
		w.notes[i].fresh = true
		w.revision++
	}
}

// Update drops and then sets notes. If the result would exceed WorkingMax, it changes nothing and returns an
// [*OverflowError].
func (w *Working) Update(set codec.BinMap, drop []string) error {
	if size := w.sizeAfter(set, drop); size > WorkingMax {
		return &OverflowError{Size: size, Max: WorkingMax}
	}
	for _, k := range drop {
		w.drop(k)
	}
	for _, e := range set {
		w.put(e.Key, e.Value, true)
	}
	return nil
}

// sizeAfter computes the encoding's size after an update. set is sorted and without
// double keys; drop may be neither.
func (w *Working) sizeAfter(set codec.BinMap, drop []string) int {
	count, payload := len(w.notes), w.payload
	for i, k := range drop {
		if _, again := set.Get(k); again || slices.Contains(drop[:i], k) {
			continue
		}
		if j, ok := w.find(k); ok {
			count--
			payload -= w.notes[j].size()
		}
	}
	for _, e := range set {
		if j, ok := w.find(e.Key); ok {
			count--
			payload -= w.notes[j].size()
		}
		count++
		payload += noteSize(e.Key, e.Value)
	}
	return mapHeaderSize(count) + payload
}

func (w *Working) put(key string, value []byte, fresh bool) {
	i, ok := w.find(key)
	if ok {
		w.payload -= w.notes[i].size()
	} else {
		w.notes = slices.Insert(w.notes, i, Note{Key: key})
	}
	w.notes[i].Value, w.notes[i].fresh = value, fresh
	w.payload += w.notes[i].size()
	w.revision++
}

func (w *Working) drop(key string) {
	if i, ok := w.find(key); ok {
		w.payload -= w.notes[i].size()
		w.notes = slices.Delete(w.notes, i, i+1)
		w.revision++
	}
}

// CycleStart drops the notes that were not set in the cycle that ended. It does not
// allocate.
func (w *Working) CycleStart() {
	kept := w.notes[:0]
	w.payload = 0
	for _, n := range w.notes {
		if n.fresh {
			n.fresh = false
			kept = append(kept, n)
			w.payload += n.size()
		}
	}
	clear(w.notes[len(kept):])
	w.notes = kept
	w.revision++
}

// Clear drops all notes. It does not allocate.
func (w *Working) Clear() {
	clear(w.notes)
	w.notes, w.payload = w.notes[:0], 0
	w.revision++
}

// Fresh returns the keys set in the current cycle, sorted. The stored bytes of working memory do not show this.
func (w *Working) Fresh() []string {
	var keys []string
	for _, n := range w.notes {
		if n.fresh {
			keys = append(keys, n.Key)
		}
	}
	return keys
}

// Revision changes with every change.
func (w *Working) Revision() uint64 { return w.revision }

func (w *Working) find(key string) (int, bool) {
	return slices.BinarySearchFunc(w.notes, key, func(n Note, k string) int { return strings.Compare(n.Key, k) })
}

func (n *Note) size() int { return noteSize(n.Key, n.Value) }

func noteSize(key string, value []byte) int {
	return strHeaderSize(len(key)) + len(key) + binHeaderSize(len(value)) + len(value)
}

// Sizes of the headers of MessagePack's shortest forms, in bytes.

func mapHeaderSize(n int) int {
	switch {
	case n < 16:
		return 1
	case n < 1<<16:
		return 3
	}
	return 5
}

func strHeaderSize(n int) int {
	switch {
	case n < 32:
		return 1
	case n < 1<<8:
		return 2
	case n < 1<<16:
		return 3
	}
	return 5
}

func binHeaderSize(n int) int {
	switch {
	case n < 1<<8:
		return 2
	case n < 1<<16:
		return 3
	}
	return 5
}
