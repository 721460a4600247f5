package watch

import (
	"context"

	"kingdom/wire"
)

// What programs ask a watcher, over HTTP or as a library.

// Inspection returns what kingdom inspect --json prints of the run. While the run goes on it may be two seconds old.
func (w *Watcher) Inspection(ctx context.Context) ([]byte, error) {
	in, err := w.inspect(ctx)
	if err != nil {
		return nil, err
	}
	return in.raw, nil
}

// Stuck returns who is stuck now, the longest first. Who is not any more is known from an inspection.
func (w *Watcher) Stuck(ctx context.Context) ([]Stuck, error) {
	if _, err := w.inspect(ctx); err != nil {
		return nil, err
	}
	return w.feed.stuckNow(), nil
}

// Timeline returns what happened: items of at least a level with a number above after, in the order of their numbers, and of more
// than limit the newest. alias chooses those about one agent; "" those about all, and about none.
func (w *Watcher) Timeline(after uint64, least Level, alias string, limit uint64) []Item {
	const all = uint64(len(levelNames) * 2 * kept)
	if limit = min(limit, all); alias == "" {
		return append([]Item{}, w.feed.since(after, least, int(limit))...)
	}
	items := []Item{}
	for _, it := range w.feed.since(after, least, int(all)) {
		if it.Agent == alias {
			items = append(items, it)
		}
	}
	return items[max(0, len(items)-int(limit)):]
}

// Figures returns the rows of metrics.csv from a cycle on.
func (w *Watcher) Figures(from wire.Cycle) Figures {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.figures.since(from)
}

// Doing returns what the run is doing, and why something could not be read at the last look; "" if nothing is wrong.
func (w *Watcher) Doing() (status Status, problem string) {
	w.feed.mu.Lock()
	defer w.feed.mu.Unlock()
	return w.feed.status, w.feed.trouble()
}
