package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"kingdom/engine"
	"kingdom/scenarios"
	"kingdom/sql/table"
)

// scenarioFile is the resolved scenario in a run directory: what resume, replay
// and inspect build the world from.
const scenarioFile = "scenario.yaml"

// runFile says whose run a directory holds.
const runFile = "run.json"

// journalDir is the folder of the journal in a run directory.
const journalDir = "journal"

// makeRunDir creates the directory of a new run, or takes an empty one. A run is never
// overwritten: without --out it is base, with a number behind it if that is there; with it that is an
// error. undo removes what was made.
func makeRunDir(out, base string) (dir string, undo func(), err error) {
	fail := func(err error) (string, func(), error) {
		return "", nil, fmt.Errorf("create run directory: %w", err)
	}
	remove := func() { _ = os.RemoveAll(dir) } // what cannot be removed is no run: it has no world
	if out != "" {
		dir = out
		if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
			return fail(err)
		}
		err := os.Mkdir(dir, 0o755)
		switch {
		case errors.Is(err, fs.ErrExist):
			return dir, func() { clearDir(dir) }, mayUse(dir)
		case err != nil:
			return fail(err)
		}
		return dir, remove, nil
	}
	if err := os.MkdirAll(filepath.Dir(base), 0o755); err != nil {
		return fail(err)
	}
	for n := 1; ; n++ {
		dir = base
		if n > 1 {
			dir += "-" + strconv.Itoa(n)
		}
		err := os.Mkdir(dir, 0o755)
		if err == nil {
			return dir, remove, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return fail(err)
		}
	}
}

// mayUse says why something that exists cannot be the directory of a new run; one that
// holds nothing can.
func mayUse(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("create run directory: %w", err)
	}
	if !info.IsDir() {
		return usagef("--out names the run's directory, and %s is a file; choose another name", dir)
	}
	inside, err := os.ReadDir(dir)
	switch {
	case err != nil:
		return fmt.Errorf("create run directory: %w", err)
	case len(inside) == 0:
		return nil
	}
	if _, err := os.Stat(filepath.Join(dir, runFile)); err == nil {
		return usagef("run directory %s exists and a run is never overwritten; choose another --out, or continue it with kingdom resume %s", dir, quoted(dir))
	}
	return usagef("%s is a directory with other things than a run in it, such as %s; choose another --out, or empty it", dir, inside[0].Name())
}

// clearDir empties a directory that was there before.
func clearDir(dir string) {
	inside, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range inside {
		_ = os.RemoveAll(filepath.Join(dir, e.Name())) // as above
	}
}

// requireDatabase refuses to go on without the run's database, which would make a new one.
func requireDatabase(dir, store string) error {
	file := filepath.Join(dir, "kingdom.db")
	if store != defaultStore {
		return nil
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		return nil // opening it says what else is wrong
	}
	return &damagedError{fmt.Sprintf("the run's database %s is missing; restore it from a copy, or have the history anew: kingdom run %s",
		file, quoted(filepath.Join(dir, scenarioFile)))}
}

// noWorld says that a run's database holds nothing. That is so until the run has begun, and later it is damage.
func noWorld(dir, store string, begun bool) error {
	if store = withoutSecrets(store); store == defaultStore {
		store = filepath.Join(dir, "kingdom.db")
	}
	if !begun {
		return fmt.Errorf("%s has no world yet, because it has only just begun; if it was stopped there, kingdom resume %s begins it again", dir, quoted(dir))
	}
	return &damagedError{fmt.Sprintf("the run's database %s holds no world; restore it from a copy, or have the history anew: kingdom run %s",
		store, quoted(filepath.Join(dir, scenarioFile)))}
}

// fileWord keeps of a seed what is safe in a file name.
func fileWord(s string) string {
	b := []byte(s)
	for i, c := range b {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			b[i] = '_'
		}
	}
	return string(b[:min(len(b), 40)])
}

// openedRun is a run directory opened for reading.
type openedRun struct {
	scenario *scenarios.Scenario
	file     engine.RunFile
	config   engine.Config
	store    boundStore
	state    runState
}

// openRun opens a run directory and its store for reading; store is where the
// store is, empty for where run.json says. The run may still be going on.
func openRun(ctx context.Context, dir, store string) (*openedRun, error) {
	sc, rf, err := openRunDir(dir)
	if err != nil {
		return nil, err
	}
	if store == "" {
		store = rf.Store
	}
	if err := requireDatabase(dir, store); err != nil {
		return nil, err
	}
	f := &openedRun{scenario: sc, file: rf, config: config(sc)}
	f.config.Physics = rf.Physics
	f.store, err = openStore(ctx, dir, store, f.config.Identity(), 0)
	if errors.Is(err, table.ErrNoWorld) {
		return nil, noWorld(dir, store, rf.Until > 0)
	}
	if err != nil {
		return nil, err
	}
	if f.state, err = readRunState(ctx, f.store, &rf, sc.Cycles); err != nil {
		return nil, errors.Join(err, f.store.Close())
	}
	return f, nil
}

// noRun says that a directory holds no run.
func noRun(dir string) error {
	if isSweep(dir) {
		return usagef("%s holds a sweep; name one of its runs, such as %s", dir, quoted(anyRun(dir)))
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return usagef("%s does not exist; want the directory of a run, which kingdom run SCENARIO makes", dir)
	}
	if runs, err := filepath.Glob(filepath.Join(dir, "*", runFile)); err == nil && len(runs) > 0 {
		return usagef("%s is not a run directory: it has no run.json; name one of the runs in it, such as %s", dir, quoted(filepath.Dir(runs[0])))
	}
	return usagef("%s is not a run directory: it has no run.json; kingdom run SCENARIO makes one", dir)
}

// openRunDir reads what a run directory says of its run.
func openRunDir(dir string) (*scenarios.Scenario, engine.RunFile, error) {
	rf, err := engine.ReadRunFile(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, rf, noRun(dir)
	}
	if asType[*engine.CorruptError](err) {
		return nil, rf, damagedRun(dir, runFile, "it is not what kingdom wrote")
	}
	if err != nil {
		return nil, rf, err
	}
	sc, err := recordedScenario(dir)
	if err != nil {
		return nil, rf, err
	}
	if got := sc.Digest().String(); got != rf.Digest {
		return nil, rf, usagef("%s was changed: its scenario digest is %s, the run was started with %s; restore it, or start a new run with the change",
			filepath.Join(dir, scenarioFile), got, rf.Digest)
	}
	if rf.Seed != string(sc.Seed) { // which the digest leaves out
		return nil, rf, damagedRun(dir, runFile, fmt.Sprintf("its seed is %s, that of %s %s", quoted(rf.Seed), scenarioFile, quoted(string(sc.Seed))))
	}
	return sc, rf, nil
}

// recordedScenario reads the scenario of a run or a sweep.
func recordedScenario(dir string) (*scenarios.Scenario, error) {
	path := filepath.Join(dir, scenarioFile)
	if !isThere(path) {
		return nil, &damagedError{fmt.Sprintf("%s is missing, which says what was run; restore it from a copy", path)}
	}
	sc, err := scenarios.Load(path)
	if err != nil {
		return nil, usage(err)
	}
	return sc, nil
}

// damagedRun says what is wrong with a file of a run directory, and what helps where its scenario is whole.
func damagedRun(dir, file, what string) error {
	return &damagedError{fmt.Sprintf("%s is damaged: %s; restore it from a copy, or have the history anew: kingdom run %s",
		filepath.Join(dir, file), what, quoted(filepath.Join(dir, scenarioFile)))}
}
