package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"kingdom/engine"
	"kingdom/observe"
	"kingdom/scenarios"
	"kingdom/sql/table"
)

// scenarioFile is the resolved scenario in a run directory, from which resume, replay
// and inspect build the world.
const scenarioFile = "scenario.yaml"

// runFile is the file in a run directory that identifies the run.
const runFile = "run.json"

// journalDir is the folder of the journal in a run directory.
const journalDir = "journal"

// makeRunDir creates the directory of a new run, or uses an empty one. A run is never
// overwritten. If out is empty, the directory is base, with a number appended if that exists. If out exists and is not
// empty, it is an error. undo removes what was created.
func makeRunDir(out, base string) (dir string, undo func(), err error) {
	fail := func(err error) (string, func(), error) {
		return "", nil, fmt.Errorf("create run directory: %w", err)
	}
	if err := checkOutside(cmp.Or(out, base)); err != nil {
		return "", nil, err
	}
	remove := func() { _ = os.RemoveAll(dir) } // if this fails, the rest is not taken for a run: it has no world
	if out != "" {
		dir = out
		if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
			return fail(err)
		}
		err := os.Mkdir(dir, 0o755)
		switch {
		case errors.Is(err, fs.ErrExist):
			return dir, func() { clearDir(dir) }, checkUsable(dir)
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

// checkOutside returns an error if a new run or sweep would be inside the directory of another, which holds the files of
// that one only: what is copied, moved or removed there would concern both.
func checkOutside(dir string) error {
	full, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("create run directory: %w", err)
	}
	for above := filepath.Dir(full); ; above = filepath.Dir(above) {
		what := ""
		if _, err := os.Stat(filepath.Join(above, runFile)); err == nil {
			what = "run"
		} else if isSweep(above) {
			what = "sweep"
		}
		if what != "" {
			return usagef("%s would be inside %s, the directory of another %s, which is copied, moved and removed as a whole; choose an --out outside of it", dir, above, what)
		}
		if above == filepath.Dir(above) {
			return nil
		}
	}
}

// checkUsable returns an error if an existing path cannot be the directory of a new run. An
// empty directory can.
func checkUsable(dir string) error {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) { // it is there, but only as a link
		return usagef("%s is a link to something that does not exist; remove it, or choose another --out", dir)
	}
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
		return usagef("run directory %s exists and a run is never overwritten; choose another --out, or continue it with kingdom resume %s", dir, shellQuote(dir))
	}
	return usagef("%s is a directory with other things than a run in it, such as %s; choose another --out, or empty it", dir, inside[0].Name())
}

