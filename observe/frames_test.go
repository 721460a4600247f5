package observe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"kingdom/engine"
	"kingdom/llm/scripted"
)

// TestMain uses the shared compressor once before any test. It creates a channel at its first use, and a channel that is
// created inside a synctest bubble cannot be used by tests outside of it, whatever their order.
func TestMain(m *testing.M) {
	packer().EncodeAll([]byte{'\n'}, nil)
	os.Exit(m.Run())
}

// write adds frames to the think log of dir, one for each text.
func write(t *testing.T, dir string, texts ...string) (path string) {
	t.Helper()
	path = StreamThink.Paths(dir)[1]
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	s, err := openSink(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		_, err := io.WriteString(s.w, text)
		s.setErr(err)
		s.flush()
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// thoughts are the lines of the think log of dir.
func thoughts(t *testing.T, dir string) (out []string) {
	t.Helper()
	for _, l := range lines(t, dir, TailOptions{Streams: []Stream{StreamThink}}) {
		out = append(out, string(l.Raw))
	}
	return out
}

func thought(cycle, tick int) string {
	return fmt.Sprintf(`{"cycle":%d,"tick":%d,"reasoning":"%d"}`, cycle, tick, tick*tick)
}

// Both forms hold the same lines, and other tools can read the compressed one.
func TestLogs_CompressedThinkLogEqualsPlainOne(t *testing.T) {
	packed, plain := t.TempDir(), t.TempDir()
	run(t, packed, scripted.Knobs{MalformedRate: 0.1}, 6)
	runWith(t, plain, scripted.Knobs{MalformedRate: 0.1}, 6, Options{PlainThink: true})
	get := func(dir string) []string { return strip(lines(t, dir, TailOptions{Streams: []Stream{StreamThink}})) }
	if diff := cmp.Diff(get(plain), get(packed)); diff != "" || len(get(plain)) < 100 {
		t.Errorf("%d lines: %s", len(get(plain)), diff)
	}
	f, err := os.ReadFile(StreamThink.Paths(packed)[1])
	if err != nil {
		t.Fatal(err)
	}
	dec, err := zstd.NewReader(bytes.NewReader(f))
	if err != nil {
		t.Fatal(err)
	}
	defer dec.Close()
	all, err := io.ReadAll(dec)
	if err != nil || bytes.Count(all, []byte("\n")) != len(get(packed)) {
		t.Errorf("zstd reads %d lines, want %d: %v", bytes.Count(all, []byte("\n")), len(get(packed)), err)
	}
	if _, err := os.Stat(StreamThink.Path(packed)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a plain file too: %v", err)
	}
	info, err := os.Stat(StreamThink.Path(plain))
	if err != nil || int64(len(f))*5 > info.Size() {
		t.Errorf("%d bytes compressed, %d plain: %v", len(f), info.Size(), err)
	}
}

// A log without lines is a file that zstd tools read, also if the run is resumed.
func TestFrames_LogWithoutLinesIsValid(t *testing.T) {
	dir := t.TempDir()
	for _, texts := range [][]string{nil, nil, {thought(1, 1) + "\n"}} {
		f, err := os.ReadFile(write(t, dir, texts...))
		if err != nil {
			t.Fatal(err)
		}
		dec, err := zstd.NewReader(nil)
		if err != nil {
			t.Fatal(err)
		}
		defer dec.Close()
		if all, err := dec.DecodeAll(f, nil); len(f) == 0 || err != nil || string(all) != strings.Join(texts, "") {
			t.Errorf("%d bytes hold %q: %v", len(f), all, err)
		}
		if got := thoughts(t, dir); len(got) != len(texts) {
			t.Errorf("the log has the lines %q", got)
		}
	}
	s, err := openSink(write(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	s.trim(1, jsonCycle)
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	if got := thoughts(t, dir); len(got) > 0 {
		t.Errorf("trimmed, the log has the lines %q", got)
	}
}

// A process may be killed at any byte of a frame: what was written before is read, and a resumed
// run cuts the rest.
func TestFrames_KilledInTheMiddle(t *testing.T) {
	for _, text := range []string{thought(2, 20) + "\n", strings.Repeat(thought(2, 20)+"\n", 3000), strings.Repeat("x", 300_000) + "\n"} {
		dir := t.TempDir()
		path := write(t, dir, thought(1, 10)+"\n"+thought(1, 11)+"\n")
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, text)
		after, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{thought(1, 10), thought(1, 11)}
		for n := len(before); n < len(after); n += 1 + (len(after)-n)/40 {
			if err := os.WriteFile(path, after[:n], 0o666); err != nil {
				t.Fatal(err)
			}
			if got := thoughts(t, dir); !slices.Equal(got, want) {
				t.Fatalf("killed at byte %d of %d: %q", n, len(after), got)
			}
			s, err := openSink(path)
			if err != nil {
				t.Fatal(err)
			}
			s.trim(2, jsonCycle)
			if _, err := io.WriteString(s.w, thought(2, 20)+"\n"); err != nil {
				t.Fatal(err)
			}
			if err := s.close(); err != nil {
				t.Fatal(err)
			}
			if got := thoughts(t, dir); !slices.Equal(got, append(want, thought(2, 20))) {
				t.Fatalf("resumed after a kill at byte %d of %d: %q", n, len(after), got)
			}
		}
	}
}

// However the lines are split into frames, trimming keeps those before the cycle.
func TestFrames_TrimKeepsLinesBeforeTheCycle(t *testing.T) {
	var all []string
	for i := range 12 {
		all = append(all, thought(i/3, i)+"\n")
	}
	for size := 1; size <= len(all); size++ {
		for c := range uint64(5) {
			dir := t.TempDir()
			var frames []string
			for chunk := range slices.Chunk(all, size) {
				frames = append(frames, strings.Join(chunk, ""))
			}
			s, err := openSink(write(t, dir, frames...))
			if err != nil {
				t.Fatal(err)
			}
			s.trim(c, jsonCycle)
			if err := s.close(); err != nil {
				t.Fatal(err)
			}
			want := strings.Join(all[:min(3*c, 12)], "")
			if got := strings.Join(append(thoughts(t, dir), ""), "\n"); got != want {
				t.Errorf("frames of %d lines cut at cycle %d:\n%swant\n%s", size, c, got, want)
			}
		}
	}
}

// A log that was begun in one form and resumed in the other is read as one, also if both are trimmed.
func TestLogs_MixedPlainAndCompressedReadAsOne(t *testing.T) {
	for _, plainFirst := range []bool{true, false} {
		dir, whole := t.TempDir(), t.TempDir()
		run(t, whole, scripted.Knobs{}, 3)
		runWith(t, dir, scripted.Knobs{}, 3, Options{PlainThink: plainFirst})
		logs, err := Open(dir, "test-42", Options{PlainThink: !plainFirst})
		if err != nil {
			t.Fatal(err)
		}
		logs.trimOnce(2)
		if _, err := io.WriteString(logs.think.w, thought(2, 300)+"\n"); err != nil {
			t.Fatal(err)
		}
		if err := logs.Close(); err != nil {
			t.Fatal(err)
		}
		want := strip(slices.DeleteFunc(lines(t, whole, TailOptions{Streams: []Stream{StreamThink}}), func(l Line) bool { return l.fields.Cycle > 1 }))
		want = append(want, strings.SplitN(thought(2, 300), ",", 2)[1])
		if diff := cmp.Diff(want, strip(lines(t, dir, TailOptions{Streams: []Stream{StreamThink}}))); diff != "" {
			t.Errorf("plain first %v: %s", plainFirst, diff)
		}
	}
}

// Following a compressed stream, lines are shown when their frame is there, also after a resumed run cut the file.
func TestTail_FollowsFrames(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		shown, ended := make(chan string, 10), make(chan error, 1)
		go func() {
			ended <- Tail(ctx, dir, TailOptions{Streams: []Stream{StreamThink}, Follow: true}, func(l Line) error {
				shown <- string(l.Raw)
				return nil
			})
		}()
		want := func(lines ...string) {
			t.Helper()
			for _, l := range lines {
				if got := <-shown; got != l {
					t.Errorf("shown %s, want %s", got, l)
				}
			}
		}
		time.Sleep(time.Second)
		path := write(t, dir, thought(0, 1)+"\n")
		want(thought(0, 1))
		write(t, dir, thought(0, 2)+"\n"+thought(0, 3)+"\n")
		want(thought(0, 2), thought(0, 3))
		if err := os.Truncate(path, 0); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		write(t, dir, thought(0, 4)+"\n")
		want(thought(0, 4))
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("tail ended with %v", err)
		}
	})
}

