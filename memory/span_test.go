package memory

import (
	"bytes"
	"slices"
	"testing"
)

// TestSpan_EveryFormAtItsEdges: one value of each form of the MessagePack specification, the
// smallest and the largest that its head can say or a cheap one of that size.
func TestSpan_EveryFormAtItsEdges(t *testing.T) {
	nils := func(n int) []byte { return bytes.Repeat([]byte{0xc0}, n) }
	head := func(b ...byte) []byte { return b }
	for _, tt := range []struct {
		name        string
		head, after []byte
	}{
		{"fixint 0", head(0x00), nil},
		{"fixint 127", head(0x7f), nil},
		{"fixmap 0", head(0x80), nil},
		{"fixmap 15", head(0x8f), nils(30)},
		{"fixarray 0", head(0x90), nil},
		{"fixarray 15", head(0x9f), nils(15)},
		{"fixstr 0", head(0xa0), nil},
		{"fixstr 31", head(0xbf), nils(31)},
		{"nil", head(0xc0), nil},
		{"false", head(0xc2), nil},
		{"true", head(0xc3), nil},
		{"bin8", head(0xc4, 3), nils(3)},
		{"bin16", head(0xc5, 1, 2), nils(258)},
		{"bin32", head(0xc6, 0, 0, 1, 1), nils(257)},
		{"float32", head(0xca), nils(4)},
		{"float64", head(0xcb), nils(8)},
		{"uint8", head(0xcc), nils(1)},
		{"uint16", head(0xcd), nils(2)},
		{"uint32", head(0xce), nils(4)},
		{"uint64", head(0xcf), nils(8)},
		{"int8", head(0xd0), nils(1)},
		{"int16", head(0xd1), nils(2)},
		{"int32", head(0xd2), nils(4)},
		{"int64", head(0xd3), nils(8)},
		{"str8", head(0xd9, 40), nils(40)},
		{"str16", head(0xda, 1, 0), nils(256)},
		{"str32", head(0xdb, 0, 1, 0, 0), nils(65536)},
		{"array16", head(0xdc, 0, 16), nils(16)},
		{"array32", head(0xdd, 0, 0, 1, 0), nils(256)},
		{"map16", head(0xde, 0, 16), nils(32)},
		{"map32", head(0xdf, 0, 0, 1, 0), nils(512)},
		{"negative fixint -32", head(0xe0), nil},
		{"negative fixint -1", head(0xff), nil},
		{"nested", head(0x92, 0x81, 0xa1), slices.Concat([]byte{'k'}, []byte{0xc4, 2, 0, 0}, []byte{0x91, 0xc3})},
	} {
		value := slices.Concat(tt.head, tt.after)
		if n, ok := span(append(slices.Clone(value), 0xc0, 0xc0)); !ok || n != len(value) {
			t.Errorf("%s: %d bytes %t, want %d", tt.name, n, ok, len(value))
		}
		for _, cut := range []int{0, 1, len(tt.head) - 1, len(value) - 1} {
			if cut >= len(value) {
				continue
			}
			if n, ok := span(value[:max(0, cut)]); ok {
				t.Errorf("%s cut off after %d of %d bytes: a value of %d", tt.name, cut, len(value), n)
			}
		}
	}
	for _, code := range []byte{0xc1, 0xc7, 0xc8, 0xc9, 0xd4, 0xd8} { // never used, and extensions
		if n, ok := span(append([]byte{code}, nils(20)...)); ok {
			t.Errorf("code %#x: a value of %d bytes", code, n)
		}
	}
}

func TestOpenMap(t *testing.T) {
	for _, tt := range []struct {
		in   []byte
		n    int
		rest int
		ok   bool
	}{
		{[]byte{0x80}, 0, 0, true},
		{[]byte{0x8f, 1}, 15, 1, true},
		{[]byte{0xde, 1, 2}, 258, 0, true},
		{[]byte{0xde, 1, 2, 9, 9}, 258, 2, true},
		{nil, 0, 0, false},
		{[]byte{0xde, 1}, 0, 0, false},
		{[]byte{0x90}, 0, 0, false},
		{[]byte{0x7f}, 0, 0, false},
	} {
		n, rest, err := openMap(tt.in)
		if (err == nil) != tt.ok || n != tt.n || len(rest) != tt.rest {
			t.Errorf("%x: %d entries, rest %x, %v", tt.in, n, rest, err)
		}
	}
}
