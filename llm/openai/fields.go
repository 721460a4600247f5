package openai

import (
	"bytes"
	"encoding/json"
)

// object is a JSON object that was split into its fields. Their values are not decoded, because only a few of them are
// needed.
type object []field

type field struct {
	quoted []byte // the name
	value  json.RawMessage
}

// objectOf splits an object; ok is false for any other value and for nothing. raw is valid JSON
// or empty.
func objectOf(raw []byte) (o object, ok bool) {
	c := cursor{raw: raw}
	if c.next() != '{' {
		return nil, false
	}
	o = make(object, 0, 8)
	for c.pos++; c.next() == '"'; c.next() {
		f := field{quoted: c.value()}
		c.next() // skips the colon
		f.value = c.value()
		o = append(o, f)
	}
	return o, true
}

// get returns the value of a field, nil if there is none. Of two with one name the last counts.
func (o object) get(name string) json.RawMessage {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].named(name) {
			return o[i].value
		}
	}
	return nil
}

// times returns how often the object has a field.
func (o object) times(name string) (n int) {
	for i := range o {
		if o[i].named(name) {
			n++
		}
	}
	return n
}

func (f *field) named(name string) bool {
	inner := f.quoted[1 : len(f.quoted)-1]
	return string(inner) == name || bytes.IndexByte(inner, '\\') >= 0 && stringOf(f.quoted) == name
}

// listOf splits a list; ok is false for any other value and for nothing.
func listOf(raw []byte) (list []json.RawMessage, ok bool) {
	c := cursor{raw: raw}
	if c.next() != '[' {
		return nil, false
	}
	for c.pos++; c.next() != ']' && c.pos < len(raw); {
		list = append(list, c.value())
	}
	return list, true
}

// cursor is a position in valid JSON.
type cursor struct {
	raw []byte
	pos int
}

// next skips white space, commas and colons and returns the byte after them, 0 at the end.
func (c *cursor) next() byte {
	for ; c.pos < len(c.raw); c.pos++ {
		switch b := c.raw[c.pos]; b {
		case ' ', '\t', '\n', '\r', ',', ':':
		default:
			return b
		}
	}
	return 0
}

// value returns the value that begins here and moves behind it.
func (c *cursor) value() []byte {
	start, depth := c.pos, 0
	for c.pos < len(c.raw) {
		switch c.raw[c.pos] {
		case '"':
			c.text()
			if depth == 0 {
				return c.raw[start:c.pos]
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth <= 0 {
				if depth == 0 {
					c.pos++
				}
				return c.raw[start:c.pos]
			}
		case ',', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return c.raw[start:c.pos]
			}
		}
		c.pos++
	}
	return c.raw[start:c.pos]
}

// text moves behind the string that begins here.
func (c *cursor) text() {
	for c.pos++; c.pos < len(c.raw); c.pos++ {
		switch c.raw[c.pos] {
		case '\\':
			c.pos++
		case '"':
			c.pos++
			return
		}
	}
}
