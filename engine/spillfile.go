package engine

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
)

// spillFile is a buffer in which the rows of agents wait for the store, so that those of all agents are never in
// memory together: per agent what it knows, what it thinks of peers and its state, and the lists
// of its other rows. The first [spillInMemory] bytes stay in memory, the others go to a file without
// a name, which ends with the process: what it holds is worth nothing without the batch. Rows may
// be spilled from several goroutines at once.
type spillFile struct {
	dir    string
	buffer *[spillInMemory]byte
	end    atomic.Int64
	file   atomic.Pointer[os.File] // nil until the buffer is full
	open   sync.Mutex              // held to make the file
}

// spillInMemory is what the rows of a few dozen agents take, for which a file in every cycle would cost more than the writing.
const spillInMemory = 1 << 20

// spillBuffers are free buffers: a run uses two in turn.
var spillBuffers = sync.Pool{New: func() any { return new([spillInMemory]byte) }}

// span is where a blob lies; the zero value is none.
type span struct {
	at     int64
	length int
}

// spilledRows is where the rows of one agent lie.
type spilledRows struct {
	knowledge, peers, changes, state   span
	experiences, beliefs, plans, goals span
}

// any says whether a list was spilled; the other rows are known by what is left of them.
func (l *spilledRows) any() bool {
	return l.experiences.length+l.beliefs.length+l.plans.length+l.goals.length > 0
}

// newSpillFile returns an empty spill that makes its file, if it needs one, in a run directory.
func newSpillFile(dir string) *spillFile {
	return &spillFile{dir: dir, buffer: spillBuffers.Get().(*[spillInMemory]byte)} //nolint:forcetypeassert // the pool holds nothing else
}

// overflow returns the file, which the first call makes.
func (a *spillFile) overflow() (*os.File, error) {
	if f := a.file.Load(); f != nil {
		return f, nil
	}
	a.open.Lock()
	defer a.open.Unlock()
	if f := a.file.Load(); f != nil {
		return f, nil
	}
	f, err := os.CreateTemp(a.dir, ".batch-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	a.file.Store(f)
	return f, nil
}

func (a *spillFile) put(b []byte) (span, error) {
	s := span{a.end.Add(int64(len(b))) - int64(len(b)), len(b)}
	near := copy(a.buffer[min(s.at, spillInMemory):], b)
	if near == len(b) {
		return s, nil
	}
	f, err := a.overflow()
	if err == nil {
		_, err = f.WriteAt(b[near:], s.at+int64(near)-spillInMemory)
	}
	if err != nil {
		return s, fmt.Errorf("write a cycle's rows to a temporary file: %w", err)
	}
	return s, nil
}

// read appends what lies at a span, or at a part of one, to dst. A run whose own file cannot be
// read must not go on; the flusher turns the panic into the error that stops it.
func (a *spillFile) read(dst []byte, s span) []byte {
	n := len(dst)
	dst = slices.Grow(dst, s.length)[:n+s.length]
	near := copy(dst[n:], a.buffer[min(s.at, spillInMemory):])
	if near == s.length {
		return dst
	}
	if _, err := a.file.Load().ReadAt(dst[n+near:], s.at+int64(near)-spillInMemory); err != nil {
		panic(fmt.Errorf("read back a cycle's rows: %w", err))
	}
	return dst
}

// release gives the space back; nil is closed. Nothing can be read any more.
func (a *spillFile) release() {
	if a == nil || a.buffer == nil {
		return
	}
	spillBuffers.Put(a.buffer)
	a.buffer = nil
	if f := a.file.Load(); f != nil {
		_ = f.Close() // nothing in it is wanted any more
	}
}
