package memory

import "kingdom/wire"

// evidence holds what the beliefs of one agent are founded on. An act tests several beliefs, so that half of their
// references name what another belief names too: a hash is here once, and beliefs hold its place.
type evidence struct {
	hashes []wire.Hash
	uses   []uint16  // of hashes: how many references name one; 0: the place is free
	free   []place   // the free ones
	latest [64]place // by the first byte of a hash: where such a one was named last
}

// place is where a hash lies. There are at most beliefMax * EvidenceMax.
type place uint16

// take returns the place of a hash, which is used once more. A hash that was not named for some time may get another
// place: to look for it everywhere would cost more than the few bytes are worth.
func (e *evidence) take(h *wire.Hash) place {
	hint := &e.latest[int(h[0])%len(e.latest)]
	if i := *hint; int(i) < len(e.hashes) && e.uses[i] > 0 && e.hashes[i] == *h {
		e.uses[i]++
		return i
	}
	if n := len(e.free); n > 0 {
		*hint, e.free = e.free[n-1], e.free[:n-1]
	} else {
		*hint = place(len(e.hashes))
		e.hashes = append(grow(e.hashes, beliefMax*EvidenceMax), wire.Hash{})
		e.uses = append(grow(e.uses, beliefMax*EvidenceMax), 0)
	}
	e.hashes[*hint], e.uses[*hint] = *h, 1
	return *hint
}

// release takes back a reference.
func (e *evidence) release(i place) {
	if e.uses[i]--; e.uses[i] == 0 {
		e.free = append(e.free, i)
	}
}
