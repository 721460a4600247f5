package engine

import (
	"slices"
	"sync"

	"kingdom/wire"
)

// inbox holds outside inputs until their boundary.
type inbox struct {
	mu     sync.Mutex
	inputs []waiting
}

type waiting struct {
	in     Input
	result chan Applied // holds one
}

func (b *inbox) put(in Input) <-chan Applied {
	w := waiting{in: in, result: make(chan Applied, 1)}
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

// overdue reports whether an input waits for any boundary.
func (b *inbox) overdue(now wire.Tick) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(b.inputs, func(w waiting) bool { return w.in.Earliest < now })
}

// take removes those that may take effect at t, in order of arrival.
func (b *inbox) take(t wire.Tick) []waiting {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []waiting
	b.inputs = slices.DeleteFunc(b.inputs, func(w waiting) bool {
		if w.in.Earliest > t {
			return false
		}
		out = append(out, w)
		return true
	})
	return out
}

// forget drops planned inputs up to a place: history has them.
func (b *inbox) forget(plan uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.inputs = slices.DeleteFunc(b.inputs, func(w waiting) bool { return w.in.plan != 0 && w.in.plan <= plan })
}

// refuse ends all that still waits with an error.
func (b *inbox) refuse(err error) {
	b.mu.Lock()
	inputs := b.inputs
	b.inputs = nil
	b.mu.Unlock()
	for _, w := range inputs {
		w.result <- Applied{Err: err}
	}
}
