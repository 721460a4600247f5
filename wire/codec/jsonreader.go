package codec

import (
	"encoding/json"
	"reflect"
	"strconv"
	"unicode/utf8"
)

// jsonReader walks JSON text in one pass, without building a tree. What it accepts is
// JSON; what it refuses may be no JSON at all, see [readJSON].
type jsonReader struct {
	b     []byte
	pos   int
	depth int
	names AliasResolver
}

// readJSON reads raw, which must be one value of the node, into v. Text that is no JSON is
// refused as that, whatever the node found wrong with it first.
func readJSON(n node, raw []byte, v reflect.Value, names AliasResolver) error {
	j := jsonReader{b: raw, names: names}
	j.space()
	err := n.fromJSON(&j, v)
	if err == nil && j.pos < len(j.b) {
		err = j.broken()
	}
	if err != nil && !json.Valid(raw) {
		return &DecodeError{Kind: DecodeKindSyntax, Want: "one JSON value"}
	}
	return err
}

// broken is the error of text that is no JSON.
func (j *jsonReader) broken() error {
	return &DecodeError{Kind: DecodeKindSyntax, Offset: j.pos, Want: "one JSON value"}
}

func (j *jsonReader) space() {
	for j.pos < len(j.b) {
		switch j.b[j.pos] {
		case ' ', '\t', '\n', '\r':
			j.pos++
		default:
			return
		}
	}
}

// kind returns the first byte of what stands next, 0 at the end: of a value one of
// { [ " n t f - 0…9.
func (j *jsonReader) kind() byte {
	if j.pos == len(j.b) {
		return 0
	}
	return j.b[j.pos]
}

func (j *jsonReader) wrong(want string) error {
	return &DecodeError{Kind: DecodeKindType, Offset: j.pos, Want: want}
}

// null consumes a null if one stands next.
func (j *jsonReader) null() bool { return j.word("null") }

func (j *jsonReader) word(w string) bool {
	end := j.pos + len(w)
	if end > len(j.b) || string(j.b[j.pos:end]) != w {
		return false
	}
	j.pos = end
	j.space()
	return true
}

func (j *jsonReader) bool() (bool, error) {
	switch {
	case j.word("true"):
		return true, nil
	case j.word("false"):
		return false, nil
	}
	return false, j.wrong("true or false")
}

