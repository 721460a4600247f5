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
		Short: "Execute a run again and compare every tick and cycle",
		Long: "Execute a run again from its bootstrap with its recorded thoughts and inputs, and compare the envelopes of every tick\n" +
			"and the hashes of every cycle. The first difference is printed with cycle, tick, agent, component, want and got,\n" +
			"and the exit code is 3. If only the hashes at the end of a cycle show it, later ticks are compared until an agent does\n" +
			"something else, and agents whose state differs are named where a snapshot or the last cycle has the recorded ones.\n" +
			"If something could not be compared, it is named and the exit code is 1, as for a damaged store or journal. A run that\n" +
			"is still going on is compared up to its current cycle.\n" +
			"Fields of --json: run, same (null if something could not be compared), cycles (that were compared), world_hash, wall_ms,\n" +
			"not_compared (if something was not, and then no world_hash), or if it diverged: run, same, divergence {cycle, tick,\n" +
			"agent, component, want, got, chose and reasoning (of the agent now), recorded {action, reasoning, rests_since} (what it\n" +
			"did in the run, or the tick since which it rested), written_by and this_build (if another build wrote the run), after\n" +
			"(of a difference at the end of a cycle) {until (last cycle whose ticks were compared), act (a divergence like this one),\n" +
			"states {cycle, count, agents[] {agent, parts[]}}, not_compared}}; what is not known is left out.",
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
				err := explainDivergence(cmd.Context(), run, dir, d)
				if a.json {
					same := any(false)
					if d.Stored { // the store was changed, which says nothing about the build
						same = nil
					}
					a.jsonLine(map[string]any{"run": dir, "same": same, "divergence": divergenceOf(err, d)})
				}
				return err
			}
			un, partly := asError[*engine.UncomparedError](err)
			if err != nil && !partly {
				return err
			}
			if a.json {
				line := map[string]any{
					"run": dir, "same": true, "cycles": sum.Cycles, "world_hash": sum.WorldHash.String(), "wall_ms": time.Since(began).Milliseconds(),
				}
				if partly { // nobody knows whether the rest is the same
					line["same"], line["not_compared"], line["cycles"] = nil, un.Error(), max(un.From, 1)-1
					delete(line, "world_hash")
				}
				a.jsonLine(line)
			} else if !partly {
				fmt.Fprintf(a.out, "%s: %s re-executed, every hash the same; world hash %s\n", dir, plural(sum.Cycles, "cycle"), sum.WorldHash)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&store, "store", "", "location of the run's store, if it differs from run.json")
	return cmd
}