// writeNewScenario writes the scenario of a new run. If two commands begin in one empty directory at the same time, only
// one can make this file, so only that one goes on; the error of the other is [fs.ErrExist].
func writeNewScenario(dir string, text []byte) error {
	f, err := os.OpenFile(filepath.Join(dir, scenarioFile), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return cmp.Or(err, f.Close())
}

// clearDir removes everything in a directory.
func clearDir(dir string) {
	inside, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range inside {
		_ = os.RemoveAll(filepath.Join(dir, e.Name())) // as in makeRunDir
	}
}

// requireDatabase returns an error if the run's database is missing, because opening it would create a new one. begun is as in
// noWorldError.
func requireDatabase(dir, store string, begun bool) error {
	file := filepath.Join(dir, "kingdom.db")
	if store != defaultStore {
		return nil
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		return nil // any other error appears when it is opened
	}
	if !begun {
		return noWorldError(dir, store, false)
	}
	return &damagedError{fmt.Sprintf("the run's database %s is missing; restore it from a copy, or run the scenario again: kingdom run %s",
		file, shellQuote(filepath.Join(dir, scenarioFile)))}
}

// noWorldError says that a run's database holds no world. That is normal before the bootstrap is stored (begun is
// false), and damage later.
func noWorldError(dir, store string, begun bool) error {
	if store = withoutSecrets(store); store == defaultStore {
		store = filepath.Join(dir, "kingdom.db")
	}
	if !begun {
		return fmt.Errorf("%s has no world yet, because it has only just begun; if it was stopped there, kingdom resume %s begins it again", dir, shellQuote(dir))
	}
	return &damagedError{fmt.Sprintf("the run's database %s holds no world; restore it from a copy, or run the scenario again: kingdom run %s",
		store, shellQuote(filepath.Join(dir, scenarioFile)))}
}

// fileNameFrom makes a file name of a seed: other characters than ASCII letters, digits, - and _ become _, and it has at
// most 40 bytes.
func fileNameFrom(s string) string {
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

// openRun opens a run directory and its store for reading; store is the location of
// the store, empty for the one in run.json. The run may still be going on.
func openRun(ctx context.Context, dir, store string) (*openedRun, error) {
	sc, rf, err := openRunDir(dir)
	if err != nil {
		return nil, err
	}
	if store == "" {
		store = rf.Store
	}
	if err := requireDatabase(dir, store, rf.Until > 0); err != nil {
		return nil, err
	}
	f := &openedRun{scenario: sc, file: rf, config: configFor(sc, &rf)}
	f.store, err = openStore(ctx, dir, store, f.config.Identity(), 0)
	if errors.Is(err, table.ErrNoWorld) {
		return nil, noWorldError(dir, store, rf.Until > 0)
	}
	if err != nil {
		return nil, err
	}
	if f.state, err = readRunState(ctx, f.store, &rf, sc.Cycles); err != nil {
		return nil, errors.Join(err, f.store.Close())
	}
	if f.state.Cause != "" {
		if names, err := namesIn(ctx, f); err == nil { // else their aliases do
			f.state.Cause = observe.Named(f.state.Cause, names)
		}
	}
	return f, nil
}

// isMissing reports whether a file could not be opened because it does not exist, or because what should be its
// directory is a file.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// noRunError says that a directory is not a run directory, and which one the user may have meant.
func noRunError(dir string) error {
	if isSweep(dir) {
		return usagef("%s holds a sweep; name one of its runs, such as %s", dir, shellQuote(anyRun(dir)))
	}
	switch info, err := os.Stat(dir); {
	case isMissing(err):
		return usagef("%s does not exist; want the directory of a run, which kingdom run SCENARIO makes", dir)
	case err == nil && runAround(dir) != "":
		return usagef("%s is a part of the run %s; name that: %[2]s", dir, shellQuote(runAround(dir)))
	case err == nil && !info.IsDir():
		return usagef("%s is a file; want the directory of a run, which kingdom run SCENARIO makes", dir)
	}
	for _, in := range []struct{ file, what string }{{runFile, "runs"}, {sweepFileName, "sweeps"}} { // such as those of an ablation
		if found, err := filepath.Glob(filepath.Join(dir, "*", in.file)); err == nil && len(found) > 0 {
			return usagef("%s is not a run directory: it has no run.json; name one of the %s in it, such as %s", dir, in.what, shellQuote(filepath.Dir(found[0])))
		}
	}
	return usagef("%s is not a run directory: it has no run.json; kingdom run SCENARIO makes one", dir)
}

// runAround returns the directory of the run of which a file or folder is a part, such as its log; empty if there is none.
func runAround(path string) string {
	dir := filepath.Clean(path)
	for range 2 {
		up := filepath.Dir(dir)
		if up == dir || dir == "." || filepath.Base(dir) == ".." {
			break
		}
		if dir = up; fileExists(filepath.Join(dir, runFile)) {
			return dir
		}
	}
	return ""
}

// readRunFile reads run.json of a run directory. Its errors say what to do.
func readRunFile(dir string) (engine.RunFile, error) {
	rf, err := engine.ReadRunFile(dir)
	if isMissing(err) {
		return rf, noRunError(dir)
	}
	if e, ok := asError[*engine.CorruptError](err); ok {
		return rf, damagedRunError(dir, runFile, e.Reason)
	}
	return rf, err
}

// openRunDir reads the scenario and run.json of a run directory and checks that they belong together.
func openRunDir(dir string) (*scenarios.Scenario, engine.RunFile, error) {
	rf, err := readRunFile(dir)
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
	if rf.Seed != string(sc.Seed) { // the digest does not cover the seed
		return nil, rf, damagedRunError(dir, runFile, fmt.Sprintf("its seed is %s, that of %s %s", shellQuote(rf.Seed), scenarioFile, shellQuote(string(sc.Seed))))
	}
	if rf.Store != defaultStore && !isPostgres(rf.Store) {
		return nil, rf, damagedRunError(dir, runFile, fmt.Sprintf("its store is %s, which no run has", shellQuote(rf.Store)))
	}
	return sc, rf, nil
}

// recordedScenario reads the scenario of a run or a sweep.
func recordedScenario(dir string) (*scenarios.Scenario, error) {
	path := filepath.Join(dir, scenarioFile)
	if !fileExists(path) {
		return nil, &damagedError{fmt.Sprintf("%s is missing, which says what was run; restore it from a copy", path)}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read what was run: %w", err)
	}
	if bad, ok := asError[*scenarios.Error](scenarios.CheckForm(path, b)); ok { // nobody wrote this by hand
		p := &bad.Problems[0]
		at := ""
		if p.Line > 0 {
			at = fmt.Sprintf("line %d ", p.Line)
		}
		return nil, &damagedError{fmt.Sprintf("%s is damaged, which says what was run: %s%s; restore it from a copy", path, at, p.Wrong)}
	}
	sc, err := scenarios.Parse(path, b)
	if err != nil {
		return nil, usage(err)
	}
	return sc, nil
}

// damagedRunError says what is wrong with a file of a run directory, and what to do if its scenario is intact.
func damagedRunError(dir, file, what string) error {
	return &damagedError{fmt.Sprintf("%s is damaged: %s; restore it from a copy, or run the scenario again: kingdom run %s",
		filepath.Join(dir, file), what, shellQuote(filepath.Join(dir, scenarioFile)))}
}
