package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kingdom/wire"
)

// snapGap says how snapshots are thinned by age. The newest snapGap intervals keep all snapshots.
// Among older ones enough stay that every cycle is at most snapGap intervals after a snapshot, so that it is reached
// by executing less than 64 cycles again at the usual 32: below two seconds for the eight agents of epoch 0.
// The oldest one always stays.
const snapGap = 2

// removable returns the snapshots that may be removed: cycles are all snapshots, ascending, every is their usual distance.
// Whichever of them are removed, in whatever order, no gap grows beyond snapGap intervals.
func removable(cycles []wire.Cycle, every uint64) (out []wire.Cycle) {
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

// thin removes the snapshots that are no longer needed, once a new one is safe, and the parts of those that were being
// written when the run was killed. A kill in the middle leaves some of them to the next time, at the latest to the resumed
// run's start.
func (s snapFiles) thin() error {
	dir := filepath.Join(s.dir, snapshotDir)
	cycles, err := snapshots(dir, LastCycle)
	if err != nil {
		return err
	}
	gone, err := partialFiles(dir)
	for _, c := range removable(cycles, s.every) {
		gone = append(gone, s.path(c))
	}
	for _, path := range gone {
		err = errors.Join(err, os.Remove(path))
	}
	if err != nil {
		return fmt.Errorf("thin snapshots: %w", err)
	}
	return nil
}

// partialFiles lists the temporary files, named by package durable, of snapshots whose writing a kill interrupted. Only the
// run's own process writes snapshots, and it does not now.
func partialFiles(dir string) (paths []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, entry := range entries {
		if name := entry.Name(); strings.HasPrefix(name, ".") && strings.Contains(name, snapshotExt+".") {
			paths = append(paths, filepath.Join(dir, name))
		}
	}
	return paths, err
}
