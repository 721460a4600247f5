package codec

import (
	"bytes"
	"fmt"
	"testing"
)

// FuzzAppendJSONString compares with the plain way, rune by rune.
func FuzzAppendJSONString(f *testing.F) {
	for _, s := range []string{"", "plain", "two words", "a\"b\\c\nd\te\rf\x00\x1f\x7f", "\u00e4\u2028\U0001F600\ufffd", "\xff", "a\xe2\x82", "\xe2\x82b\xed\xa0\x80"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := []byte{'"'}
		for _, r := range s {
			switch {
			case r == '"' || r == '\\':
				want = append(want, '\\', byte(r))
			case r == '\n':
				want = append(want, `\n`...)
			case r == '\r':
				want = append(want, `\r`...)
			case r == '\t':
				want = append(want, `\t`...)
			case r < 0x20:
				want = fmt.Appendf(want, `\u%04x`, r)
			default:
				want = append(want, string(r)...)
			}
		}
		want = append(want, '"')
		if got := AppendJSONString(nil, s); !bytes.Equal(got, want) {
			t.Errorf("%q is written as %s, want %s", s, got, want)
		}
	})
}
