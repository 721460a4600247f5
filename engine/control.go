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

// control is the lock of the engine: one goroutine at a time runs it, and none after it failed. Functions that only
// need a world at rest run at once while the engine is idle, else at the next boundary between ticks.
type control struct {
	mu      sync.Mutex
	running bool
	failure error // why it cannot run any more; nil while it can
	pending []*pendingFunc
	flushes []chan error // receive the result of the next committed cycle
}

// pendingFunc is a function that waits for a boundary, when no agent is at work.
type pendingFunc struct {
	do   func()
	done chan struct{}
}

// acquire makes the caller the one that runs the engine, unless it has failed.
func (c *control) acquire() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure != nil && !c.running {
		return fmt.Errorf("run engine: it has stopped and cannot run again; use resume to open the run: %w", c.failure)
	}
	return c.acquireLocked()
}

// acquireToClose makes the caller the one that closes the engine, which may have failed.
func (c *control) acquireToClose() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.acquireLocked()
}

func (c *control) acquireLocked() error {
	if c.running { // also while a run that has failed is being ended
		return ErrRunning
	}
	c.running = true
	return nil
}

// release lets others run the engine, after the functions that wait.
func (c *control) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running = false
	c.runPendingLocked()
	c.failFlushes()
}

// setFailure makes the engine unusable; of several reasons the first is kept.
func (c *control) setFailure(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure == nil {
		c.failure = err
	}
}

// failed returns why the engine cannot run any more, or nil.
func (c *control) failed() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failure
}

// runPending runs the functions that wait. The goroutine that runs the engine calls it at boundaries.
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

// runWhenIdle runs do while the engine is idle or at a boundary, with c.mu held, and returns after it.
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

// awaitFlush registers done for the result of the next committed cycle. It is called from runWhenIdle, with c.mu
// held.
func (c *control) awaitFlush(done chan error) {
	c.flushes = append(c.flushes, done)
	c.failFlushes()
}

// failFlushes reports the failure of the engine to those that wait for a cycle.
func (c *control) failFlushes() {
	if c.failure == nil {
		return
	}
	for _, w := range c.flushes {
		w <- fmt.Errorf("flush memory: the run stopped before the next cycle was stored: %w", c.failure)
	}
	c.flushes = nil
}

// takeFlushes removes and returns those that wait for the cycle that is being closed.
func (c *control) takeFlushes() []chan error {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.flushes
	c.flushes = nil
	return w
}

// returnFlushes gives back what takeFlushes took, because the cycle cannot be stored. release reports the failure to them.
func (c *control) returnFlushes(w []chan error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.flushes = append(c.flushes, w...)
}
