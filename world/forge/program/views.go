package program

import (
	"unicode/utf8"

	"go.starlark.net/starlark"
)

// The iterable values that methods of strings and bytes return. They are those of the
// interpreter but for two things: their length is known to the guards, and what they yield
// does not keep the whole text in memory.

// oneByte holds the strings of one byte.
var oneByte = func() (s [256]starlark.Value) {
	for i := range s {
		s[i] = starlark.String([]byte{byte(i)})
	}
	return s
}()

// elems is text.elems() or text.elem_ords().
type elems struct {
	text starlark.String
	ords bool
}

func (e elems) String() string {
	if e.ords {
		return e.text.String() + ".elem_ords()"
	}
	return e.text.String() + ".elems()"
}

func (e elems) Type() string          { return "string.elems" }
func (e elems) Freeze()               {}
func (e elems) Truth() starlark.Bool  { return true }
func (e elems) Hash() (uint32, error) { return 0, unhashable(e) }
func (e elems) Len() int              { return len(e.text) }

func (e elems) Index(i int) starlark.Value {
	if e.ords {
		return starlark.MakeInt(int(e.text[i]))
	}
	return oneByte[e.text[i]]
}

func (e elems) Iterate() starlark.Iterator { return &indexIterator{seq: e} }

// codepoints is text.codepoints() or text.codepoint_ords().
type codepoints struct {
	text starlark.String
	ords bool
}

func (c codepoints) String() string {
	if c.ords {
		return c.text.String() + ".codepoint_ords()"
	}
	return c.text.String() + ".codepoints()"
}

func (c codepoints) Type() string               { return "string.codepoints" }
func (c codepoints) Freeze()                    {}
func (c codepoints) Truth() starlark.Bool       { return true }
func (c codepoints) Hash() (uint32, error)      { return 0, unhashable(c) }
func (c codepoints) Iterate() starlark.Iterator { return &codepointIterator{c, string(c.text)} }

type codepointIterator struct {
	c    codepoints
	rest string
}

func (it *codepointIterator) Next(p *starlark.Value) bool {
	if it.rest == "" {
		return false
	}
	r, n := utf8.DecodeRuneInString(it.rest)
	it.rest = it.rest[n:]
	switch {
	case it.c.ords:
		*p = starlark.MakeInt(int(r))
	case r < utf8.RuneSelf:
		*p = oneByte[r]
	default:
		*p = starlark.String(string(r)) // U+FFFD for what is no UTF-8
	}
	return true
}

func (it *codepointIterator) Done() {}

// byteElems is data.elems().
type byteElems struct{ data starlark.Bytes }

func (b byteElems) String() string             { return b.data.String() + ".elems()" }
func (b byteElems) Type() string               { return "bytes.elems" }
func (b byteElems) Freeze()                    {}
func (b byteElems) Truth() starlark.Bool       { return true }
func (b byteElems) Hash() (uint32, error)      { return 0, unhashable(b) }
func (b byteElems) Iterate() starlark.Iterator { return &indexIterator{seq: ordsOf(b)} }

type ordsOf byteElems

func (o ordsOf) Len() int                   { return len(o.data) }
func (o ordsOf) Index(i int) starlark.Value { return starlark.MakeInt(int(o.data[i])) }

type indexed interface {
	Len() int
	Index(i int) starlark.Value
}

type indexIterator struct {
	seq indexed
	i   int
}

func (it *indexIterator) Next(p *starlark.Value) bool {
	if it.i == it.seq.Len() {
		return false
	}
	*p = it.seq.Index(it.i)
	it.i++
	return true
}

func (it *indexIterator) Done() {}

func unhashable(v starlark.Value) error {
	return faultf(InvalidInstruction, "unhashable: %s", v.Type())
}
