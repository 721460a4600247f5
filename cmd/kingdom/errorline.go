package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/llm/recorded"
	"kingdom/scenarios"
)

// errorJSON is the last line of --json output of a command that failed.
type errorJSON struct {
	Error      string         `json:"error"` // for people
	Code       string         `json:"code"`  // for programs: it stays when the words change
	Exit       int            `json:"exit"`
	Problems   []problemJSON  `json:"problems,omitempty"`   // of a scenario
	Divergence map[string]any `json:"divergence,omitempty"` // where a history and its re-execution differ
}

// worded fits an error of the engine to the command that met it: what only read a run has
// nothing to resume, and a command to type quotes the run directory.
func worded(cmd *cobra.Command, err error) error {
	if e, ok := asError[*engine.InterruptedError](err); ok {
		if name := cmd.Name(); name != "run" && name != "resume" && name != "fork" {
			return &cancelledError{"interrupted; nothing was changed"}
		}
		e.Dir = quoted(e.Dir)
	}
	if cmd.Context() != nil && cmd.Context().Err() != nil && errors.Is(err, context.Canceled) && !asType[*engine.InterruptedError](err) {
		return &cancelledError{"interrupted before anything was done"}
	}
	if e, ok := asError[*engine.AgentError](err); ok {
		if miss, ok := asError[*recorded.MissError](err); ok { // it names agent and tick itself, and the agent is not what broke
			return fmt.Errorf("cycle %d: %w", e.Cycle, miss)
		}
	}
	if e, ok := asError[*engine.PausedError](err); ok {
		e.Dir = quoted(e.Dir)
	}
	if e, ok := asError[*engine.CapError](err); ok {
		e.Dir = quoted(e.Dir)
	}
	if e, ok := asError[*engine.DiskFullError](err); ok {
		e.Dir = quoted(e.Dir)
	}
	if notAllowed(err) && !strings.Contains(err.Error(), "; ") { // else it has an advice of its own
		return fmt.Errorf("%w; this user may not read or write there: change the permissions, or use a place of your own", err)
	}
	return err
}

// notAllowed says whether the system refused to open, make or write a file.
func notAllowed(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// errorLine describes a failed command.
func errorLine(err error) errorJSON {
	e := errorJSON{Error: err.Error(), Code: errorCode(err), Exit: exitCode(err)}
	if d, ok := asError[*engine.DivergenceError](err); ok {
		e.Divergence = divergence(d)
	}
	if s, ok := asError[*scenarios.Error](err); ok {
		e.Problems = validation(nil, s).Problems
	}
	return e
}

// errorCode is the stable name of what went wrong.
func errorCode(err error) string {
	switch exitCode(err) {
	case exitDivergence:
		return "divergence"
	case exitCap:
		return "cap"
	case exitOutage:
		return "outage"
	case exitInterrupted:
		return "interrupted"
	case exitInput:
		switch {
		case asType[*scenarios.Error](err):
			return "invalid_scenario"
		case asType[*engine.MismatchError](err):
			return "mismatch"
		}
		return "invalid_input"
	}
	switch {
	case asType[*engine.CorruptError](err), asType[*damagedError](err):
		return "damaged"
	case asType[*checksError](err):
		return "checks_failed"
	}
	return "failure"
}

// checksError ends a doctor's visit that found something.
type checksError struct {
	failed int
	run    bool // the models are those of a run
}

func (e *checksError) Error() string {
	s := fmt.Sprintf("%s failed; each line above says what to change", counted(uint64(e.failed), "check"))
	if e.run {
		s += "; a run keeps the scenario that it began with, so change the server or the key, or start a new run"
	}
	return s
}
