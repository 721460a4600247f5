package engine

import (
	"fmt"
	"os"
	"path/filepath"

	"kingdom/wire"
)

// Snapshots are thinned by age. All of the newest snapGap intervals stay. Of the older ones only so many
// stay that no cycle is further from the snapshot before it than snapGap intervals, so that it is reached
// by executing less than 64 cycles again at the usual 16: below two seconds for the eight agents of epoch 0.
// The oldest one always stays.
const snapGap = 4

// spare lists the snapshots that may go: cycles has all there are, ascending, every is their usual distance.
// Whichever of them are removed, in whatever order, no gap grows beyond snapGap intervals.
func spare(cycles []wire.Cycle, every uint64) (out []wire.Cycle) {
	if len(cycles) == 0 {
		return nil
	}
	gap := wire.Cycle(snapGap * every)
	newest, kept := cycles[len(cycles)-1], cycles[0]
	for i, c := range cycles {
		switch {
		case i == 0 || newest-c < gap:
			kept = c
		case cycles[i+1]-kept <= gap: // the newest one is never old, so there is a next
			out = append(out, c)
		default:
			kept = c
		}
	}
	return out
}

// thin removes the snapshots that are no longer needed, once a new one is safe. A kill in the middle
// leaves some of them to the next time.
func (s snapFiles) thin() error {
	dir := filepath.Join(s.dir, snapshotDir)
	cycles, err := snapshots(dir, LastCycle)
	if err != nil {
		return err
	}
	for _, c := range spare(cycles, s.every) {
		if err := os.Remove(s.path(c)); err != nil {
			return fmt.Errorf("thin snapshots: %w", err)
		}
	}
	return nil
}
