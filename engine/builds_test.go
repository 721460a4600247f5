package engine

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"kingdom/wire"
)

// run.json keeps every build that wrote cycles of a run, and one that wrote none leaves no trace.
func TestResume_KeepsTheBuildsOfARun(t *testing.T) {
	dir, store := t.TempDir(), newMemStore()
	cfg := testConfig("42", 4)
	cfg.Build = "v1"
	mustRun(t, cfg, Options{Dir: dir, Store: store}, 2)
	resume := func(build string, until wire.Cycle) RunFile {
		t.Helper()
		rf, err := ReadRunFile(dir)
		if err != nil {
			t.Fatal(err)
		}
		cfg := testConfig("42", 4)
		cfg.Build = build
		cfg.ForRun(&rf)
		e, err := Resume(t.Context(), cfg, Options{Dir: dir, Store: store, Mind: testMind("42")})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Run(t.Context(), until); err != nil {
			t.Fatal(err)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		if rf, err = ReadRunFile(dir); err != nil {
			t.Fatal(err)
		}
		return rf
	}
	for _, c := range []struct {
		build string
		until wire.Cycle
		last  string
		list  Builds
	}{
		{"v2", 2, "v1", nil}, // it has nothing to do
		{"v1", 3, "v1", nil},
		{"v2", 5, "v2", Builds{{"v1", 0}, {"v2", 4}}},
		{"v2", 6, "v2", Builds{{"v1", 0}, {"v2", 4}}},
		{"v1", 7, "v1", Builds{{"v1", 0}, {"v2", 4}, {"v1", 7}}},
	} {
		if rf := resume(c.build, c.until); rf.Build != c.last || !slices.Equal(rf.Builds, c.list) {
			t.Errorf("%s up to cycle %d: run.json has build %q, builds %v; want %q, %v", c.build, c.until, rf.Build, rf.Builds, c.last, c.list)
		}
	}
	rf := resume("v1", 7)
	by := rf.WrittenBy()
	for c, want := range []string{"v1", "v1", "v1", "v1", "v2", "v2", "v2", "v1"} {
		if got := by.At(uint64(c)); got != want {
			t.Errorf("cycle %d was written by %q, want %q", c, got, want)
		}
	}
}

// A divergence from a run of another build says which build to use.
func TestReplay_NamesTheBuildThatWroteTheRun(t *testing.T) {
	dir, store := recordRun(t, testMind("42"))
	slot := liveSlots(t)[0]
	for _, c := range []struct{ this, wrote, says string }{
		{"v2", "v1", dir + " was written by kingdom v1, this is v2; to look at " + dir + " use kingdom v1"},
		{"", "v1", dir + " was written by kingdom v1, this is another build; to look at "},
		{"v2", "v2", ""},
		{"v2", "", ""},
	} {
		cfg := testConfig("42", 8)
		cfg.Build = c.this
		cfg.ForRun(&RunFile{Physics: Physics, Build: c.wrote})
		_, err := Replay(t.Context(), cfg, ReplayOptions{Dir: dir, Store: store, Mind: &changed{Mind: testMind("42"), agent: slot.agent, tick: slot.tick}})
		var d *DivergenceError
		if !errors.As(err, &d) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "was written by") != (c.says != "") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
