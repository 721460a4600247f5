package engine

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"kingdom/engine/journal"
	"kingdom/llm"
	"kingdom/wire"
)

// InterruptedError ends a Run whose context ended. The run stopped at a tick boundary and everything is written.
type InterruptedError struct {
	Cycle wire.Cycle // last finished cycle
	Tick  wire.Tick  // tick that was open or next
	Dir   string
	// Bootstrap says that cycle 0 was not finished: there is nothing to resume.
	Bootstrap bool
	// Found is the difference that a replay had found when it was interrupted while it looked for the agent that acted
	// differently; nil: none.
	Found *DivergenceError
}

func (e *InterruptedError) Error() string {
	if e.Bootstrap {
		return "interrupted before cycle 0 was finished; nothing can be resumed: start the run again"
	}
	return fmt.Sprintf("%s; continue with: kingdom resume %s", e.Cause(), e.Dir)
}

// Cause says what happened, without what to do.
func (e *InterruptedError) Cause() string {
	return fmt.Sprintf("interrupted at tick %d after cycle %d", e.Tick, e.Cycle)
}

// PausedError ends a Run when a mind gave no answer and the scenario says on_outage: pause. The open tick was
// abandoned. A resumed run asks again.
type PausedError struct {
	Agent  wire.AgentID
	Cycle  wire.Cycle
	Tick   wire.Tick
	Reason string
	Dir    string
}

func (e *PausedError) Error() string {
	return fmt.Sprintf("%s; kingdom doctor %s says what to change; when the provider is back: kingdom resume %s", e.Cause(), e.Dir, e.Dir)
}

// Cause says what happened, without what to do.
func (e *PausedError) Cause() string {
	return fmt.Sprintf("paused at tick %d of cycle %d: the mind of agent %s gave no answer (%s)", e.Tick, e.Cycle, e.Agent.Alias(), e.Reason)
}

// CapError ends a Run when the next call could exceed the cap of the whole run. The open tick was abandoned. A run
// that is resumed with a higher cap asks again. Amounts are in millionths of a US dollar.
type CapError struct {
	llm.Capped
	Agent wire.AgentID
	Name  string // of the agent, if the program that runs the engine has one
	Cycle wire.Cycle
	Tick  wire.Tick
	Dir   string
}

func (e *CapError) Error() string {
	higher := max(2*e.Cap, e.Spent+10*e.Call)
	return fmt.Sprintf("%s; to go on: kingdom resume %s --budget %s", e.Cause(), e.Dir, strings.TrimSuffix(llm.USD(higher), " USD"))
}

// Cause says what happened, without what to do.
func (e *CapError) Cause() string {
	agent := e.Agent.Alias()
	if e.Name != "" {
		agent = e.Name + " (" + agent + ")"
	}
	return fmt.Sprintf("stopped at tick %d of cycle %d: the cap of the run is %s, %s are spent, and a call for agent %s may cost %s",
		e.Tick, e.Cycle, llm.USD(e.Cap), llm.USD(e.Spent), agent, llm.USD(e.Call))
}

// AgentError names the agent, cycle and tick at which a run failed because of a panic in a turn or mind, or an error
// of a mind.
type AgentError struct {
	Agent wire.AgentID
	Cycle wire.Cycle
	Tick  wire.Tick
	Phase string
	Err   error
	Stack []byte // of a panic; nil otherwise
}

func (e *AgentError) Error() string {
	return fmt.Sprintf("agent %s (%s) failed in phase %s at tick %d of cycle %d: %v; nothing of this tick was committed",
		e.Agent.Alias(), e.Agent, e.Phase, e.Tick, e.Cycle, e.Err)
}

func (e *AgentError) Unwrap() error { return e.Err }

// WorldError names the tick at which an invariant of the world or the engine was broken. The store keeps the last
// complete cycle.
type WorldError struct {
	Cycle wire.Cycle
	Tick  wire.Tick
	Err   error
	Stack []byte
}

func (e *WorldError) Error() string {
	return fmt.Sprintf("the world failed at tick %d of cycle %d: %v; this is a bug of kingdom: please report it with the run directory", e.Tick, e.Cycle, e.Err)
}

func (e *WorldError) Unwrap() error { return e.Err }

// DiskFullError ends a Run when there is no space left for journal, snapshot or store. The run stops at a tick
// boundary, and nothing is written partially.
type DiskFullError struct {
	Cycle wire.Cycle // last cycle that is safe in the store
	Dir   string
	Err   error
}

func (e *DiskFullError) Error() string {
	return fmt.Sprintf("no space left (%v); the run is safe at cycle %d: free space, then kingdom resume %s", e.Err, e.Cycle, e.Dir)
}

func (e *DiskFullError) Unwrap() error { return e.Err }

// WriteError ends a Run when a finished cycle could not be written for another reason, such as a database server that
// went away. Nothing is written partially.
type WriteError struct {
	Cycle wire.Cycle // last cycle that is safe in the store
	Dir   string
	Err   error
}

func (e *WriteError) Error() string {
	return fmt.Sprintf("%v; the run is safe at cycle %d: when the cause is gone, kingdom resume %s continues it", e.Err, e.Cycle, e.Dir)
}

func (e *WriteError) Unwrap() error { return e.Err }

// RowsError says that stored rows, each of which may be as it was written, are not together those of a world.
type RowsError struct{ Err error }

func (e *RowsError) Error() string {
	return fmt.Sprintf("the stored rows do not belong together (%v); restore what is stored from a copy, or run the scenario again", e.Err)
}

func (e *RowsError) Unwrap() error { return e.Err }

// GoneError ends a Run whose directory was removed or renamed while it went on.
type GoneError struct {
	Dir string
	Err error // why it stopped, such as a file that could not be made
}

func (e *GoneError) Error() string {
	return fmt.Sprintf("%s, the directory of this run, was removed or renamed while the run went on; if it was renamed, kingdom resume continues the run under its new name", e.Dir)
}

func (e *GoneError) Unwrap() error { return e.Err }

// diskFull is implemented by errors of stores that report whether the disk is full.
type diskFull interface{ DiskFull() bool }

func isDiskFull(err error) bool {
	var d diskFull
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || (errors.As(err, &d) && d.DiskFull())
}

// causeOf returns what happened, without the advice of errors that have one apart: it names the directory of the run, which
// may be moved before somebody reads run.json.
func causeOf(err error) string {
	if e, ok := err.(interface{ Cause() string }); ok { //nolint:errorlint // what is joined or wrapped has more to say
		return e.Cause()
	}
	return err.Error()
}

// Errors of the files of a run.
type (
	// CorruptError says that a journal or snapshot does not have the bytes that were written.
	CorruptError = journal.CorruptError
	// MismatchError says that a file, store or run directory belongs to another run.
	MismatchError = journal.MismatchError
)
