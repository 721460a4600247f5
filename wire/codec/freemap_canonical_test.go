package codec

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

func TestCanonicalFreeMap(t *testing.T) {
	for name, c := range map[string]struct{ b, want string }{
		"canonical already": {"\x82\xa1a\x01\xa1b\x80", "\x82\xa1a\x01\xa1b\x80"},
		"keys in any order": {"\x82\xa1b\x01\xa1a\x02", "\x82\xa1a\x02\xa1b\x01"},
		"nested in a list":  {"\x81\xa1a\x91\x82\xa1b\x01\xa1a\x02", "\x81\xa1a\x91\x82\xa1a\x02\xa1b\x01"},
		"nested in a map":   {"\x81\xa1x\x82\xa1b\x01\xa1a\x02", "\x81\xa1x\x82\xa1a\x02\xa1b\x01"},
		"wide integer":      {"\x81\xa1a\xcc\x01", "\x81\xa1a\x01"},
		"long text":         {"\x81\xd9\x01a\xd9\x01x", "\x81\xa1a\xa1x"},
		"minus zero":        {"\x81\xa1a\xca\x80\x00\x00\x00", "\x81\xa1a\xca\x00\x00\x00\x00"},
	} {
		got, err := CanonicalFreeMap([]byte(c.b))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %x, %v; want %x", name, got, err, c.want)
		}
	}
	for b, want := range map[string]DecodeKind{
		"": DecodeKindType, "\x90": DecodeKindType, "\x80\xc0": DecodeKindTrailing, "\x82\xa1a\x01\xa1a\x01": DecodeKindDuplicateField,
		"\x81\xa1a\xca\x7f\xc0\x00\x00": DecodeKindValue, "\x81\x01\x01": DecodeKindType,
	} {
		if got, err := CanonicalFreeMap([]byte(b)); !errors.Is(err, &DecodeError{Kind: want}) || got != nil {
			t.Errorf("%x: %x, %v; want %s", b, got, err, want)
		}
	}
}

// Whatever is a free map in canonical form stays as it is, and what is not becomes it.
func TestCanonicalFreeMap_IsCanonical(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		keys := rapid.SliceOfNDistinct(rapid.StringN(0, 4, 8), 0, 6, rapid.ID).Draw(rt, "keys")
		b := AppendMapLen(nil, len(keys))
		for _, k := range keys {
			b = AppendUint(AppendString(b, k), rapid.Uint64().Draw(rt, "value"))
		}
		got, err := CanonicalFreeMap(b)
		if err != nil || CheckFreeMap(got) != nil || len(got) != len(b) {
			rt.Fatalf("%x becomes %x, %v", b, got, err)
		}
		if again, err := CanonicalFreeMap(got); err != nil || !bytes.Equal(again, got) {
			rt.Fatalf("%x becomes %x, %v", got, again, err)
		}
	})
}
