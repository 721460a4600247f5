package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/llm"
	"kingdom/wire"
)

// tableMaker is a store that may keep its history compressed during a run and can fill the plain tables from it.
type tableMaker interface {
	Made(ctx context.Context) (through wire.Cycle, none, whole bool, err error)
	MakeTables(ctx context.Context, progress func(through, last wire.Cycle)) error
}

func newTables(a *app) *cobra.Command {
	var store string
	cmd := &cobra.Command{
		Use:   "tables RUN | SWEEP",
		Short: "Fill the query tables of a run, or of all runs of a sweep, that keep their history compressed",
		Long: "Fill the tables for queries that store.tables leaves empty during the run: experiences, ended plans and goals,\n" +
			"messages, transactions, records and events (docs/STORE.md). Ctrl-C stops between two cycles; the same command again\n" +
			"continues from there, also after a kill. Nothing is done if a run has all its tables. A run that is going on is\n" +
			"refused. Given the directory of a sweep, fill the tables of each of its runs. Fields of --json, one object per run: run,\n" +
			"cycles (that the tables hold), wall_ms.",
		Args: args(1, "a run directory, or that of a sweep"),
		RunE: func(cmd *cobra.Command, names []string) error {
			defer a.sayStopping(cmd.Context(), "what is made stays made")()
			if isSweep(names[0]) {
				return fillTablesOfSweep(cmd.Context(), a, names[0], store)
			}
			return fillTables(cmd.Context(), a, names[0], store)
		},
	}
	cmd.Flags().StringVar(&store, storeFlag, "", "location of the run's store, if it differs from run.json")
	return cmd
}

// fillTables fills the tables of a run and says how many cycles they hold.
func fillTables(ctx context.Context, a *app, dir, store string) error {
	began := time.Now()
	cycles, whole, err := filledTables(ctx, dir, store)
	if err == nil && !whole {
		cycles, err = fillMissingTables(ctx, a, dir, store)
	}
	if err != nil {
		return err
	}
	if a.json {
		a.jsonLine(map[string]any{"run": dir, "cycles": cycles, "wall_ms": time.Since(began).Milliseconds()})
		return nil
	}
	fmt.Fprintf(a.out, "the tables of %s hold all %s\n", dir, llm.Count(cycles, "cycle"))
	return nil
}

// filledTables reports whether a run that is not going on has all its tables. It only reads, because that is no reason to be
// refused where this user may not write.
func filledTables(ctx context.Context, dir, store string) (cycles uint64, whole bool, err error) {
	run, err := openRun(ctx, dir, store)
	if err != nil {
		return 0, false, err
	}
	defer captureClose(&err, run.store.Close)
	if run.state.Status == engine.StatusRunning {
		return 0, false, nil
	}
	whole = true
	if m, ok := run.store.(tableMaker); ok {
		_, _, whole, err = m.Made(ctx)
	}
	return run.state.Last, whole, err
}

// fillMissingTables fills the tables of a run that does not have all of them.
func fillMissingTables(ctx context.Context, a *app, dir, store string) (cycles uint64, err error) {
	sc, rf, err := openRunDir(dir)
	if err != nil {
		return 0, err
	}
	if store == "" {
		store = rf.Store
	}
	cfg := configFor(sc, &rf)
	st, err := openStore(ctx, dir, store, cfg.Identity(), sc.Store.Tables)
	if err != nil {
		return 0, err
	}
	defer captureClose(&err, st.Close)
	last, stored, err := st.Last(ctx)
	if err != nil {
		return 0, err
	}
	if !stored {
		return 0, noWorldError(dir, store, rf.Until > 0)
	}
	return uint64(last), makeTables(ctx, st, dir, a.say)
}

// fillTablesOfSweep fills the tables of each run of a sweep that has begun.
func fillTablesOfSweep(ctx context.Context, a *app, dir, store string) error {
	s, err := openSweep(dir)
	if err != nil {
		return err
	}
	if err := s.plan(store); err != nil {
		return err
	}
	for _, r := range s.runs {
		if !fileExists(r.dir) {
			a.say("seed %s has not begun; kingdom resume %s runs it", r.seed, shellQuote(dir))
			continue
		}
		if err := fillTables(ctx, a, r.dir, r.store); err != nil {
			return fmt.Errorf("seed %s: %w", r.seed, err)
		}
	}
	return nil
}

// tablesLineInterval is the shortest time between two lines about the progress of making tables.
const tablesLineInterval = time.Second

// makeTables fills the tables of a store that are not filled yet.
func makeTables(ctx context.Context, st boundStore, dir string, say func(format string, args ...any)) error {
	m, ok := st.(tableMaker)
	if !ok {
		return nil
	}
	said := time.Now()
	err := m.MakeTables(ctx, func(through, last wire.Cycle) {
		if time.Since(said) >= tablesLineInterval && through < last {
			said = time.Now()
			say("making tables: cycle %d of %d", through, last)
		}
	})
	if ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, sql.ErrTxDone)) { // the end of ctx ends the transaction, too
		return &cancelledError{fmt.Sprintf("interrupted while the tables of %s were made, of which nothing is lost; kingdom tables %s makes the rest", dir, shellQuote(dir))}
	}
	return err
}

// requireTables returns an error if not all tables of a run are filled. It names the command that fills them.
func requireTables(ctx context.Context, st boundStore, dir string) error {
	m, ok := st.(tableMaker)
	if !ok {
		return nil
	}
	_, _, whole, err := m.Made(ctx)
	if err != nil || whole {
		return err
	}
	busy, err := st.Busy(ctx)
	switch {
	case err != nil:
		return err
	case busy:
		return fmt.Errorf("the tables of %s are not filled yet, because its history is compressed while it is running; start a run with --set store.tables=live to have them at any time", dir)
	}
	return fmt.Errorf("the tables of %s are not filled yet; kingdom tables %s fills them", dir, shellQuote(dir))
}

// sayTablesMissing prints how to fill the tables of a run that ended early.
func (p *execution) sayTablesMissing(ctx context.Context, st boundStore) {
	if m, ok := st.(tableMaker); ok {
		if _, _, whole, err := m.Made(context.WithoutCancel(ctx)); err == nil && !whole {
			p.say("the tables for queries of this run are made when it finishes; kingdom tables %s makes them now", shellQuote(p.dir))
		}
	}
}
