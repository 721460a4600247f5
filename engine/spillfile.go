package engine

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
)

// spillFile holds encoded rows of agents until the store writes them, so that the rows of all agents are never in memory
// together. The first [spillInMemory] bytes stay in memory, the others go to an unlinked temporary file, which
// vanishes with the process: without the batch it is useless. put may be called from several goroutines at once.
type spillFile struct {
	dir    string
	buffer *[spillInMemory]byte
	end    atomic.Int64
	file   atomic.Pointer[os.File] // nil until the buffer is full
	open   sync.Mutex              // held to make the file
}

// spillInMemory is the size of the buffer, enough for the rows of a few dozen agents: for them making a file in every cycle would
// cost more than writing to it.
const spillInMemory = 1 << 20

// spillBuffers holds free buffers. A run uses two: one is filled while the other is written to the store.
var spillBuffers = sync.Pool{New: func() any { return new([spillInMemory]byte) }}

// span is the position of a blob in a spillFile; the zero value is none.
type span struct {
	at     int64
	length int
}

// spilledRows has the positions of the rows of one agent.
type spilledRows struct {
	knowledge, peers, changes, state   span
	experiences, beliefs, plans, goals span
}

// any reports whether rows of a list were spilled. Memory, state and changes need no flag: their rows stay in
// agent.Rows, without the blob that was spilled.
func (l *spilledRows) any() bool {
	return l.experiences.length+l.beliefs.length+l.plans.length+l.goals.length > 0
}

// newSpillFile returns an empty spillFile, which creates its file, if it needs one, in dir.
func newSpillFile(dir string) *spillFile {
	return &spillFile{dir: dir, buffer: spillBuffers.Get().(*[spillInMemory]byte)} //nolint:forcetypeassert // the pool holds nothing else
}

// overflow returns the file; the first call creates it.
func (sf *spillFile) overflow() (*os.File, error) {
	if f := sf.file.Load(); f != nil {
		return f, nil
	}
	sf.open.Lock()
	defer sf.open.Unlock()
	if f := sf.file.Load(); f != nil {
		return f, nil
	}
	f, err := os.CreateTemp(sf.dir, ".batch-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	sf.file.Store(f)
	return f, nil
}

// put appends b and returns its position.
func (sf *spillFile) put(b []byte) (span, error) {
	s := span{sf.end.Add(int64(len(b))) - int64(len(b)), len(b)}
	near := copy(sf.buffer[min(s.at, spillInMemory):], b)
	if near == len(b) {
		return s, nil
	}
	f, err := sf.overflow()
	if err == nil {
		_, err = f.WriteAt(b[near:], s.at+int64(near)-spillInMemory)
	}
	if err != nil {
		return s, fmt.Errorf("write rows of the cycle to a temporary file: %w", err)
	}
	return s, nil
}

// read appends the bytes at a span, or at a part of one, to dst. It panics if the file cannot be read; the flusher turns
// the panic into the error that stops the run.
func (sf *spillFile) read(dst []byte, s span) []byte {
	n := len(dst)
	dst = slices.Grow(dst, s.length)[:n+s.length]
	near := copy(dst[n:], sf.buffer[min(s.at, spillInMemory):])
	if near == s.length {
		return dst
	}
	if _, err := sf.file.Load().ReadAt(dst[n+near:], s.at+int64(near)-spillInMemory); err != nil {
		panic(fmt.Errorf("read rows of the cycle from the temporary file: %w", err))
	}
	return dst
}

// release frees the buffer and the file; nothing can be read any more. It does nothing for nil and on a second call.
func (sf *spillFile) release() {
	if sf == nil || sf.buffer == nil {
		return
	}
	spillBuffers.Put(sf.buffer)
	sf.buffer = nil
	if f := sf.file.Load(); f != nil {
		_ = f.Close() // nothing in it is wanted any more
	}
}
