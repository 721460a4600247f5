package engine

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
)

// aside is where the rows of agents wait for the store, so that those of all agents are never in
// memory together: per agent what it knows, what it thinks of peers and its state, and the lists
// of its other rows. The first [asideRoom] bytes stay in memory, the others go to a file without
// a name, which ends with the process: what it holds is worth nothing without the batch. Rows may
// be laid aside from several goroutines at once.
type aside struct {
	dir  string
	room *[asideRoom]byte
	end  atomic.Int64
	file atomic.Pointer[os.File] // nil until the room is full
	open sync.Mutex              // held to make the file
}

// asideRoom is what the rows of a few dozen agents take, for which a file in every cycle would cost more than the writing.
const asideRoom = 1 << 20

// asideRooms are free rooms: a run uses two in turn.
var asideRooms = sync.Pool{New: func() any { return new([asideRoom]byte) }}

// span is where a blob lies; the zero value is none.
type span struct {
	at     int64
	length int
}

// laidRows is where the rows of one agent lie.
type laidRows struct {
	knowledge, peers, changes, state   span
	experiences, beliefs, plans, goals span
}

// any says whether a list was laid aside; the other rows are known by what is left of them.
func (l *laidRows) any() bool {
	return l.experiences.length+l.beliefs.length+l.plans.length+l.goals.length > 0
}

// newAside returns an empty aside that makes its file, if it needs one, in a run directory.
func newAside(dir string) *aside {
	return &aside{dir: dir, room: asideRooms.Get().(*[asideRoom]byte)} //nolint:forcetypeassert // the pool holds nothing else
}

// more returns the file, which the first call makes.
func (a *aside) more() (*os.File, error) {
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

func (a *aside) put(b []byte) (span, error) {
	s := span{a.end.Add(int64(len(b))) - int64(len(b)), len(b)}
	near := copy(a.room[min(s.at, asideRoom):], b)
	if near == len(b) {
		return s, nil
	}
	f, err := a.more()
	if err == nil {
		_, err = f.WriteAt(b[near:], s.at+int64(near)-asideRoom)
	}
	if err != nil {
		return s, fmt.Errorf("lay a cycle's rows aside: %w", err)
	}
	return s, nil
}

// read appends what lies at a span, or at a part of one, to dst. A run whose own file cannot be
// read must not go on; the flusher turns the panic into the error that stops it.
func (a *aside) read(dst []byte, s span) []byte {
	n := len(dst)
	dst = slices.Grow(dst, s.length)[:n+s.length]
	near := copy(dst[n:], a.room[min(s.at, asideRoom):])
	if near == s.length {
		return dst
	}
	if _, err := a.file.Load().ReadAt(dst[n+near:], s.at+int64(near)-asideRoom); err != nil {
		panic(fmt.Errorf("read back a cycle's rows: %w", err))
	}
	return dst
}

// close gives the space back; nil is closed. Nothing can be read any more.
func (a *aside) close() {
	if a == nil || a.room == nil {
		return
	}
	asideRooms.Put(a.room)
	a.room = nil
	if f := a.file.Load(); f != nil {
		_ = f.Close() // nothing in it is wanted any more
	}
}
