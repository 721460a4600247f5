package codec

import (
	"bytes"
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

	keyEnd int // where the last key ends

	loose   bool // keys that a struct does not have are passed over
	ignored int  // how many were
}

// readJSON reads raw, which must be one value of the node, into v. Text that is no JSON is
// refused as that, whatever the node found wrong with it first.
func readJSON(n node, raw []byte, v reflect.Value, names AliasResolver) error {
	end, err := readJSONPrefix(n, raw, v, names)
	if err == nil && end < len(raw) {
		err = &DecodeError{Kind: DecodeKindSyntax, Offset: end, Want: "one JSON value"}
	}
	if err != nil && !json.Valid(raw) {
		return &DecodeError{Kind: DecodeKindSyntax, Want: "one JSON value"}
	}
	return err
}

// readJSONPrefix reads the value with which raw starts and returns where it and the white space
// after it end.
func readJSONPrefix(n node, raw []byte, v reflect.Value, names AliasResolver) (end int, err error) {
	j := jsonReader{b: raw, names: names}
	j.skipSpace()
	err = n.fromJSON(&j, v)
	return j.pos, err
}

// skipUnknown skips the value of a key that struct n does not have, if the reader is loose; else it returns an error.
func (j *jsonReader) skipUnknown(n *structNode) error {
	if !j.loose {
		return &DecodeError{Kind: DecodeKindUnknownField, Offset: j.pos, Want: n.allowedKeys()}
	}
	j.ignored++
	_, err := j.skipValue()
	return err
}

// syntaxError returns the error of text that is not JSON.
func (j *jsonReader) syntaxError() error {
	return &DecodeError{Kind: DecodeKindSyntax, Offset: j.pos, Want: "one JSON value"}
}

// duplicateKey returns the error of a key that appears twice.
func (j *jsonReader) duplicateKey() error {
	return &DecodeError{Kind: DecodeKindDuplicateField, Offset: j.keyEnd}
}

func (j *jsonReader) skipSpace() {
	for j.pos < len(j.b) && isSpace(j.b[j.pos]) {
		j.pos++
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// peek returns the next byte without consuming it, 0 at the end. A value begins with one of { [ " n t f - 0…9.
func (j *jsonReader) peek() byte {
	if j.pos == len(j.b) {
		return 0
	}
	return j.b[j.pos]
}

func (j *jsonReader) typeError(want string) error {
	if j.pos == len(j.b) {
		return j.syntaxError()
	}
	return &DecodeError{Kind: DecodeKindType, Offset: j.pos, Want: want}
}

// null consumes a null if one stands next.
func (j *jsonReader) null() bool { return j.literal("null") }

func (j *jsonReader) literal(w string) bool {
	end := j.pos + len(w)
	if end > len(j.b) || string(j.b[j.pos:end]) != w {
		return false
	}
	j.pos = end
	j.skipSpace()
	return true
}

func (j *jsonReader) bool() (bool, error) {
	switch {
	case j.literal("true"):
		return true, nil
	case j.literal("false"):
		return false, nil
	}
	return false, j.typeError("true or false")
}

// number returns the text of a number and where it stands.
func (j *jsonReader) number(want string) (string, int, error) {
	if c := j.peek(); c != '-' && !isDigit(c) {
		return "", j.pos, j.typeError(want)
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
		return "", at, j.syntaxError()
	}
	text := string(j.b[at:j.pos])
	j.skipSpace()
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
	at := j.pos
	quoted, escaped, err := j.quotedText(want)
	if err != nil {
		return nil, at, err
	}
	if !escaped {
		return quoted[1 : len(quoted)-1], at, nil
	}
	var s string
	if err := json.Unmarshal(quoted, &s); err != nil {
		return nil, at, j.syntaxError()
	}
	return []byte(s), at, nil
}

// quotedText skips a string and returns it with its quotes. The caller must check its escapes.
func (j *jsonReader) quotedText(want string) (quoted []byte, escaped bool, err error) {
	if j.peek() != '"' {
		return nil, false, j.typeError(want)
	}
	at := j.pos
	escaped, ok := j.skipString()
	if !ok {
		return nil, false, j.syntaxError()
	}
	quoted = j.b[at:j.pos]
	j.skipSpace()
	if !utf8.Valid(quoted) {
		return nil, false, &DecodeError{Kind: DecodeKindValue, Offset: at, Want: "UTF-8 text"}
	}
	return quoted, escaped, nil
}

// skipString passes over a string; ok is false when it does not end or holds a control
// character, before which the reader then stands.
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
			j.pos = i
			return escaped, false
		}
	}
	j.pos = len(j.b)
	return escaped, false
}

