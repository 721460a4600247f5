package codec

import (
	"bytes"
	"testing"
)

func TestCodec_BytesEqualAppendAndAreNotShared(t *testing.T) {
	first := taggedCodec.Bytes(&tagged{BinMap{{"a", []byte("x")}}})
	want := taggedCodec.Append(nil, &tagged{BinMap{{"a", []byte("x")}}})
	if !bytes.Equal(first, want) {
		t.Errorf("%x, want %x", first, want)
	}
	taggedCodec.Bytes(&tagged{BinMap{{"b", []byte("y")}}})
	s := Borrow()
	s.B = append(s.B, make([]byte, 512)...)
	s.Return()
	if !bytes.Equal(first, want) {
		t.Error("bytes changed when the buffer was used again")
	}
	if s := Borrow(); len(s.B) != 0 {
		t.Errorf("a borrowed buffer holds %d bytes", len(s.B))
	}
}
