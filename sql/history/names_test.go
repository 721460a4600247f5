package history

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Stored records refer to names by position, so existing names never move. New names are added at the end, and to the
// number and the digest here.
func TestNames_OrderNeverChanges(t *testing.T) {
	const n, want = 253, "c384edaede8915e5ca298b36f4cf38e47585038bd5e15ae825f6a725bc14545c"
	if got := fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(knownNames[:n], " ")))); got != want {
		t.Errorf("the first %d names have the digest %s, want %s: records that are stored would be read as others", n, got, want)
	}
	if len(knownNames) != n {
		t.Errorf("%d names, of which %d are covered here", len(knownNames), n)
	}
	sorted := slices.Sorted(slices.Values(knownNames))
	if len(slices.Compact(sorted)) != len(knownNames) {
		t.Error("a name is there twice")
	}
	for _, name := range knownNames {
		if len(name) > 31 {
			t.Errorf("%s is too long for the header that it is looked for with", name)
		}
	}
}

// id is an id as MessagePack has it.
func id(fill byte) []byte { return append([]byte(hashHead), bytes.Repeat([]byte{fill}, 32)...) }

func TestRecord_RoundTrip(t *testing.T) {
	key := slices.Concat(bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32), []byte("name"))
	known := func(s string) []byte { return []byte(nameElement(s)) }
	record := slices.Concat([]byte{0x85}, known("author"), id(1), known("payer"), id(2), known("credit"), id(0), known("kind"), known("FAQ"),
		known("unheard_of"), []byte{0xc4, 4, 0xc1, 0, 0xc1, 5})
	for name, c := range map[string]struct {
		raw, key []byte
		most     int // bytes that it is packed into
	}{
		"names and ids":            {record, key, 35},
		"a short key":              {record, key[:32], 35 + 32},
		"no key":                   {record, nil, 35 + 64},
		"its last name":            {slices.Concat([]byte{0x81}, known(knownNames[len(knownNames)-1]), []byte{7}), key, 6},
		"nothing to gain":          {[]byte{0x81, 0xa1, 'k', 7}, key, 4},
		"no MessagePack":           {[]byte("plain"), key, 5},
		"cut off":                  {record[:60], key, 60},
		"more behind":              {append(slices.Clone(record), 0xc0), key, len(record) + 1},
		"begins as packed ones do": {[]byte{5, 0xc1, 0}, key, 13},
		"empty":                    {[]byte{}, key, 0},
	} {
		t.Run(name, func(t *testing.T) {
			packed := AppendRecord([]byte("before"), c.key, c.raw)[6:]
			if len(packed) > c.most {
				t.Errorf("%d bytes are packed into %d, want %d at most", len(c.raw), len(packed), c.most)
			}
			if plain, err := UnpackRecord(packed, c.key); err != nil || !bytes.Equal(plain, c.raw) {
				t.Errorf("unpacked %x, %v; want %x", plain, err, c.raw)
			}
		})
	}
}

// A record that this program cannot read is an error that says what to do, and none that was damaged is a panic.
func TestRecord_DamagedOrNewer(t *testing.T) {
	key := bytes.Repeat([]byte{1}, 32)
	for _, c := range []struct{ packed, want string }{
		{"\x05\x81\xc1\xff\x7f\x07", "use the kingdom that wrote the run"},
		{"\x06\x81\xc1\x04\x07", "its format is 6, this program reads 2 and 5"},
		{"\x03\x81\xc1\x04\x07", "its format is 3"},
		{"\x05\x81\xc1\x01\x07", "too early"}, // the key has no second id
		{"\x05\x81\xc1", "too early"},
		{"\x05\x81", "too early"},
		{"\x05", "too early"},
		{"\x05\x81\xc1\x04\x07\x07", "too early"},
		{"\x02\x81", "differs"},
	} {
		if plain, err := UnpackRecord([]byte(c.packed), key); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%x: %x, %v; want an error with %q", c.packed, plain, err, c.want)
		}
	}
}
