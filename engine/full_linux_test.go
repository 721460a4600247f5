package engine

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"kingdom/engine/journal"
)

// fillDisk makes every further write to an open file of this process fail for want of space.
func fillDisk(t *testing.T, path string) {
	t.Helper()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range fds {
		n, err := strconv.Atoi(entry.Name())
		if to, _ := os.Readlink(filepath.Join("/proc/self/fd", entry.Name())); err != nil || to != path {
			continue
		}
		if err := syscall.Dup3(int(full.Fd()), n, syscall.O_CLOEXEC); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Fatalf("%s is not open", path)
}

// The same when the journal meets the full disk.
func TestResume_AfterFullJournal(t *testing.T) {
	const cycles = 4
	want := mustRun(t, testConfig("42", 8), Options{}, cycles)
	for name, mind := range map[string]Mind{"scripted": testMind("42"), "recorded": newCostly("42")} {
		store, dir := newMemStore(), t.TempDir()
		opt := Options{Dir: dir, Store: store, Mind: mind}
		e, err := Start(t.Context(), testConfig("42", 8), opt)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Run(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		fillDisk(t, filepath.Join(dir, journalDir, journal.SegmentName(1)))
		_, err = e.Run(t.Context(), cycles)
		var full *DiskFullError
		if !errors.As(err, &full) || full.Cycle != 1 {
			t.Fatalf("%s: run with a full journal: %v", name, err)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		if e, err = Resume(t.Context(), testConfig("42", 8), opt); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Run(t.Context(), cycles); err != nil || resultOf(e) != want {
			t.Errorf("%s: got %+v, %v; want %+v", name, resultOf(e), err, want)
		}
		e.Close()
	}
}
