package agent

import (
	"crypto/sha256"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// canonical is an agent's canonical state: one digest per part. The parts that are long
// keep theirs until they change.
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

// hashes are the parts' hashes and the revisions they were made at; a revision is kept
// plus one, so that zero means none.
type hashes struct {
	working, knowledge, peers, goals part
}

type part struct {
	hash wire.Hash
	made uint64
}

// blob is a part of an agent that is encoded as a whole.
type blob interface {
	Revision() uint64
	AppendTo([]byte) []byte
}

// of returns the hash of a blob, encoding it only when it changed.
func (p *part) of(b blob) wire.Hash {
	if rev := b.Revision() + 1; p.made != rev {
		s := codec.Borrow()
		s.B = b.AppendTo(s.B)
		p.hash, p.made = sha256.Sum256(s.B), rev
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

func (a *Agent) appendDigests(dst []byte, state wire.Hash) []byte {
	h, m := &a.hashes, a.Memory
	return canonicalCodec.Append(dst, &canonical{
		State:       state,
		Working:     h.working.of(m.Working),
		Knowledge:   h.knowledge.of(m.Knowledge),
		Peers:       h.peers.of(m.Peers),
		Goals:       h.goals.of(a.Goals),
		Experiences: m.Experiences.Digest(),
		Beliefs:     m.Beliefs.Digest(),
		Plans:       m.Plans.Digest(),
	})
}

// StateHash returns the SHA-256 of the canonical state. Long parts are hashed again only after a change.
func (a *Agent) StateHash() wire.Hash { return a.hashWith(a.stateSum()) }

func (a *Agent) hashWith(state wire.Hash) wire.Hash {
	s := codec.Borrow()
	defer s.Return()
	s.B = a.appendDigests(s.B, state)
	return sha256.Sum256(s.B)
}
