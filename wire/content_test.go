package wire

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// ContentText is a short way for one form of contents: where it takes it, the long way must
// say the same, and it must take it for every canonical content that is only text.
func TestContentText_AgreesWithReadContent(t *testing.T) {
	agree := func(t interface{ Fatalf(string, ...any) }, b []byte) (taken bool) {
		text, ok := ContentText(b)
		if !ok {
			return false
		}
		if c, err := ReadContent(b); err != nil || c.Text == nil || *c.Text != string(text) {
			t.Fatalf("%x: short way %q, long way %v, %v", b, text, c.Text, err)
		}
		return true
	}
	for _, n := range []int{0, 1, 31, 32, 255, 256, 65535, 65536} {
		if !agree(t, TextContent(string(bytes.Repeat([]byte{'x'}, n)))) {
			t.Errorf("a text of %d bytes is not taken", n)
		}
	}
	for _, b := range []string{"", "\x81\xA4text", "\x81\xA4text\xD9\x01x", "\x81\xA4text\xA1\xFF", "\x81\xA4text\xA1xy", "\x81\xA4text\x01", "\x80"} {
		if agree(t, []byte(b)) {
			t.Errorf("%x is taken", b)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		b := TextContent(rapid.String().Draw(t, "text"))
		if i := rapid.IntRange(0, 2*len(b)).Draw(t, "at"); i < len(b) {
			b[i] ^= rapid.Byte().Draw(t, "flip")
		}
		agree(t, b)
	})
}
