package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/spf13/cobra"
)

// app is what every command shares: where it prints.
type app struct {
	out, err io.Writer
	json     bool
}

// locked lets several goroutines write: progress, warnings and the answer to Ctrl-C.
type locked struct {
	mu sync.Mutex
	w  io.Writer
}

// Write writes when nobody else does.
func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

func newRoot(out, errw io.Writer) *cobra.Command {
	a := &app{out: out, err: errw}
	root := &cobra.Command{
		Use:   "kingdom",
		Short: "Simulate populations of agents, twice to the same bit",
		Long: "Kingdom runs populations of LLM-driven agents on a clock of ticks. A run is a directory; the same\n" +
			"scenario and seed give the same world hash on every machine.\n\n" +
			"Exit codes: 0 fine, 1 failure, 2 usage or invalid input, 3 divergence, 4 stopped by a cap,\n" +
			"5 paused by an outage, or no model answers, 130 interrupted (resumable).\n\n" +
			"With --json the last line of a command that failed is {error, code, exit, problems?, divergence?}; code is one of\n" +
			"invalid_input, invalid_scenario, mismatch, divergence, cap, outage, interrupted, damaged, checks_failed, failure.",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetOut(out)
	root.SetErr(errw)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return flagError(err) })
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON with documented fields (docs/CLI.md) instead of text")
	root.AddCommand(
		newRun(a), newResume(a), newReplay(a), newVerify(a), newTail(a), newInspect(a), newExplain(a),
		newJournal(a), newKey(a), newDoctor(a),
		newActions(a), newScenario(a), newPrompt(a), newDev(a), newVersion(a),
	)
	return root
}

func execute(ctx context.Context, args []string, out, errw io.Writer) int {
	if _, ok := errw.(*os.File); !ok {
		errw = &locked{w: errw}
	}
	return executeRoot(ctx, newRoot(out, errw), args, errw)
}

func executeRoot(ctx context.Context, root *cobra.Command, args []string, errw io.Writer) int {
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err != nil && slices.Contains(args, "--json") { // the flag itself may be behind the one that is wrong
		(&app{out: root.OutOrStdout()}).jsonLine(errorLine(err))
	}
	if err != nil && !asType[*silentError](err) {
		fmt.Fprintln(errw, "kingdom: "+err.Error())
	}
	return exitCode(err)
}
