package engine

import (
	"crypto/sha256"
	"slices"

	"kingdom/wire"
)

// agentsHash is SHA-256 over id ‖ state hash of all agents, sorted by id. Only
// agents that changed were hashed anew.
func (e *Engine) agentsHash() wire.Hash {
	h := sha256.New()
	for _, s := range e.order {
		h.Write(s.id[:])
		h.Write(s.hash[:])
	}
	return wire.Hash(h.Sum(nil))
}

// insert puts a seat in its place by id.
func (e *Engine) insert(s *seat) {
	i, _ := slices.BinarySearchFunc(e.order, s, func(a, b *seat) int { return a.id.Compare(b.id) })
	e.order = slices.Insert(e.order, i, s)
}
