package memory

import "kingdom/wire"

// evidence holds the hashes to which the beliefs of one agent refer as evidence. An act tests several beliefs, so half of the
// references are shared: each hash is stored once, and beliefs hold its index.
type evidence struct {
	hashes []wire.Hash
	uses   []uint16          // of hashes: how many references name one; 0: the place is free
	free   []evidenceIndex   // the free ones
	latest [64]evidenceIndex // by the first byte of a hash: the index of the last such hash
}

// evidenceIndex is the index of a hash. There are at most beliefMax * EvidenceMax.
type evidenceIndex uint16

// acquire returns the index of a hash and counts the reference. A hash that was not used for some time may get a second index:
// a full search would cost more than the few bytes are worth.
func (e *evidence) acquire(h *wire.Hash) evidenceIndex {
	hint := &e.latest[int(h[0])%len(e.latest)]
	if i := *hint; int(i) < len(e.hashes) && e.uses[i] > 0 && e.hashes[i] == *h {
		e.uses[i]++
		return i
	}
	if n := len(e.free); n > 0 {
		*hint, e.free = e.free[n-1], e.free[:n-1]
	} else {
		*hint = evidenceIndex(len(e.hashes))
		e.hashes = append(grow(e.hashes, beliefMax*EvidenceMax), wire.Hash{})
		e.uses = append(grow(e.uses, beliefMax*EvidenceMax), 0)
	}
	e.hashes[*hint], e.uses[*hint] = *h, 1
	return *hint
}

// release takes back a reference.
func (e *evidence) release(i evidenceIndex) {
	if e.uses[i]--; e.uses[i] == 0 {
		e.free = append(e.free, i)
	}
}
