package engine

import (
	"slices"
	"sync"

	"kingdom/wire"
)

// inbox holds outside inputs until their boundary.
type inbox struct {
	mu     sync.Mutex
	inputs []queuedInput
}

type queuedInput struct {
	in     Input
	result chan Applied // holds one
}

func (b *inbox) put(in Input) <-chan Applied {
	w := queuedInput{in: in, result: make(chan Applied, 1)}
	b.mu.Lock()
	b.inputs = append(b.inputs, w)
	b.mu.Unlock()
	return w.result
}

// scheduled is the first tick from now on that an input asked for.
func (b *inbox) scheduled(now wire.Tick) (t wire.Tick, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range b.inputs {
		if at := w.in.Earliest; at >= now && (!ok || at < t) {
			t, ok = at, true
		}
	}
	return t, ok
}

// hasOverdue reports whether an input waits for any boundary.
func (b *inbox) hasOverdue(now wire.Tick) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(b.inputs, func(w queuedInput) bool { return w.in.Earliest < now })
}

// take removes those that may take effect at t, in order of arrival.
func (b *inbox) take(t wire.Tick) []queuedInput {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []queuedInput
	b.inputs = slices.DeleteFunc(b.inputs, func(w queuedInput) bool {
		if w.in.Earliest > t {
			return false
		}
		out = append(out, w)
		return true
	})
	return out
}

// dropPlanned drops planned inputs up to a place: history has them.
func (b *inbox) dropPlanned(plan uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.inputs = slices.DeleteFunc(b.inputs, func(w queuedInput) bool { return w.in.plan != 0 && w.in.plan <= plan })
}

// failAll ends all that still waits with an error.
func (b *inbox) failAll(err error) {
	b.mu.Lock()
	inputs := b.inputs
	b.inputs = nil
	b.mu.Unlock()
	for _, w := range inputs {
		w.result <- Applied{Err: err}
	}
}
