package observe

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// A compressed stream is a sequence of zstd frames, each with whole lines, so that any zstd tool reads the
// file, and a process that is killed leaves at most its last frame incomplete.

// maxFrame is how many bytes of lines wait for a frame at most; they are written sooner when a
// stream is flushed.
const maxFrame = 1 << 20

// frameWriter compresses lines. Each Write is whole lines.
type frameWriter struct {
	w     io.Writer
	lines []byte
	frame []byte
}

// packer compresses frames, of whichever stream: it holds more than a megabyte for good, and may be used from several goroutines.
var packer = sync.OnceValue(func() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(maxFrame), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic(fmt.Sprintf("observe: options of the compressor: %v", err))
	}
	return e
})

// Write keeps lines for the next frame.
func (f *frameWriter) Write(lines []byte) (int, error) {
	f.lines = append(f.lines, lines...)
	if len(f.lines) >= maxFrame {
		return len(lines), f.Flush()
	}
	return len(lines), nil
}

// Flush writes what waits as a frame, in one write.
func (f *frameWriter) Flush() error {
	if len(f.lines) == 0 {
		return nil
	}
	f.frame = packer().EncodeAll(f.lines, f.frame[:0])
	f.lines = f.lines[:0]
	_, err := f.w.Write(f.frame)
	return err
}

// frameEnd is where the frame that begins at off ends; whole is false while not all of it is there.
func frameEnd(f *os.File, off int64) (end int64, whole bool, err error) {
	info, err := f.Stat()
	if err != nil || off >= info.Size() {
		return 0, false, err
	}
	var buf [zstd.HeaderMaxSize]byte
	n, err := f.ReadAt(buf[:], off)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, false, err
	}
	var h zstd.Header
	switch err := h.Decode(buf[:n]); {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return 0, false, nil
	case err != nil:
		return 0, false, fmt.Errorf("at byte %d: %w", off, err)
	}
	end = off + int64(h.HeaderSize)
	if h.Skippable {
		end += int64(h.SkippableSize)
		return end, end <= info.Size(), nil
	}
	for last := false; !last; { // the headers of the blocks say how long each is (RFC 8878, 3.1.1.2)
		if _, err := f.ReadAt(buf[:3], end); errors.Is(err, io.EOF) {
			return 0, false, nil
		} else if err != nil {
			return 0, false, err
		}
		head := int64(buf[0]) | int64(buf[1])<<8 | int64(buf[2])<<16
		last = head&1 != 0
		size := head >> 3
		if head>>1&3 == 1 { // one byte, repeated
			size = 1
		}
		end += 3 + size
	}
	if h.HasCheckSum {
		end += 4
	}
	return end, end <= info.Size(), nil
}

// frameReader reads the lines of a compressed stream as whole frames appear. Between frames it
// says io.EOF, and goes on when the next one is there.
type frameReader struct {
	f    *os.File
	next int64 // where the next frame begins
	dec  *zstd.Decoder
	open bool // dec is inside of a frame
}

func newFrameReader(f *os.File) (*frameReader, error) {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	return &frameReader{f: f, dec: dec}, err
}

// Read implements io.Reader.
func (r *frameReader) Read(p []byte) (int, error) {
	for {
		if r.open {
			n, err := r.dec.Read(p)
			r.open = !errors.Is(err, io.EOF)
			if n > 0 || r.open {
				return n, eofIs(err, nil)
			}
		}
		end, whole, err := frameEnd(r.f, r.next)
		if err != nil {
			return 0, err
		}
		if !whole {
			return 0, io.EOF
		}
		if err := r.dec.Reset(io.NewSectionReader(r.f, r.next, end-r.next)); err != nil {
			return 0, fmt.Errorf("at byte %d: %w", r.next, err)
		}
		r.next, r.open = end, true
	}
}

func eofIs(err, instead error) error {
	if errors.Is(err, io.EOF) {
		return instead
	}
	return err
}

// cut goes on at the end of a file that became shorter than what was read of it.
func (r *frameReader) cut(size int64) { r.next, r.open = size, false }

func (r *frameReader) close() { r.dec.Close() }

// trimFrames cuts the lines of cycle c and later from a compressed file, and a frame without an end. It looks
// from the end, so that resuming a long run costs no reading of its whole log.
func trimFrames(f *os.File, c uint64, cycleOf func(line []byte) (uint64, bool)) error {
	starts := []int64{0}
	for {
		end, whole, err := frameEnd(f, starts[len(starts)-1])
		if err != nil {
			return err
		}
		if !whole {
			break
		}
		starts = append(starts, end)
	}
	for i := len(starts) - 1; ; i-- {
		if i == 0 {
			return f.Truncate(0)
		}
		lines, first, all, err := linesBefore(f, starts[i-1], starts[i], c, cycleOf)
		if err != nil {
			return err
		}
		if first {
			continue
		}
		if all {
			return f.Truncate(starts[i])
		}
		if err := f.Truncate(starts[i-1]); err != nil { // the frame has lines of both; it is written again
			return err
		}
		return (&frameWriter{w: f, lines: lines}).Flush()
	}
}

// linesBefore reads the lines of a frame up to the first one of cycle c or later: whether that is the first
// line, and whether there is none.
func linesBefore(f *os.File, from, to int64, c uint64, cycleOf func(line []byte) (uint64, bool)) (lines []byte, first, all bool, err error) {
	r, err := newFrameReader(f)
	if err != nil {
		return nil, false, false, err
	}
	defer r.close()
	if err := r.dec.Reset(io.NewSectionReader(f, from, to-from)); err != nil {
		return nil, false, false, err
	}
	text, err := io.ReadAll(r.dec)
	if err != nil {
		return nil, false, false, fmt.Errorf("at byte %d: %w", from, err)
	}
	keep := 0
	for line := range bytes.Lines(text) {
		if n, ok := cycleOf(line); ok && n >= c {
			break
		}
		keep += len(line)
	}
	return text[:keep], keep == 0 && len(text) > 0, keep == len(text), nil
}
