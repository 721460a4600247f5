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

// maxFrame is the number of bytes of lines from which a frame is written; a flush writes it earlier.
const maxFrame = 1 << 20

// frameWriter compresses lines into frames. Each Write must have whole lines.
type frameWriter struct {
	w     io.Writer
	lines []byte
	frame []byte
}

// packer is the encoder of all streams. It is shared since it holds more than a megabyte; several goroutines may use it.
var packer = sync.OnceValue(func() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(maxFrame), zstd.WithLowerEncoderMem(true), zstd.WithZeroFrames(true))
	if err != nil {
		panic(fmt.Sprintf("observe: options of the compressor: %v", err))
	}
	return e
})

// Write adds lines to the next frame.
func (f *frameWriter) Write(lines []byte) (int, error) {
	f.lines = append(f.lines, lines...)
	if len(f.lines) >= maxFrame {
		return len(lines), f.Flush()
	}
	return len(lines), nil
}

// Flush writes the collected lines as a frame, in one write.
func (f *frameWriter) Flush() error {
	if len(f.lines) == 0 {
		return nil
	}
	f.frame = packer().EncodeAll(f.lines, f.frame[:0])
	f.lines = f.lines[:0]
	_, err := f.w.Write(f.frame)
	return err
}

// finish writes an empty frame to a file that has none, because zstd tools refuse an empty file.
func (f *frameWriter) finish(file *os.File) error {
	info, err := file.Stat()
	if err != nil || info.Size() > 0 {
		return err
	}
	_, err = file.Write(packer().EncodeAll(nil, nil))
	return err
}

// frameEnd returns the end of the frame that begins at off; whole is false if the file does not have all of it.
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

// frameReader reads the lines of a compressed stream that may still grow. It returns io.EOF if there is no further
// whole frame, and continues once there is one.
type frameReader struct {
	f    *os.File
	next int64 // offset of the next frame
	dec  *zstd.Decoder
	open bool // dec has not reached the end of its frame
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
				return n, replaceEOF(err, nil)
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

func replaceEOF(err, instead error) error {
	if errors.Is(err, io.EOF) {
		return instead
	}
	return err
}

// rewind continues at the first frame.
func (r *frameReader) rewind() { r.next, r.open = 0, false }

func (r *frameReader) close() { r.dec.Close() }

// trimFrames removes the lines of cycle c and later, and an incomplete frame, from a compressed file. It decompresses
// from the end, so that a resumed run need not read its whole log.
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
		if err := f.Truncate(starts[i-1]); err != nil { // the frame has lines to keep and to remove, so it is written again
			return err
		}
		return (&frameWriter{w: f, lines: lines}).Flush()
	}
}

// linesBefore returns the lines of a frame before the first line of cycle c or later. first reports that this is the
// first line of the frame, all that there is no such line.
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
