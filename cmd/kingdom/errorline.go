package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"kingdom/agent"
	"kingdom/engine"
	"kingdom/llm"
	"kingdom/llm/recorded"
	"kingdom/observe"
	"kingdom/scenarios"
	"kingdom/sql/history"
	"kingdom/sql/sqlite"
	"kingdom/sql/table"
	"kingdom/wire"
)

// errorJSON is the last line of --json output of a command that failed.
type errorJSON struct {
	Error      string         `json:"error"` // for people
	Code       string         `json:"code"`  // for programs: stable, while Error may be reworded
	Exit       int            `json:"exit"`
	Problems   []problemJSON  `json:"problems,omitempty"`   // of a scenario
	Divergence map[string]any `json:"divergence,omitempty"` // where a history and its re-execution differ
}

// rewordError adapts an error of the engine to the command. A command that only reads a run does not advise to resume
// it, and a run directory in a suggested command is quoted for the shell.
func rewordError(cmd *cobra.Command, err error) error {
	if e, ok := asError[*engine.InterruptedError](err); ok {
		if name := cmd.Name(); name != "run" && name != "resume" && name != "fork" {
			if e.Found != nil {
				return &cancelledError{fmt.Sprintf("interrupted after cycle %d, while it looked for the agent that acted differently; it had found this: %v", e.Cycle, e.Found)}
			}
			return &cancelledError{"interrupted; nothing was changed"}
		}
		e.Dir = shellQuote(e.Dir)
	}
	if cmd.Context() != nil && cmd.Context().Err() != nil && errors.Is(err, context.Canceled) && !asType[*engine.InterruptedError](err) {
		return &cancelledError{"interrupted before anything was done"}
	}
	if e, ok := asError[*engine.AgentError](err); ok {
		if miss, ok := asError[*recorded.MissError](err); ok { // it names agent and tick itself, and the agent did not cause it
			missed := &missedError{cycle: e.Cycle, miss: miss}
			if r, ok := asError[*reusingError](err); ok {
				missed.run = r.dir
			}
			return missed
		}
	}
	if e, ok := asError[*engine.PausedError](err); ok {
		e.Dir = shellQuote(e.Dir)
	}
	if e, ok := asError[*engine.CapError](err); ok {
		e.Dir = shellQuote(e.Dir)
	}
	if e, ok := asError[*engine.DiskFullError](err); ok {
		e.Dir = shellQuote(e.Dir)
	}
	if e, ok := asError[*engine.WriteError](err); ok {
		e.Dir = shellQuote(e.Dir)
	}
	if errors.Is(err, syscall.EROFS) && !strings.Contains(err.Error(), "; ") {
		return fmt.Errorf("%w; nothing can be written there: name a place on another file system, or have this one mounted for writing", err)
	}
	if errors.Is(err, fs.ErrPermission) && !strings.Contains(err.Error(), "; ") { // else the message already says what to do
		return fmt.Errorf("%w; this user may not read or write there: change the permissions, or use a place of your own", err)
	}
	if errors.Is(err, syscall.ENOTDIR) && !strings.Contains(err.Error(), "; ") {
		return fmt.Errorf("%w; a part of this path is a file, where a directory is wanted: move it away, or name another path", err)
	}
	if (errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)) && !asType[*engine.DiskFullError](err) { // which says it itself
		return fmt.Errorf("%w; free space, then give the command again", err)
	}
	return err
}

// missedError is a thought that a recording does not have, with its cycle.
type missedError struct {
	cycle wire.Cycle
	miss  *recorded.MissError
	run   string // that reuses the recording and can go on by asking the model; "": there is none
}

func (e *missedError) Error() string {
	on := ""
	if e.run != "" {
		on = fmt.Sprintf("; to go on with this run: kingdom resume %s --%s %s", shellQuote(e.run), onMissFlag, onMissCall)
	}
	return fmt.Sprintf("cycle %d: %v%s", e.cycle, e.miss, on)
}

func (e *missedError) Unwrap() error { return e.miss }

// divergence is what --json has of a missing thought: its prompt is another one, or it was not asked for in the recording.
func (e *missedError) divergence() map[string]any {
	d := engine.DivergenceError{Cycle: e.cycle, Tick: e.miss.Tick, Agent: e.miss.Agent, Component: "prompt", Want: e.miss.Want.String(), Got: e.miss.Got.String()}
	if e.miss.Want.IsZero() {
		d.Component, d.Want = "thought", "none"
	}
	return divergence(&d)
}

// reusingError says which run stopped because the recording that it reuses lacks an answer.
type reusingError struct {
	error
	dir string
}

func (e *reusingError) Unwrap() error { return e.error }

// errorLine converts the error of a command to JSON.
func errorLine(err error) errorJSON {
	e := errorJSON{Error: err.Error(), Code: errorCode(err), Exit: exitCode(err)}
	if d, ok := asError[*engine.DivergenceError](err); ok {
		e.Divergence = divergenceOf(err, d)
	}
	if g, ok := asError[*entryError](err); ok {
		e.Divergence["entry"] = g.title
	}
	if m, ok := asError[*missedError](err); ok {
		e.Divergence = m.divergence()
	}
	if s, ok := asError[*scenarios.Error](err); ok {
		e.Problems = validation(nil, s).Problems
	}
	return e
}

// errorCode returns the stable code of an error.
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
	case isDamage(err):
		return "damaged"
	case asType[*checksError](err):
		return "checks_failed"
	}
	return "failure"
}

// isDamage reports whether a file or a row of a run is not as it was written.
func isDamage(err error) bool {
	if e, ok := asError[*agent.Error](err); ok && e.Kind == agent.KindSerialization {
		return true
	}
	return isStoreDamage(err) || asType[*table.RowError](err) || asType[*engine.UncomparedError](err) || asType[*engine.CorruptError](err) || asType[*engine.RowsError](err) || asType[*damagedError](err) || asType[*observe.DamageError](err) ||
		errors.Is(err, sqlite.ErrDamaged) || errors.Is(err, history.ErrChanged) || errors.Is(err, history.ErrMissing)
}

// isStoreDamage reports whether rows of a store are not as they were written.
func isStoreDamage(err error) bool {
	d, ok := asError[*engine.DivergenceError](err)
	return ok && d.Stored
}

// checksError says that checks of doctor failed.
type checksError struct {
	failed int
	model  string // the first that failed
	run    string // directory of the run whose models were checked; empty: they are those of a scenario
}

func (e *checksError) Error() string {
	s := fmt.Sprintf("%s failed; each line above says what to change", llm.Count(uint64(e.failed), "check"))
	if e.run != "" {
		s += fmt.Sprintf("; in a run that has begun, change the endpoint, key, prices or limits of a model with kingdom resume %s --set minds.models.%s.endpoint=URL (or key, key_env, price_input, timeout, context and so on)",
			shellQuote(e.run), e.model)
	}
	return s
}
