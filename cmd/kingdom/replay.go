package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/memory"
)

func newReplay(a *app) *cobra.Command {
	var store string
	cmd := &cobra.Command{
		Use:   "replay RUN",
		Short: "Execute a run again and compare every tick and cycle",
		Long: "Execute a run again from its bootstrap with its recorded thoughts and inputs, and compare the envelopes of every tick\n" +
			"and the hashes of every cycle. The first difference is printed with cycle, tick, agent, component, want and got,\n" +
			"and the exit code is 3. If something could not be compared, it is named and the exit code is 1. A run that is\n" +
			"still going on is compared up to its current cycle. Fields of --json: run, same, cycles, world_hash,\n" +
			"wall_ms, not_compared (if something was not), or if it diverged: run, same, divergence {cycle, tick,\n" +
			"agent, component, want, got, chose (what the agent does now, where that is known)}.",
		Args: args(1, "a run directory"),
		RunE: func(cmd *cobra.Command, names []string) (err error) {
			dir := names[0]
			began := time.Now()
			run, err := openRun(cmd.Context(), dir, store)
			if err != nil {
				return err
			}
			defer captureClose(&err, run.store.Close)
			if err := checkStored(cmd.Context(), run, dir); err != nil {
				return err
			}
			defer a.sayStopping(cmd.Context(), "press Ctrl-C again to end at once")()
			thinker := replayMind(run.scenario)
			a.limitMemory()
			prog := newProgress(a, run.state.Last)
			sum, err := engine.Replay(cmd.Context(), run.config, engine.ReplayOptions{
				Dir: dir, Store: run.store, Mind: thinker,
				Warn:     func(msg string) { a.say("%s", msg) },
				Progress: prog.replayed,
			})
			prog.done()
			if d, ok := asError[*engine.DivergenceError](err); ok {
				if a.json {
					a.jsonLine(map[string]any{"run": dir, "same": false, "divergence": divergence(d)})
				}
				return explainDivergence(cmd.Context(), run, dir, d)
			}
			if err != nil {
				return err
			}
			missing := notCompared(dir)
			if a.json {
				line := map[string]any{
					"run": dir, "same": true, "cycles": sum.Cycles, "world_hash": sum.WorldHash.String(), "wall_ms": time.Since(began).Milliseconds(),
				}
				if missing != nil {
					line["not_compared"] = missing.Error()
				}
				a.jsonLine(line)
				return missing
			}
			every := "every hash"
			if missing != nil {
				every = "every cycle's hashes"
			}
			fmt.Fprintf(a.out, "%s: %s re-executed, %s the same; world hash %s\n", dir, plural(sum.Cycles, "cycle"), every, sum.WorldHash)
			return missing
		},
	}
	cmd.Flags().StringVar(&store, "store", "", "location of the run's store, if it differs from run.json")
	return cmd
}

// divergedError is a divergence of an agent, with what the agent did in the run and what it does now.
type divergedError struct {
	cause *engine.DivergenceError
	more  string
}

func (e *divergedError) Error() string { return e.cause.Error() + e.more }
func (e *divergedError) Unwrap() error { return e.cause }

// explainDivergence adds to a divergence what its hashes do not show: the action in the run and the action now, as far as
// they are known, and the command that explains the latter.
func explainDivergence(ctx context.Context, run *openedRun, dir string, d *engine.DivergenceError) error {
	if d.Agent.IsZero() || d.Tick == 0 {
		return d
	}
	more := ""
	if mind, err := run.store.LoadAgent(ctx, d.Agent); err == nil { // else the divergence alone has to do
		for _, e := range slices.Backward(mind.Experiences) {
			var act memory.Act
			if e.Tick == d.Tick && memory.DecodeAct(e.Action, &act) == nil {
				more += ". The recorded run had " + act.Action + " there"
				break
			}
		}
	}
	if d.Chose != "" {
		more += ". This build has " + d.Chose + " there"
	}
	return &divergedError{d, more + fmt.Sprintf(". To see what led to it: kingdom explain %s --agent %s --tick %d", shellQuote(dir), d.Agent.Alias(), d.Tick)}
}

// notCompared returns an error that says what a replay without a difference could not compare; nil if it compared all.
func notCompared(dir string) error {
	journal := filepath.Join(dir, journalDir)
	if found, err := filepath.Glob(filepath.Join(journal, "*.kj")); err == nil && len(found) > 0 {
		return nil
	}
	return fmt.Errorf("%s holds no segment, so ticks, inputs and thoughts could not be compared: only the cycles in the store were", journal)
}

func divergence(d *engine.DivergenceError) map[string]any {
	agent := ""
	if !d.Agent.IsZero() {
		agent = d.Agent.String()
	}
	m := map[string]any{
		"cycle": d.Cycle, "tick": d.Tick, "agent": agent, "component": d.Component, "want": d.Want, "got": d.Got,
	}
	if d.Chose != "" {
		m["chose"] = d.Chose
	}
	return m
}
