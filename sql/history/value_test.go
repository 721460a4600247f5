package history_test

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kingdom/sql/history"
)

// A packed value is read back whatever it begins with, and what earlier versions wrote is read as it stands.
func TestValue_RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := bytes.Repeat(rapid.SliceOf(rapid.Byte()).Draw(t, "raw"), rapid.IntRange(1, 9).Draw(t, "times"))
		before := []byte("before")
		b := history.AppendPacked(before, raw)
		got, err := history.UnpackValue(b[len(before):])
		if err != nil || !bytes.Equal(got, raw) || !bytes.HasPrefix(b, before) {
			t.Fatalf("%x becomes %x, read as %x: %v", raw, b, got, err)
		}
	})
	plain := append([]byte{0x82}, "a map of an earlier version"...)
	if got, err := history.UnpackValue(plain); err != nil || !bytes.Equal(got, plain) {
		t.Errorf("plain: %q, %v", got, err)
	}
	long := append([]byte{0x82}, strings.Repeat("what an agent knows ", 100)...)
	if b := history.AppendPacked(nil, long); len(b) > len(long)/10 || !history.IsPacked(b) {
		t.Errorf("%d bytes become %d", len(long), len(b))
	}
}

// UnpackValue names what is wrong with a value.
func TestValue_Refuses(t *testing.T) {
	good := history.AppendPacked(nil, []byte(strings.Repeat("known ", 20)))
	for name, c := range map[string]struct {
		change func(b []byte) []byte
		want   string
	}{
		"cut":     {func(b []byte) []byte { return b[:len(b)-1] }, "checksum differs"},
		"short":   {func(b []byte) []byte { return b[:3] }, "checksum differs"},
		"flipped": {func(b []byte) []byte { b[len(b)-1] ^= 1; return b }, "checksum differs"},
		"newer":   {func(b []byte) []byte { b[0] = 3; return b }, "its format is 3, this program reads 2"},
	} {
		if _, err := history.UnpackValue(c.change(bytes.Clone(good))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want …%s…", name, err, c.want)
		}
	}
}

// FuzzValue reads values that nobody wrote; what can be read is packed and read alike.
func FuzzValue(f *testing.F) {
	f.Add(history.AppendPacked(nil, []byte(strings.Repeat("known ", 20))))
	f.Fuzz(func(t *testing.T, b []byte) {
		raw, err := history.UnpackValue(b)
		if err != nil {
			return
		}
		if again, err := history.UnpackValue(history.AppendPacked(nil, raw)); err != nil || !bytes.Equal(again, raw) {
			t.Fatalf("%x, again %x: %v", raw, again, err)
		}
	})
}
