package codec

import (
	"encoding/hex"
	"errors"
	"reflect"
	"strconv"
	"strings"
)

type stringNode struct{}

// append cleans the text: a decoder refuses what is not UTF-8, and what is written must be
// readable for ever.
func (stringNode) append(dst []byte, v reflect.Value) []byte {
	return AppendString(dst, CleanText(v.String()))
}

// CleanText returns s with every run of bytes that are not UTF-8 replaced by U+FFFD. Text from
// outside (errors of a provider, an operator's reasons) goes through it before it is compared
// with what was written; codecs apply it to every string field.
func CleanText(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func (stringNode) decode(r *reader, v reflect.Value) error {
	s, err := r.str()
	v.SetString(s)
	return err
}

func (stringNode) appendJSON(dst []byte, v reflect.Value) []byte {
	return AppendJSONString(dst, v.String())
}

func (stringNode) fromJSON(j *jsonReader, v reflect.Value) error {
	s, _, err := j.text("text")
	if err == nil {
		v.SetString(string(s))
	}
	return err
}

func (stringNode) shape() *Shape { return &Shape{Kind: ShapeText} }

// bytesNode is a bin of any length.
type bytesNode struct{}

func (bytesNode) append(dst []byte, v reflect.Value) []byte { return AppendBytes(dst, v.Bytes()) }

func (bytesNode) decode(r *reader, v reflect.Value) error {
	b, err := r.bin()
	if err == nil {
		v.SetBytes(b)
	}
	return err
}

func (bytesNode) appendJSON(dst []byte, v reflect.Value) []byte {
	return appendJSONBytes(dst, v.Bytes())
}

func (bytesNode) fromJSON(j *jsonReader, v reflect.Value) error {
	s, at, err := j.text("text, or raw bytes with the prefix hex: or b64:")
	if err != nil {
		return err
	}
	b, err := bytesFromText(s, at)
	if err == nil {
		v.SetBytes(b)
	}
	return err
}

func (bytesNode) shape() *Shape { return &Shape{Kind: ShapeBytes} }

// hashNode is a bin of fixed length: a hash, an id or a signature.
type hashNode struct {
	size  int
	agent bool
	want  string
}

func newHashNode(size int, agent bool) hashNode {
	if agent {
		return hashNode{size, agent, "an agent id of 64 hex digits or its 8-digit alias"}
	}
	return hashNode{size, agent, strconv.Itoa(2*size) + " hex digits"}
}

func (n hashNode) append(dst []byte, v reflect.Value) []byte {
	return AppendBytes(dst, v.Bytes())
}

func (n hashNode) decode(r *reader, v reflect.Value) error {
	got, err := r.binLen()
	if err != nil {
		return err
	}
	if got != n.size {
		return r.fail(DecodeKindLength, n.want)
	}
	return r.readFull(v.Bytes())
}

func (n hashNode) appendJSON(dst []byte, v reflect.Value) []byte {
	return append(hex.AppendEncode(append(dst, '"'), v.Bytes()), '"')
}

func (n hashNode) fromJSON(j *jsonReader, v reflect.Value) error {
	s, at, err := j.text(n.want)
	if err != nil {
		return err
	}
	if n.agent && len(s) == 8 {
		return j.alias(string(s), at, v)
	}
	if err := ParseHex(v.Bytes(), s); err != nil {
		var e *DecodeError
		errors.As(err, &e)
		return &DecodeError{Kind: e.Kind, Offset: at, Want: n.want}
	}
	return nil
}

func (n hashNode) shape() *Shape {
	if n.agent {
		return &Shape{Kind: ShapeAgent}
	}
	return &Shape{Kind: ShapeHash, Len: n.size}
}
