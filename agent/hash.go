package agent

import (
	"crypto/sha256"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// canonical is an agent's canonical state: one digest per part. The digests of long
// parts are kept until the part changes.
type canonical struct {
	State       wire.Hash `kdom:"state"`       // SHA-256 of the state blob
	Working     wire.Hash `kdom:"working"`     // SHA-256 of the blob
	Knowledge   wire.Hash `kdom:"knowledge"`   // SHA-256 of the blob
	Peers       wire.Hash `kdom:"peers"`       // SHA-256 of the blob
	Goals       wire.Hash `kdom:"goals"`       // SHA-256 of the list of living goals
	Experiences wire.Hash `kdom:"experiences"` // memory.Digest of the window
	Beliefs     wire.Hash `kdom:"beliefs"`     // memory.Digest
	Plans       wire.Hash `kdom:"plans"`       // memory.Digest of living and remembered ones
}

var canonicalCodec = codec.New[canonical]()

// partHashes caches the hashes of the long parts.
type partHashes struct {
	working, knowledge, peers, goals cachedHash
}

type cachedHash struct {
	hash     wire.Hash
	revision uint64 // at which hash was computed, plus one; 0: not yet
}

// blob is a part of an agent that is encoded as a whole.
type blob interface {
	Revision() uint64
	AppendTo([]byte) []byte
}

// get returns the hash of a blob, and encodes it only if it changed.
func (p *cachedHash) get(b blob) wire.Hash {
	if rev := b.Revision() + 1; p.revision != rev {
		s := codec.Borrow()
		s.B = b.AppendTo(s.B)
		p.hash, p.revision = sha256.Sum256(s.B), rev
		s.Return()
	}
	return p.hash
}

// stateSum is SHA-256 of the state blob.
func (a *Agent) stateSum() wire.Hash {
	s := codec.Borrow()
	defer s.Return()
	s.B = a.appendState(s.B)
	return sha256.Sum256(s.B)
}

// digests returns the canonical state, given the hash of the state blob.
func (a *Agent) digests(state wire.Hash) canonical {
	h, m := &a.hashes, a.Memory
	return canonical{
		State:       state,
		Working:     h.working.get(m.Working),
		Knowledge:   h.knowledge.get(m.Knowledge),
		Peers:       h.peers.get(m.Peers),
		Goals:       h.goals.get(a.Goals),
		Experiences: m.Experiences.Digest(),
		Beliefs:     m.Beliefs.Digest(),
		Plans:       m.Plans.Digest(),
	}
}

// Differences names the parts of the canonical state in which two agents differ, such as working and goals; nil if
// their states are the same.
func (a *Agent) Differences(b *Agent) (parts []string) {
	x, y := a.digests(a.stateSum()), b.digests(b.stateSum())
	for _, p := range []struct {
		name string
		same bool
	}{
		{"state", x.State == y.State},
		{"working", x.Working == y.Working},
		{"knowledge", x.Knowledge == y.Knowledge},
		{"peers", x.Peers == y.Peers},
		{"goals", x.Goals == y.Goals},
		{"experiences", x.Experiences == y.Experiences},
		{"beliefs", x.Beliefs == y.Beliefs},
		{"plans", x.Plans == y.Plans},
	} {
		if !p.same {
			parts = append(parts, p.name)
		}
	}
	return parts
}

// StateHash returns the SHA-256 of the canonical state. Long parts are hashed again only after a change.
func (a *Agent) StateHash() wire.Hash { return a.hashWith(a.stateSum()) }

func (a *Agent) hashWith(state wire.Hash) wire.Hash {
	s := codec.Borrow()
	defer s.Return()
	c := a.digests(state)
	s.B = canonicalCodec.Append(s.B, &c)
	return sha256.Sum256(s.B)
}
