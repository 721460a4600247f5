package engine

import (
	"context"
	"runtime/debug"
	"time"
)

// stopGrace is how long a stop waits for a step of the world, and then for a cycle on its way
// to the store, before it leaves them unfinished.
const stopGrace = 500 * time.Millisecond

// worldPanic carries a panic of the world from one goroutine to another.
type worldPanic struct {
	value any
	stack []byte
}

// interruptible runs a step of the world that cannot look at ctx, for the core takes none: at
// a hundred thousand agents it lasts seconds. If ctx ends meanwhile and stopGrace is over, the
// step is left to itself and ctx's error returned; its engine is not run on, so nobody sees
// the half-made world. What do assigns may be read only if the error is nil.
func interruptible(ctx context.Context, do func()) error {
	if ctx.Done() == nil {
		do()
		return nil
	}
	done := make(chan *worldPanic, 1)
	go func() {
		var p *worldPanic
		defer func() {
			if v := recover(); v != nil {
				p = &worldPanic{v, debug.Stack()}
			}
			done <- p
		}()
		do()
	}()
	if p, over := waitFor(ctx, done); over && p != nil {
		panic(p)
	} else if !over {
		return ctx.Err()
	}
	return nil
}

// waitFor receives from done; over is false when ctx ended and stopGrace with it.
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
