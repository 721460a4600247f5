package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/scenarios"
	"kingdom/wire"
)

func newInput(a *app) *cobra.Command {
	var store string
	cmd := &cobra.Command{
		Use:   "input RUN INPUT [INPUT ...]",
		Short: "Wake an agent, give it a goal and so on, while a run goes on",
		Long: "Give a run that has begun inputs from outside. INPUT is a mapping in YAML in the form of an item of inputs in a scenario\n" +
			"(docs/SCENARIOS.md): do: wake, sleep, kill, goal, done, grant, take, post or param. The agent may also be named by its\n" +
			"alias, as kingdom tail shows it. Without cycle an input takes effect at the first tick of the next cycle that begins. All\n" +
			"inputs are checked before any is given. They are put into a file in the folder inbox of the run, which the process of\n" +
			"the run reads at the beginning of its next cycle; if the run was stopped, kingdom resume does. What they did is in the\n" +
			"journal, so replay, fork and compare repeat it, and inspect and report show it. do: spawn is refused, as is a run\n" +
			"that is finished (use kingdom fork --input) and one of a sweep, whose runs differ by their seeds alone.\n" +
			"Fields of --json: run, going_on, last_cycle, cycle (the earliest in which an input takes effect), file,\n" +
			"inputs[] {cycle, input}.",
		Example: "  kingdom input runs/epoch0-42 '{do: wake, agent: 3}'\n" +
			"  kingdom input runs/epoch0-42 '{do: goal, agent: 3, kind: explore}' '{do: grant, agent: 3, amount: 50}'",
		Args: func(cmd *cobra.Command, got []string) error {
			return args(max(2, len(got)), "a run directory and inputs, such as '{do: wake, agent: 3}'")(cmd, got)
		},
		RunE: func(cmd *cobra.Command, names []string) error {
			return a.giveInputs(cmd.Context(), names[0], names[1:], store)
		},
	}
	cmd.Flags().StringVar(&store, storeFlag, "", "location of the run's store, if it differs from run.json")
	return cmd
}

// giveInputs checks inputs and adds them to the inbox of a run.
func (a *app) giveInputs(ctx context.Context, dir string, texts []string, store string) (err error) {
	if err := refuseSweepMember(dir); err != nil {
		return err
	}
	run, err := openRun(ctx, dir, store)
	if err != nil {
		return err
	}
	defer captureClose(&err, run.store.Close)
	s := run.state
	first, goingOn := s.Last+1, s.Status == engine.StatusRunning
	state := strings.ReplaceAll(s.text(dir), "; kingdom resume "+shellQuote(dir)+" continues it", "")
	if goingOn {
		first++ // the one after the last in the store is being executed
	} else if begun, err := engine.LastBegun(dir, &run.config, wire.Cycle(s.Last)); err != nil {
		return err
	} else if uint64(begun) > s.Last { // resume executes what was done of it as it was
		first = uint64(begun) + 1
		state += fmt.Sprintf("; cycle %d has begun", begun)
	}
	if first > s.Of {
		return usagef("%s is %s, so no further cycle begins in which an input could take effect; start a new run from a cycle before: kingdom fork %s --at %d --input %s",
			dir, state, shellQuote(dir), max(s.Of, 1)-1, shellQuote(fmt.Sprintf("{cycle: %d, do: …}", s.Of)))
	}
	only, list, err := run.scenario.OutsideInputs(texts, first, s.Of)
	if err != nil {
		return usage(namingRun(err, dir))
	}
	for _, w := range only.Warnings() {
		if strings.HasPrefix(w.Field, "inputs[") {
			a.say("warning: %s", w)
		}
	}
	file, err := engine.AddToInbox(dir, scenarios.InputsFile(list))
	if err != nil {
		return err
	}
	if a.json {
		inputs := make([]outsideJSON, len(list))
		for i, in := range list {
			inputs[i] = outsideJSON{Cycle: in.Cycle, Input: in.Text}
		}
		a.jsonLine(map[string]any{"run": dir, "going_on": goingOn, "last_cycle": s.Last, "cycle": list[0].Cycle, "file": file, "inputs": inputs})
		return nil
	}
	when := "when it goes on: kingdom resume " + shellQuote(dir)
	if goingOn {
		when = "and kingdom tail " + shellQuote(dir) + " -f shows what comes of it"
	}
	fmt.Fprintf(a.out, "%s is %s\n", dir, state)
	fmt.Fprintf(a.out, "%s in cycle %d at the earliest, %s\n", pluralVerb(len(list), "input takes effect", "inputs take effect"), list[0].Cycle, when)
	for _, in := range list {
		fmt.Fprintf(a.out, "  %s\n", in.YAML())
	}
	return nil
}

// namingRun puts the name of a run into the problems of inputs for it.
func namingRun(err error, dir string) error {
	if e, ok := asError[*scenarios.Error](err); ok {
		for i := range e.Problems {
			p := &e.Problems[i]
			p.Right = strings.Replace(p.Right, "fork "+scenarios.TheRun, "fork "+shellQuote(dir), 1)
		}
	}
	return err
}

