package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/llm"
	"kingdom/llm/recorded"
	"kingdom/scenarios"
	"kingdom/wire"
)

// exportThoughts writes the thoughts of a run as a cassette.
func (a *app) exportThoughts(ctx context.Context, dir, file, store string) (err error) {
	run, err := openRun(ctx, dir, store)
	if err != nil {
		return err
	}
	defer captureClose(&err, run.store.Close)
	head, err := cassetteHeader(ctx, run, dir)
	if err != nil {
		return err
	}
	src, err := engine.OpenThoughts(dir, run.config.Identity())
	if err != nil {
		return err
	}
	defer captureClose(&err, src.Close)
	out, err := a.newFrameFile(file)
	if err != nil {
		return err
	}
	defer out.discard()
	w, err := recorded.NewWriter(out, head)
	if err != nil {
		return err
	}
	count := uint64(0)
	for ; ; count++ {
		r, err := src.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := w.Add(&r); err != nil {
			return err
		}
	}
	if err := errors.Join(w.Close(), out.commit()); err != nil {
		return err
	}
	return a.printCassette(dir, file, head, count)
}

// cassetteHeader returns the header that identifies the run of a cassette.
func cassetteHeader(ctx context.Context, run *openedRun, dir string) (*recorded.Header, error) {
	if len(usedModels(run.scenario)) == 0 {
		return nil, usagef("no agent of %s thinks with a model, so there are no thoughts to export; the same scenario and seed repeat the run", run.scenario.Name)
	}
	last := wire.Cycle(run.state.Last)
	rows, err := run.store.Cycles(ctx, last, last)
	if err != nil {
		return nil, err
	}
	if len(rows) != 1 {
		return nil, fmt.Errorf("export thoughts: the store holds no cycle %d", last)
	}
	outside, err := outsideInputs(ctx, run.store, dir, &run.config, last)
	if err != nil {
		return nil, err
	}
	sc, err := withOutsideInputs(run.scenario, outside) // the scenario alone would give another run
	if err != nil {
		return nil, err
	}
	id := run.config.Identity()
	h := &recorded.Header{
		Scenario: id.Scenario, Digest: sc.Digest(), Seed: id.Seed, Physics: id.Physics,
		Cycles: run.state.Last, WorldHash: rows[0].WorldHash, Source: sc.Show(),
	}
	for _, m := range usedModels(run.scenario) {
		if m.Snapshot != "" {
			h.Models = append(h.Models, m.Snapshot)
		} else {
			h.Models = append(h.Models, m.Model)
		}
	}
	return h, nil
}

func (a *app) printCassette(dir, file string, h *recorded.Header, count uint64) error {
	if a.json {
		a.jsonLine(map[string]any{
			"run": dir, "file": file, "thoughts": count, "cycles": h.Cycles, "world_hash": h.WorldHash.String(), "models": h.Models,
		})
		return nil
	}
	say := a.out
	if file == "-" {
		say = a.err
	}
	fmt.Fprintf(say, "%s: %s of %s; world hash %s\n", dir, llm.Count(count, "thought"), llm.Count(h.Cycles, "cycle"), h.WorldHash)
	return nil
}

func newJournalImport(a *app) *cobra.Command {
	var f runFlags
	var out string
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Make a run of a cassette: its scenario with its thoughts",
		Long: "Execute the scenario of a cassette again with its recorded thoughts, in a new run directory, without network or\n" +
			"key. The exit code is 3 if the run does not end with the cassette's world hash, if a thought is missing, or if\n" +
			"a prompt differs from the recorded one. The output is that of run.",
		Example: "  kingdom journal export runs/epoch0-llm-42 --thoughts epoch0.thoughts\n  kingdom journal import epoch0.thoughts --out runs/again",
		Args:    args(1, "a cassette"),
		RunE: func(cmd *cobra.Command, names []string) error {
			return a.importCassette(cmd, names[0], out, &f)
		},
	}
	cmd.Flags().StringVar(&f.store, storeFlag, defaultStore, "sqlite (in the run directory) or postgres://user@host/db: an empty database")
	cmd.Flags().BoolVar(&f.logs, "logs", true, "write log/*.jsonl; no hash depends on it")
	cmd.Flags().StringVar(&out, outFlag, "", "run directory; must not exist")
	return cmd
}

// importCassette runs a cassette and compares the final world hash.
func (a *app) importCassette(cmd *cobra.Command, path, out string, f *runFlags) (err error) {
	tape, err := openCassette(path)
	if err != nil {
		return err
	}
	defer captureClose(&err, tape.Close)
	h := &tape.Header
	sc, err := scenarios.Parse(path, h.Source)
	if err != nil {
		return usage(err)
	}
	if id := (&engine.Config{ScenarioDigest: sc.Digest()}).Identity(); id.Digest != h.Digest || id.Physics != h.Physics {
		return &engine.MismatchError{
			What: "cassette", Want: fmt.Sprintf("of scenario %s, physics %d", id.Digest, id.Physics), Got: fmt.Sprintf("of scenario %s, physics %d", h.Digest, h.Physics),
			Hint: "use the kingdom version that recorded it, or record it again",
		}
	}
	f.cycles = h.Cycles
	meter, err := newMeter(sc, span{1, sc.Cycles}, nil, a.say)
	if err != nil {
		return err
	}
	f.reuses = recording{path, onMissFail}
	dir, err := a.startRun(cmd, sc, out, withRecorded(sc, recorded.New(modelsOnly{tape}, nil)), meter, f, func() {})
	if err != nil {
		return err
	}
	return compareFinalHash(cmd.Context(), dir, h)
}

// compareFinalHash compares the world hash of a run's last cycle with that of the cassette.
func compareFinalHash(ctx context.Context, dir string, h *recorded.Header) (err error) {
	run, err := openRun(ctx, dir, "")
	if err != nil {
		return err
	}
	defer captureClose(&err, run.store.Close)
	rows, err := run.store.Cycles(ctx, wire.Cycle(h.Cycles), wire.Cycle(h.Cycles))
	if err != nil {
		return err
	}
	if len(rows) != 1 || rows[0].WorldHash != h.WorldHash {
		d := &engine.DivergenceError{Cycle: wire.Cycle(h.Cycles), Component: "world_hash", Want: h.WorldHash.String(), Got: "of a cycle that was not reached"}
		if len(rows) == 1 {
			d.Got = rows[0].WorldHash.String()
		}
		return d
	}
	return nil
}
