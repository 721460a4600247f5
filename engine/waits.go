package engine

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"kingdom/wire"
)

// WaitTold is how long a tick waits for minds before Options.Waits is told.
const WaitTold = 5 * time.Second

// Wait says for whose thoughts an open tick waits.
type Wait struct {
	Cycle  wire.Cycle
	Tick   wire.Tick
	Agents []WaitedFor // who waits longest first; at least one
}

// WaitedFor is an agent whose mind was asked and has not answered.
type WaitedFor struct {
	Agent  wire.AgentID
	Number uint64    // in spawn order, from 1
	Since  time.Time // when it was asked
}

// waits knows whose minds are being asked. Nobody outside of the process would see it otherwise: observers are told of a tick
// when it is committed.
type waits struct {
	mu    sync.Mutex
	cycle wire.Cycle
	tick  wire.Tick
	asked map[wire.AgentID]WaitedFor
}

// begin notes that the mind of an agent is asked, until the returned function is called.
func (w *waits) begin(j *job, id wire.AgentID, number uint64) (end func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.asked == nil {
		w.asked = map[wire.AgentID]WaitedFor{}
	}
	w.cycle, w.tick = j.cycle, j.tick
	w.asked[id] = WaitedFor{id, number, time.Now()}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.asked, id)
	}
}

// longest returns for whom the tick waits, if one of them was asked WaitTold ago or earlier; else nil.
func (w *waits) longest(now time.Time) *Wait {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := &Wait{Cycle: w.cycle, Tick: w.tick}
	for _, a := range w.asked {
		out.Agents = append(out.Agents, a)
	}
	slices.SortFunc(out.Agents, func(a, b WaitedFor) int {
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Number, b.Number))
	})
	if len(out.Agents) == 0 || now.Sub(out.Agents[0].Since) < WaitTold {
		return nil
	}
	return out
}

// watch calls tell while a tick waits, and with nil when it waits no longer, until the returned function is called. It calls
// it with nil first, for what an earlier process has left. tell may be slow: no tick waits for it.
func (w *waits) watch(tell func(*Wait)) (stop func()) {
	if tell == nil {
		return func() {}
	}
	done := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Go(func() {
		tell(nil)
		every := time.NewTicker(time.Second)
		defer every.Stop()
		told := time.Time{} // zero: not since the last nil
		for {
			select {
			case <-done:
				if !told.IsZero() {
					tell(nil)
				}
				return
			case now := <-every.C:
				switch wait := w.longest(now); {
				case wait == nil && !told.IsZero():
					tell(nil)
					told = time.Time{}
				case wait != nil && now.Sub(told) >= WaitTold/2:
					tell(wait)
					told = now
				}
			}
		}
	})
	return func() {
		close(done)
		watcher.Wait()
	}
}
