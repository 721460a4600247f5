package engine

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kingdom/engine/durable"
	"kingdom/engine/journal"
	"kingdom/wire"
)

// The snapshots that are left at the default distance.
func TestRemovable_DefaultDistance(t *testing.T) {
	var have []wire.Cycle
	for c := wire.Cycle(0); c <= 416; c += 32 {
		have = append(have, c)
		have = slices.DeleteFunc(have, func(c wire.Cycle) bool { return slices.Contains(removable(have, 32), c) })
	}
	if want := []wire.Cycle{0, 64, 128, 192, 256, 320, 384, 416}; !slices.Equal(have, want) {
		t.Errorf("after 416 cycles there are %v, want %v", have, want)
	}
}

// However far apart the snapshots are, and whichever of the removable ones a kill leaves, no gap grows beyond the
// bound, the oldest and all of the newest stay, and a second pass finds nothing more to remove.
func TestRemovable_LeavesNoGapBeyondTheBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		every := rapid.Uint64Range(1, 40).Draw(t, "every")
		var have []wire.Cycle
		next := wire.Cycle(rapid.Uint64Range(0, 50).Draw(t, "first"))
		for range rapid.IntRange(1, 60).Draw(t, "snapshots") {
			have = append(have, next)
			gaps := widest(have)
			next += wire.Cycle(rapid.Uint64Range(1, 6*every).Draw(t, "distance"))
			drop := removable(have, every)
			var left []wire.Cycle
			for _, c := range have {
				if !slices.Contains(drop, c) || rapid.Bool().Draw(t, "killed before") {
					left = append(left, c)
				}
			}
			newest := have[len(have)-1]
			for _, c := range drop {
				if c == have[0] || newest-c < wire.Cycle(snapGap*every) {
					t.Fatalf("of %v cycle %d goes", have, c)
				}
			}
			if got := widest(left); got > max(gaps, wire.Cycle(snapGap*every)) {
				t.Fatalf("of %v %v are left: a gap of %d", have, left, got)
			}
			whole := slices.DeleteFunc(slices.Clone(have), func(c wire.Cycle) bool { return slices.Contains(drop, c) })
			if again := removable(whole, every); len(again) > 0 {
				t.Fatalf("of %v then %v go too", whole, again)
			}
			if old := slices.IndexFunc(whole, func(c wire.Cycle) bool { return newest-c < wire.Cycle(snapGap*every) }); old > 2+int(uint64(newest-have[0])/every) {
				t.Fatalf("%d old ones are left of %d cycles: %v", old, newest-have[0], whole)
			}
			have = left
		}
	})
}

// widest is the longest way from a snapshot to the next.
func widest(have []wire.Cycle) (gap wire.Cycle) {
	for i := 1; i < len(have); i++ {
		gap = max(gap, have[i]-have[i-1])
	}
	return gap
}

// Every cycle of a run whose snapshots were thinned can be looked at, whatever a kill left of them; and so
// with snapshots that are not packed, as versions of before wrote them.
func TestOpenAt_ThinnedSnapshots(t *testing.T) {
	store, dir := newMemStore(), t.TempDir()
	cfg, mind := testConfig("42", 2), testMind("42")
	cfg.SnapshotEvery = 2
	mustRun(t, cfg, Options{Dir: dir, Store: store, Mind: mind}, 21)
	path := filepath.Join(dir, snapshotDir)
	have, err := snapshots(path, LastCycle)
	if want := []wire.Cycle{0, 4, 8, 12, 16, 18, 20}; err != nil || !slices.Equal(have, want) {
		t.Fatalf("snapshots %v, want %v: %v", have, want, err)
	}
	look := func(c wire.Cycle) {
		t.Helper()
		e, err := OpenAt(t.Context(), cfg, Options{Dir: dir, Store: store, Mind: mind}, c)
		if err != nil {
			t.Fatalf("cycle %d: %v", c, err)
		}
		defer e.Close()
		if in := e.Inspect(); in.Cycle != c || in.WorldHash != store.cycles[c].WorldHash || agentsHash(e.agents.ascending()) != store.cycles[c].AgentsHash {
			t.Errorf("cycle %d looks like %+v", c, in)
		}
	}
	for c := range wire.Cycle(22) {
		look(c)
	}
	e := &Engine{cfg: cfg, dir: dir}
	for _, c := range have {
		e.repack(t, c)
		look(c)
	}
	damaged := snapshotFiles(e).path(18)
	b, err := os.ReadFile(damaged)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(damaged, b, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenAt(t.Context(), cfg, Options{Dir: dir, Store: store, Mind: mind}, 19); err == nil || !strings.Contains(err.Error(), "restore it from a copy, or remove it: then the snapshot before it") {
		t.Errorf("a damaged snapshot = %v, want a remedy", err)
	}
	if err := os.Remove(damaged); err != nil { // as the error says
		t.Fatal(err)
	}
	look(19)
	for _, c := range []wire.Cycle{8, 16} { // as a kill leaves them
		if err := os.Remove(snapshotFiles(e).path(c)); err != nil {
			t.Fatal(err)
		}
		look(c)
	}
}

// repack writes a snapshot as it was written before records were packed.
func (e *Engine) repack(t *testing.T, c wire.Cycle) {
	t.Helper()
	path := snapshotFiles(e).path(c)
	run := e.cfg.Identity()
	b := journal.AppendHeader(nil, uint32(c), run.digest())
	for n, r := range unpacked(t, segmentRecords(t, path, uint32(c))) {
		b = journal.AppendRecord(b, uint32(c), uint64(n), recordKind(r[0]), func(b []byte) []byte { return append(b, r[1:]...) })
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(b, before) || len(before)*2 > len(b) {
		t.Fatalf("the snapshot of cycle %d has %d bytes packed, %d unpacked", c, len(before), len(b))
	}
	if err := durable.WriteBytes(path, b); err != nil {
		t.Fatal(err)
	}
}

// Files that are not snapshots are neither removed nor read; a partly written snapshot that a kill left is removed.
func TestThin_RemovesSnapshotsAndTemporaryFilesOnly(t *testing.T) {
	e := &Engine{cfg: testConfig("42", 2), dir: t.TempDir()}
	dir := filepath.Join(e.dir, snapshotDir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"00000000.ks", "00000003.ks", "00000006.ks", "00000100.ks", ".00000101.ks.123", ".notes", "notes.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := snapshotFiles(e).thin(); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, entry := range entries {
		left = append(left, entry.Name())
	}
	if got := strings.Join(left, " "); got != ".notes 00000000.ks 00000006.ks 00000100.ks notes.txt" {
		t.Errorf("left: %s", got)
	}
}
