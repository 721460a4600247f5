package engine

import (
	"fmt"
	"sync"
)

// commits are those who wait for the next committed cycle.
type commits struct {
	mu      sync.Mutex
	waiting []chan error
}

func (c *commits) add(done chan error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = append(c.waiting, done)
}

// take returns those who waited before the cycle was closed.
func (c *commits) take() []chan error {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.waiting
	c.waiting = nil
	return w
}

// stop tells those who wait in vain.
func (c *commits) stop(err error) {
	for _, w := range c.take() {
		w <- fmt.Errorf("flush memory: the run stopped first: %w", err)
	}
}
