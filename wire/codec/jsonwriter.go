package codec

import (
	"encoding/hex"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// AppendJSONString appends a quoted string; bytes that are not UTF-8 become U+FFFD. It copies
// what needs no escape in runs: nearly all of nearly every text.
func AppendJSONString[S string | []byte](dst []byte, s S) []byte {
	dst = append(dst, '"')
	run := 0 // its start
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case verbatim[c]:
			i++
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
			if r == utf8.RuneError && n == 1 {
				dst = utf8.AppendRune(append(dst, s[run:i]...), r)
				run = i + 1
			}
			i += n
		default:
			dst = appendEscape(append(dst, s[run:i]...), c)
			i++
			run = i
		}
	}
	return append(append(dst, s[run:]...), '"')
}

// verbatim says which bytes are written as they are: ASCII that needs no escape.
var verbatim = func() (t [256]bool) {
	for c := range byte(utf8.RuneSelf) {
		t[c] = c >= 0x20 && c != '"' && c != '\\'
	}
	return t
}()

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\t':
		return append(dst, '\\', 't')
	case '\r':
		return append(dst, '\\', 'r')
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// appendJSONBytes appends bytes as text where that reads back as the same bytes, else as hex.
func appendJSONBytes(dst, b []byte) []byte {
	prefixed := len(b) >= 4 && (string(b[:4]) == "hex:" || string(b[:4]) == "b64:")
	if prefixed || !utf8.Valid(b) {
		dst = append(dst, `"hex:`...)
		return append(hex.AppendEncode(dst, b), '"')
	}
	return AppendJSONString(dst, b)
}
