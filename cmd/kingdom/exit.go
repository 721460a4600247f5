package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/llm/recorded"
	"kingdom/scenarios"
	"kingdom/sql/table"
)

// Exit codes of all commands.
const (
	exitFine        = 0
	exitFailure     = 1
	exitInput       = 2   // usage or invalid input
	exitDivergence  = 3   // a history and its re-execution differ
	exitCap         = 4   // stopped by the cap of what the run may spend
	exitOutage      = 5   // paused by an outage
	exitInterrupted = 130 // resumable
)

// inputError is what a user gave wrong.
type inputError struct{ err error }

func (e *inputError) Error() string { return e.err.Error() }
func (e *inputError) Unwrap() error { return e.err }

func usage(err error) error                { return &inputError{err} }
func usagef(format string, a ...any) error { return &inputError{fmt.Errorf(format, a...)} }
func isCobraUsage(err error) bool          { return strings.HasPrefix(err.Error(), "unknown command") }
func asType[T error](err error) bool       { var t T; return errors.As(err, &t) }

func exitCode(err error) int {
	switch {
	case err == nil:
		return exitFine
	case asType[*engine.DivergenceError](err), asType[*recorded.MissError](err):
		return exitDivergence
	case asType[*engine.CapError](err):
		return exitCap
	case asType[*engine.PausedError](err), asType[awayError](err):
		return exitOutage
	case asType[*engine.InterruptedError](err), errors.Is(err, errPromptLeft):
		return exitInterrupted
	case asType[*inputError](err), asType[*engine.MismatchError](err), asType[*table.WorldError](err), asType[*scenarios.Error](err), isCobraUsage(err):
		return exitInput
	default:
		return exitFailure
	}
}

// flagError says what a flag takes instead of how reading it failed.
func flagError(err error) error {
	text, _, found := strings.Cut(err.Error(), ": strconv.")
	if found {
		text += ": want a whole number"
		if strings.Contains(err.Error(), "ParseBool") {
			text = strings.TrimSuffix(text, "a whole number") + "true or false"
		}
	}
	return usagef("%s", text)
}

// args checks a command's positional arguments and says how it is used.
func args(n int, names string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, got []string) error {
		if len(got) == n {
			return nil
		}
		return usagef("%s takes %s; see kingdom %s --help", cmd.CommandPath(), names, strings.TrimPrefix(cmd.CommandPath(), "kingdom "))
	}
}
