package llm

import (
	"crypto/sha256"
	"encoding/binary"

	"kingdom/wire"
)

// Hash names what a prompt says: the hash of its two messages as a model of default size is
// told them. It depends on no setting of a model, so that the same moment of the same world
// has the same hash whoever is asked. The journal keeps it beside each thought.
func (p *Prompt) Hash() wire.Hash {
	asked := *p
	asked.MaxContext, asked.MaxTokens = DefaultContext, DefaultMaxTokens
	return HashMessages(asked.Messages())
}

// HashMessages is SHA-256 over the length of the system message, in four bytes, and both
// messages.
func HashMessages(system, user []byte) wire.Hash {
	h := sha256.New()
	var n [4]byte
	binary.BigEndian.PutUint32(n[:], uint32(len(system)))
	h.Write(n[:])
	h.Write(system)
	h.Write(user)
	return wire.Hash(h.Sum(nil))
}
