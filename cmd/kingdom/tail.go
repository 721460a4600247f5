package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/llm"
	"kingdom/observe"
	"kingdom/scenarios"
	"kingdom/wire"
)

// tailFlags choose what tail shows.
type tailFlags struct {
	think, nop, rest, dormancy, goals, follow, keep bool
	agent                                           string
	since                                           uint64
}

func newTail(a *app) *cobra.Command {
	var f tailFlags
	cmd := &cobra.Command{
		Use:   "tail RUN",
		Short: "Show which agents are stuck: NOPs, dormancy, ended goals and engine messages",
		Long: "Show the log streams of a run, during it or afterwards, in the order of ticks: --nop the slots in which an agent did\n" +
			"nothing or got no answer, and why, --dormancy which agents fell asleep and woke and why, --goals which goals ended and\n" +
			"how, --rest where an agent decided to rest, which is not being stuck, --think what each mind answered. Without any of\n" +
			"these flags all is shown except --rest and --think, which are long. -f follows the run until it ends. Standard error\n" +
			"says how the run ended and why, if it was followed, if no line fits, or if it has not finished, and while a tick waits\n" +
			"for answers of models for more than some seconds, for whose: its lines come when it ends. --json prints the lines as\n" +
			"they are stored, with the name of the stream added in front (that of rests is nop); docs/LOGS.md describes their\n" +
			"fields.\n" +
			"To see why an agent fell asleep: kingdom tail RUN --nop --dormancy --agent ALIAS.",
		Args: args(1, "a run directory"),
		RunE: func(cmd *cobra.Command, names []string) error {
			if err := refuseEmptyAgent(cmd); err != nil {
				return err
			}
			if f.keep && !f.follow {
				return usagef("--keep is for -f, which goes on with new lines; add -f, or leave --keep out")
			}
			return a.tail(cmd.Context(), names[0], &f)
		},
	}
	cmd.Flags().BoolVar(&f.think, "think", false, "what each mind was asked and answered, with its reasoning")
	cmd.Flags().BoolVar(&f.nop, "nop", false, "slots in which an agent did nothing or got no answer, with the reason and the streak; no rests")
	cmd.Flags().BoolVar(&f.rest, "rest", false, "rests that agents began: slots in which nothing was worth its cost to them")
	cmd.Flags().BoolVar(&f.dormancy, "dormancy", false, "warnings, agents falling asleep and waking, with the cause")
	cmd.Flags().BoolVar(&f.goals, "goals", false, "goals that ended, with the outcome")
	cmd.Flags().StringVar(&f.agent, "agent", "", "only this agent; its number in spawn order, its name, alias or id, or the beginning of these; the name of a group: all of its members")
	cmd.Flags().Uint64Var(&f.since, "since", 0, "from this cycle on")
	cmd.Flags().BoolVarP(&f.follow, "follow", "f", false, "go on with new lines until the run ends or Ctrl-C")
	cmd.Flags().BoolVar(&f.keep, "keep", false, "with -f: keep waiting when the run has ended, in case it is resumed")
	return cmd
}

