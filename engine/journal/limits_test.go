package journal

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"

	"kingdom/wire"
)

// A file that ends anywhere gives the records before its end, and says whether it ends
// inside one.
func TestSegment_CutAtEveryByte(t *testing.T) {
	records := [][]byte{{1, 2, 3}, {4}, {5, 6}}
	whole := framed(records, 1, testRun)
	ends := []int{HeaderLen}
	for i := range records {
		ends = append(ends, len(framed(records[:i+1], 1, testRun)))
	}
	for n := HeaderLen; n <= len(whole); n++ {
		got, err := readSegment(whole[:n], 1, testRun)
		complete, clean := slices.BinarySearch(ends, n)
		if !clean {
			complete--
		}
		if len(got) != complete || clean != errors.Is(err, io.EOF) || clean == errors.Is(err, ErrTorn) {
			t.Errorf("cut after %d bytes: %d records, %v; want %d, clean end %v", n, len(got), err, complete, clean)
		}
	}
	for n := range HeaderLen {
		var corrupt *CorruptError
		if _, err := readSegment(whole[:n], 1, testRun); !errors.As(err, &corrupt) {
			t.Errorf("a header of %d bytes: %v", n, err)
		}
	}
}

// A length that no writer writes is damage, whatever its checksum says.
func TestSegment_LengthOutOfRange(t *testing.T) {
	for _, length := range []uint32{0, maxRecord + 1, ^uint32(0)} {
		b := AppendHeader(nil, 1, testRun)
		b = append(b, byte(length>>24), byte(length>>16), byte(length>>8), byte(length))
		sum := placeSum(1, 0, length)
		b = append(b, byte(sum>>24), byte(sum>>16), byte(sum>>8), byte(sum))
		var corrupt *CorruptError
		if _, err := readSegment(append(b, make([]byte, 8)...), 1, testRun); !errors.As(err, &corrupt) || corrupt.Offset != HeaderLen {
			t.Errorf("length %d: %v", length, err)
		}
	}
}

// The longest record is 64 MiB: where the file holds less of it, it is torn.
func TestSegment_LongestRecord(t *testing.T) {
	b := AppendHeader(nil, 1, testRun)
	b = binary.BigEndian.AppendUint32(b, 1<<26)
	b = binary.BigEndian.AppendUint32(b, placeSum(1, 0, 1<<26))
	if _, err := readSegment(append(b, make([]byte, 8)...), 1, testRun); !errors.Is(err, ErrTorn) {
		t.Errorf("got %v", err)
	}
}

