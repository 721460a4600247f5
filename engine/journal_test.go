package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"kingdom/llm"
	"kingdom/wire"
)

var testRun = RunRow{Scenario: "test", Digest: wire.Hash{1}, Seed: "42", Physics: Physics}

// writeJournal makes a journal of two segments: a thought, an input and a tick
// record per tick, and a cycle record at the end of each segment.
func writeJournal(t *testing.T) (dir string, records int) {
	t.Helper()
	dir = t.TempDir()
	j, err := openJournal(dir, testRun.digest(), 1)
	if err != nil {
		t.Fatal(err)
	}
	put := func(kind recordKind, sync bool, body func([]byte) []byte) {
		if sync {
			err = j.putSync(kind, body)
		} else {
			err = j.put(kind, body)
		}
		if err != nil {
			t.Fatal(err)
		}
		records++
	}
	for c := range wire.Cycle(2) {
		for tick := wire.Tick(c); tick <= wire.Tick(c); tick++ {
			in := inputRecord{Seq: uint64(tick + 1), Tick: tick, Kind: uint8(InputWake), Agent: wire.AgentID{7}}
			put(recordInput, true, func(b []byte) []byte { return inputCodec.Append(b, &in) })
			key := thoughtKey{wire.AgentID{7}, tick, "act", 0}
			r := newThoughtRecord(key, &llm.Thought{Outcome: llm.Answered, Text: []byte("hello")})
			put(recordThought, true, func(b []byte) []byte { return thoughtCodec.Append(b, &r) })
			rec := tickRecord{Tick: tick, Seats: []byte("12345678")}
			put(recordTick, false, func(b []byte) []byte { return tickCodec.Append(b, &rec) })
		}
		r := newCycleRecord(&CycleRow{Cycle: c, Tick: wire.Tick(c)}, wire.Hash{byte(c)})
		put(recordCycle, false, func(b []byte) []byte { return cycleCodec.Append(b, &r) })
		j.next()
	}
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
	return dir, records
}

func discard(string) {}

func TestJournal_ReadsBackInOrder(t *testing.T) {
	dir, _ := writeJournal(t)
	h, err := openHistory(dir, testRun.digest())
	if err != nil {
		t.Fatal(err)
	}
	for c := range wire.Cycle(2) {
		for tick := wire.Tick(c); tick <= wire.Tick(c); tick++ {
			if due, ok := h.due(); !ok || due != tick {
				t.Fatalf("tick %d: input due at %d, %v", tick, due, ok)
			}
			if in, err := h.takeInput(); err != nil || in.Seq != uint64(tick+1) {
				t.Fatalf("tick %d: input %+v, %v", tick, in, err)
			}
			got := map[thoughtKey]thoughtRecord{}
			if err := h.readThoughts(tick, got); err != nil || len(got) != 1 {
				t.Fatalf("tick %d: thoughts %v, %v", tick, got, err)
			}
			if r, ok, err := h.takeTick(tick); err != nil || !ok || r.Tick != tick {
				t.Fatalf("tick %d: record %+v, %v, %v", tick, r, ok, err)
			}
		}
		if r, ok, err := h.takeCycle(c); err != nil || !ok || r.Thoughts != (wire.Hash{byte(c)}) {
			t.Fatalf("cycle %d: record %+v, %v, %v", c, r, ok, err)
		}
	}
	if !h.over() {
		t.Error("history goes on")
	}
}

func TestJournal_SkipsToCycle(t *testing.T) {
	dir, _ := writeJournal(t)
	h, err := openHistory(dir, testRun.digest())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.skip(0); err != nil {
		t.Fatal(err)
	}
	if due, ok := h.due(); !ok || due != 1 {
		t.Errorf("after cycle 0 an input is due at %d, %v; want 1", due, ok)
	}
	if _, err := h.skip(9); err == nil || !strings.Contains(err.Error(), "cycle 9") {
		t.Errorf("skip past the end: %v", err)
	}
}

