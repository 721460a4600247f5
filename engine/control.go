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
	driven  bool
	dead    error // why it can run no more
	looks   []*look
	flushes []chan error // flush waiters: who waits for the next committed cycle
}

// look is a function to run at a boundary, when no agent is at work.
type look struct {
	do   func()
	done chan struct{}
}

// enter makes the caller the one who drives.
func (c *control) enter() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.dead != nil:
		return fmt.Errorf("run on: this engine stopped before: %w", c.dead)
	case c.driven:
		return ErrRunning
	}
	c.driven = true
	return nil
}

// leave lets others drive, and shows them what they waited to see.
func (c *control) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.driven = false
	c.runLooks()
	c.stopFlushes()
}

// die ends all driving; the first reason stays.
func (c *control) die(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dead == nil {
		c.dead = err
	}
}

func (c *control) died() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dead
}

// serve runs the looks that wait. Who drives calls it at boundaries.
func (c *control) serve() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.runLooks()
}

func (c *control) runLooks() {
	for _, l := range c.looks {
		l.do()
		close(l.done)
	}
	c.looks = nil
}

// whenQuiet runs do while nobody drives or at a boundary, with c.mu held, and returns
// after it.
func (c *control) whenQuiet(ctx context.Context, do func()) error {
	l := &look{do: do, done: make(chan struct{})}
	c.mu.Lock()
	c.looks = append(c.looks, l)
	if !c.driven {
		c.runLooks()
	}
	c.mu.Unlock()
	select {
	case <-l.done:
		return nil
	case <-ctx.Done():
		c.mu.Lock()
		defer c.mu.Unlock()
		c.looks = slices.DeleteFunc(c.looks, func(o *look) bool { return o == l })
		return ctx.Err()
	}
}

// awaitFlush lets done hear of the next committed cycle. It is called in a look, with
// c.mu held.
func (c *control) awaitFlush(done chan error) {
	c.flushes = append(c.flushes, done)
	c.stopFlushes()
}

// stopFlushes tells those who wait in vain.
func (c *control) stopFlushes() {
	if c.dead == nil {
		return
	}
	for _, w := range c.flushes {
		w <- fmt.Errorf("flush memory: the run stopped first: %w", c.dead)
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
