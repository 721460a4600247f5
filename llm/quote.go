package llm

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"kingdom/wire/codec"
)

// Words is a text of an agent. Its String is a JSON string on one line; nothing in it can end the quotation, begin a
// line, or be taken for a mark of a chat format.
type Words string

// String returns the quoted words.
func (w Words) String() string {
	var room [128]byte // for most titles
	return string(appendWords(room[:0], w))
}

// Append appends the quoted words.
func (w Words) Append(dst []byte) []byte { return appendWords(dst, w) }

// Quote is a text with its author. Its String is a1b2c3d4 wrote "…".
type Quote struct {
	Author string // alias
	Words  Words
}

// String returns the quotation, "" if there is none.
func (q Quote) String() string { return string(q.append(nil)) }

func (q Quote) append(dst []byte) []byte {
	if q.Words == "" {
		return dst
	}
	if q.Author != "" {
		dst = append(append(dst, q.Author...), " wrote "...)
	}
	return appendWords(dst, q.Words)
}

// appendWords writes a JSON string. Beyond what JSON requires it escapes what a reader may not see or may take for
// structure: control characters, direction marks, line separators, zero-width spaces, and the bracket that opens a
// chat-format token such as <|im_start|>, </s> or [INST].
func appendWords(dst []byte, w Words) []byte {
	s := string(w)
	start := len(dst)
	dst = codec.AppendJSONString(dst, s)
	if !suspicious(dst[start:]) {
		return dst
	}
	quoted := string(dst[start:])
	dst = dst[:start]
	for i, r := range quoted {
		rest := quoted[i+utf8.RuneLen(r):]
		if hidden(r) || r == '<' && opensMarkup(rest) || r == '[' && opensInstruction(rest) {
			dst = appendEscaped(dst, r)
		} else {
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// suspicious reports whether a text may contain something that appendWords escapes.
func suspicious(b []byte) bool {
	for _, c := range b {
		if c == '<' || c == '[' || c >= 0x7F {
			return true
		}
	}
	return false
}

// hidden reports whether a rune is invisible or changes how other runes are shown.
func hidden(r rune) bool {
	switch {
	case r >= 0x7F && r <= 0x9F, r == 0xAD, r == 0x61C, r == 0x180E, r == 0xFEFF:
	case r >= 0x200B && r <= 0x200F, r >= 0x2028 && r <= 0x202E, r >= 0x2060 && r <= 0x206F:
	case r >= 0xFFF9 && r <= 0xFFFB, r >= 0xE0000 && r <= 0xE0FFF:
	default:
		return false
	}
	return true
}

// opensMarkup reports whether what follows a < makes it look like a tag or token: <|…, </…, <letter, <｜ or <<.
func opensMarkup(rest string) bool {
	if rest == "" {
		return false
	}
	c := rest[0] | 0x20
	return 'a' <= c && c <= 'z' || rest[0] == '|' || rest[0] == '/' || rest[0] == '<' || strings.HasPrefix(rest, "\uFF5C")
}

// opensInstruction reports whether what follows a [ makes it look like a token: [INST], [/…, [TOOL_CALLS].
func opensInstruction(rest string) bool {
	if strings.HasPrefix(rest, "/") {
		return true
	}
	return len(rest) >= 2 && 'A' <= rest[0] && rest[0] <= 'Z' && 'A' <= rest[1] && rest[1] <= 'Z'
}

func appendEscaped(dst []byte, r rune) []byte {
	if r > 0xFFFF {
		r -= 0x10000
		dst = appendEscaped(dst, 0xD800+r>>10)
		r = 0xDC00 + r&0x3FF
	}
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}

// AppendQuote appends a text of another agent as quoted data, in the form in which agents keep it: the author's alias
// and a JSON string, whose quotation nothing in the text can end. Bytes that are not UTF-8 become U+FFFD. [Unquote]
// reads it back.
func AppendQuote(dst []byte, alias string, text []byte) []byte {
	dst = append(dst, alias...)
	dst = append(dst, " wrote "...)
	return codec.AppendJSONString(dst, text)
}

// needsNoUnescaping reports whether the text inside a JSON string has neither escapes nor bytes beyond ASCII, so that it is
// its own value.
func needsNoUnescaping(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Unquote reads what [AppendQuote] wrote. Any other text becomes a quote without an author.
func Unquote(text string) Quote {
	author, rest, ok := strings.Cut(text, " wrote ")
	if !ok || strings.ContainsAny(author, " \"") {
		return Quote{Words: Words(text)}
	}
	if n := len(rest) - 1; n > 0 && rest[0] == '"' && needsNoUnescaping(rest[1:n]) && rest[n] == '"' { // the usual case
		return Quote{author, Words(rest[1:n])}
	}
	var words string
	if json.Unmarshal([]byte(rest), &words) != nil {
		return Quote{Words: Words(text)}
	}
	return Quote{author, Words(words)}
}
