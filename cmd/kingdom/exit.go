package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kingdom/engine"
	"kingdom/llm/recorded"
	"kingdom/scenarios"
	"kingdom/sql/postgres"
	"kingdom/sql/table"
)

// Exit codes of all commands.
const (
	exitOK          = 0
	exitFailure     = 1
	exitInput       = 2   // usage or invalid input
	exitDivergence  = 3   // a history and its re-execution differ
	exitCap         = 4   // stopped by the cap of what the run may spend
	exitOutage      = 5   // paused by an outage
	exitInterrupted = 130 // the run can be resumed
)

// inputError is an error in what the user gave.
type inputError struct{ err error }

func (e *inputError) Error() string { return e.err.Error() }
func (e *inputError) Unwrap() error { return e.err }

func usage(err error) error                { return &inputError{err} }
func usagef(format string, a ...any) error { return &inputError{fmt.Errorf(format, a...)} }
func asType[T error](err error) bool       { var t T; return errors.As(err, &t) }

func exitCode(err error) int {
	switch {
	case err == nil:
		return exitOK
	case isStoreDamage(err): // and no difference of the build
		return exitFailure
	case asType[*engine.DivergenceError](err), asType[*recorded.MissError](err):
		return exitDivergence
	case asType[*engine.CapError](err), asType[*interviewCapError](err):
		return exitCap
	case asType[*engine.PausedError](err), asType[unreachableError](err):
		return exitOutage
	case asType[*engine.InterruptedError](err), asType[*cancelledError](err):
		return exitInterrupted
	case asType[*inputError](err), asType[*engine.MismatchError](err), asType[*table.WorldError](err), asType[*postgres.SchemaError](err), asType[*scenarios.Error](err):
		return exitInput
	default:
		return exitFailure
	}
}

// flagError rewords an error of the flag parser: it says which values the flag takes, or which flag was
// probably meant.
func flagError(cmd *cobra.Command, err error) error {
	if unknown, ok := strings.CutPrefix(err.Error(), "unknown flag: --"); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := scenarios.Nearest(unknown, names); near != "" {
			return usagef("unknown flag --%s; did you mean --%s?", unknown, near)
		}
		if others := commandsWith(cmd.Root(), unknown); len(others) > 0 {
			return usagef("unknown flag --%s; it belongs to %s; see %s --help", unknown, strings.Join(others, ", "), cmd.CommandPath())
		}
		return usagef("unknown flag --%s; see %s --help", unknown, cmd.CommandPath())
	}
	if e, ok := asError[*pflag.ValueRequiredError](err); ok {
		return usagef("--%s has no value; see %s --help", e.GetFlag().Name, cmd.CommandPath())
	}
	e, ok := asError[*pflag.InvalidValueError](err)
	if !ok {
		return usagef("%w; see %s --help", err, cmd.CommandPath())
	}
	value := e.GetValue()
	if _, err := strconv.ParseFloat(value, 64); err != nil {
		value = strconv.Quote(value)
	}
	return usagef("--%s is %s; want %s", e.GetFlag().Name, value, flagValues(e.GetFlag()))
}

// commandsWith returns the commands that have a flag.
func commandsWith(group *cobra.Command, flag string) (paths []string) {
	for _, c := range group.Commands() {
		if c.LocalFlags().Lookup(flag) != nil && c.IsAvailableCommand() {
			paths = append(paths, c.CommandPath())
		}
		paths = append(paths, commandsWith(c, flag)...)
	}
	return paths
}

// flagValues describes the values that a flag takes.
func flagValues(f *pflag.Flag) string {
	switch kind := f.Value.Type(); {
	case kind == "bool":
		return "true or false"
	case kind == "float64":
		return "a number such as 2.50"
	case kind == "duration":
		return "a duration such as 200ms or 2s"
	case kind == "uint64" && f.Name == "cycles":
		return fmt.Sprintf("a whole number from 1 to %d", scenarios.MostCycles)
	case kind == "uint64":
		return "a whole number from 0"
	default:
		return "a whole number"
	}
}

// withFlagNames makes the problems of a scenario name the flags that caused them. Each of the flags sets the scenario
// value of the same name, so the problem would otherwise name a --set that the user did not type.
func withFlagNames(cmd *cobra.Command, err error, flags ...string) error {
	e, ok := asError[*scenarios.Error](err)
	if !ok {
		return err
	}
	for _, name := range flags {
		f := cmd.Flags().Lookup(name)
		for i := range e.Problems {
			if p := &e.Problems[i]; f.Changed && p.File == strings.ToValidUTF8("--set "+name+"="+f.Value.String(), "\uFFFD") {
				if len(e.Problems) == 1 {
					return usagef("--%s %s; %s", name, p.Wrong, p.Right)
				}
				p.File = "--" + name + " " + shellQuote(f.Value.String())
			}
		}
	}
	return err
}

// group makes a command that only has subcommands. Alone it prints its help, but not with --json, since a program wants
// a result; for an unknown subcommand the error names the one that was probably meant.
func group(cmd *cobra.Command) *cobra.Command {
	cmd.Args = func(cmd *cobra.Command, got []string) error {
		if len(got) == 0 {
			return nil
		}
		names := subcommands(cmd)
		text := fmt.Sprintf("%s has no command %q", cmd.CommandPath(), got[0])
		if near := scenarios.Nearest(got[0], names); near != "" {
			return usagef("%s; did you mean %s %s?", text, cmd.CommandPath(), near)
		}
		return usagef("%s; it has %s", text, strings.Join(names, ", "))
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if asJSON, err := cmd.Flags().GetBool("json"); err == nil && asJSON {
			return usagef("%s --json lacks a command; each has --json: %s", cmd.CommandPath(), strings.Join(subcommands(cmd), ", "))
		}
		return cmd.Help()
	}
	cmd.Annotations = map[string]string{groupAnnotation: ""}
	return cmd
}

// subcommands returns the names of the commands in a group that its help lists.
func subcommands(group *cobra.Command) (names []string) {
	for _, c := range group.Commands() {
		if c.IsAvailableCommand() && c.Name() != "completion" { // a script for a shell
			names = append(names, c.Name())
		}
	}
	return names
}

// helpOfGroups makes help refuse an unknown command as the command itself would be.
func helpOfGroups(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"}) // it exists now
	help.Args = func(_ *cobra.Command, names []string) error {
		cmd, rest, err := root.Find(names)
		if _, group := cmd.Annotations[groupAnnotation]; err != nil || !group {
			return err
		}
		return cmd.Args(cmd, rest)
	}
}

// groupAnnotation marks commands that only group other commands.
const groupAnnotation = "group"

// args returns a check that a command has n positional arguments; names describes them in the error.
func args(n int, names string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, got []string) error {
		if len(got) == n {
			return nil
		}
		names := names
		if n == 1 && len(got) > 1 {
			names = fmt.Sprintf("one %s, but got %d arguments", strings.TrimPrefix(names, "a "), len(got))
		}
		return usagef("%s takes %s; see kingdom %s --help", cmd.CommandPath(), names, strings.TrimPrefix(cmd.CommandPath(), "kingdom "))
	}
}
