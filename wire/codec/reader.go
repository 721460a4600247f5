package codec

import (
	"bytes"
	"errors"
	"io"
	"math"
	"sync"
	"unicode/utf8"

	"github.com/vmihailenco/msgpack/v5"
)

// maxDepth bounds the nesting of lists and maps, so that hostile input cannot exhaust the
// stack.
const maxDepth = 64

// reader wraps the msgpack library's decoder with the checks that it leaves to its caller:
// exact types (it converts freely between them), declared lengths against what is left, and
// the byte position of an error.
type reader struct {
	b     []byte
	src   bytes.Reader // of b
	dec   *msgpack.Decoder
	size  int
	depth int
}

var readers = sync.Pool{New: func() any {
	r := new(reader)
	r.dec = msgpack.NewDecoder(&r.src)
	return r
}}

func newReader(b []byte) *reader {
	r := readers.Get().(*reader)
	r.b = b
	r.src.Reset(b)
	r.dec.Reset(&r.src)
	r.size, r.depth = len(b), 0
	return r
}

func (r *reader) free() {
	r.b = nil
	r.src.Reset(nil)
	readers.Put(r)
}

func (r *reader) offset() int { return r.size - r.src.Len() }

func (r *reader) fail(kind DecodeKind, want string) error {
	return &DecodeError{Kind: kind, Offset: r.offset(), Want: want}
}

// end refuses bytes after the value.
func (r *reader) end() error {
	if r.src.Len() > 0 {
		return r.fail(DecodeKindTrailing, "the end of the input")
	}
	return nil
}

func (r *reader) peek() (byte, error) {
	c, err := r.dec.PeekCode()
	if err != nil {
		return 0, r.fail(DecodeKindSyntax, "a value, the input ends")
	}
	return c, nil
}

func (r *reader) enter() error {
	if r.depth++; r.depth > maxDepth {
		return r.fail(DecodeKindRange, "at most 64 levels of nesting")
	}
	return nil
}

func (r *reader) leave() { r.depth-- }

func isUintCode(c byte) bool { return c < 0x80 || c >= codeUint8 && c <= codeUint64 }
func isIntCode(c byte) bool  { return c >= 0xE0 || c >= codeInt8 && c <= codeInt64 }
func isStrCode(c byte) bool  { return c&0xE0 == 0xA0 || c >= codeStr8 && c <= codeStr32 }
func isBinCode(c byte) bool  { return c >= codeBin8 && c <= codeBin32 }
func isListCode(c byte) bool { return c&0xF0 == 0x90 || c == codeArray16 || c == codeArray32 }
func isMapCode(c byte) bool  { return c&0xF0 == 0x80 || c == codeMap16 || c == codeMap32 }

// uint reads an integer of at most limit.
func (r *reader) uint(limit uint64, want string) (uint64, error) {
	c, err := r.peek()
	if err != nil {
		return 0, err
	}
	if isIntCode(c) {
		v, err := r.int(0, int64(min(limit, math.MaxInt64)), want)
		return uint64(v), err
	}
	if !isUintCode(c) {
		return 0, r.fail(DecodeKindType, want)
	}
	v, err := r.dec.DecodeUint64()
	if err != nil {
		return 0, r.fail(DecodeKindSyntax, want)
	}
	if v > limit {
		return 0, r.fail(DecodeKindRange, want)
	}
	return v, nil
}

// int reads an integer between low and high.
func (r *reader) int(low, high int64, want string) (int64, error) {
	c, err := r.peek()
	if err != nil {
		return 0, err
	}
	if isUintCode(c) {
		v, err := r.uint(uint64(high), want)
		return int64(v), err
	}
	if !isIntCode(c) {
		return 0, r.fail(DecodeKindType, want)
	}
	v, err := r.dec.DecodeInt64()
	if err != nil {
		return 0, r.fail(DecodeKindSyntax, want)
	}
	if v < low || v > high {
		return 0, r.fail(DecodeKindRange, want)
	}
	return v, nil
}

// float reads a float of exactly the given code; -0 becomes 0.
func (r *reader) float(code byte, want string) (float64, error) {
	c, err := r.peek()
	if err != nil {
		return 0, err
	}
	if c != code {
		return 0, r.fail(DecodeKindType, want)
	}
	v, err := r.dec.DecodeFloat64()
	if err != nil {
		return 0, r.fail(DecodeKindSyntax, want)
	}
	if !finite(v) {
		return 0, r.fail(DecodeKindValue, "a finite number")
	}
	return v + 0, nil
}

