package codec

import (
	"bytes"
	"reflect"
)

// RawJSON is the text of a JSON object that is read later. It was checked to be an object without duplicate keys at
// any depth. It may share memory with the text it was read from.
type RawJSON []byte

// Empty reports whether the object is absent or has no keys.
func (r RawJSON) Empty() bool { return len(bytes.Trim(r, "{} \t\n\r")) == 0 }

// rawNode is a [RawJSON]: bytes on the wire, an object in JSON.
type rawNode struct{ bytesNode }

func (rawNode) appendJSON(dst []byte, v reflect.Value) []byte {
	if v.Len() == 0 {
		return append(dst, "{}"...)
	}
	return append(dst, v.Bytes()...)
}

func (rawNode) fromJSON(j *jsonReader, v reflect.Value) error {
	switch j.peek() {
	case '"':
		return rawFromText(j, v)
	case '{':
		b, err := j.skipValue()
		v.SetBytes(b)
		return err
	default:
		return j.typeError("an object")
	}
}

// rawFromText reads an object that was written as text, as schemas without free objects make
// minds do. No text at all is no object.
func rawFromText(j *jsonReader, v reflect.Value) error {
	at := j.pos
	text, _, err := j.text("an object")
	if err != nil || len(bytes.TrimSpace(text)) == 0 {
		return err
	}
	inner := jsonReader{b: bytes.Clone(text)}
	inner.skipSpace()
	if inner.peek() == '{' {
		if b, err := inner.skipValue(); err == nil && inner.pos == len(inner.b) {
			v.SetBytes(b)
			return nil
		}
	}
	return &DecodeError{Kind: DecodeKindType, Offset: at, Want: "an object"}
}

func (rawNode) shape() *Shape { return &Shape{Kind: ShapeRaw} }
