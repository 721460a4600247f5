package history_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/klauspost/compress/s2"
	"github.com/vmihailenco/msgpack/v5"
	"pgregory.net/rapid"

	"kingdom/sql/history"
)

// stored is the words of a generation as a store has them.
type stored [][]byte

func (s *stored) take(t testing.TB, w *history.Words) {
	t.Helper()
	first, blocks := w.Blocks()
	if len(blocks) > 0 && first != len(*s) {
		t.Fatalf("the next block is %d, want %d", first, len(*s))
	}
	*s = append(*s, blocks...)
}

func (s stored) word(_, n uint64) ([]byte, error) {
	if n/history.WordsPerBlock >= uint64(len(s)) {
		return nil, fmt.Errorf("no block for word %d", n)
	}
	b, err := history.ReadWords(s[n/history.WordsPerBlock])
	if err != nil {
		return nil, err
	}
	return b.Word(int(n % history.WordsPerBlock))
}

// A packed value is read back whatever it is, and what earlier versions wrote is read as it stands.
func TestValue_RoundTrip(t *testing.T) {
	w, s := history.NewWords(7), stored{}
	rapid.Check(t, func(t *rapid.T) {
		raw := bytes.Repeat(rapid.SliceOf(rapid.Byte()).Draw(t, "raw"), rapid.IntRange(1, 9).Draw(t, "times"))
		before := []byte("before")
		b := w.AppendPacked(before, raw)
		if rapid.Bool().Draw(t, "dense") {
			b = w.AppendDense(before, raw)
		}
		if first, blocks := w.Blocks(); len(blocks) > 0 && first == len(s) {
			s = append(s, blocks...)
		}
		got, err := history.UnpackValue(b[len(before):], s.word)
		if err != nil || !bytes.Equal(got, raw) || !bytes.HasPrefix(b, before) {
			t.Fatalf("%x becomes %x, read as %x: %v", raw, b, got, err)
		}
	})
	plain := append([]byte{0x82}, "a map of an earlier version"...)
	if got, err := history.UnpackValue(plain, nil); err != nil || !bytes.Equal(got, plain) {
		t.Errorf("plain: %q, %v", got, err)
	}
	block := s2.Encode(nil, plain)
	earlier := append(binary.LittleEndian.AppendUint32([]byte{2}, crc32.Checksum(block, crc32.MakeTable(crc32.Castagnoli))), block...)
	if got, err := history.UnpackValue(earlier, nil); err != nil || !bytes.Equal(got, plain) || !history.IsPacked(earlier) {
		t.Errorf("packed by an earlier version: %q, %v", got, err)
	}
}

// every holds an element of each kind that MessagePack has for what agents remember.
func every(n int) map[string]any {
	long, longer := strings.Repeat("l", 300), strings.Repeat("L", 70_000)
	list := make([]int, 20)
	big := map[string]int{}
	for i := range 20 {
		big[fmt.Sprint("key", i)] = i
	}
	return map[string]any{
		"small": 5, "negative": -3, "u8": uint8(200), "u16": uint16(60_000), "u32": uint32(1 << 30), "u64": uint64(1 << 60),
		"i8": int8(-100), "i16": int16(-30_000), "i32": int32(-1 << 30), "i64": int64(-1 << 60), "f32": float32(0.5), "f64": 0.25,
		"nil": nil, "true": true, "false": false, "short": "s", "text": "a text of some length", "bytes": bytes.Repeat([]byte{7}, 32), "long": long, "long bytes": []byte(long),
		"longer": longer, "longer bytes": []byte(longer), "list": list, "map": big, "many": make([]string, 70_000), "own": fmt.Sprint("text of ", n),
	}
}

