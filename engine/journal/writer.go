package journal

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"kingdom/engine/durable"
	"kingdom/wire"
)

// Writer appends records to the newest segment. One goroutine writes and syncs. Everything that was appended while it
// was busy is written by its next sync, so groups grow with the load and no timer is needed.
type Writer struct {
	dir string
	run wire.Hash

	mu      sync.Mutex
	work    sync.Cond // the committer waits for pending work here
	done    sync.Cond // writers wait for their generation here
	pending []byte
	ordinal uint64 // of the next record
	segment uint32
	gen     uint64 // generation of pending
	durable uint64 // newest generation on disk
	wanted  uint64 // newest generation that a writer waits for
	busy    bool   // the committer writes to file
	closed  bool
	err     error // first error; nothing is written after it

	file   *os.File
	length int64 // of file, up to the last good record
	exited chan struct{}
}

// errClosed is returned by methods of a closed [Writer].
var errClosed = errors.New("write journal: it is closed; open it again")

// lazyBytes is how many bytes of records that nobody waits for are collected before they are written.
const lazyBytes = 1 << 16

// Open begins segment number segment in dir, which is created if it does not exist.
func Open(dir string, run wire.Hash, segment uint32) (*Writer, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	w := &Writer{dir: dir, run: run, segment: segment, gen: 1, exited: make(chan struct{})}
	w.work.L, w.done.L = &w.mu, &w.mu
	if err := w.create(segment); err != nil {
		return nil, err
	}
	go w.commit()
	return w, nil
}

// SegmentName returns the file name of a segment.
func SegmentName(n uint32) string { return fmt.Sprintf("%06d.kj", n) }

// create creates a segment file; the file appears with its header complete.
func (w *Writer) create(segment uint32) error {
	path := filepath.Join(w.dir, SegmentName(segment))
	head := AppendHeader(nil, segment, w.run)
	if err := durable.WriteBytes(path, head); err != nil {
		return fmt.Errorf("create journal segment: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return fmt.Errorf("create journal segment: %w", err)
	}
	w.file, w.length = f, int64(len(head))
	return nil
}

// Put appends a record without waiting for it.
func (w *Writer) Put(kind Kind, body func([]byte) []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	err := w.append(kind, body)
	if len(w.pending) >= lazyBytes {
		w.work.Signal()
	}
	return err
}

// PutSync appends a record and returns when it is on disk.
func (w *Writer) PutSync(kind Kind, body func([]byte) []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.append(kind, body); err != nil {
		return err
	}
	return w.await()
}

// Sync returns when all that was appended before is on disk.
func (w *Writer) Sync() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.await()
}

// Next makes the following record the first of a new segment. Nothing may be appended during the call.
func (w *Writer) Next() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.await(); err != nil {
		return // the next append returns it
	}
	for w.busy { // with a sync for another caller
		w.done.Wait()
	}
	w.file.Close()
	w.segment++
	w.ordinal = 0
	if err := w.create(w.segment); err != nil {
		w.err = err
	}
}

func (w *Writer) append(kind Kind, body func([]byte) []byte) error {
	if w.err != nil {
		return w.err
	}
	if w.closed {
		return errClosed
	}
	at := len(w.pending)
	w.pending = AppendRecord(w.pending, w.segment, w.ordinal, kind, body)
	if n := len(w.pending) - at; n > maxRecord {
		w.pending = w.pending[:at]
		return fmt.Errorf("append to journal: a record of %d bytes is larger than %d", n, maxRecord)
	}
	w.ordinal++
	return nil
}

// await waits until all pending records are on disk. It is called with mu held.
func (w *Writer) await() error {
	if w.closed {
		return cmp.Or(w.err, errClosed)
	}
	gen := w.gen
	w.wanted = gen
	w.work.Signal()
	for w.durable < gen && w.err == nil {
		w.done.Wait()
	}
	return w.err
}

// commit is the goroutine that writes: it swaps two buffers with the callers of append.
func (w *Writer) commit() {
	defer close(w.exited)
	var buf []byte
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		for w.wanted < w.gen && len(w.pending) < lazyBytes && !w.closed {
			w.work.Wait()
		}
		if w.err != nil || (w.closed && len(w.pending) == 0 && w.wanted < w.gen) {
			return
		}
		buf, w.pending = w.pending, buf[:0]
		gen, sync := w.gen, w.wanted == w.gen || w.closed
		w.gen++
		w.busy = true
		f, length := w.file, w.length
		w.mu.Unlock()
		err := write(f, buf, length, sync)
		w.mu.Lock()
		w.busy = false
		if err != nil {
			w.err = fmt.Errorf("write journal: %w", err)
		} else {
			w.length += int64(len(buf))
			if sync {
				w.durable = gen
			}
		}
		w.done.Broadcast()
	}
}

// write appends all of b or nothing.
func write(f *os.File, b []byte, length int64, sync bool) error {
	if _, err := f.Write(b); err != nil {
		if cut := f.Truncate(length); cut != nil {
			return fmt.Errorf("%w (and removing the partly written record failed: %w; resume removes it)", err, cut)
		}
		return err
	}
	if sync {
		return f.Sync()
	}
	return nil
}

// Close writes what is pending and stops the writer's goroutine.
func (w *Writer) Close() error {
	w.mu.Lock()
	w.closed = true
	w.work.Signal()
	w.mu.Unlock()
	<-w.exited
	return errors.Join(w.err, w.file.Close())
}
