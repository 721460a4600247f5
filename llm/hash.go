package llm

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"

	"kingdom/wire"
)

// Sheet keeps the text and handles of a prompt from its hash until its answer is parsed, because creating them is the
// most expensive part of a turn. It can be reused for another prompt after Forget.
type Sheet struct {
	stable *Stable
	user   []byte
	hash   wire.Hash
	names  Handles
}

// Hash returns the hash of the prompt's two messages as a model with the default context gets them. It depends on no
// setting of a model, so it is the same whichever model is asked. The journal keeps it with each thought. Messages
// reuses the text and Parse the handles that Hash created, until Forget; in between neither the prompt nor its Life
// may change.
func (p *Prompt) Hash() wire.Hash { return p.HashOn(new(Sheet), new(Facts)) }

// HashOn is Hash with reused buffers: f is used until it returns, s until Forget.
func (p *Prompt) HashOn(s *Sheet, f *Facts) wire.Hash {
	if p.said == nil {
		asked := *p
		asked.MaxContext, asked.MaxTokens = DefaultContext, DefaultMaxTokens
		s.stable = p.stable()
		s.names.reset()
		f.reset()
		s.user = asked.tell(s.user[:0], s.stable, f, &s.names)
		s.hash = hashUser(s.stable.hashed, s.user)
		p.said = s
	}
	return p.said.hash
}

// Forget releases the text that Hash created.
func (p *Prompt) Forget() { p.said = nil }

// fits says whether a prompt for a model of another size reads the same: both sizes hold all of it,
// or they are equal.
func (s *Sheet) fits(p *Prompt) bool {
	asked := *p
	asked.MaxContext, asked.MaxTokens = DefaultContext, DefaultMaxTokens
	room, had := p.room(len(s.stable.system)), asked.room(len(s.stable.system))
	return room == had || len(s.user) <= room && len(s.user)+slack <= had
}

// slack is more than an item and a note take: with so many bytes to spare nothing was left out.
const slack = 16 << 10

// Shortened reports whether the prompt is cut more than for a model with the default context. It is known only after
// Hash.
func (p *Prompt) Shortened() bool {
	s := p.said
	return s != nil && p.room(len(s.stable.system)) < len(s.user)
}

// HashMessages is SHA-256 over the length of the system message, in four bytes, and both
// messages.
func HashMessages(system, user []byte) wire.Hash { return hashUser(hashSystem(system), user) }

// hashSystem is the state of the hash between the two messages.
func hashSystem(system []byte) hash.Cloner {
	h := sha256.New()
	var n [4]byte
	binary.BigEndian.PutUint32(n[:], uint32(len(system)))
	h.Write(n[:])
	h.Write(system)
	return h.(hash.Cloner) // as all hashes of the standard library are
}

// hashUser ends a hash and leaves the state as it is.
func hashUser(state hash.Cloner, user []byte) wire.Hash {
	h, err := state.Clone()
	if err != nil {
		panic("llm: the state of a hash cannot be copied: " + err.Error())
	}
	h.Write(user)
	return wire.Hash(h.Sum(nil))
}