func (r *reader) bool() (bool, error) {
	c, err := r.peek()
	if err != nil {
		return false, err
	}
	if c != codeFalse && c != codeTrue {
		return false, r.fail(DecodeKindType, "a boolean")
	}
	v, err := r.dec.DecodeBool()
	if err != nil {
		return false, r.fail(DecodeKindSyntax, "a boolean")
	}
	return v, nil
}

// isNil consumes a nil if one stands next.
func (r *reader) isNil() (bool, error) {
	c, err := r.peek()
	if err != nil || c != codeNil {
		return false, err
	}
	if err := r.dec.DecodeNil(); err != nil {
		return false, r.fail(DecodeKindSyntax, "nil")
	}
	return true, nil
}

func (r *reader) strLen() (int, error) { return r.blobLen(isStrCode, "text") }
func (r *reader) binLen() (int, error) { return r.blobLen(isBinCode, "bytes") }

// blobLen reads the length of a str or bin and checks that the input holds as much.
func (r *reader) blobLen(is func(byte) bool, want string) (int, error) {
	c, err := r.peek()
	if err != nil {
		return 0, err
	}
	if !is(c) {
		return 0, r.fail(DecodeKindType, want)
	}
	n, err := r.dec.DecodeBytesLen()
	if err != nil || n > r.src.Len() {
		return 0, r.fail(DecodeKindLength, "a length that the input holds")
	}
	return n, nil
}

// take consumes the next n bytes and returns them without a copy.
func (r *reader) take(n int) ([]byte, error) {
	at := r.offset()
	if _, err := r.src.Seek(int64(n), io.SeekCurrent); err != nil || n > len(r.b)-at {
		return nil, r.fail(DecodeKindLength, "more bytes")
	}
	return r.b[at : at+n], nil
}

// readFull fills b with the next bytes.
func (r *reader) readFull(b []byte) error {
	s, err := r.take(len(b))
	copy(b, s)
	return err
}

func (r *reader) str() (string, error) {
	n, err := r.strLen()
	if err != nil {
		return "", err
	}
	b, err := r.take(n)
	if err != nil {
		return "", err
	}
	if !utf8.Valid(b) {
		return "", r.fail(DecodeKindValue, "UTF-8 text")
	}
	return string(b), nil
}

// bin reads bytes; the empty string of bytes is nil.
func (r *reader) bin() ([]byte, error) {
	n, err := r.binLen()
	if err != nil || n == 0 {
		return nil, err
	}
	b := make([]byte, n)
	return b, r.readFull(b)
}

// shortKey reads a key of a struct map without a copy.
func (r *reader) shortKey() ([]byte, error) {
	n, err := r.strLen()
	if err != nil {
		return nil, err
	}
	if n > 32 {
		return nil, r.fail(DecodeKindUnknownField, "a key of at most 32 bytes")
	}
	return r.take(n)
}

func (r *reader) listLen() (int, error) {
	c, err := r.peek()
	if err != nil {
		return 0, err
	}
	if !isListCode(c) {
		return 0, r.fail(DecodeKindType, "a list")
	}
	n, err := r.dec.DecodeArrayLen()
	if err != nil || n > r.src.Len() {
		return 0, r.fail(DecodeKindLength, "a length that the input holds")
	}
	return n, nil
}

func (r *reader) mapLen() (int, error) {
	c, err := r.peek()
	if err != nil {
		return 0, err
	}
	if !isMapCode(c) {
		return 0, r.fail(DecodeKindType, "a map")
	}
	n, err := r.dec.DecodeMapLen()
	if err != nil || n > r.src.Len()/2 {
		return 0, r.fail(DecodeKindLength, "a length that the input holds")
	}
	return n, nil
}

// inField adds a field name in front of the path of an error.
func inField(err error, field string) error {
	if err == nil {
		return nil
	}
	var e *DecodeError
	if !errors.As(err, &e) {
		return err
	}
	if e.Field != "" && e.Field[0] != '[' {
		field += "."
	}
	e.Field = field + e.Field
	return e
}
