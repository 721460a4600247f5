package agora

import (
	"strings"
	"unicode/utf8"

	"kingdom/wire"
)

// Text returns the text of a message's content: its text field, or the bytes themselves if the content is not a map
// with such a field.
func Text(content []byte) []byte {
	if c, err := wire.ReadContent(content); err == nil && c.Text != nil {
		return []byte(*c.Text)
	}
	return content
}

// typeOf returns the type field of a content, "" if it has none.
func typeOf(content []byte) string {
	if c, err := wire.ReadContent(content); err == nil && c.Type != nil {
		return *c.Type
	}
	return ""
}

// contentOf encodes what AGORA_0 says.
func contentOf(c wire.Content) []byte { return wire.ContentCodec.Append(nil, &c) }

// clip cuts b to at most n bytes of valid UTF-8, at a character border.
func clip(b []byte, n int) string {
	s := strings.ToValidUTF8(string(b), "\uFFFD")
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