// skipValue skips the next value, checks that it is JSON without duplicate keys, and returns its text.
func (j *jsonReader) skipValue() ([]byte, error) {
	at := j.pos
	var err error
	switch j.peek() {
	case '{':
		err = j.skipObject()
	case '[':
		err = j.list(func(int) error {
			_, err := j.skipValue()
			return err
		})
	case '"':
		var quoted []byte
		var escaped bool
		if quoted, escaped, err = j.quotedText("text"); escaped && !json.Valid(quoted) {
			err = j.syntaxError()
		}
	case 't', 'f':
		_, err = j.bool()
	case 'n':
		if !j.null() {
			err = j.syntaxError()
		}
	default:
		_, _, err = j.number("a value")
	}
	return bytes.TrimRight(j.b[at:j.pos:j.pos], " \t\n\r"), err
}

// maxKeys bounds the keys of an object that are compared with each other.
const maxKeys = 1024

// skipObject skips an object and refuses duplicate keys.
func (j *jsonReader) skipObject() error {
	var few [16][]byte
	keys := few[:0]
	return j.object(func(key []byte) error {
		for _, k := range keys {
			if string(k) == string(key) {
				return j.duplicateKey()
			}
		}
		if len(keys) == maxKeys {
			return &DecodeError{Kind: DecodeKindRange, Offset: j.pos, Want: "at most 1024 keys"}
		}
		keys = append(keys, key)
		_, err := j.skipValue()
		return err
	})
}

// list calls item for each element; item must consume it.
func (j *jsonReader) list(item func(i int) error) error {
	if j.peek() != '[' {
		return j.typeError("a list")
	}
	if err := j.enter(); err != nil {
		return err
	}
	defer j.leave()
	j.pos++
	j.skipSpace()
	if j.peek() == ']' {
		j.pos++
		j.skipSpace()
		return nil
	}
	for i := 0; ; i++ {
		if err := item(i); err != nil {
			return inField(err, "["+strconv.Itoa(i)+"]")
		}
		if more, err := j.more(']'); !more {
			return err
		}
	}
}

// object calls member for each key; member must consume the value. Double keys are the
// caller's to refuse.
func (j *jsonReader) object(member func(key []byte) error) error {
	if j.peek() != '{' {
		return j.typeError("an object")
	}
	if err := j.enter(); err != nil {
		return err
	}
	defer j.leave()
	j.pos++
	j.skipSpace()
	if j.peek() == '}' {
		j.pos++
		j.skipSpace()
		return nil
	}
	for {
		if j.peek() != '"' {
			return j.syntaxError()
		}
		key, _, err := j.text("a key")
		if err != nil {
			return err
		}
		j.keyEnd = j.pos
		if j.peek() != ':' {
			return j.syntaxError()
		}
		j.pos++
		j.skipSpace()
		if err := member(key); err != nil {
			return inField(err, string(key))
		}
		if more, err := j.more('}'); !more {
			return err
		}
	}
}

// more consumes the comma before another item, or the end of the list or object.
func (j *jsonReader) more(end byte) (bool, error) {
	c := j.peek()
	if c != ',' && c != end {
		return false, j.syntaxError()
	}
	j.pos++
	j.skipSpace()
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
