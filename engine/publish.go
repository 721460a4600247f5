package engine

import (
	"errors"
	"fmt"
	"slices"
	"sync"
)

// DefaultQueue is how many commits may wait for observers, counted in seats (agents with a slot).
const DefaultQueue = 1 << 18

// publisher passes commits to observers in a goroutine of its own. The number of seats in its queue is bounded; commits
// that do not fit are dropped and counted. Cycle reports, one per cycle, are never dropped.
type publisher struct {
	observers []Observer
	limit     int

	mu       sync.Mutex
	nonEmpty sync.Cond
	queue    []any // *Commit or *CycleReport
	weight   int
	dropped  uint64
	closed   bool
	exited   chan struct{}
	failed   []error // of observers that panicked; read after exited
}

func newPublisher(observers []Observer, limit int) *publisher {
	if limit == 0 {
		limit = DefaultQueue
	}
	p := &publisher{observers: slices.Clone(observers), limit: limit, exited: make(chan struct{})}
	p.nonEmpty.L = &p.mu
	go p.run()
	return p
}

func (p *publisher) commit(c *Commit) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := 1 + len(c.Seats)
	if p.weight+w > p.limit {
		p.dropped++
		return
	}
	p.weight += w
	p.queue = append(p.queue, c)
	p.nonEmpty.Signal()
}

func (p *publisher) cycle(r *CycleReport) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.Dropped = p.dropped
	p.queue = append(p.queue, r)
	p.nonEmpty.Signal()
}

func (p *publisher) run() {
	defer close(p.exited)
	for {
		p.mu.Lock()
		for len(p.queue) == 0 && !p.closed {
			p.nonEmpty.Wait()
		}
		queue := p.queue
		p.queue = nil
		p.mu.Unlock()
		if len(queue) == 0 {
			return
		}
		for _, item := range queue {
			p.deliver(item)
		}
	}
}

func (p *publisher) deliver(item any) {
	p.observers = slices.DeleteFunc(p.observers, func(o Observer) bool {
		err := protect(func() error {
			switch v := item.(type) {
			case *Commit:
				o.Commit(v)
			case *CycleReport:
				o.Cycle(v)
			}
			return nil
		})
		if err != nil {
			p.failed = append(p.failed, fmt.Errorf("observer %T: %w; it is no longer called; the run itself is not affected; please report it", o, err))
		}
		return err != nil
	})
	if c, ok := item.(*Commit); ok {
		p.mu.Lock()
		p.weight -= 1 + len(c.Seats)
		p.mu.Unlock()
	}
}

// protect runs do and returns a panic in it as an error.
func protect(do func() error) (err error) {
	defer func() {
		if p := caught(recover()); p != nil {
			err = p.err()
		}
	}()
	return do()
}

// close waits until the observers have received the whole queue, and returns the errors of those that panicked.
func (p *publisher) close() error {
	p.mu.Lock()
	p.closed = true
	p.nonEmpty.Signal()
	p.mu.Unlock()
	<-p.exited
	return errors.Join(p.failed...)
}

func (p *publisher) droppedCommits() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dropped
}
