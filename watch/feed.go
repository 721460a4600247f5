package watch

import (
	"cmp"
	"slices"
	"sync"

	"kingdom/observe"
	"kingdom/wire"
)

// kept is how many items of each level a feed keeps, the newest ones.
const kept = 2000

// Stuck is an agent that has done nothing useful for several slots.
type Stuck struct {
	Agent  string     `json:"agent"` // alias
	Streak uint32     `json:"streak"`
	Reason string     `json:"reason"` // of its last NOP
	Cycle  wire.Cycle `json:"cycle"`  // of its last NOP
	Tick   wire.Tick  `json:"tick"`
}

// feed is what a watcher has learnt so far. It may be used from several goroutines.
type feed struct {
	mu      sync.Mutex
	number  uint64
	items   [len(levelNames)][]Item
	stuck   map[string]Stuck // by alias
	cycle   wire.Cycle       // the last one of which there are figures
	began   bool             // there are figures of a cycle
	status  Status           // of the run
	lost    bool             // the status could not be read at the last look, as of a run that was removed
	logs    string           // why the logs cannot be read; "" if they can
	problem string           // why something else could not be read at the last look; "" if it could
	changed chan struct{}    // closed at the next change
}

func newFeed() *feed { return &feed{stuck: map[string]Stuck{}, changed: make(chan struct{})} }

// change calls f and wakes all who wait for a change.
func (f *feed) change(with func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	with()
	close(f.changed)
	f.changed = make(chan struct{})
}

// add adds items in their order.
func (f *feed) add(items ...Item) {
	if len(items) > 0 {
		f.change(func() { f.append(items...) })
	}
}

func (f *feed) append(items ...Item) {
	for _, it := range items {
		f.number++
		it.Number = f.number
		list := append(f.items[it.Level], it)
		if len(list) >= 2*kept { // moved seldom, not with each item
			list = append([]Item(nil), list[len(list)-kept:]...)
		}
		f.items[it.Level] = list
	}
}

// addLine adds a line of a log.
func (f *feed) addLine(l *observe.Line) {
	it, ok := ofLine(l)
	if !ok {
		return
	}
	streak, why := l.Stuck()
	f.change(func() {
		switch {
		case streak >= wire.NOPWarning:
			f.stuck[it.Agent] = Stuck{Agent: it.Agent, Streak: streak, Reason: why, Cycle: it.Cycle, Tick: it.Tick}
		case streak > 0, l.Changed() != "": // it acted in between, or it sleeps or is awake again
			delete(f.stuck, it.Agent)
		}
		f.append(it)
	})
}

// act notes which agents have no streak at the end of a cycle, so that they have acted since they were stuck.
func (f *feed) act(cycle wire.Cycle, free map[string]bool) {
	f.change(func() {
		for alias, s := range f.stuck {
			if free[alias] && s.Cycle <= cycle {
				delete(f.stuck, alias)
			}
		}
	})
}

// trouble says why something could not be read; "" if nothing is wrong. The caller holds the lock.
func (f *feed) trouble() string { return cmp.Or(f.logs, f.problem) }

// since returns the items of at least a level with a number above after, in the order of their numbers; of more than limit the newest.
func (f *feed) since(after uint64, least Level, limit int) []Item {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []Item
	for l := least; int(l) < len(f.items); l++ {
		list := f.items[l]
		from, _ := slices.BinarySearchFunc(list, after+1, func(it Item, n uint64) int { return cmp.Compare(it.Number, n) })
		out = append(out, list[max(from, len(list)-limit):]...)
	}
	slices.SortFunc(out, func(a, b Item) int { return cmp.Compare(a.Number, b.Number) })
	return out[max(0, len(out)-limit):]
}

// stuckNow returns who is stuck, the longest first.
func (f *feed) stuckNow() []Stuck {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := make([]Stuck, 0, len(f.stuck))
	for _, s := range f.stuck {
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b Stuck) int {
		return cmp.Or(cmp.Compare(b.Streak, a.Streak), cmp.Compare(a.Tick, b.Tick), cmp.Compare(a.Agent, b.Agent))
	})
	return out
}
