package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kingdom/engine"
)

func newReplay(a *app) *cobra.Command {
	var store string
	cmd := &cobra.Command{
		Use:   "replay RUN",
		Short: "Re-execute a run and compare every tick and cycle",
		Long: "Re-execute a run from its bootstrap with its recorded thoughts and inputs, and compare every tick's\n" +
			"envelopes and every cycle's hashes. The first difference is printed with cycle, tick, agent, component,\n" +
			"want and got, and the exit code is 3. Fields of --json: run, same, cycles, world_hash, wall_ms, or, when it\n" +
			"diverged: run, same, divergence {cycle, tick, agent, component, want, got}.",
		Args: args(1, "a run directory"),
		RunE: func(cmd *cobra.Command, names []string) (err error) {
			dir := names[0]
			began := time.Now()
			run, err := openRun(cmd.Context(), dir, store)
			if err != nil {
				return err
			}
			defer closing(&err, run.store.Close)
			thinker, err := mind(run.scenario, noKeys)
			if err != nil {
				return err
			}
			a.limitMemory()
			prog := newProgress(a, run.file.Cycle)
			sum, err := engine.Replay(cmd.Context(), run.config, engine.ReplayOptions{
				Dir: dir, Store: run.store, Mind: thinker,
				Warn:     func(msg string) { fmt.Fprintln(a.err, "kingdom: "+msg) },
				Progress: prog.replayed,
			})
			prog.done()
			if d, ok := asError[*engine.DivergenceError](err); ok && a.json {
				a.jsonLine(map[string]any{"run": dir, "same": false, "divergence": divergence(d)})
				return err
			}
			if err != nil {
				return err
			}
			if a.json {
				a.jsonLine(map[string]any{
					"run": dir, "same": true, "cycles": sum.Cycles, "world_hash": sum.WorldHash.String(), "wall_ms": time.Since(began).Milliseconds(),
				})
				return nil
			}
			fmt.Fprintf(a.out, "%s: %d cycles re-executed, every hash the same; world hash %s\n", dir, sum.Cycles, sum.WorldHash)
			return nil
		},
	}
	cmd.Flags().StringVar(&store, "store", "", "where the run's store is, if not where run.json says")
	return cmd
}

func divergence(d *engine.DivergenceError) map[string]any {
	agent := ""
	if !d.Agent.IsZero() {
		agent = d.Agent.String()
	}
	return map[string]any{
		"cycle": d.Cycle, "tick": d.Tick, "agent": agent, "component": d.Component, "want": d.Want, "got": d.Got,
	}
}
