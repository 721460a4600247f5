package realm

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"kingdom/wire"
)

type orderKey struct {
	key   wire.Hash
	agent wire.AgentID
}

// Order sorts live, the agents with a slot at t, into commit order: ascending
// SHA-256(world seed ‖ u64be tick ‖ agent id), fixed for a seed and fair over time.
func (r *Realm) Order(t wire.Tick, live []wire.AgentID) {
	var b [32 + 8 + 32]byte
	copy(b[:], r.rules.Seed[:])
	binary.BigEndian.PutUint64(b[32:], uint64(t))
	r.order = r.order[:0]
	for _, a := range live {
		copy(b[40:], a[:])
		r.order = append(r.order, orderKey{sha256.Sum256(b[:]), a})
	}
	slices.SortFunc(r.order, func(x, y orderKey) int { return bytes.Compare(x.key[:], y.key[:]) })
	for i := range r.order {
		live[i] = r.order[i].agent
	}
}