func (a *app) tail(ctx context.Context, dir string, f *tailFlags) error {
	rf, err := readRunFile(dir)
	if err != nil {
		return err
	}
	names := namesSoFar(ctx, dir)
	opt := observe.TailOptions{Names: names.known, Streams: f.streams(), Since: wire.Cycle(f.since), Follow: f.follow, Closed: !f.follow && rf.Status != engine.StatusRunning}
	var members map[string]bool // of a group, by id
	if f.agent != "" {
		ids, err := agentsToTail(ctx, a, dir, f.agent)
		if err != nil {
			return err
		}
		if opt.Agent = ids[0].String(); len(ids) > 1 {
			opt.Agent, members = "", map[string]bool{}
			for _, id := range ids {
				members[id.String()] = true
			}
		}
	}
	looks := 0 // since the run has ended
	wait := waitTeller{app: a, dir: dir, names: names.known}
	opt.Ended = func() bool {
		s, ended, gone := endedState(ctx, dir)
		names.look(ctx)
		if looks++; !ended {
			looks = 0
			wait.look(time.Now())
		}
		if f.keep && looks == 2 && !gone { // after the last lines
			a.sayState(dir, s)
			a.say("waiting for it to be resumed; Ctrl-C ends")
		}
		return ended && !f.keep || gone // under this name nobody resumes what is gone
	}
	own, told := runsOfLogs(ctx, dir), map[observe.Stream]bool{}
	shown, rests := 0, 0
	err = observe.Tail(ctx, dir, opt, func(l observe.Line) error {
		if members != nil && !members[agentOfLine(l.Raw)] {
			return nil
		}
		if l.Stream == observe.StreamNOP {
			switch {
			case l.Rest() && !f.rest:
				rests++
				return nil
			case !l.Rest() && f.rest && !f.nop:
				return nil
			}
		}
		shown++
		if own != nil && !own[l.Run()] && !told[l.Stream] {
			told[l.Stream] = true
			a.say("the stream %s has lines of the run %s, of which the other logs of %s know nothing; its file may be that of another run: restore it from a copy", l.Stream, shellQuote(l.Run()), dir)
		}
		if a.json {
			_, err := fmt.Fprintf(a.out, "%s\n", l.JSON())
			return err
		}
		_, err := fmt.Fprintln(a.out, l.Text())
		return err
	})
	if f.follow && errors.Is(err, context.Canceled) {
		err = nil // Ctrl-C is how following ends
	}
	switch missing := missingLogs(dir, opt.Streams); {
	case err != nil:
	case shown == 0:
		a.explainNoLines(dir, opt.Streams, f, rests)
	case len(missing) > 0 && fileExists(dir): // the lines of the others would look as if nobody was stuck
		fmt.Fprintf(a.err, "kingdom: nothing is shown of what is missing, %s; restore it from a copy, or run the scenario again\n", strings.Join(missing, ", "))
	}
	if err == nil && ctx.Err() == nil {
		if s := a.sayHowItEnded(ctx, dir, f.follow || shown == 0); s.Status == engine.StatusRunning {
			wait.look(time.Now())
		}
	}
	return err
}

// waitTeller says on standard error for whom a tick of a run waits: there is no line about the tick yet.
type waitTeller struct {
	app   *app
	dir   string
	names map[wire.AgentID]string
	tick  uint64
	told  time.Time
}

// look says for whom the run waits, if it does: at once, and if it goes on waiting, every waitLineInterval.
func (t *waitTeller) look(now time.Time) {
	if w := observe.ReadWait(t.dir); w != nil && (w.Tick != t.tick || now.Sub(t.told) >= waitLineInterval) {
		t.tick, t.told = w.Tick, now
		t.app.say("%s: %s", t.dir, w.Text(t.names, now))
	}
}

// sayHowItEnded says what became of a run whose lines were shown: always if there is no other sign of it, else only if the run
// neither goes on nor has finished.
func (a *app) sayHowItEnded(ctx context.Context, dir string, always bool) runState {
	s, err := stateNow(ctx, dir)
	switch {
	case isMissing(err):
		a.say("%s is gone: it was removed or renamed, or the run could not start, which leaves no directory", dir)
	case err != nil:
		a.say("cannot tell whether %s is still running: %v", dir, err)
	case always || s.Status != engine.StatusRunning && s.Status != engine.StatusFinished:
		a.sayState(dir, s)
	}
	return s
}

// agentsToTail finds the agents of --agent. If the store of the run cannot be read, as while its server is down, the logs
// still can: then the agent is one of those with which the scenario begins.
func agentsToTail(ctx context.Context, a *app, dir, name string) ([]wire.AgentID, error) {
	run, err := openRun(ctx, dir, "")
	if err == nil {
		ids, err := findAgents(ctx, run, dir, name)
		return ids, errors.Join(err, run.store.Close())
	}
	sc, scErr := scenarios.Load(filepath.Join(dir, scenarioFile))
	if scErr != nil || ctx.Err() != nil {
		return nil, err
	}
	ids, findErr := beginners(sc, dir, name)
	if findErr != nil {
		return nil, err
	}
	a.say("the store cannot be read, so --agent knows only the agents with which the scenario begins: %v", err)
	return ids, nil
}

