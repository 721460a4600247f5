package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// ErrRunning is returned by methods that need a stopped engine while it is running.
var ErrRunning = errors.New("the engine is running; wait until Run returns")

// control says who drives the engine: one goroutine at a time, none after it broke.
// Who only wants to look at the world runs at once while nobody drives, else at the
// next boundary.
type control struct {
	mu      sync.Mutex
	running  bool
	failure    error // why it can run no more
	pending   []*pendingFunc
	flushes []chan error // flush waiters: who waits for the next committed cycle
}

// pendingFunc is a function to run at a boundary, when no agent is at work.
type pendingFunc struct {
	do   func()
	done chan struct{}
}

// acquire makes the caller the one who drives.
func (c *control) acquire() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.failure != nil:
		return fmt.Errorf("run on: this engine stopped before: %w", c.failure)
	case c.running:
		return ErrRunning
	}
	c.running = true
	return nil
}

// release lets others drive, and shows them what they waited to see.
func (c *control) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running = false
	c.runPendingLocked()
	c.failFlushes()
}

// setFailure ends all driving; the first reason stays.
func (c *control) setFailure(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure == nil {
		c.failure = err
	}
}

func (c *control) failed() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failure
}

// runPending runs the looks that wait. Who drives calls it at boundaries.
func (c *control) runPending() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.runPendingLocked()
}

func (c *control) runPendingLocked() {
	for _, l := range c.pending {
		l.do()
		close(l.done)
	}
	c.pending = nil
}

// runWhenIdle runs do while nobody drives or at a boundary, with c.mu held, and returns
// after it.
func (c *control) runWhenIdle(ctx context.Context, do func()) error {
	l := &pendingFunc{do: do, done: make(chan struct{})}
	c.mu.Lock()
	c.pending = append(c.pending, l)
	if !c.running {
		c.runPendingLocked()
	}
	c.mu.Unlock()
	select {
	case <-l.done:
		return nil
	case <-ctx.Done():
		c.mu.Lock()
		defer c.mu.Unlock()
		c.pending = slices.DeleteFunc(c.pending, func(o *pendingFunc) bool { return o == l })
		return ctx.Err()
	}
}

// awaitFlush lets done hear of the next committed cycle. It is called in a look, with
// c.mu held.
func (c *control) awaitFlush(done chan error) {
	c.flushes = append(c.flushes, done)
	c.failFlushes()
}

// failFlushes tells those who wait in vain.
func (c *control) failFlushes() {
	if c.failure == nil {
		return
	}
	for _, w := range c.flushes {
		w <- fmt.Errorf("flush memory: the run stopped first: %w", c.failure)
	}
	c.flushes = nil
}

// takeFlushes removes those who wait for the cycle that is being closed.
func (c *control) takeFlushes() []chan error {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.flushes
	c.flushes = nil
	return w
}
