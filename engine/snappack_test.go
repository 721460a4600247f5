package engine

import (
	"bytes"
	"strings"
	"testing"

	"kingdom/engine/journal"
)

// Whatever the sizes of records, they come out as they went in.
func TestPacker_RoundTrip(t *testing.T) {
	var want [][]byte
	for i, n := range []int{0, 1, 127, 128, packSize - 3, packSize, 3 * packSize, 5} {
		want = append(want, append([]byte{byte(snapRow)}, bytes.Repeat([]byte{byte(i)}, n)...))
	}
	var files [][]byte
	p, err := newPacker(func(kind recordKind, body func([]byte) []byte) error {
		files = append(files, body([]byte{byte(kind)}))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range want {
		if err := p.add(recordKind(r[0]), func(b []byte) []byte { return append(b, r[1:]...) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.flush(); err != nil {
		t.Fatal(err)
	}
	if got := unpacked(t, files); len(files) < 3 || !bytes.Equal(bytes.Join(got, nil), bytes.Join(want, nil)) || len(got) != len(want) {
		t.Errorf("%d records in %d packed ones, want %d", len(got), len(files), len(want))
	}
}

func TestUnpacker_Refuses(t *testing.T) {
	row := []byte{byte(snapRow), 1, 2, 3}
	for _, c := range []struct {
		name, says string
		body       []byte
	}{
		{"packed twice", "contains another packed record", packed(t, packed(t, row))[1:]},
		{"no frame", "unpack records", row},
		{"cut", "unpack records", packed(t, row)[1:12]},
		{"a record that is too long", "claims more bytes than there are", packedText(t, []byte{200, 1, byte(snapRow)})},
		{"a record of nothing", "claims more bytes than there are", packedText(t, []byte{0})},
	} {
		var u unpacker
		err := u.each(c.body, func(journal.Kind, []byte) error { return nil })
		u.close()
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
}

// packedText is the body of a packed record with text in the place of records.
func packedText(t *testing.T, text []byte) []byte {
	t.Helper()
	p, err := newPacker(nil)
	if err != nil {
		t.Fatal(err)
	}
	return p.enc.EncodeAll(text, nil)
}
