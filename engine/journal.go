package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"kingdom/wire"
)

// journal appends records to the newest segment. One goroutine writes and syncs:
// all that was appended while it was busy goes out with its next sync, so the
// group grows with the load and no timer is needed.
type journal struct {
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
	err     error // sticky: after it nothing is written any more

	file   *os.File
	length int64 // of file, up to the last good record
	exited chan struct{}
}

// lazyBytes is how much unsynced data waits for company before it is written.
const lazyBytes = 1 << 16

// openJournal starts segment number segment in dir.
func openJournal(dir string, run wire.Hash, segment uint32) (*journal, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	j := &journal{dir: dir, run: run, segment: segment, gen: 1, exited: make(chan struct{})}
	j.work.L, j.done.L = &j.mu, &j.mu
	if err := j.create(segment); err != nil {
		return nil, err
	}
	go j.commit()
	return j, nil
}

func segmentName(n uint32) string { return fmt.Sprintf("%06d.kj", n) }

// create makes a segment with its header; the name appears with the header in it.
func (j *journal) create(segment uint32) error {
	path := filepath.Join(j.dir, segmentName(segment))
	head := appendHeader(nil, segment, j.run)
	if err := writeAtomic(path, head); err != nil {
		return fmt.Errorf("create journal segment: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return fmt.Errorf("create journal segment: %w", err)
	}
	j.file, j.length = f, int64(len(head))
	return nil
}

// put appends a record without waiting for it.
func (j *journal) put(kind recordKind, body func([]byte) []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	err := j.append(kind, body)
	if len(j.pending) >= lazyBytes {
		j.work.Signal()
	}
	return err
}

// putSync appends a record and returns when it is on disk.
func (j *journal) putSync(kind recordKind, body func([]byte) []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.append(kind, body); err != nil {
		return err
	}
	return j.await()
}

// sync returns when all that was appended before is on disk.
func (j *journal) sync() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.await()
}

// next makes the following record the first of a new segment. Nobody may append
// meanwhile.
func (j *journal) next() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.await(); err != nil {
		return // sticky; the next append reports it
	}
	for j.busy { // with the sync of somebody else
		j.done.Wait()
	}
	j.file.Close()
	j.segment++
	j.ordinal = 0
	if err := j.create(j.segment); err != nil {
		j.err = err
	}
}

func (j *journal) append(kind recordKind, body func([]byte) []byte) error {
	if j.err != nil {
		return j.err
	}
	if j.closed {
		return errors.New("append to journal: it is closed")
	}
	j.pending = appendRecord(j.pending, j.segment, j.ordinal, func(dst []byte) []byte {
		return body(append(dst, byte(kind)))
	})
	j.ordinal++
	return nil
}

// await returns when what is pending, and so all before it, is on disk. It is called
// with mu held.
func (j *journal) await() error {
	gen := j.gen
	j.wanted = gen
	j.work.Signal()
	for j.durable < gen && j.err == nil {
		j.done.Wait()
	}
	return j.err
}

// commit is the committer: it swaps two buffers with the writers.
func (j *journal) commit() {
	defer close(j.exited)
	var buf []byte
	j.mu.Lock()
	defer j.mu.Unlock()
	for {
		for j.wanted < j.gen && len(j.pending) < lazyBytes && !j.closed {
			j.work.Wait()
		}
		if j.err != nil || (j.closed && len(j.pending) == 0 && j.wanted < j.gen) {
			return
		}
		buf, j.pending = j.pending, buf[:0]
		gen, sync := j.gen, j.wanted == j.gen || j.closed
		j.gen++
		j.busy = true
		f, length := j.file, j.length
		j.mu.Unlock()
		err := write(f, buf, length, sync)
		j.mu.Lock()
		j.busy = false
		if err != nil {
			j.err = fmt.Errorf("write journal: %w", err)
		} else {
			j.length += int64(len(buf))
			if sync {
				j.durable = gen
			}
		}
		j.done.Broadcast()
	}
}

// write appends all of b or nothing.
func write(f *os.File, b []byte, length int64, sync bool) error {
	if _, err := f.Write(b); err != nil {
		if cut := f.Truncate(length); cut != nil {
			return fmt.Errorf("%w (and cutting the half-written record failed: %w; resume will cut it)", err, cut)
		}
		return err
	}
	if sync {
		return f.Sync()
	}
	return nil
}

// close writes what is pending and ends the committer.
func (j *journal) close() error {
	j.mu.Lock()
	j.closed = true
	j.work.Signal()
	j.mu.Unlock()
	<-j.exited
	return errors.Join(j.err, j.file.Close())
}