// A tick's lines reach the file within the time that a flush may take, not only at a cycle's end.
func TestLogs_FrameIsWrittenBeforeTheCycleEnds(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		logs, err := Open(dir, "test", Options{})
		if err != nil {
			t.Fatal(err)
		}
		c := engine.Commit{Seats: []engine.SeatReport{{}}}
		c.Seats[0].Thinks = append(c.Seats[0].Thinks, someThought)
		for range 3 {
			time.Sleep(flushEvery + time.Millisecond)
			logs.Commit(&c)
		}
		if got := thoughts(t, dir); len(got) != 3 {
			t.Errorf("%d lines can be read while the run goes on, want 3", len(got))
		}
		if err := logs.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestTail_NamesBrokenFrame(t *testing.T) {
	dir := t.TempDir()
	path := write(t, dir, thought(0, 1)+"\n")
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("no frame at all, but long enough")
	f.Close()
	err = Tail(t.Context(), dir, TailOptions{}, func(Line) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "think.jsonl.zst") || !strings.Contains(err.Error(), "at byte") {
		t.Errorf("%v", err)
	}
}

// In a log that nobody writes any more an incomplete end is an error, after the whole lines. Otherwise the rest may
// still come.
func TestTail_IncompleteEndOfClosedLogIsError(t *testing.T) {
	packed, plain := t.TempDir(), t.TempDir()
	write(t, packed, thought(0, 1)+"\n", thought(0, 2)+"\n")
	path := StreamNOP.Path(plain)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(thought(0, 1)+"\n"+thought(0, 2)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for dir, path := range map[string]string{packed: StreamThink.Paths(packed)[1], plain: path} {
		tail := func(closed bool) (n int, err error) {
			err = Tail(t.Context(), dir, TailOptions{Closed: closed}, func(Line) error { n++; return nil })
			return n, err
		}
		if n, err := tail(true); n != 2 || err != nil {
			t.Errorf("%s, whole: %d lines, %v", path, n, err)
		}
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		last := bytes.LastIndexByte(whole[:len(whole)-1], '\n') + 1
		if dir == packed {
			last = bytes.LastIndex(whole, zstdMagic)
		}
		if err := os.Truncate(path, int64(len(whole)-3)); err != nil {
			t.Fatal(err)
		}
		if n, err := tail(true); n != 1 || err == nil || !strings.Contains(err.Error(), fmt.Sprintf("read %s: it is damaged: the line or frame at byte %d is incomplete", path, last)) {
			t.Errorf("%s, cut: %d lines, %v", path, n, err)
		}
		if n, err := tail(false); n != 1 || err != nil {
			t.Errorf("%s, cut and written to: %d lines, %v", path, n, err)
		}
		if err := os.Truncate(path, 0); err != nil {
			t.Fatal(err)
		}
		empty := dir == packed // which has a frame even without lines
		if n, err := tail(true); n != 0 || (err != nil) != empty {
			t.Errorf("%s, emptied: %d lines, %v", path, n, err)
		}
	}
}

// zstdMagic begins a frame.
var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// Frames as other zstd tools write them are read, and lines before a cycle are kept: skippable ones, one without a checksum, one with a block of
// one repeated byte, and an empty one.
func TestFrames_OfOtherTools(t *testing.T) {
	noSum, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false), zstd.WithZeroFrames(true))
	if err != nil {
		t.Fatal(err)
	}
	defer noSum.Close()
	line := thought(1, 3) + "     "
	size := len(line) - 5
	repeated := slices.Concat(zstdMagic, []byte{0x20, byte(len(line) + 1)}, // a header, and the size of all
		[]byte{byte(size << 3), byte(size >> 5), 0}, []byte(line[:size]), // a block as it is
		[]byte{5<<3 | 1<<1, 0, 0, ' '}, []byte{1<<3 | 1, 0, 0, '\n'}) // one of five spaces, and the last
	for name, frame := range map[string][]byte{
		"skippable":                 {0x50, 0x2a, 0x4d, 0x18, 5, 0, 0, 0, 1, 2, 3, 4, 5},
		"without a checksum":        noSum.EncodeAll([]byte(line+"\n"), nil),
		"empty, without a checksum": noSum.EncodeAll(nil, nil),
		"with a repeated byte":      repeated,
	} {
		want := []string{thought(1, 1)}
		if bytes.Contains(frame, zstdMagic) && !strings.HasPrefix(name, "empty") {
			want = append(want, line)
		}
		dir := t.TempDir()
		path := write(t, dir, thought(1, 1)+"\n")
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, after := range [][]byte{nil, packer().EncodeAll([]byte(thought(2, 4)+"\n"), nil)} {
			if err := os.WriteFile(path, slices.Concat(before, frame, after), 0o600); err != nil {
				t.Fatal(err)
			}
			all := slices.Clone(want)
			if after != nil {
				all = append(all, thought(2, 4))
			}
			if got := thoughts(t, dir); !slices.Equal(got, all) {
				t.Errorf("%s: %q, want %q", name, got, all)
			}
			if err := Tail(t.Context(), dir, TailOptions{Closed: true}, func(Line) error { return nil }); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		s, err := openSink(path)
		if err != nil {
			t.Fatal(err)
		}
		s.trim(2, jsonCycle)
		if err := s.close(); err != nil {
			t.Fatal(err)
		}
		if got := thoughts(t, dir); !slices.Equal(got, want) {
			t.Errorf("%s, trimmed: %q, want %q", name, got, want)
		}
	}
}

// A frame whose content was changed, or a skippable one that is cut, is noticed.
func TestTail_DamagedFrames(t *testing.T) {
	dir := t.TempDir()
	path := write(t, dir, thought(0, 1)+"\n")
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Replace(good, []byte("reasoning"), []byte("seasoning"), 1)
	if bytes.Equal(changed, good) {
		t.Fatal("the frame does not have its line as it is")
	}
	for cause, text := range map[error][]byte{zstd.ErrCRCMismatch: changed, nil: append(good, 0x50, 0x2a, 0x4d, 0x18, 5, 0, 0, 0, 1)} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		var bad *DamageError
		if err := Tail(t.Context(), dir, TailOptions{Closed: true}, func(Line) error { return nil }); !errors.As(err, &bad) || cause != nil && !errors.Is(err, cause) {
			t.Errorf("%v, want a DamageError, and in it: %v", err, cause)
		}
	}
}

