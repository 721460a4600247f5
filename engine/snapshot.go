package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kingdom/wire"
)

// A snapshot is a file of the run directory, framed like a journal segment: the
// cycle row, all records of tables that change, the heads of the append-only ones,
// and all agents, as the store has them at that moment. All but the cycle row is packed.
// Experiences and ended plans are left out if the store keeps their history ([historyStore]).
const (
	snapshotDir = "snapshots"
	snapshotExt = ".ks"
)

// snapFiles reads and writes the snapshots of a run.
type snapFiles struct {
	dir   string // of the run
	run   RunRow
	every uint64 // cycles from one to the next
	db    Store
}

// snapshotFiles returns the snapshots of the engine's run.
func snapshotFiles(e *Engine) snapFiles {
	return snapFiles{dir: e.dir, run: e.cfg.Identity(), every: e.cfg.SnapshotEvery, db: e.db}
}

// snapshot returns a function that writes a snapshot, or does nothing if the cycle is to have none. The function is
// called after the cycle is in the store and before the next one is.
func (e *Engine) snapshot(ctx context.Context, b *Batch) func() error {
	if e.dir == "" || e.db == nil || uint64(b.Cycle.Cycle)%e.cfg.SnapshotEvery != 0 {
		return func() error { return nil }
	}
	img := &Image{Cycle: b.Cycle, Rows: e.realm.All(), Heads: b.Heads}
	ids, thoughts := slices.Clone(e.realm.Agents()), e.journal.thoughts
	files := snapshotFiles(e)
	return func() error { return files.write(ctx, img, thoughts, ids) }
}

// tidySnapshots prepares the snapshots of a resumed run. It writes one if the run was killed before its first, so that
// later cycles can be inspected, and removes files that a killed process has left.
func (e *Engine) tidySnapshots(ctx context.Context, img *Image) error {
	if e.dir == "" {
		return nil
	}
	have, err := snapshots(filepath.Join(e.dir, snapshotDir), LastCycle)
	if err != nil {
		return err
	}
	if len(have) > 0 {
		return snapshotFiles(e).thin()
	}
	return snapshotFiles(e).write(ctx, &Image{Cycle: img.Cycle, Rows: e.realm.All(), Heads: img.Heads}, e.journal.thoughts, e.realm.Agents())
}

// path returns the file path of the snapshot of a cycle.
func (s snapFiles) path(c wire.Cycle) string {
	return filepath.Join(s.dir, snapshotDir, fmt.Sprintf("%08d%s", c, snapshotExt))
}

// errNoSnapshot says that a cycle cannot be reached from a snapshot.
var errNoSnapshot = errors.New("none")

// newest reads the newest snapshot at or before cycle most. It has no rows of append-only tables.
func (s snapFiles) newest(ctx context.Context, most wire.Cycle) (*Image, wire.Hash, error) {
	for gone := LastCycle; ; {
		cycles, err := snapshots(filepath.Join(s.dir, snapshotDir), most)
		if err != nil {
			return nil, wire.Hash{}, err
		}
		if len(cycles) == 0 {
			return nil, wire.Hash{}, fmt.Errorf("read snapshots of %s: %w at or before cycle %d; replay the run instead", s.dir, errNoSnapshot, most)
		}
		c := cycles[len(cycles)-1]
		img, thoughts, err := s.read(ctx, c)
		if errors.Is(err, os.ErrNotExist) && c != gone {
			gone = c // a run that is going on has just removed it; an older one remains
			continue
		}
		if bad := new(CorruptError); errors.As(err, &bad) {
			err = fmt.Errorf("%w, or remove it: then the snapshot before it is used", err)
		}
		return img, thoughts, err
	}
}

// snapshots lists the cycles that have one, ascending, up to most.
func snapshots(dir string, most wire.Cycle) ([]wire.Cycle, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("list snapshots: %w", err)
	}
	var out []wire.Cycle
	for _, entry := range entries {
		name, ok := strings.CutSuffix(entry.Name(), snapshotExt)
		if n, err := strconv.ParseUint(name, 10, 64); ok && err == nil && wire.Cycle(n) <= most {
			out = append(out, wire.Cycle(n))
		}
	}
	slices.Sort(out)
	return out, nil
}
