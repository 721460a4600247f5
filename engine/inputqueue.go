package engine

import (
	"cmp"
	"slices"
	"sync"

	"kingdom/wire"
)

// inputQueue holds inputs from outside until their boundary.
type inputQueue struct {
	mu     sync.Mutex
	inputs []queuedInput
	failed error // why none takes effect any more; nil while they do
}

type queuedInput struct {
	in     Input
	result chan Applied // holds one
}

// put queues an input. After failAll it answers at once: no boundary follows.
func (b *inputQueue) put(in Input) <-chan Applied {
	w := queuedInput{in: in, result: make(chan Applied, 1)}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed != nil {
		w.result <- Applied{Err: b.failed}
	} else {
		b.inputs = append(b.inputs, w)
	}
	return w.result
}

// scheduled returns the smallest Earliest of the queued inputs that is not before now.
func (b *inputQueue) scheduled(now wire.Tick) (t wire.Tick, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range b.inputs {
		if at := w.in.Earliest; at >= now && (!ok || at < t) {
			t, ok = at, true
		}
	}
	return t, ok
}

// hasOverdue reports whether an input may take effect at any boundary from now on.
func (b *inputQueue) hasOverdue(now wire.Tick) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(b.inputs, func(w queuedInput) bool { return w.in.Earliest < now })
}

// take removes and returns the inputs that may take effect at t, in order of arrival. Those of the run's inbox wait for
// the first tick of a cycle.
func (b *inputQueue) take(t wire.Tick, first bool) []queuedInput {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []queuedInput
	b.inputs = slices.DeleteFunc(b.inputs, func(w queuedInput) bool {
		if w.in.Earliest > t || w.in.file != "" && !first {
			return false
		}
		out = append(out, w)
		return true
	})
	return out
}

// dropApplied removes the input that a record says was applied, and those before it in Config.Planned or in the same file
// of the inbox: the journal has them.
func (b *inputQueue) dropApplied(r *inputRecord) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.inputs = slices.DeleteFunc(b.inputs, func(w queuedInput) bool {
		return w.in.plan != 0 && w.in.plan <= r.Plan || w.in.file != "" && w.in.file == r.File && w.in.item <= r.Item
	})
}

// failAll answers all inputs, those that are queued and those that still come, with an error. Of several errors the first
// is kept.
func (b *inputQueue) failAll(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failed = cmp.Or(b.failed, err)
	for _, w := range b.inputs {
		w.result <- Applied{Err: b.failed} // does not block: each holds one
	}
	b.inputs = nil
}