// Whatever byte is flipped, reading names file, record and offset; it never passes
// for a torn end.
func TestJournal_FlippedByteIsNamed(t *testing.T) {
	dir, _ := writeJournal(t)
	if err := os.Remove(filepath.Join(dir, segmentName(3))); err != nil { // empty; without it segment 2 is the last
		t.Fatal(err)
	}
	for _, n := range []uint32{1, 2} {
		path := filepath.Join(dir, segmentName(n))
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
			_, err := checkJournal(dir, testRun.digest(), true, func(msg string) { t.Errorf("byte %d: %s", i, msg) })
			var corrupt *CorruptError
			var mismatch *MismatchError
			switch {
			case errors.As(err, &corrupt):
				if corrupt.File != path || corrupt.Offset > int64(i) {
					t.Fatalf("byte %d of segment %d: %v", i, n, err)
				}
			case errors.As(err, &mismatch) && i < headerLen:
			default:
				t.Fatalf("byte %d of segment %d: %v", i, n, err)
			}
		}
		if err := os.WriteFile(path, good, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestJournal_TornLastRecordIsCut(t *testing.T) {
	for _, tc := range []struct {
		name string
		cut  int64 // bytes removed from the end
		warn bool
	}{{"whole", 0, false}, {"one byte", 1, true}, {"checksum", 4, true}, {"nearly all", 40, true}} {
		t.Run(tc.name, func(t *testing.T) {
			dir, records := writeJournal(t)
			if err := os.Remove(filepath.Join(dir, segmentName(3))); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, segmentName(2))
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(path, info.Size()-tc.cut); err != nil {
				t.Fatal(err)
			}
			warned := ""
			if _, err := checkJournal(dir, testRun.digest(), true, func(m string) { warned = m }); err != nil {
				t.Fatal(err)
			}
			if (warned != "") != tc.warn {
				t.Errorf("warning %q", warned)
			}
			if n := countRecords(t, dir); n != records && !tc.warn || tc.warn && n != records-1 {
				t.Errorf("%d records are left of %d", n, records)
			}
			warned = ""
			if _, err := checkJournal(dir, testRun.digest(), true, func(m string) { warned = m }); err != nil || warned != "" {
				t.Errorf("second check: %v, %q", err, warned)
			}
		})
	}
}

func TestJournal_TornInTheMiddleIsCorrupt(t *testing.T) {
	dir, _ := writeJournal(t)
	path := filepath.Join(dir, segmentName(1))
	info, _ := os.Stat(path)
	if err := os.Truncate(path, info.Size()-3); err != nil {
		t.Fatal(err)
	}
	var corrupt *CorruptError
	if _, err := checkJournal(dir, testRun.digest(), true, discard); !errors.As(err, &corrupt) || corrupt.File != path {
		t.Errorf("check: %v", err)
	}
}

func TestJournal_MissingSegmentIsNamed(t *testing.T) {
	dir, _ := writeJournal(t)
	if err := os.Remove(filepath.Join(dir, segmentName(1))); err != nil {
		t.Fatal(err)
	}
	if _, err := checkJournal(dir, testRun.digest(), true, discard); err == nil || !strings.Contains(err.Error(), segmentName(1)) {
		t.Errorf("check: %v", err)
	}
}

func TestJournal_OfAnotherRunIsRefused(t *testing.T) {
	dir, _ := writeJournal(t)
	other := testRun
	other.Seed = "43"
	var mismatch *MismatchError
	if _, err := checkJournal(dir, other.digest(), true, discard); !errors.As(err, &mismatch) {
		t.Errorf("check: %v", err)
	}
}

// Many writers at once: all records are there, and each is on disk when putSync returns.
func TestJournal_GroupCommit(t *testing.T) {
	dir := t.TempDir()
	j, err := openJournal(dir, testRun.digest(), 1)
	if err != nil {
		t.Fatal(err)
	}
	const writers, each = 50, 20
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				r := tickRecord{Tick: wire.Tick(w*each + i)}
				if err := j.putSync(recordTick, func(b []byte) []byte { return tickCodec.Append(b, &r) }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := countRecords(t, dir); n != writers*each {
		t.Errorf("%d records on disk before close, want %d", n, writers*each)
	}
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
}

// A failed write leaves a journal that reads cleanly, and every writer hears of it.
func TestJournal_FailedWriteIsSticky(t *testing.T) {
	dir := t.TempDir()
	j, err := openJournal(dir, testRun.digest(), 1)
	if err != nil {
		t.Fatal(err)
	}
	r := tickRecord{Tick: 1}
	body := func(b []byte) []byte { return tickCodec.Append(b, &r) }
	if err := j.putSync(recordTick, body); err != nil {
		t.Fatal(err)
	}
	j.file.Close() // as if the disk had gone
	if err := j.putSync(recordTick, body); err == nil {
		t.Fatal("a write to a closed file succeeded")
	}
	if err := j.put(recordTick, body); err == nil {
		t.Error("the error is not sticky")
	}
	_ = j.close()
	if n := countRecords(t, dir); n != 1 {
		t.Errorf("%d records, want 1", n)
	}
}

func countRecords(t *testing.T, dir string) (n int) {
	t.Helper()
	h, err := openHistory(dir, testRun.digest())
	if err != nil {
		t.Fatal(err)
	}
	for ; !h.over(); n++ {
		if err := h.advance(); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

func BenchmarkJournal(b *testing.B) {
	for _, writers := range []int{1, 100} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			j, err := openJournal(b.TempDir(), testRun.digest(), 1)
			if err != nil {
				b.Fatal(err)
			}
			r := newThoughtRecord(thoughtKey{purpose: "act"}, &llm.Thought{Text: make([]byte, 400)})
			b.SetParallelism(writers / 2)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if err := j.putSync(recordThought, func(dst []byte) []byte { return thoughtCodec.Append(dst, &r) }); err != nil {
						b.Error(err)
					}
				}
			})
			if err := j.close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// A cycle's flusher may wait for a sync while the engine begins a new segment.
func TestJournal_NextSegmentBesideSyncs(t *testing.T) {
	j, err := openJournal(t.TempDir(), testRun.digest(), 1)
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
				if err := j.sync(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 100 {
		if err := j.put(recordTick, func(b []byte) []byte { return append(b, make([]byte, lazyBytes)...) }); err != nil {
			t.Error(err)
			break
		}
		j.next()
	}
	close(stop)
	wg.Wait()
	if err := j.close(); err != nil {
		t.Error(err)
	}
}
