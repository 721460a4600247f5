package wire

import (
	"encoding/json"
	"reflect"
	"strconv"
	"unicode/utf8"
)

// jsonReader walks JSON text that json.Valid has accepted, one pass, without building a tree.
// Being valid, the text needs no syntax checks on the way.
type jsonReader struct {
	b     []byte
	pos   int
	depth int
	names AliasResolver
}

func newJSONReader(raw []byte, names AliasResolver) (jsonReader, error) {
	if !json.Valid(raw) {
		return jsonReader{}, &DecodeError{Kind: DecodeKindSyntax, Want: "one JSON value"}
	}
	j := jsonReader{b: raw, names: names}
	j.space()
	return j, nil
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

// kind returns the first byte of the value that stands next: one of { [ " n t f - 0…9.
func (j *jsonReader) kind() byte { return j.b[j.pos] }

func (j *jsonReader) wrong(want string) error {
	return &DecodeError{Kind: DecodeKindType, Offset: j.pos, Want: want}
}

// null consumes a null if one stands next.
func (j *jsonReader) null() bool {
	if j.kind() != 'n' {
		return false
	}
	j.pos += len("null")
	j.space()
	return true
}

func (j *jsonReader) bool() (bool, error) {
	switch j.kind() {
	case 't':
		j.pos += len("true")
		j.space()
		return true, nil
	case 'f':
		j.pos += len("false")
		j.space()
		return false, nil
	}
	return false, j.wrong("true or false")
}

// number returns the text of a number and where it stands.
func (j *jsonReader) number(want string) (string, int, error) {
	if c := j.kind(); c != '-' && (c < '0' || c > '9') {
		return "", j.pos, j.wrong(want)
	}
	at := j.pos
	for j.pos < len(j.b) {
		c := j.b[j.pos]
		if c != '-' && c != '+' && c != '.' && c != 'e' && c != 'E' && (c < '0' || c > '9') {
			break
		}
		j.pos++
	}
	text := string(j.b[at:j.pos])
	j.space()
	return text, at, nil
}

// text returns a string's content, which may share memory with the input, and where it
// stands.
func (j *jsonReader) text(want string) ([]byte, int, error) {
	if j.kind() != '"' {
		return nil, j.pos, j.wrong(want)
	}
	at := j.pos
	escaped := j.skipString()
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

func (j *jsonReader) skipString() (escaped bool) {
	for j.pos++; j.b[j.pos] != '"'; j.pos++ {
		if j.b[j.pos] == '\\' {
			escaped = true
			j.pos++
		}
	}
	j.pos++
	return escaped
}

// skip passes over the next value.
func (j *jsonReader) skip() {
	depth := 0
	for {
		switch j.kind() {
		case '"':
			j.skipString()
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
		if depth == 0 {
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
	for i := 0; j.kind() != ']'; i++ {
		if err := item(i); err != nil {
			return within(err, "["+strconv.Itoa(i)+"]")
		}
		j.comma()
	}
	j.pos++
	j.space()
	return nil
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
	for j.kind() != '}' {
		key, _, err := j.text("a key")
		if err != nil {
			return err
		}
		j.pos++ // the colon
		j.space()
		if err := member(key); err != nil {
			return within(err, string(key))
		}
		j.comma()
	}
	j.pos++
	j.space()
	return nil
}

func (j *jsonReader) comma() {
	if j.kind() == ',' {
		j.pos++
		j.space()
	}
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
