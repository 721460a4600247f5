package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/llm"
)

func newReplay(a *app) *cobra.Command {
	var store string
	cmd := &cobra.Command{
		Use:   "replay RUN | SWEEP",
		Short: "Execute a run, or all runs of a sweep, again and compare every tick and cycle",
		Long: "Execute a run again from its bootstrap with its recorded thoughts and inputs, and compare the envelopes of every tick\n" +
			"and the hashes of every cycle. The first difference is printed with cycle, tick, agent, component, want and got,\n" +
			"and the exit code is 3. If only the hashes at the end of a cycle show it, later ticks are compared until an agent does\n" +
			"something else, and agents whose state differs are named where a snapshot or the last cycle has the recorded ones.\n" +
			"If something could not be compared, it is named and the exit code is 1, as for a damaged store or journal. A run that\n" +
			"is still going on is compared up to its current cycle. Given the directory of a sweep, replay all of its runs, whatever\n" +
			"becomes of one; the exit code is 3 if one differs, else that of the first that could not be compared.\n" +
			"Fields of --json, of a sweep one object per run: run, same (null if something could not be compared), cycles (that were\n" +
			"compared), world_hash, wall_ms, not_compared (if something was not, and then no world_hash), error (of a run of a sweep\n" +
			"that could not be executed), or if it diverged: run, same, divergence {cycle, tick, agent, component, want, got, chose\n" +
			"and reasoning (of the agent now), recorded {action, reasoning, rests_since} (what it did in the run, or the tick since\n" +
			"which it rested), written_by and this_build (if another build wrote the run), after\n" +
			"(of a difference at the end of a cycle) {until (last cycle whose ticks were compared), act (a divergence like this one),\n" +
			"states {cycle, count, agents[] {agent, parts[]}}, not_compared}}; what is not known is left out.",
		Args: args(1, "a run directory, or that of a sweep"),
		RunE: func(cmd *cobra.Command, names []string) error {
			defer a.sayStopping(cmd.Context(), "press Ctrl-C again to end at once")()
			a.limitMemory()
			if isSweep(names[0]) {
				return replaySweep(cmd.Context(), a, names[0], store)
			}
			return replayRun(cmd.Context(), a, names[0], store)
		},
	}
	cmd.Flags().StringVar(&store, storeFlag, "", "location of the run's store, if it differs from run.json")
	return cmd
}

// replaySweep executes all runs of a sweep again. It returns the first divergence, else the first error.
func replaySweep(ctx context.Context, a *app, dir, store string) error {
	s, err := openSweep(dir)
	if err != nil {
		return err
	}
	if err := s.plan(store); err != nil {
		return err
	}
	sum := sweepReplayError{dir: dir, runs: uint64(len(s.runs))}
	for _, r := range s.runs {
		err := error(&damagedError{fmt.Sprintf("seed %s has no run to replay; kingdom resume %s makes it", r.seed, shellQuote(dir))})
		if fileExists(r.dir) {
			err = replayRun(ctx, a, r.dir, r.store)
		}
		switch {
		case ctx.Err() != nil:
			return err
		case err == nil:
			continue
		}
		d, diverged := asError[*engine.DivergenceError](err)
		if diverged && !d.Stored {
			if sum.differ++; sum.differ == 1 {
				sum.first, sum.cause = r.dir, err // before one that could not be compared
			}
		} else if sum.failed++; sum.cause == nil {
			sum.first, sum.cause = r.dir, err
		}
		switch {
		case !a.json:
			fmt.Fprintf(a.out, "%s: %s\n", r.dir, strings.TrimPrefix(err.Error(), r.dir+": "))
		case !diverged && !asType[*engine.UncomparedError](err): // else it has its line
			a.jsonLine(map[string]any{"run": r.dir, "same": nil, "error": err.Error()})
		}
	}
	if sum.cause == nil {
		return nil
	}
	return &sum
}

// sweepReplayError says that not all runs of a sweep were repeated. What became of each has been printed.
type sweepReplayError struct {
	dir                  string
	runs, differ, failed uint64
	first                string // directory of the run that decides the exit code
	cause                error  // what became of it
}

func (e *sweepReplayError) Error() string {
	var what []string
	if e.differ > 0 {
		what = append(what, pluralVerb(int(e.differ), "differs", "differ"))
	}
	if e.failed > 0 {
		what = append(what, fmt.Sprintf("%d could not be compared", e.failed))
	}
	text := fmt.Sprintf("replay %s: of %s %s", e.dir, llm.Count(e.runs, "run"), strings.Join(what, ", "))
	if !fileExists(e.first) {
		return text + ": " + e.cause.Error()
	}
	return fmt.Sprintf("%s; the first of them alone: kingdom replay %s", text, shellQuote(e.first))
}

func (e *sweepReplayError) Unwrap() error { return e.cause }

// replayRun executes one run again.
func replayRun(ctx context.Context, a *app, dir, store string) (err error) {
	began := time.Now()
	run, err := openRun(ctx, dir, store)
	if err != nil {
		return err
	}
	defer captureClose(&err, run.store.Close)
	if err := checkStored(ctx, run, dir); err != nil {
		return err
	}
	thinker := replayMind(run.scenario)
	prog := newProgress(a, run.state.Last)
	sum, err := engine.Replay(ctx, run.config, engine.ReplayOptions{
		Dir: dir, Store: run.store, Mind: thinker,
		Warn:     func(msg string) { a.say("%s", msg) },
		Progress: prog.replayed,
	})
	prog.done()
	if d, ok := asError[*engine.DivergenceError](err); ok {
		err := explainDivergence(ctx, run, dir, d)
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
		fmt.Fprintf(a.out, "%s: %s re-executed, every hash the same; world hash %s\n", dir, llm.Count(sum.Cycles, "cycle"), sum.WorldHash)
	}
	return err
}
