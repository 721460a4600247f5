package llm

import (
	"strconv"

	"kingdom/wire"
)

// RefKind is the kind of thing that a handle names. It decides the handle's first letter.
type RefKind uint8

// The closed list of kinds.
const (
	RefOther RefKind = iota
	RefEntry
	RefMessage
	RefBounty
	RefProposal
	RefReview
	RefChannel
)

const refLetters = "xembprc"

// RefLegend says what the first letters of handles mean, for people who read them outside of a prompt.
const RefLegend = "e an entry, m a message, b a bounty, p a proposal, r a review, c a channel, x anything else"

// Ref is the name of a thing in a prompt: a handle such as e7, the name of a channel or the alias of an agent. The
// zero Ref names nothing.
type Ref struct {
	kind RefKind
	n    uint16 // from 1; 0 where name is set
	name string
}

// String returns the handle or name, "" for the zero Ref.
func (r Ref) String() string { return string(r.Append(nil)) }

// Append appends the handle or name.
func (r Ref) Append(dst []byte) []byte {
	if r.n == 0 {
		return append(dst, r.name...)
	}
	return strconv.AppendUint(append(dst, refLetters[r.kind]), uint64(r.n), 10)
}

// Handles are the short names of one prompt. They are numbered in the order in which the facts of the prompt name
// things, so they depend on the prompt alone.
type Handles struct {
	given  []given
	others []given // further names of things, such as $repo
	count  [len(refLetters)]uint16
}

type given struct {
	id  wire.Hash
	ref Ref
}

// reset removes all handles and keeps the memory.
func (h *Handles) reset() { *h = Handles{given: h.given[:0], others: h.others[:0]} }

// Ref returns the handle of a thing and creates it at the first call.
func (h *Handles) Ref(kind RefKind, id wire.Hash) Ref {
	if r, ok := h.find(&id); ok {
		return r
	}
	h.count[kind]++
	r := Ref{kind: kind, n: h.count[kind]}
	h.given = append(h.given, given{id, r})
	return r
}

// Name gives a thing a name as its handle: #help for a channel, an alias for an agent.
func (h *Handles) Name(id wire.Hash, name string) Ref {
	if r, ok := h.find(&id); ok {
		return r
	}
	r := Ref{name: name}
	h.given = append(h.given, given{id, r})
	return r
}

// Also gives a thing a further name, which answers may use and the prompt does not show, such as $repo.
func (h *Handles) Also(id wire.Hash, name string) {
	h.others = append(h.others, given{id, Ref{name: name}})
}

func (h *Handles) find(id *wire.Hash) (Ref, bool) {
	for i := range h.given {
		if g := &h.given[i]; g.id[0] == id[0] && g.id == *id { // a cheap test first: few ids agree in the first byte
			return g.ref, true
		}
	}
	return Ref{}, false
}

// id returns what a handle or name stands for.
func (h *Handles) id(text string) (wire.Hash, bool) {
	var room [24]byte
	for i := range h.given {
		if string(h.given[i].ref.Append(room[:0])) == text {
			return h.given[i].id, true
		}
	}
	for i := range h.others {
		if h.others[i].ref.name == text {
			return h.others[i].id, true
		}
	}
	return systemChannel(text)
}

// hint says which handles of the kind that a text seems to mean the prompt has. It is part of an error message.
func (h *Handles) hint(text string) string {
	for kind, n := range h.count {
		if text == "" || text[0] != refLetters[kind] {
			continue
		}
		switch n {
		case 0:
			return "this prompt has no handle that begins with " + text[:1]
		case 1:
			return "this prompt has " + text[:1] + "1 only"
		}
		return "this prompt has " + text[:1] + "1 to " + text[:1] + strconv.Itoa(int(n))
	}
	return "handles begin with e, m, b, p, r, c, x or #"
}