// refuseSweepMember refuses an input for a run of a sweep: the sweep's means and comparisons are about runs of one scenario
// that differ by their seeds alone.
func refuseSweepMember(dir string) error {
	full, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("give inputs to %s: %w; name it by its full path", dir, err)
	}
	sweep := filepath.Dir(full)
	if !isSweep(sweep) {
		return nil
	}
	s, err := openSweep(sweep)
	if err != nil {
		return err
	}
	if err := s.plan(""); err != nil {
		return err
	}
	if slices.ContainsFunc(s.runs, func(r *sweepRun) bool { return r.dir == full }) { // not so a fork beside them
		return usagef("%s is a run of the sweep %s, whose results are about runs that differ by their seeds alone; "+
			"change one of its runs in a fork: kingdom fork %s --at CYCLE --input '{cycle: …, do: …}', or all of them by inputs of the scenario", dir, filepath.Base(sweep), shellQuote(dir))
	}
	return nil
}

// readInbox converts a file of the inbox of a run. What the command accepted is accepted here, whatever cycle it is now.
func readInbox(sc *scenarios.Scenario, file []byte) (out []engine.Input, err error) {
	texts, err := scenarios.InputTexts(file)
	if err != nil {
		return nil, err
	}
	only, list, err := sc.OutsideInputs(texts, 1, scenarios.MostCycles)
	if err != nil {
		return nil, err
	}
	rules := sc.WorldRules()
	for i := range list { // each concerns one agent at most
		for _, in := range inputsOf(only, &only.Inputs[i], &rules) {
			in.Source = list[i].Text
			out = append(out, in)
		}
	}
	return out, nil
}

// outsideJSON is an input that came while a run went on.
type outsideJSON struct {
	Cycle   uint64 `json:"cycle"`
	Tick    uint64 `json:"tick,omitempty"`
	Input   string `json:"input"`             // an item of inputs of a scenario, without the cycle
	Refused string `json:"refused,omitempty"` // why the world refused it
	file    string // of the inbox
}

// item returns the input as the scenarios package has it.
func (o *outsideJSON) item() scenarios.OutsideInput {
	return scenarios.OutsideInput{Cycle: o.Cycle, Text: o.Input}
}

// outsideInputs returns the inputs that came while a run went on, up to the end of cycle to. The journal is read only if
// there were more inputs than the scenario plans.
func outsideInputs(ctx context.Context, st boundStore, dir string, cfg *engine.Config, to wire.Cycle) ([]outsideJSON, error) {
	rows, err := st.Cycles(ctx, to, to)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	planned := uint64(0)
	for i := range cfg.Planned {
		if cfg.Planned[i].Earliest <= rows[0].Tick {
			planned++
		}
	}
	if rows[0].InputSeq <= planned {
		return nil, nil
	}
	found, err := engine.OutsideInputs(dir, cfg, to)
	if err != nil {
		return nil, err
	}
	var out []outsideJSON
	for _, in := range found {
		out = append(out, outsideJSON{Cycle: uint64(in.Cycle), Tick: uint64(in.Tick), Input: in.Source, Refused: in.Refused, file: in.File})
	}
	return out, nil
}

// withOutsideInputs returns the scenario of a run with the inputs that came from outside, so that it gives the same run.
func withOutsideInputs(sc *scenarios.Scenario, outside []outsideJSON) (*scenarios.Scenario, error) {
	if len(outside) == 0 {
		return sc, nil
	}
	more := make([]scenarios.OutsideInput, len(outside))
	for i := range outside {
		more[i] = outside[i].item()
	}
	return sc.WithInputs(more)
}

// waitingInputs returns the inputs in the inbox of a run that are not among those that have taken effect.
func waitingInputs(dir string, applied []outsideJSON) (out []string, err error) {
	files, err := engine.Inbox(dir)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		texts, err := scenarios.InputTexts(f.Content)
		if err != nil {
			continue // the run will set it aside
		}
		for i := range applied {
			if applied[i].file == f.Name && len(texts) > 0 {
				texts = texts[1:]
			}
		}
		out = append(out, texts...)
	}
	return out, nil
}

// writeOutside writes the inputs that came from outside, one in a line after a label, at most so many.
func writeOutside(w io.Writer, label string, outside []outsideJSON, most int, dir string) {
	for i := range outside {
		if i == most {
			fmt.Fprintf(w, "%sand %d more; kingdom inspect %s lists them\n", label, len(outside)-most, shellQuote(dir))
			return
		}
		refused := ""
		if outside[i].Refused != "" {
			refused = ": " + outside[i].Refused
		}
		fmt.Fprintf(w, "%sinput of cycle %d %s%s\n", label, outside[i].Cycle, outside[i].Input, refused)
	}
}