// The bytes of a segment as docs and other readers have them: CRC32C over big-endian numbers.
func TestSegment_Golden(t *testing.T) {
	const want = "4b4a4e4c" + "0001" + "00000002" + "0100000000000000000000000000000000000000000000000000000000000000" + "d3daf307" +
		"00000003" + "308419d4" + "01" + "6869" + "c1d99f14"
	got := hex.EncodeToString(AppendRecord(AppendHeader(nil, 2, testRun), 2, 0, kindA, bytesOf("hi")))
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Records that are lost, doubled, swapped or from another segment are damage, although each is whole and has the same
// length.
func TestSegment_LostDoubledOrSwappedRecordIsDamage(t *testing.T) {
	frame := func(segment uint32, ordinal uint64) []byte {
		return AppendRecord(nil, segment, ordinal, kindA, bytesOf("same"))
	}
	for name, tc := range map[string]struct {
		records [][]byte
		good    int
	}{
		"lost":            {[][]byte{frame(1, 0), frame(1, 2)}, 1},
		"doubled":         {[][]byte{frame(1, 0), frame(1, 0)}, 1},
		"swapped":         {[][]byte{frame(1, 1), frame(1, 0)}, 0},
		"another segment": {[][]byte{frame(1, 0), frame(2, 1)}, 1},
	} {
		var corrupt *CorruptError
		got, err := readSegment(slices.Concat(append([][]byte{AppendHeader(nil, 1, testRun)}, tc.records...)...), 1, testRun)
		if !errors.As(err, &corrupt) || corrupt.Record != uint64(tc.good) || len(got) != tc.good {
			t.Errorf("%s: %d records, %v", name, len(got), err)
		}
	}
}

// The header tells what is wrong with it.
func TestSegment_Header(t *testing.T) {
	good := AppendHeader(nil, 1, testRun)
	changed := func(at int) []byte {
		b := slices.Clone(good[:HeaderLen-4])
		b[at]++
		return binary.BigEndian.AppendUint32(b, checksum(b))
	}
	for name, tc := range map[string]struct {
		b         []byte
		what, got string
	}{
		"newer":       {changed(5), "journal version", "2"},
		"another run": {AppendHeader(nil, 1, wire.Hash{9}), "file fuzzed", "of another scenario, seed or physics"},
	} {
		var mismatch *MismatchError
		if _, err := readSegment(tc.b, 1, testRun); !errors.As(err, &mismatch) || mismatch.What != tc.what || mismatch.Got != tc.got {
			t.Errorf("%s: %v", name, err)
		}
	}
	var corrupt *CorruptError
	if _, err := readSegment(changed(0), 1, testRun); !errors.As(err, &corrupt) {
		t.Errorf("no journal at all: %v", err)
	}
	const swapped = "it is another file of this run, number 2, under this name"
	if _, err := readSegment(AppendHeader(nil, 2, testRun), 1, testRun); !errors.As(err, &corrupt) || corrupt.Reason != swapped {
		t.Errorf("a segment in the place of another: %v", err)
	}
}

// What nobody waits for is written once enough of it is there, and at the latest on Close.
func TestWriter_WritesInGroups(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w, err := Open(dir, testRun, 1)
		if err != nil {
			t.Fatal(err)
		}
		size := func() int64 {
			synctest.Wait()
			info, err := os.Stat(filepath.Join(dir, SegmentName(1)))
			if err != nil {
				t.Fatal(err)
			}
			return info.Size()
		}
		put := func(body int) int64 {
			if err := w.Put(kindA, bytesOf(string(make([]byte, body)))); err != nil {
				t.Fatal(err)
			}
			return size()
		}
		const frame = prefixLen + 1 + 4
		if got := put(100); got != HeaderLen {
			t.Errorf("a small record was written at once: %d bytes", got)
		}
		if got := put(lazyBytes - 100 - 2*frame - 1); got != HeaderLen {
			t.Errorf("one byte less than a group was written: %d bytes", got)
		}
		if got := put(0); got != HeaderLen+lazyBytes-1+frame {
			t.Errorf("a group was not written: %d bytes", got)
		}
		if got := put(lazyBytes - frame); got != HeaderLen+2*lazyBytes-1+frame {
			t.Errorf("a record as large as a group was not written: %d bytes", got)
		}
		before := put(7)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got := size(); got != before+7+frame {
			t.Errorf("close wrote %d bytes", got-before)
		}
		if err := w.Put(kindA, bytesOf("late")); err == nil {
			t.Error("a closed journal takes records")
		}
	})
}

// Segments are numbered without a gap; other files are ignored.
// In a synctest bubble a call that waits for ever fails the test.
func TestWriter_AfterClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, err := Open(t.TempDir(), testRun, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		body := func(b []byte) []byte { return append(b, 1) }
		if w.Put(1, body) == nil || w.PutSync(1, body) == nil || w.Sync() == nil {
			t.Error("a closed writer took a record, or said that it is on disk")
		}
	})
}

func TestSegments_IgnoresOtherFiles(t *testing.T) {
	dir, _ := writeJournal(t)
	for _, name := range []string{"notes.txt", "x.kj", "000002.kj.bak", "000004", "00000a.kj", "4294967296.kj"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := Segments(dir); err != nil || !slices.Equal(list, []uint32{1, 2, 3}) {
		t.Errorf("%v, %v", list, err)
	}
	if list, err := Segments(filepath.Join(dir, "none")); err != nil || len(list) != 0 {
		t.Errorf("no directory: %v, %v", list, err)
	}
	if n, err := Check(dir, testRun, discard); err != nil || n != 3 {
		t.Errorf("check: %d, %v", n, err)
	}
}

// A check leaves a torn journal as it is.
func TestCheck_ChangesNothing(t *testing.T) {
	dir, records := writeJournal(t)
	if err := os.Remove(filepath.Join(dir, SegmentName(3))); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, SegmentName(2))
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, info.Size()-2); err != nil {
		t.Fatal(err)
	}
	warned := 0
	if n, err := Check(dir, testRun, func(string) { warned++ }); err != nil || n != 2 || warned != 1 {
		t.Errorf("%d, %v, %d warnings", n, err, warned)
	}
	if after, _ := os.Stat(path); after.Size() != info.Size()-2 {
		t.Errorf("%d bytes are left of %d", after.Size(), info.Size()-2)
	}
	if n := countRecords(t, dir); n != records-1 {
		t.Errorf("%d records are read, want %d", n, records-1)
	}
}