// agentOfLine returns the id of the agent that a line of a log is about; "" if it is about none.
func agentOfLine(raw []byte) string {
	var line struct {
		Agent struct {
			ID string `json:"id"`
		} `json:"agent"`
	}
	if err := json.Unmarshal(raw, &line); err != nil {
		return "" // observe has read it and found it well-formed
	}
	return line.Agent.ID
}

// runsOfLogs returns the names under which a run wrote its logs: a directory may have been renamed between two parts of
// the run. Every cycle has a line in the engine stream; of a cycle that has not ended, the present name is the one. It
// returns nil if the engine stream cannot be read.
func runsOfLogs(ctx context.Context, dir string) map[string]bool {
	path, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	own := map[string]bool{}
	err = observe.Tail(ctx, dir, observe.TailOptions{Streams: []observe.Stream{observe.StreamEngine}}, func(l observe.Line) error {
		own[l.Run()] = true
		return nil
	})
	if err != nil || len(own) == 0 {
		return nil
	}
	own[filepath.Base(path)], own[filepath.Base(dir)] = true, true
	return own
}

// missingLogs returns the plain names of the streams that have no file in a run.
func missingLogs(dir string, streams []observe.Stream) (out []string) {
	for _, s := range streams {
		if !slices.ContainsFunc(s.Paths(dir), fileExists) {
			out = append(out, s.Path(dir))
		}
	}
	return out
}

// streams returns the log streams of the flags; without any, all except think. NOPs and rests are in the same stream.
func (f *tailFlags) streams() (out []observe.Stream) {
	for _, s := range []struct {
		on bool
		of observe.Stream
	}{{f.think, observe.StreamThink}, {f.nop || f.rest, observe.StreamNOP}, {f.dormancy, observe.StreamDormancy}, {f.goals, observe.StreamGoals}} {
		if s.on {
			out = append(out, s.of)
		}
	}
	if out == nil {
		out = []observe.Stream{observe.StreamEngine, observe.StreamNOP, observe.StreamDormancy, observe.StreamGoals}
	}
	return out
}

// endedState returns the state of a run that no process writes any more. gone: its directory is not there.
func endedState(ctx context.Context, dir string) (s runState, ended, gone bool) {
	s, err := stateNow(ctx, dir)
	if err != nil {
		return s, isMissing(err), isMissing(err) && !fileExists(dir) // else its store is being created
	}
	return s, s.Status != engine.StatusRunning, false
}

// explainNoLines prints why there is no line: the logs are disabled or missing, or no line matches.
func (a *app) explainNoLines(dir string, streams []observe.Stream, f *tailFlags, rests int) {
	missing := missingLogs(dir, streams)
	var names []string
	for _, s := range streams {
		if s == observe.StreamNOP && f.rest && !f.nop {
			names = append(names, "rest")
		} else {
			names = append(names, s.String())
		}
	}
	slices.Sort(names)
	switch {
	case len(missing) > 0:
		fmt.Fprintf(a.err, "kingdom: %s has no logs to show. Missing: %s. Either the run was made with --logs=false, or they were removed\n", dir, strings.Join(missing, ", "))
	case rests > 0:
		fmt.Fprintf(a.err, "kingdom: nothing to show: no %s line fits; --rest shows where agents rested (%s)\n",
			strings.Join(names, " or "), llm.Count(uint64(rests), "time"))
	case f.agent != "" && f.since > 0:
		fmt.Fprintf(a.err, "kingdom: no line of %s fits --agent and --since; without them all are shown\n", strings.Join(names, ", "))
	case f.agent != "" || f.since > 0:
		flag := "--since"
		if f.agent != "" {
			flag = "--agent"
		}
		fmt.Fprintf(a.err, "kingdom: no line of %s fits %s; without it all are shown\n", strings.Join(names, ", "), flag)
	default:
		fmt.Fprintf(a.err, "kingdom: nothing to show: no %s line in %s\n", strings.Join(names, " or "), dir)
	}
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, os.ErrNotExist)
}
