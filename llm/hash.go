package llm

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"

	"kingdom/wire"
)

// Rendered holds the text and the handles of a prompt from its hash until its answer is parsed, because creating them is
// the most expensive part of a turn. It can be reused for another prompt after Forget.
type Rendered struct {
	stable  *Stable
	user    []byte
	hash    wire.Hash
	handles Handles
	failed  []TemplateFailure
}

// Hash returns the hash of the prompt's two messages as a model with the default context gets them. It depends on no
// setting of a model, so it is the same whichever model is asked. The journal keeps it with each thought. Messages
// reuses the text and Parse the handles that Hash created, until Forget; in between neither the prompt nor its Life
// may change.
func (p *Prompt) Hash() wire.Hash { return p.HashInto(new(Rendered), new(Facts)) }

// HashInto is Hash with buffers that the caller reuses: f is in use until HashInto returns, r until Forget.
func (p *Prompt) HashInto(r *Rendered, f *Facts) wire.Hash {
	if p.rendered == nil {
		asked := *p
		asked.MaxContext, asked.MaxTokens = DefaultContext, DefaultMaxTokens
		r.stable = p.stable()
		r.handles.reset()
		f.reset()
		r.user = asked.appendUser(r.user[:0], r.stable, f, &r.handles)
		r.hash = hashUser(r.stable.hashed, r.user)
		p.rendered, r.failed = r, asked.failedTemplates
	}
	return p.rendered.hash
}

// Forget releases the text that Hash created.
func (p *Prompt) Forget() { p.rendered = nil }

// reusableFor reports whether the text is also that of p, whose model may have another context: both contexts hold the
// whole text, or they leave equal room.
func (r *Rendered) reusableFor(p *Prompt) bool {
	asked := *p
	asked.MaxContext, asked.MaxTokens = DefaultContext, DefaultMaxTokens
	room, had := p.room(len(r.stable.system)), asked.room(len(r.stable.system))
	return room == had || len(r.user) <= room && len(r.user)+slack <= had
}

// slack, in bytes, is more than one item and the note about items left out take: with so much room to spare nothing
// was left out.
const slack = 16 << 10

// Shortened reports whether the prompt is cut more than for a model with the default context. It is known only after
// Hash.
func (p *Prompt) Shortened() bool {
	r := p.rendered
	return r != nil && p.room(len(r.stable.system)) < len(r.user)
}

// hashSystem returns the state of the hash of a prompt after the system message. The hash is the SHA-256 of the length of the
// system message, in four bytes, and both messages.
func hashSystem(system []byte) hash.Cloner {
	h := sha256.New()
	var n [4]byte
	binary.BigEndian.PutUint32(n[:], uint32(len(system)))
	h.Write(n[:])
	h.Write(system)
	return h.(hash.Cloner) // all hashes of the standard library implement it
}

// hashUser returns the hash of the state and a user message. It does not change the state.
func hashUser(state hash.Cloner, user []byte) wire.Hash {
	h, err := state.Clone()
	if err != nil {
		panic("llm: the state of a hash cannot be copied: " + err.Error())
	}
	h.Write(user)
	return wire.Hash(h.Sum(nil))
}
