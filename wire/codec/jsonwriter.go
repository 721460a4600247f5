package codec

import (
	"encoding/hex"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// appendJSONString appends a quoted string; bytes that are not UTF-8 become U+FFFD.
func appendJSONString[S string | []byte](dst []byte, s S) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c < 0x20:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		case c < utf8.RuneSelf:
			dst = append(dst, c)
		default:
			r, n := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
			dst = utf8.AppendRune(dst, r)
			i += n
			continue
		}
		i++
	}
	return append(dst, '"')
}

// appendJSONBytes appends bytes as text where that reads back as the same bytes, else as hex.
func appendJSONBytes(dst, b []byte) []byte {
	prefixed := len(b) >= 4 && (string(b[:4]) == "hex:" || string(b[:4]) == "b64:")
	if prefixed || !utf8.Valid(b) {
		dst = append(dst, `"hex:`...)
		return append(hex.AppendEncode(dst, b), '"')
	}
	return appendJSONString(dst, b)
}
