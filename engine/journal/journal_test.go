package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"kingdom/wire"
)

var testRun = wire.Hash{1}

// Kinds of the records that the tests write.
const (
	kindA Kind = iota + 1
	kindB
)

// bytesOf is a body that says b.
func bytesOf(b string) func([]byte) []byte {
	return func(dst []byte) []byte { return append(dst, b...) }
}

// writeJournal makes a journal of two segments of four records, some of them synced, and an empty
// third.
func writeJournal(t *testing.T) (dir string, records int) {
	t.Helper()
	dir = t.TempDir()
	w, err := Open(dir, testRun, 1)
	if err != nil {
		t.Fatal(err)
	}
	for segment := range 2 {
		for i := range 4 {
			put := w.Put
			if i%2 == 0 {
				put = w.PutSync
			}
			if err := put(kindA+Kind(i%2), bytesOf(fmt.Sprintf("segment %d record %d of some length", segment, i))); err != nil {
				t.Fatal(err)
			}
			records++
		}
		w.Next()
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, records
}

func discard(string) {}

func TestReader_ReadsBackInOrder(t *testing.T) {
	dir, _ := writeJournal(t)
	r, err := NewReader(dir, testRun)
	if err != nil {
		t.Fatal(err)
	}
	for segment := range 2 {
		for i := range 4 {
			kind, body, err := r.Next()
			if want := fmt.Sprintf("segment %d record %d of some length", segment, i); err != nil || kind != kindA+Kind(i%2) || string(body) != want {
				t.Fatalf("%d %q, %v; want %q", kind, body, err, want)
			}
		}
	}
	for range 2 {
		if _, _, err := r.Next(); !errors.Is(err, io.EOF) {
			t.Errorf("at the end: %v", err)
		}
	}
}

// Whatever byte is flipped, reading names file, record and offset; it never passes
// for a torn end.
func TestWriter_FlippedByteIsNamed(t *testing.T) {
	dir, _ := writeJournal(t)
	if err := os.Remove(filepath.Join(dir, SegmentName(3))); err != nil { // empty; without it segment 2 is the last
		t.Fatal(err)
	}
	for _, n := range []uint32{1, 2} {
		path := filepath.Join(dir, SegmentName(n))
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range good {
			bad := append([]byte(nil), good...)
			bad[i] ^= 0x40
			if err := os.WriteFile(path, bad, 0o666); err != nil {
				t.Fatal(err)
			}
			_, err := Check(dir, testRun, func(msg string) { t.Errorf("byte %d: %s", i, msg) })
			var corrupt *CorruptError
			if !errors.As(err, &corrupt) || corrupt.File != path || corrupt.Offset > int64(i) {
				t.Fatalf("byte %d of segment %d: %v", i, n, err)
			}
		}
		if err := os.WriteFile(path, good, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWriter_TornLastRecordIsCut(t *testing.T) {
	for _, tc := range []struct {
		name string
		cut  int64 // bytes removed from the end
		warn bool
	}{{"whole", 0, false}, {"one byte", 1, true}, {"checksum", 4, true}, {"nearly all", 40, true}} {
		t.Run(tc.name, func(t *testing.T) {
			dir, records := writeJournal(t)
			if err := os.Remove(filepath.Join(dir, SegmentName(3))); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, SegmentName(2))
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(path, info.Size()-tc.cut); err != nil {
				t.Fatal(err)
			}
			warned := ""
			if _, err := RemoveTorn(dir, testRun, func(m string) { warned = m }); err != nil {
				t.Fatal(err)
			}
			want := ""
			if tc.warn {
				frame := int64(prefixLen + 1 + len("segment 1 record 3 of some length") + 4)
				want = fmt.Sprintf("journal %s: record 3 at offset %d is incomplete; its %d bytes are removed", path, HeaderLen+3*frame, frame-tc.cut)
			}
			if warned != want {
				t.Errorf("warning %q, want %q", warned, want)
			}
			if n := countRecords(t, dir); n != records && !tc.warn || tc.warn && n != records-1 {
				t.Errorf("%d records are left of %d", n, records)
			}
			warned = ""
			if _, err := RemoveTorn(dir, testRun, func(m string) { warned = m }); err != nil || warned != "" {
				t.Errorf("second check: %v, %q", err, warned)
			}
		})
	}
}

func TestCheck_TornSegmentBeforeTheLastIsCorrupt(t *testing.T) {
	dir, _ := writeJournal(t)
	path := filepath.Join(dir, SegmentName(1))
	info, _ := os.Stat(path)
	if err := os.Truncate(path, info.Size()-3); err != nil {
		t.Fatal(err)
	}
	var corrupt *CorruptError
	if _, err := Check(dir, testRun, discard); !errors.As(err, &corrupt) || corrupt.File != path {
		t.Errorf("check: %v", err)
	}
	r, err := NewReader(dir, testRun)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for err == nil {
		_, _, err = r.Next()
	}
	if corrupt = nil; !errors.As(err, &corrupt) || corrupt.File != path {
		t.Errorf("read: %v", err)
	}
}

func TestRemoveTorn_NothingToCut(t *testing.T) {
	if last, err := RemoveTorn(t.TempDir(), testRun, discard); last != 0 || err != nil {
		t.Errorf("without a journal: %d, %v", last, err)
	}
	dir, _ := writeJournal(t)
	var other *MismatchError
	if _, err := RemoveTorn(dir, wire.Hash{9}, discard); !errors.As(err, &other) {
		t.Errorf("of another run: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, SegmentName(1))); err != nil {
		t.Fatal(err)
	}
	if _, err := RemoveTorn(dir, testRun, discard); err == nil {
		t.Error("a lost segment was not noticed")
	}
}

func TestWriter_MissingSegmentIsNamed(t *testing.T) {
	dir, _ := writeJournal(t)
	if err := os.Remove(filepath.Join(dir, SegmentName(1))); err != nil {
		t.Fatal(err)
	}
	if _, err := Check(dir, testRun, discard); err == nil || !strings.Contains(err.Error(), SegmentName(1)) {
		t.Errorf("check: %v", err)
	}
}

func TestCheck_RefusesJournalOfAnotherRun(t *testing.T) {
	dir, _ := writeJournal(t)
	other := wire.Hash{2}
	var mismatch *MismatchError
	if _, err := Check(dir, other, discard); !errors.As(err, &mismatch) {
		t.Errorf("check: %v", err)
	}
}

// Many writers at once: all records are there, and each is on disk when putSync returns.
func TestWriter_GroupCommit(t *testing.T) {
	dir := t.TempDir()
	w, err := Open(dir, testRun, 1)
	if err != nil {
		t.Fatal(err)
	}
	const writers, each = 50, 20
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			for range each {
				if err := w.PutSync(kindA, bytesOf("hello")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := countRecords(t, dir); n != writers*each {
		t.Errorf("%d records on disk before close, want %d", n, writers*each)
	}
	info, err := os.Stat(filepath.Join(dir, SegmentName(1)))
	w.mu.Lock()
	if err != nil || info.Size() != w.length { // to which a failed write is cut back
		t.Errorf("the file has %d bytes, the writer counts %d, %v", info.Size(), w.length, err)
	}
	w.mu.Unlock()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// A failed write leaves a journal that reads cleanly, and every writer hears of it.
func TestWriter_FailedWriteIsSticky(t *testing.T) {
	dir := t.TempDir()
	w, err := Open(dir, testRun, 1)
	if err != nil {
		t.Fatal(err)
	}
	body := bytesOf("hello")
	if err := w.PutSync(kindA, body); err != nil {
		t.Fatal(err)
	}
	w.file.Close() // as if the disk had gone
	if err := w.PutSync(kindA, body); err == nil {
		t.Fatal("a write to a closed file succeeded")
	}
	if err := w.Put(kindA, body); err == nil {
		t.Error("the error is not sticky")
	}
	_ = w.Close()
	if n := countRecords(t, dir); n != 1 {
		t.Errorf("%d records, want 1", n)
	}
}

// If the next segment cannot be created, the next write returns the error.
func TestWriter_FailureToCreateSegmentIsReportedByPut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "journal")
	w, err := Open(dir, testRun, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	w.Next()
	if err := w.Put(kindA, bytesOf("lost")); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "create journal segment") {
		t.Errorf("got %v", err)
	}
	_ = w.Close()
}

func countRecords(t *testing.T, dir string) (n int) {
	t.Helper()
	r, err := NewReader(dir, testRun)
	if err != nil {
		t.Fatal(err)
	}
	for {
		_, _, err := r.Next()
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
}

func BenchmarkWriter(b *testing.B) {
	for _, writers := range []int{1, 100} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			w, err := Open(b.TempDir(), testRun, 1)
			if err != nil {
				b.Fatal(err)
			}
			body := bytesOf(strings.Repeat("x", 600))
			b.SetParallelism(writers / 2)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if err := w.PutSync(kindA, body); err != nil {
						b.Error(err)
					}
				}
			})
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// The engine may begin a new segment while a flush waits for a sync.
func TestWriter_NextWhileSyncing(t *testing.T) {
	w, err := Open(t.TempDir(), testRun, 1)
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := w.Sync(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 100 {
		if err := w.Put(kindA, func(b []byte) []byte { return append(b, make([]byte, lazyBytes)...) }); err != nil {
			t.Error(err)
			break
		}
		w.Next()
	}
	close(stop)
	wg.Wait()
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// A record that the reader would refuse is not written.
func TestWriter_RefusesRecordLargerThanReaderLimit(t *testing.T) {
	dir := t.TempDir()
	w, err := Open(dir, testRun, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Put(kindA, bytesOf("first")); err != nil {
		t.Fatal(err)
	}
	large := make([]byte, maxRecord-prefixLen-1-4)
	for _, tc := range []struct {
		more int
		want string
	}{{0, ""}, {1, "a record of 67108865 bytes is larger than 67108864"}} {
		err := w.Put(kindA, func(dst []byte) []byte { return append(append(dst, large...), make([]byte, tc.more)...) })
		if got := fmt.Sprint(err); (err == nil) != (tc.want == "") || !strings.Contains(got, tc.want) {
			t.Errorf("%d bytes more than fit: %v, want %q", tc.more, err, tc.want)
		}
	}
	if err := w.PutSync(kindA, bytesOf("small")); err != nil {
		t.Errorf("after the refusal: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if n := countRecords(t, dir); n != 3 {
		t.Errorf("%d records, want 3", n)
	}
}