// Values of one kind share their words, across flushes and after a reopen.
func TestWords_AreSharedAcrossFlushesAndReopen(t *testing.T) {
	w, s := history.NewWords(7), stored{}
	var packed, plain [][]byte
	put := func(n int) {
		raw, err := msgpack.Marshal(every(n))
		if err != nil {
			t.Fatal(err)
		}
		plain, packed = append(plain, raw), append(packed, w.AppendPacked(nil, raw))
		plain, packed = append(plain, raw), append(packed, w.AppendDense(nil, raw))
	}
	put(0)
	s.take(t, w)
	size := len(bytes.Join(s, nil))
	if size < 100 || len(s) != 1 {
		t.Fatalf("%d blocks of %d bytes", len(s), size)
	}
	put(1)
	s.take(t, w)
	if more := len(bytes.Join(s, nil)) - size; more > 60 || len(s) != 2 {
		t.Errorf("one new text makes %d more bytes of words in %d blocks", more, len(s))
	}
	w = history.NewWords(7)
	for _, b := range s {
		if err := w.Load(b); err != nil {
			t.Fatal(err)
		}
	}
	put(1)
	s.take(t, w)
	if len(s) != 2 {
		t.Errorf("loaded words are stored again: %d blocks", len(s))
	}
	for i := range history.WordsPerBlock + 5 {
		put2, err := msgpack.Marshal(fmt.Sprint("text number ", i))
		if err != nil {
			t.Fatal(err)
		}
		plain, packed = append(plain, append([]byte{0x91}, put2...)), append(packed, w.AppendPacked(nil, append([]byte{0x91}, put2...)))
	}
	put(3)
	s.take(t, w)
	if len(s) != 4 {
		t.Errorf("%d blocks, want 4", len(s))
	}
	for i := range packed {
		got, err := history.UnpackValue(packed[i], s.word)
		if err != nil || !bytes.Equal(got, plain[i]) {
			t.Fatalf("value %d is not read back: %v", i, err)
		}
	}
	for _, b := range packed[:2] {
		if g, ok := history.GenerationOf(b); g != 7 || !ok || !history.IsPacked(b) {
			t.Errorf("%x…: generation %d, %v", b[0], g, ok)
		}
	}
	if _, ok := history.GenerationOf([]byte{0x82, 1, 1, 1, 1, 1}); ok {
		t.Error("a plain value has a generation")
	}
	if len(packed[2]) > 1200 {
		t.Errorf("%d bytes become %d", len(plain[2]), len(packed[2]))
	}
}

// A list of numbers takes less space in the dense form.
func TestValue_DensePackingSavesSpace(t *testing.T) {
	var list []int
	for i := range 2000 {
		list = append(list, i*i%1009)
	}
	raw, err := msgpack.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	w := history.NewWords(7)
	if packed, dense := len(w.AppendPacked(nil, raw)), len(w.AppendDense(nil, raw)); 10*dense > 9*packed {
		t.Errorf("%d bytes become %d, packed densely %d", len(raw), packed, dense)
	}
}

// UnpackValue names what is wrong with a value.
func TestValue_Refuses(t *testing.T) {
	w, s := history.NewWords(7), stored{}
	raw, err := msgpack.Marshal(every(0))
	if err != nil {
		t.Fatal(err)
	}
	good := w.AppendPacked(nil, raw)
	s.take(t, w)
	other := history.NewWords(7)
	other.AppendPacked(nil, []byte{0x91, 0xa5, 'o', 't', 'h', 'e', 'r'})
	_, few := other.Blocks()
	for name, c := range map[string]struct {
		change func(b []byte) []byte
		words  stored
		want   string
	}{
		"cut":      {func(b []byte) []byte { return b[:len(b)-1] }, s, "checksum differs"},
		"short":    {func(b []byte) []byte { return b[:3] }, s, "checksum differs"},
		"flipped":  {func(b []byte) []byte { b[len(b)-1] ^= 1; return b }, s, "checksum differs"},
		"newer":    {func(b []byte) []byte { b[0] = 5; return b }, s, "its format is 5, this program reads 2 to 4"},
		"no words": {func(b []byte) []byte { return b }, nil, "no block for word 0"},
		"other":    {func(b []byte) []byte { return b }, few, "not the 2-th"},
		"dense":    {func(b []byte) []byte { b[0] = 4; return b }, s, "unpack: invalid input"},
	} {
		if _, err := history.UnpackValue(c.change(bytes.Clone(good)), c.words.word); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want …%s…", name, err, c.want)
		}
	}
}

// FuzzValue reads values that nobody wrote; what can be read is packed and read alike.
func FuzzValue(f *testing.F) {
	words := func(_, n uint64) ([]byte, error) {
		if n > 9 {
			return nil, fmt.Errorf("no word %d", n)
		}
		return []byte{0xa6, 'w', 'o', 'r', 'd', ' ', '0' + byte(n)}, nil
	}
	w := history.NewWords(1)
	f.Add(w.AppendPacked(nil, []byte(strings.Repeat("known ", 20))))
	f.Add(w.AppendDense(nil, append([]byte{0x98}, strings.Repeat("\xa7unknown", 9)...)))
	f.Add(w.AppendPacked(nil, append([]byte{0x98}, strings.Repeat("\xa7unknown", 8)...)))
	packed := w.AppendPacked(nil, append([]byte{0x98}, strings.Repeat("\xa7unknown", 8)...))
	f.Add(packed[:len(packed)-1]) // cut short
	f.Add(append(packed, 1))      // too long
	f.Fuzz(func(t *testing.T, b []byte) {
		raw, err := history.UnpackValue(b, words)
		if err != nil {
			return
		}
		w, s := history.NewWords(1), stored{}
		again := w.AppendPacked(nil, raw)
		s.take(t, w)
		if again, err := history.UnpackValue(again, s.word); err != nil || !bytes.Equal(again, raw) {
			t.Fatalf("%x, again %x: %v", raw, again, err)
		}
	})
}