// number returns the text of a number and where it stands.
func (j *jsonReader) number(want string) (string, int, error) {
	if c := j.kind(); c != '-' && !isDigit(c) {
		return "", j.pos, j.wrong(want)
	}
	at := j.pos
	for j.pos < len(j.b) {
		c := j.b[j.pos]
		if c != '-' && c != '+' && c != '.' && c != 'e' && c != 'E' && !isDigit(c) {
			break
		}
		j.pos++
	}
	if !isNumber(j.b[at:j.pos]) {
		return "", at, j.broken()
	}
	text := string(j.b[at:j.pos])
	j.space()
	return text, at, nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isNumber reports whether b is a number of JSON's grammar.
func isNumber(b []byte) bool {
	if len(b) > 0 && b[0] == '-' {
		b = b[1:]
	}
	whole := digits(b)
	if whole == 0 || whole > 1 && b[0] == '0' {
		return false
	}
	if b = b[whole:]; len(b) > 0 && b[0] == '.' {
		n := digits(b[1:])
		if n == 0 {
			return false
		}
		b = b[1+n:]
	}
	if len(b) > 0 && (b[0] == 'e' || b[0] == 'E') {
		if b = b[1:]; len(b) > 0 && (b[0] == '+' || b[0] == '-') {
			b = b[1:]
		}
		n := digits(b)
		return n > 0 && n == len(b)
	}
	return len(b) == 0
}

// digits counts those that b starts with.
func digits(b []byte) int {
	n := 0
	for n < len(b) && isDigit(b[n]) {
		n++
	}
	return n
}

// text returns a string's content, which may share memory with the input, and where it
// stands.
func (j *jsonReader) text(want string) ([]byte, int, error) {
	if j.kind() != '"' {
		return nil, j.pos, j.wrong(want)
	}
	at := j.pos
	escaped, ok := j.skipString()
	if !ok {
		return nil, at, j.broken()
	}
	quoted := j.b[at:j.pos]
	j.space()
	if !utf8.Valid(quoted) {
		return nil, at, &DecodeError{Kind: DecodeKindValue, Offset: at, Want: "UTF-8 text"}
	}
	if !escaped {
		return quoted[1 : len(quoted)-1], at, nil
	}
	var s string
	if err := json.Unmarshal(quoted, &s); err != nil {
		return nil, at, &DecodeError{Kind: DecodeKindSyntax, Offset: at, Want: "a string"}
	}
	return []byte(s), at, nil
}

// skipString passes over a string; its escapes are the caller's to check. ok is false when
// it does not end or holds a control character.
func (j *jsonReader) skipString() (escaped, ok bool) {
	for i := j.pos + 1; i < len(j.b); i++ {
		switch c := j.b[i]; {
		case c == '"':
			j.pos = i + 1
			return escaped, true
		case c == '\\':
			escaped = true
			i++
		case c < 0x20:
			return escaped, false
		}
	}
	return escaped, false
}

// skip passes over the next value, which the caller reads later: so it looks only for the
// end of the value, and stays in front of what has none.
func (j *jsonReader) skip() {
	depth := 0
	for j.pos < len(j.b) {
		switch j.kind() {
		case '"':
			if _, ok := j.skipString(); !ok {
				return
			}
		case '{', '[':
			depth++
			j.pos++
		case '}', ']':
			depth--
			j.pos++
		case ',', ':':
			j.pos++
		default:
			j.skipWord()
		}
		j.space()
		if depth <= 0 {
			return
		}
	}
}

func (j *jsonReader) skipWord() {
	for j.pos < len(j.b) {
		switch j.b[j.pos] {
		case ',', '}', ']', ' ', '\t', '\n', '\r':
			return
		}
		j.pos++
	}
}

// list calls item for each element; item must consume it.
func (j *jsonReader) list(item func(i int) error) error {
	if j.kind() != '[' {
		return j.wrong("a list")
	}
	if err := j.enter(); err != nil {
		return err
	}
	defer j.leave()
	j.pos++
	j.space()
	if j.kind() == ']' {
		j.pos++
		j.space()
		return nil
	}
	for i := 0; ; i++ {
		if err := item(i); err != nil {
			return within(err, "["+strconv.Itoa(i)+"]")
		}
		if more, err := j.more(']'); !more {
			return err
		}
	}
}

// object calls member for each key; member must consume the value. Double keys are the
// caller's to refuse.
func (j *jsonReader) object(member func(key []byte) error) error {
	if j.kind() != '{' {
		return j.wrong("an object")
	}
	if err := j.enter(); err != nil {
		return err
	}
	defer j.leave()
	j.pos++
	j.space()
	if j.kind() == '}' {
		j.pos++
		j.space()
		return nil
	}
	for {
		key, _, err := j.text("a key")
		if err != nil {
			return err
		}
		if j.kind() != ':' {
			return j.broken()
		}
		j.pos++
		j.space()
		if err := member(key); err != nil {
			return within(err, string(key))
		}
		if more, err := j.more('}'); !more {
			return err
		}
	}
}

// more consumes the comma before another item, or the end of the list or object.
func (j *jsonReader) more(end byte) (bool, error) {
	c := j.kind()
	if c != ',' && c != end {
		return false, j.broken()
	}
	j.pos++
	j.space()
	return c == ',', nil
}

func (j *jsonReader) enter() error {
	if j.depth++; j.depth > maxDepth {
		return &DecodeError{Kind: DecodeKindRange, Offset: j.pos, Want: "at most 64 levels of nesting"}
	}
	return nil
}

func (j *jsonReader) leave() { j.depth-- }

func (j *jsonReader) alias(s string, at int, v reflect.Value) error {
	if j.names != nil {
		if id, ok := j.names(s); ok {
			copy(v.Bytes(), id[:])
			return nil
		}
	}
	return &DecodeError{Kind: DecodeKindAlias, Offset: at, Want: "an alias that names exactly one agent"}
}
