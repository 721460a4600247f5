package fakellm

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

var errNoCompletion = errors.New("the request is no chat completion")

// read finds in a request what the server looks at. It passes over the rest, such as the schema of
// the answer, which is half of a request, without taking it apart: the time of a server that others
// measure themselves by should not be spent there. Nor is read again what a request before it, if
// there was one, said in the same words: the system message and the form of the answer.
func read(raw []byte, before *Request) (r Request, err error) {
	if before == nil {
		before = new(Request)
	}
	x := scanner{b: raw}
	x.object(func(key string) {
		switch key {
		case "model":
			r.Model = x.text()
		case "max_tokens":
			r.MaxTokens = x.number()
		case "max_completion_tokens":
			r.MaxCompletionTokens = x.number()
		case "response_format":
			if r.Format, r.strict = before.Format, before.strict; !x.repeats(r.Format) {
				r.Format = x.value()
				r.strict = strict(r.Format)
			}
		case "messages":
			x.list(func() {
				var m Told
				x.object(func(key string) {
					switch key {
					case "role":
						m.Role = x.text()
					case "content":
						if len(r.Messages) > 0 {
							m.Content = x.text()
						} else if r.opening = before.opening; x.repeats(r.opening) {
							m.Content = before.Messages[0].Content
						} else {
							x.next()
							start := x.pos
							m.Content = x.text()
							r.opening = x.b[start:x.pos]
						}
					default:
						x.value()
					}
				})
				r.Messages = append(r.Messages, m)
			})
		default:
			x.value()
		}
	})
	if x.bad || x.next() != 0 || len(r.Messages) == 0 {
		return r, errNoCompletion
	}
	return r, nil
}

// scanner reads a JSON text. In values that it skips it checks only quotes and brackets.
type scanner struct {
	b   []byte
	pos int
	bad bool // the text ended or was not what it had to be; there is nothing left then
}

func (x *scanner) fail() { x.bad, x.pos = true, len(x.b) }

// next is the next byte that is no space, 0 at the end.
func (x *scanner) next() byte {
	for x.pos < len(x.b) {
		if c := x.b[x.pos]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c
		}
		x.pos++
	}
	return 0
}

// repeats passes over a string or an object, if it is what comes next.
func (x *scanner) repeats(value []byte) bool {
	x.next()
	same := len(value) > 1 && (value[0] == '"' || value[0] == '{') && bytes.HasPrefix(x.b[x.pos:], value)
	if same {
		x.pos += len(value)
	}
	return same
}

// expect passes over c, which has to come next.
func (x *scanner) expect(c byte) {
	if x.next() != c {
		x.fail()
		return
	}
	x.pos++
}

// items calls one for each item between two brackets.
func (x *scanner) items(first, last byte, one func()) {
	x.expect(first)
	for sep := false; !x.bad && x.next() != last; sep = true {
		if sep {
			x.expect(',')
		}
		one()
	}
	x.expect(last)
}

// object calls member with each key; it has to read the value.
func (x *scanner) object(member func(key string)) {
	x.items('{', '}', func() {
		key := x.text()
		x.expect(':')
		member(key)
	})
}

func (x *scanner) list(one func()) { x.items('[', ']', one) }

// value is the text of the next value.
func (x *scanner) value() json.RawMessage {
	x.next()
	start := x.pos
	if !x.skipValue() {
		x.fail()
		return nil
	}
	return json.RawMessage(x.b[start:x.pos:x.pos])
}

// skipValue goes to the end of a value; false if there is none.
func (x *scanner) skipValue() bool {
	start, depth := x.pos, 0
	for x.pos < len(x.b) {
		switch x.b[x.pos] {
		case '"':
			if x.quoted(); depth == 0 {
				return !x.bad
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 { // a number or a word ended
				return x.pos > start
			}
			if depth--; depth == 0 {
				x.pos++
				return true
			}
		case ',', ' ', '\n', '\t', '\r', ':':
			if depth == 0 {
				return x.pos > start
			}
		}
		x.pos++
	}
	return false
}

// quoted passes over a string and returns what is between its quotes.
func (x *scanner) quoted() []byte {
	x.expect('"')
	for i := x.pos; ; i++ {
		n := bytes.IndexByte(x.b[min(i, len(x.b)):], '"')
		if n < 0 {
			x.fail()
			return nil
		}
		i += n
		slashes := 0
		for i-slashes > x.pos && x.b[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			in := x.b[x.pos:i]
			x.pos = i + 1
			return in
		}
	}
}

// text reads a string.
func (x *scanner) text() string {
	in := x.quoted()
	at := bytes.IndexByte(in, '\\')
	if at < 0 {
		return strings.ToValidUTF8(string(in), "\uFFFD")
	}
	out := make([]byte, 0, len(in))
	for ; at >= 0; at = bytes.IndexByte(in, '\\') {
		out = append(out, in[:at]...)
		in = in[at:]
		out, in = x.escape(out, in)
	}
	return strings.ToValidUTF8(string(append(out, in...)), "\uFFFD")
}

// escape appends what the escape at the beginning of in stands for.
func (x *scanner) escape(out, in []byte) (text, rest []byte) {
	if i := bytes.IndexByte([]byte(`"\/bfnrt`), in[1]); i >= 0 {
		return append(out, "\"\\/\b\f\n\r\t"[i]), in[2:]
	}
	r, ok := utf16Unit(in)
	if !ok {
		x.bad = true
		return out, nil
	}
	in = in[6:]
	if utf16.IsSurrogate(r) {
		low, _ := utf16Unit(in)
		if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
			in = in[6:]
		}
	}
	return utf8.AppendRune(out, r), in
}

// utf16Unit reads \uXXXX.
func utf16Unit(in []byte) (r rune, ok bool) {
	if len(in) < 6 || in[0] != '\\' || in[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(in[2:6]), 16, 16)
	return rune(n), err == nil
}

func (x *scanner) number() uint64 {
	n, err := strconv.ParseUint(string(x.value()), 10, 64)
	x.bad = x.bad || err != nil
	return n
}
