package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8"

	"kingdom/engine"
)

// app is what every command shares: where it prints.
type app struct {
	out, err io.Writer
	json     bool
	live     atomic.Pointer[mpb.Progress] // the progress bar; nil while none is shown
}

// say prints a message that is not part of the result to standard error. While a progress bar is shown, the message is
// printed above it, because the bar overwrites anything written directly.
func (a *app) say(format string, args ...any) {
	text := "kingdom: " + fmt.Sprintf(format, args...) + "\n"
	if live := a.live.Load(); live != nil {
		if _, err := io.WriteString(live, text); err == nil {
			return
		}
	}
	_, _ = io.WriteString(a.err, text) // a closed pipe ends the process by itself
}

// lockedWriter is a writer that several goroutines may use: progress, warnings and the message after Ctrl-C.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

// Write implements io.Writer.
func (l *lockedWriter) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

func newRoot(out, errw io.Writer) *cobra.Command {
	stdout := &output{Writer: out}
	a := &app{out: stdout, err: errw}
	root := &cobra.Command{
		Use:   "kingdom",
		Short: "Simulate populations of agents, reproducible to the bit",
		Long: "Kingdom runs populations of LLM-driven agents on a clock of ticks. A run is a directory; the same\n" +
			"scenario and seed give the same world hash on every machine.\n\n" +
			"Exit codes: 0 success, 1 failure, 2 usage or invalid input, 3 divergence, 4 stopped by a cap,\n" +
			"5 paused by an outage, or no model answers, 130 interrupted (can be resumed): by Ctrl-C, SIGTERM, or SIGHUP, which a\n" +
			"terminal sends when it is closed. Under nohup a run goes on without its terminal.\n\n" +
			"With --json the last line of a failed command is {error, code, exit, problems?, divergence?}; code is one of\n" +
			"invalid_input, invalid_scenario, mismatch, divergence, cap, outage, interrupted, damaged, checks_failed, failure.\n" +
			"divergence is that of kingdom replay --json: keys whose value is not known, such as tick and agent of a difference at\n" +
			"the end of a cycle, are left out.",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetOut(stdout)
	root.SetErr(errw)
	root.SetFlagErrorFunc(flagError)
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON with documented fields (docs/CLI.md) instead of text")
	root.AddCommand(
		newRun(a), newResume(a), newFork(a), newReplay(a), newVerify(a), newTail(a), newWatch(a), newMCP(a), newInput(a), newInspect(a), newTables(a), newQuery(a), newExplain(a), newInterview(a), newCompare(a), newSociety(a), newReport(a), newGraph(a),
		newJournal(a), newKey(a), newDoctor(a),
		newActions(a), newScenario(a), newPrompt(a), newDev(a), newVersion(a),
	)
	root.PersistentPreRunE = func(cmd *cobra.Command, given []string) error {
		return cmp.Or(refuseEmptyArgs(cmd, given), refuseEmptyFlags(cmd))
	}
	completions(root)
	helpOfGroups(root)
	asText := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, names []string) {
		if !a.json {
			asText(cmd, names)
			return
		}
		a.jsonLine(map[string]string{"command": cmd.CommandPath(), "help": cmp.Or(cmd.Long, cmd.Short) + "\n\n" + cmd.UsageString()})
	})
	group(root)
	addVersionFlag(a, root)
	return root
}

// outFlag says where a command writes, storeFlag where the tables of a run are.
const (
	outFlag   = "out"
	storeFlag = "store"
)

// refuseEmptyArgs refuses arguments such as the "" of a script whose variable is not set. A message that named what is missing
// by an empty name would not be understood.
func refuseEmptyArgs(cmd *cobra.Command, given []string) error {
	for i, arg := range given {
		if arg == "" && !cmd.DisableFlagParsing { // completion has an empty word to complete
			return usagef("argument %d of %s is empty; want what kingdom %s --help says; if the shell was to put it in, its variable is not set", i+1, cmd.CommandPath(), strings.TrimPrefix(cmd.CommandPath(), "kingdom "))
		}
	}
	return nil
}

// refuseEmptyFlags refuses values such as --out "" and --minds "": a script whose variable is not set would else write to
// another place, or ask models where it meant to reuse answers, without a word.
func refuseEmptyFlags(cmd *cobra.Command) error {
	for _, f := range []struct{ name, want string }{
		{outFlag, "where to write"},
		{mindsFlag, mindsRecorded + "RUN, " + mindsRecorded + "FILE or " + mindsModels},
		{storeFlag, "sqlite or postgres://user@host/db"},
		{portalFlag, "offline, http, recorded:DIR or record:DIR"},
	} {
		if given := cmd.Flags().Lookup(f.name); given != nil && given.Changed && given.Value.String() == "" {
			return usagef("--%s is empty; want %s, or leave it out; if the shell was to put it in, its variable is not set", f.name, f.want)
		}
	}
	return nil
}

func execute(ctx context.Context, args []string, out, errw io.Writer) int {
	if _, ok := errw.(*os.File); !ok {
		errw = &lockedWriter{w: errw}
	}
	return executeRoot(ctx, newRoot(out, errw), args, errw)
}

// wantsJSON reports whether --json is among the arguments. The flag itself is not set if an earlier one is invalid.
func wantsJSON(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		value, given := strings.CutPrefix(arg, "--json=")
		on, err := strconv.ParseBool(value)
		return arg == "--json" || given && on && err == nil
	})
}

// stackOf returns the stack of the panic that an error came from, for who reports it; nil if it came from none.
func stackOf(err error) []byte {
	if e, ok := asError[*engine.AgentError](err); ok {
		return e.Stack
	}
	if e, ok := asError[*engine.WorldError](err); ok {
		return e.Stack
	}
	if e, ok := asError[*panicError](err); ok {
		return e.stack
	}
	return nil
}

// panicError is a panic of a command.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string {
	return fmt.Sprintf("internal error, please report it with the lines below and the command: %v", e.value)
}

// executeCommand executes the command that root finds in its arguments. A panic becomes an error.
func executeCommand(ctx context.Context, root *cobra.Command) (cmd *cobra.Command, err error) {
	defer func() {
		if value := recover(); value != nil {
			cmd, err = root, &panicError{value, debug.Stack()}
		}
	}()
	return root.ExecuteContextC(ctx)
}

func executeRoot(ctx context.Context, root *cobra.Command, args []string, errw io.Writer) int {
	root.SetArgs(args)
	cmd, err := executeCommand(ctx, root)
	err = rewordError(cmd, err)
	if o, ok := root.OutOrStdout().(*output); ok {
		err = o.orWriteError(err)
	}
	if err != nil && wantsJSON(args) && !asType[*silentError](err) {
		(&app{out: root.OutOrStdout()}).jsonLine(errorLine(err))
	}
	if err != nil && !asType[*silentError](err) {
		fmt.Fprintln(errw, "kingdom: "+err.Error())
		_, _ = errw.Write(stackOf(err))
	}
	return exitCode(err)
}
