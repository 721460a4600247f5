package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kingdom/wire"
	"kingdom/world"
)

// A snapshot is a file of the run directory, framed like a journal segment: the
// cycle row, all records of tables that change, the heads of the append-only ones,
// and of the agents what changed since the snapshot before. A base holds the
// agents whole; reading starts at the newest base.
const (
	snapshotDir = "snapshots"
	snapshotExt = ".ks"
)

// snapshot notes what a cycle changed and, every so often, returns the work of
// writing a snapshot; the returned function runs after the cycle is in the store.
func (e *Engine) snapshot(row *CycleRow, ids []wire.AgentID, b *Batch) func() error {
	if e.dir == "" {
		return func() error { return nil }
	}
	if e.delta == nil {
		e.delta = delta{}
	}
	for i, id := range ids {
		e.delta.add(id, &b.Minds[i])
	}
	if uint64(row.Cycle)%e.cfg.SnapshotEvery != 0 {
		return func() error { return nil }
	}
	img := &Image{Cycle: *row, Rows: e.realm.All(), Heads: b.Heads}
	minds := e.delta
	e.delta = nil
	thoughts := e.thoughts
	return func() error { return e.writeSnapshot(img, thoughts, minds, row.Cycle == 0) }
}

// rebase writes a base when a run is resumed, since what changed after the last
// snapshot is no longer known apart.
func (e *Engine) rebase(img *Image) error {
	if e.dir == "" {
		return nil
	}
	if _, err := os.Stat(e.snapshotPath(img.Cycle.Cycle)); err == nil {
		return nil
	}
	minds := delta{}
	for i := range img.Minds {
		minds.add(img.Minds[i].State.AgentID, &img.Minds[i])
	}
	base := *img
	base.Rows = slices.DeleteFunc(slices.Clone(img.Rows), func(r world.Row) bool { return r.Chain })
	return e.writeSnapshot(&base, e.thoughts, minds, true)
}

func (e *Engine) snapshotPath(c wire.Cycle) string {
	return filepath.Join(e.dir, snapshotDir, fmt.Sprintf("%08d%s", c, snapshotExt))
}

func (e *Engine) writeSnapshot(img *Image, thoughts wire.Hash, minds delta, base bool) error {
	path := e.snapshotPath(img.Cycle.Cycle)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("write snapshot: %w", err)
	}
	if err := writeAtomic(path, e.encodeSnapshot(img, thoughts, minds, base)); err != nil {
		return fmt.Errorf("write snapshot: %w", err)
	}
	return nil
}

// readSnapshot puts together the newest snapshot at cycle most or before, from the
// newest base on. Rows of append-only tables are not in it.
func (e *Engine) readSnapshot(most wire.Cycle) (*Image, wire.Hash, error) {
	cycles, err := snapshots(filepath.Join(e.dir, snapshotDir), most)
	if err != nil {
		return nil, wire.Hash{}, err
	}
	var files []*snapFile // newest first
	for i := len(cycles) - 1; i >= 0; i-- {
		f, err := e.readSnapFile(cycles[i])
		if err != nil {
			return nil, wire.Hash{}, err
		}
		files = append(files, f)
		if f.meta.Base {
			return e.assemble(files)
		}
		f.drop(len(files) > 1)
	}
	return nil, wire.Hash{}, fmt.Errorf("read snapshots of %s: no base at or before cycle %d; replay the run instead", e.dir, most)
}

func (e *Engine) assemble(files []*snapFile) (*Image, wire.Hash, error) {
	minds := delta{}
	for _, f := range slices.Backward(files) {
		for i := range f.minds {
			r := f.minds[i].rows()
			minds.add(f.minds[i].Agent, &r)
		}
	}
	img := files[0].img
	for _, id := range sortedIDs(minds) {
		compact(minds[id])
		img.Minds = append(img.Minds, *minds[id])
	}
	return &img, files[0].meta.Cycle.Thoughts, nil
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
