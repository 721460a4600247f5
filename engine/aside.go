package engine

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync/atomic"
)

// aside is a file in which the rows of agents wait for the store, so that those of all agents
// are never in memory together: per agent what it knows, what it thinks of peers and its state,
// and the lists of its other rows. The file has no name and ends with the process: what it holds
// is worth nothing without the batch. Rows may be laid aside from several goroutines at once.
type aside struct {
	file *os.File
	end  atomic.Int64
}

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

// newAside returns an empty file in a run directory.
func newAside(dir string) (*aside, error) {
	f, err := os.CreateTemp(dir, ".batch-*")
	if err != nil {
		return nil, fmt.Errorf("lay a cycle's rows aside: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(fmt.Errorf("lay a cycle's rows aside: %w", err), f.Close())
	}
	return &aside{file: f}, nil
}

func (a *aside) put(b []byte) (span, error) {
	s := span{a.end.Add(int64(len(b))) - int64(len(b)), len(b)}
	if _, err := a.file.WriteAt(b, s.at); err != nil {
		return s, fmt.Errorf("lay a cycle's rows aside: %w", err)
	}
	return s, nil
}

// read appends what lies at a span to dst. A run whose own file cannot be read must not go on;
// the flusher turns the panic into the error that stops it.
func (a *aside) read(dst []byte, s span) []byte {
	n := len(dst)
	dst = slices.Grow(dst, s.length)[:n+s.length]
	if _, err := a.file.ReadAt(dst[n:], s.at); err != nil {
		panic(fmt.Errorf("read back a cycle's rows: %w", err))
	}
	return dst
}

// close gives the space back; nil is closed.
func (a *aside) close() {
	if a != nil {
		_ = a.file.Close() // nothing in it is wanted any more
	}
}
