package engine

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"kingdom/agent"
)

// aside is a file in which the large blobs of a batch wait for the store, one per agent of what
// it knows and one of its state, so that those of all agents are never in memory together. The
// file has no name and ends with the process: what it holds is worth nothing without the
// batch. Blobs may be laid aside from several goroutines at once.
type aside struct {
	file *os.File
	end  atomic.Int64
}

// span is where a blob lies; the zero value is none.
type span struct {
	at     int64
	length int
}

// largeRows are the blobs of one agent's rows that were laid aside.
type largeRows struct{ knowledge, state span }

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

// get reads a blob. A run whose own file cannot be read must not go on; the flusher turns the
// panic into the error that stops it.
func (a *aside) get(s span) []byte {
	b := make([]byte, s.length)
	if _, err := a.file.ReadAt(b, s.at); err != nil {
		panic(fmt.Errorf("read back a cycle's rows: %w", err))
	}
	return b
}

// close gives the space back; nil is closed.
func (a *aside) close() {
	if a != nil {
		_ = a.file.Close() // nothing in it is wanted any more
	}
}

// flushTo takes what changed of an agent and hashes its state; the large blobs go to the file.
func (s *seat) flushTo(a *aside, j *job) error {
	var first error
	put := func(to *span) func(b []byte) {
		return func(b []byte) {
			var err error
			if *to, err = a.put(b); first == nil {
				first = err
			}
		}
	}
	s.large = largeRows{}
	s.rows, s.hash = s.a.FlushLarge(j.tick, agent.Large{Knowledge: put(&s.large.knowledge), State: put(&s.large.state)})
	return first
}

// Memory returns the memory row of the i-th of Minds, nil if it did not change. It reads what
// was laid aside and keeps none of it.
func (b *Batch) Memory(i int) *agent.MemoryRow {
	r := b.Minds[i].Memory
	if b.aside == nil || r == nil || b.large[i].knowledge == (span{}) {
		return r
	}
	whole := *r
	whole.Knowledge = b.aside.get(b.large[i].knowledge)
	return &whole
}

// State is Memory for the state row.
func (b *Batch) State(i int) *agent.StateRow {
	r := b.Minds[i].State
	if b.aside == nil || r == nil || b.large[i].state == (span{}) {
		return r
	}
	whole := *r
	whole.Body = b.aside.get(b.large[i].state)
	return &whole
}
