package engine

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// stopGrace is how long a stop waits for a step of the world, and then for the cycle that is being stored, before it
// abandons them.
const stopGrace = 500 * time.Millisecond

// worldPanic carries a panic of the world from one goroutine to another.
type worldPanic struct {
	value any
	stack []byte
}

// caught returns what recover returned as a worldPanic; nil if nothing panicked. One that comes from another goroutine already
// is returned as it is.
func caught(v any) *worldPanic {
	if v == nil {
		return nil
	}
	if p, ok := v.(*worldPanic); ok {
		return p
	}
	return &worldPanic{v, debug.Stack()}
}

// err returns the panic as an error. One that was called with an error wraps it.
func (p *worldPanic) err() error {
	if err, ok := p.value.(error); ok {
		return fmt.Errorf("panic: %w", err)
	}
	return fmt.Errorf("panic: %v", p.value)
}

// interruptible runs a step of the world, which takes no context and with a hundred thousand agents lasts seconds. If
// ctx ends and the step is not done after stopGrace, interruptible returns ctx's error while the step still runs in
// its goroutine. The engine must not be used then. What do assigns may be read only if the error is nil.
func interruptible(ctx context.Context, do func()) error {
	if ctx.Done() == nil {
		do()
		return nil
	}
	done := make(chan *worldPanic, 1)
	go func() {
		defer func() { done <- caught(recover()) }()
		do()
	}()
	if p, over := waitFor(ctx, done); over && p != nil {
		panic(p)
	} else if !over {
		return ctx.Err()
	}
	return nil
}

// waitFor receives from done; over is false if nothing came until stopGrace after the end of ctx.
func waitFor[T any](ctx context.Context, done <-chan T) (v T, over bool) {
	select {
	case v = <-done:
		return v, true
	case <-ctx.Done():
	}
	grace := time.NewTimer(stopGrace)
	defer grace.Stop()
	select {
	case v = <-done:
		return v, true
	case <-grace.C:
		return v, false
	}
}
