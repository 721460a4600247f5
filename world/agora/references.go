package agora

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// references holds the references of all messages. Those to the same thing are a linked list, from the newest to the
// oldest.
type references struct {
	all    world.Slab[reference]
	others world.Numbering[wire.Hash] // ids that were not ids of messages when they were referred to
	last   []uint32                   // number + 1 of the newest reference to each of them
}

// reference is one id among the references of a message.
type reference struct {
	to    uint32 // number of a message, or noMessage + number among others
	by    uint32 // number of the message
	older uint32 // number + 1 of the reference to the same thing before this one
}

const noMessage = 1 << 31

// addReferences adds the references of e.
func (x *archive) addReferences(e *entry, list []wire.Hash) {
	e.refs, e.refCount = uint32(x.refs.all.Len()), uint8(len(list))
	for i, id := range list {
		r := reference{by: e.number}
		var last *uint32
		if to := x.find(id); to != nil {
			r.to, last = to.number, &x.reactions.edit(to).lastReference
		} else {
			n := x.refs.others.Assign(id)
			if int(n) == len(x.refs.last) {
				x.refs.last = append(x.refs.last, 0)
			}
			r.to, last = noMessage+n, &x.refs.last[n]
		}
		again := slices.Contains(list[:i], id)
		if !again {
			r.older = *last
		}
		if n := x.refs.all.Add(r); !again {
			*last = n + 1
		}
	}
}

// reference returns the i-th id that e refers to.
func (x *archive) reference(e *entry, i uint8) wire.Hash {
	to := x.refs.all.At(e.refs + uint32(i)).to
	if to >= noMessage {
		return x.refs.others.Key(to - noMessage)
	}
	return x.all.At(to).id
}

var noReferences = []wire.Hash{}

// references returns the ids that e refers to.
func (x *archive) references(e *entry) []wire.Hash {
	if e.refCount == 0 {
		return noReferences
	}
	out := make([]wire.Hash, e.refCount)
	for i := range out {
		out[i] = x.reference(e, uint8(i))
	}
	return out
}

// refersTo reports whether e refers to one of ids.
func (x *archive) refersTo(e *entry, ids []wire.Hash) bool {
	for i := range e.refCount {
		if slices.Contains(ids, x.reference(e, i)) {
			return true
		}
	}
	return false
}

// referring returns the messages with number first or higher that refer to id, ascending.
func (x *archive) referring(id wire.Hash, first uint32) (list []uint32) {
	follow := func(last uint32) {
		for last != 0 {
			r := x.refs.all.At(last - 1)
			if r.by < first {
				return
			}
			list, last = append(list, r.by), r.older
		}
	}
	if e := x.find(id); e != nil {
		follow(x.reactions.get(e).lastReference)
	}
	if n, ok := x.refs.others.Find(id); ok { // references made before id was posted, so they are older
		follow(x.refs.last[n])
	}
	slices.Reverse(list)
	return list
}
