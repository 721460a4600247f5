package keyward

import (
	"bytes"
	"crypto/sha256"
	"testing"
)

// resum gives a changed file a valid checksum, as an attacker would.
func resum(b []byte) []byte {
	body := b[:len(b)-sha256.Size]
	sum := sha256.Sum256(body)
	return append(append([]byte(nil), body...), sum[:]...)
}

// A sealed file of any content is refused or opens, within bounded work.
func FuzzSealed(f *testing.F) {
	good := seal(map[string]Key{"openai": key(f, planted)}, []byte("p"), cheap)
	f.Add(good, false)
	f.Add(good[:len(good)-1], false)
	f.Add(good, true)
	f.Add(seal(map[string]Key{}, []byte("p"), cheap), false)
	f.Add(seal(map[string]Key{"openai": key(f, planted), "local-2": key(f, planted)}, []byte("another passphrase"), cheap), false)
	f.Add([]byte(sealedMagic), false)
	changed := bytes.Clone(good)
	changed[len(changed)/2] ^= 1
	f.Add(changed, false)
	f.Add(changed, true) // only the seal tells
	f.Fuzz(func(t *testing.T, b []byte, sum bool) {
		if sum && len(b) > sha256.Size {
			b = resum(b)
		}
		s, err := parse(b)
		if err != nil {
			return
		}
		if s.cost.check() != nil {
			t.Fatalf("a file that asks for %+v was taken", s.cost)
		}
		if s.cost != cheap {
			return // bounded, and too slow for a fuzzer
		}
		if keys, err := s.open([]byte("p")); err == nil && len(keys) > MaxKeys {
			t.Fatalf("%d keys", len(keys))
		}
	})
}

// What lies in the box of a sealed file is a list of names and keys, or an error.
func FuzzKeys(f *testing.F) {
	for _, keys := range []map[string]Key{{}, {"openai": key(f, planted)}, {"openai": key(f, planted), "local-2": key(f, planted)}} {
		body := encodeKeys(keys)
		if got, err := decodeKeys(body); err != nil || len(got) != len(keys) {
			f.Fatalf("%d keys are read as %d: %v", len(keys), len(got), err)
		}
		f.Add(body)
	}
	f.Add([]byte(`{"Open AI":"sk-1234567890"}`))
	f.Add([]byte(`{"a":""}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, b []byte) {
		keys, err := decodeKeys(b)
		for name, k := range keys {
			if err != nil || !IsName(name) || k.Reveal() == "" {
				t.Fatalf("%q: %v, %v", name, k, err)
			}
		}
	})
}
