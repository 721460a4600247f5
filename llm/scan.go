package llm

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner walks JSON in one pass without building a tree. Values are spans of
// the source; the first offence is returned with its byte offset.
type scanner struct {
	src []byte
	pos int
}

const (
	maxDepth = 32   // nesting of an answer
	maxKeys  = 1024 // keys of one object
)

// errorf reports an offence at the current position.
func (s *scanner) errorf(format string, args ...any) error {
	return &ParseError{Offset: s.pos, Reason: fmt.Sprintf(format, args...)}
}

func (s *scanner) space() {
	for s.pos < len(s.src) {
		switch s.src[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// peek returns the next byte that is not white space, 0 at the end.
func (s *scanner) peek() byte {
	s.space()
	if s.pos == len(s.src) {
		return 0
	}
	return s.src[s.pos]
}

func (s *scanner) expect(c byte) error {
	if got := s.peek(); got != c {
		if got == 0 && s.pos == len(s.src) {
			return s.errorf("answer ends where %q was expected", c)
		}
		return s.errorf("found %q where %q was expected", got, c)
	}
	s.pos++
	return nil
}

// object calls field for each key of the object at the current position; field
// must consume the value. A key that appears twice is refused.
func (s *scanner) object(field func(key []byte) error) error {
	if err := s.expect('{'); err != nil {
		return err
	}
	if s.peek() == '}' {
		s.pos++
		return nil
	}
	var few [16][]byte
	keys := few[:0]
	for {
		key, err := s.str()
		if err != nil {
			return err
		}
		for _, k := range keys {
			if bytes.Equal(k, key) {
				return s.errorf("key %q appears twice", key)
			}
		}
		if len(keys) == maxKeys {
			return s.errorf("object has more than %d keys", maxKeys)
		}
		keys = append(keys, key)
		if err := s.expect(':'); err != nil {
			return err
		}
		if err := field(key); err != nil {
			return err
		}
		if s.peek() == ',' {
			s.pos++
			continue
		}
		return s.expect('}')
	}
}

// array calls item for each element; item must consume it.
func (s *scanner) array(item func(i int) error) error {
	if err := s.expect('['); err != nil {
		return err
	}
	if s.peek() == ']' {
		s.pos++
		return nil
	}
	for i := 0; ; i++ {
		if err := item(i); err != nil {
			return err
		}
		if s.peek() == ',' {
			s.pos++
			continue
		}
		return s.expect(']')
	}
}

// skip consumes one value of any kind, checked, and returns its bytes.
func (s *scanner) skip(depth int) ([]byte, error) {
	if depth > maxDepth {
		return nil, s.errorf("nested deeper than %d", maxDepth)
	}
	c := s.peek()
	start := s.pos
	var err error
	switch c {
	case '{':
		err = s.object(func([]byte) error {
			_, err := s.skip(depth + 1)
			return err
		})
	case '[':
		err = s.array(func(int) error {
			_, err := s.skip(depth + 1)
			return err
		})
	case '"':
		_, err = s.rawString()
	case 't':
		err = s.word("true")
	case 'f':
		err = s.word("false")
	case 'n':
		err = s.word("null")
	default:
		if s.pos == len(s.src) {
			return nil, s.errorf("answer ends where a value was expected")
		}
		err = s.number()
	}
	if err != nil {
		return nil, err
	}
	return s.src[start:s.pos], nil
}

func (s *scanner) word(w string) error {
	if !bytes.HasPrefix(s.src[s.pos:], []byte(w)) {
		return s.errorf("found something that is no JSON value")
	}
	s.pos += len(w)
	return nil
}

// number consumes a number of the JSON grammar.
func (s *scanner) number() error {
	digits := func() int {
		from := s.pos
		for s.pos < len(s.src) && s.src[s.pos] >= '0' && s.src[s.pos] <= '9' {
			s.pos++
		}
		return s.pos - from
	}
	at := func(cs string) bool {
		return s.pos < len(s.src) && bytes.IndexByte([]byte(cs), s.src[s.pos]) >= 0
	}
	if at("-") {
		s.pos++
	}
	if at("0") {
		s.pos++
	} else if digits() == 0 {
		return s.errorf("found something that is no JSON value")
	}
	if at(".") {
		s.pos++
		if digits() == 0 {
			return s.errorf("number has no digits after the point")
		}
	}
	if at("eE") {
		s.pos++
		if at("+-") {
			s.pos++
		}
		if digits() == 0 {
			return s.errorf("number has no digits in its exponent")
		}
	}
	return nil
}

// rawString consumes a string and returns what stands between its quotes.
func (s *scanner) rawString() ([]byte, error) {
	if err := s.expect('"'); err != nil {
		return nil, err
	}
	start := s.pos
	for s.pos < len(s.src) {
		i := s.pos
		for i < len(s.src) && isPlain(s.src[i]) {
			i++
		}
		if s.pos = i; i == len(s.src) {
			break
		}
		switch c := s.src[i]; {
		case c == '"':
			s.pos++
			return s.src[start:i], nil
		case c == '\\':
			if err := s.escape(); err != nil {
				return nil, err
			}
		case c < 0x20:
			return nil, s.errorf("string holds a raw control character")
		default:
			r, n := utf8.DecodeRune(s.src[i:])
			if r == utf8.RuneError && n == 1 {
				return nil, s.errorf("string is not UTF-8")
			}
			s.pos += n
		}
	}
	return nil, s.errorf("answer ends inside a string")
}

// isPlain reports whether a byte stands for itself in a string, and is all of its rune.
func isPlain(c byte) bool { return 0x20 <= c && c < utf8.RuneSelf && c != '"' && c != '\\' }

func (s *scanner) escape() error {
	if s.pos+1 >= len(s.src) {
		return s.errorf("answer ends inside a string")
	}
	switch s.src[s.pos+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.pos += 2
		return nil
	case 'u':
		if s.pos+6 > len(s.src) {
			return s.errorf("answer ends inside a string")
		}
		if _, err := strconv.ParseUint(string(s.src[s.pos+2:s.pos+6]), 16, 16); err != nil {
			return s.errorf("bad \\u escape")
		}
		s.pos += 6
		return nil
	default:
		return s.errorf("bad escape \\%c", s.src[s.pos+1])
	}
}

// str consumes a string and returns its value, a span of the source when nothing
// had to be unescaped.
func (s *scanner) str() ([]byte, error) {
	raw, err := s.rawString()
	if err != nil || bytes.IndexByte(raw, '\\') < 0 {
		return raw, err
	}
	return unescape(raw), nil
}

// unescape resolves the escapes of a raw string that rawString has checked. A
// lone surrogate becomes U+FFFD.
func unescape(raw []byte) []byte {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			out = append(out, raw[i])
			i++
			continue
		}
		switch c := raw[i+1]; c {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r := hexRune(raw[i+2:])
			if utf16.IsSurrogate(r) && i+12 <= len(raw) && raw[i+6] == '\\' && raw[i+7] == 'u' {
				if pair := utf16.DecodeRune(r, hexRune(raw[i+8:])); pair != utf8.RuneError {
					out = utf8.AppendRune(out, pair)
					i += 12
					continue
				}
			}
			out = utf8.AppendRune(out, r)
			i += 6
			continue
		default:
			out = append(out, c)
		}
		i += 2
	}
	return out
}

func hexRune(b []byte) rune {
	v, err := strconv.ParseUint(string(b[:4]), 16, 16)
	if err != nil {
		return utf8.RuneError
	}
	return rune(v)
}
