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
)

// scenarioFile is the resolved scenario in a run directory: what resume, replay
// and inspect build the world from.
const scenarioFile = "scenario.yaml"

// journalDir is the folder of the journal in a run directory.
const journalDir = "journal"

// makeRunDir creates the directory of a new run. An existing one is never
// touched: without --out a suffix is added, with it that is an error.
func makeRunDir(out, scenario, seed string) (string, error) {
	if out != "" {
		if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
			return "", fmt.Errorf("create run directory: %w", err)
		}
		err := os.Mkdir(out, 0o755)
		if errors.Is(err, fs.ErrExist) {
			return "", usagef("run directory %s exists and a run is never overwritten; choose another --out, or continue it with kingdom resume %s", out, out)
		}
		if err != nil {
			return "", fmt.Errorf("create run directory: %w", err)
		}
		return out, nil
	}
	if err := os.MkdirAll("runs", 0o755); err != nil {
		return "", fmt.Errorf("create run directory: %w", err)
	}
	base := filepath.Join("runs", scenario+"-"+fileWord(seed))
	for n := 1; ; n++ {
		dir := base
		if n > 1 {
			dir += "-" + strconv.Itoa(n)
		}
		err := os.Mkdir(dir, 0o755)
		if err == nil {
			return dir, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("create run directory: %w", err)
		}
	}
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

// finished is a run directory opened for reading.
type finished struct {
	scenario *scenarios.Scenario
	file     engine.RunFile
	config   engine.Config
	store    boundStore
	standing standing
}

// openRun opens a run directory and its store for reading; store is where the
// store is, empty for where run.json says. The run may still be going on.
func openRun(ctx context.Context, dir, store string) (*finished, error) {
	sc, rf, err := openRunDir(dir)
	if err != nil {
		return nil, err
	}
	if store == "" {
		store = rf.Store
	}
	f := &finished{scenario: sc, file: rf, config: config(sc)}
	f.config.Physics = rf.Physics
	if f.store, err = openStore(ctx, dir, store, f.config.Identity(), true); err != nil {
		return nil, err
	}
	if f.standing, err = stand(ctx, f.store, &rf, sc.Cycles); err != nil {
		return nil, errors.Join(err, f.store.Close())
	}
	return f, nil
}

// openRunDir reads what a run directory says of its run.
func openRunDir(dir string) (*scenarios.Scenario, engine.RunFile, error) {
	rf, err := engine.ReadRunFile(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, rf, usagef("%s is not a run directory: it has no run.json", dir)
	}
	if err != nil {
		return nil, rf, err
	}
	sc, err := scenarios.Load(filepath.Join(dir, scenarioFile))
	if err != nil {
		return nil, rf, usage(err)
	}
	if got := sc.Digest().String(); got != rf.Digest {
		return nil, rf, usagef("%s was changed: its scenario digest is %s, the run was started with %s; restore it, or start a new run with the change",
			filepath.Join(dir, scenarioFile), got, rf.Digest)
	}
	return sc, rf, nil
}
