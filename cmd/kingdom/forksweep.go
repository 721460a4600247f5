package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/scenarios"
	"kingdom/wire"
)

// sweepOrigin says which sweep the runs of a sweep were forked from, each from the run of the same seed.
type sweepOrigin struct {
	Sweep string   `json:"sweep"`         // directory, as the user named it
	Cycle uint64   `json:"cycle"`         // last cycle that a run and its parent have in common
	Set   []string `json:"set,omitempty"` // what the fork changes; the whole Set of the sweep has that of its parent before it
}

// firstOwn is the first cycle that the runs do not have in common with their parents; 1 for a sweep that is no fork (nil).
func (o *sweepOrigin) firstOwn() uint64 {
	if o == nil {
		return 1
	}
	return o.Cycle + 1
}

// is reports whether both say the same.
func (o *sweepOrigin) is(other *sweepOrigin) bool {
	if o == nil || other == nil {
		return o == other
	}
	return filepath.Clean(o.Sweep) == filepath.Clean(other.Sweep) && o.Cycle == other.Cycle
}

// forkSweep makes a sweep of forks, one of each run of another sweep, and runs it.
func forkSweep(a *app, cmd *cobra.Command, parent, out string, fork *scenarios.Fork, f *runFlags) error {
	of, err := openSweep(parent)
	if err != nil {
		return err
	}
	if fork.Cycles == 0 && of.file.Cycles > of.sc.Cycles { // the sweep was extended, and so is its fork
		fork.Cycles = of.file.Cycles
	}
	if err := of.findEpoch(cmd.Context(), fork); err != nil {
		return err
	}
	sc, err := of.sc.Fork(fork)
	if err != nil {
		return withFlagNames(cmd, err, "cycles")
	}
	if err := checkForkCycles(parent, fork, sc); err != nil {
		return err
	}
	if err := fromEnvironment(sc); err != nil {
		return err
	}
	file := newSweepFile(sc, of.file.Seeds, slices.Concat(of.file.Set, fork.Set), f)
	file.Physics, file.Budget = of.file.Physics, of.file.Budget
	file.Forked = &sweepOrigin{Sweep: parent, Cycle: fork.At, Set: fork.Set}
	if cmd.Flags().Changed("budget") {
		file.Budget = &f.budget
	}
	base, err := forkName(parent, fork.At)
	if err != nil {
		return err
	}
	s, err := openOrNewSweep(out, base, sc, file)
	if err != nil {
		return err
	}
	s.warns = true
	warnUndone(a.say, sc, fork)
	if file.Budget != nil && !cmd.Flags().Changed("budget") {
		sayCapAnew(a.say, parent, *file.Budget)
	}
	return s.begin(a, cmd, f)
}

// findEpoch sets the epoch of a fork to the lowest of the runs. It is an error if a run has not reached the cycle.
func (s *sweep) findEpoch(ctx context.Context, fork *scenarios.Fork) error {
	if err := s.plan(s.file.Store); err != nil {
		return err
	}
	least := uint64(0)
	for i, r := range s.runs {
		if !fileExists(filepath.Join(r.dir, runFile)) {
			return usagef("seed %s of %s has not begun, so it cannot be forked; kingdom resume %s runs it", shellQuote(r.seed), s.dir, shellQuote(s.dir))
		}
		own := *fork
		if _, _, err := forkedFrom(ctx, r.dir, s.dir, &own); err != nil {
			return err
		}
		if i == 0 || own.Epoch < least {
			least = own.Epoch
		}
	}
	fork.Epoch = least
	return nil
}

// forkFrom fills the directory of a run, which has a scenario but has not begun, from the run of the same seed of the sweep
// that s was forked from.
func (r *sweepRun) forkFrom(ctx context.Context, s *sweep, cfg *engine.Config) error {
	if err := os.RemoveAll(filepath.Join(r.dir, journalDir)); err != nil { // a command that was killed may have left a part of it
		return fmt.Errorf("fork run: %w", err)
	}
	origin := s.file.Forked
	if !isSweep(origin.Sweep) {
		return usagef("%s was forked from the sweep %s, which is not there; go to the directory from which it was forked, or restore it", s.dir, origin.Sweep)
	}
	parent := filepath.Join(origin.Sweep, filepath.Base(r.dir))
	run, from, err := forkedFrom(ctx, parent, origin.Sweep, &scenarios.Fork{At: origin.Cycle})
	if err != nil {
		return err
	}
	cfg.Portal = cmp.Or(cfg.Portal, run.config.Portal)
	if err := from.write(r.dir); err != nil {
		return err
	}
	settings, err := inheritedSettings(parent, origin.Set)
	if err != nil {
		return err
	}
	if err := settings.write(r.dir); err != nil {
		return err
	}
	return engine.Fork(parent, run.config.Identity(), r.dir, cfg.Identity(), wire.Cycle(origin.Cycle))
}