// A frame is written as soon as it has a MiB of lines, without a flush.
func TestFrameWriter_WritesWholeFrames(t *testing.T) {
	var b bytes.Buffer
	w := &frameWriter{w: &b}
	for size, want := range map[int]bool{maxFrame - 1: false, maxFrame: true} {
		b.Reset()
		w.lines = nil
		if _, err := w.Write(make([]byte, size)); err != nil || (b.Len() > 0) != want {
			t.Errorf("%d bytes of lines: %d written, %v", size, b.Len(), err)
		}
	}
}

// Lines without a cycle belong to those before them, also in a compressed log.
func TestFrames_TrimKeepsLinesWithoutCycle(t *testing.T) {
	dir := t.TempDir()
	s, err := openSink(write(t, dir, `{"tick":9}`+"\n"+thought(0, 1)+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	s.trim(0, jsonCycle)
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	if got, want := thoughts(t, dir), []string{`{"tick":9}`}; !slices.Equal(got, want) {
		t.Errorf("%q is left, want %q", got, want)
	}
}

// What cannot be read or written is an error, and nothing panics.
func TestFrames_FileThatWasClosed(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "x.zst"))
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, _, err := frameEnd(f, 0); err == nil {
		t.Error("the end of a frame is found")
	}
	if err := (&frameWriter{w: f}).finish(f); err == nil {
		t.Error("an empty frame is written")
	}
	if err := trimFrames(f, 0, jsonCycle); err == nil {
		t.Error("it is trimmed")
	}
}

// FuzzFrames reads whatever a file may hold.
func FuzzFrames(f *testing.F) {
	var b bytes.Buffer
	w := &frameWriter{w: &b}
	w.Write([]byte(strings.Repeat(thought(1, 2)+"\n", 100)))
	w.Flush()
	one := bytes.Clone(b.Bytes())
	f.Add(one)
	w.Write([]byte(thought(2, 300) + "\n" + thought(2, 301) + "\n"))
	w.Flush()
	f.Add(bytes.Clone(b.Bytes())) // two frames, in two cycles
	f.Add([]byte{})
	f.Add(b.Bytes()[:b.Len()-1]) // as after kill -9
	f.Add(one[:len(one)/2])
	f.Add([]byte{0x50, 0x2a, 0x4d, 0x18, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "x.zst")
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		r, err := newFrameReader(file)
		if err != nil {
			t.Fatal(err)
		}
		defer r.close()
		_, rerr := io.Copy(io.Discard, io.LimitReader(r, 1<<24))
		if terr := trimFrames(file, 1, jsonCycle); terr == nil && rerr == nil {
			if _, _, err := frameEnd(file, 0); err != nil {
				t.Errorf("a file that could be cut has a broken first frame: %v", err)
			}
		}
	})
}
