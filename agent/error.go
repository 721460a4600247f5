package agent

import (
	"errors"
	"fmt"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

// ErrorKind says what went wrong with an agent.
type ErrorKind uint8

// Values of [ErrorKind], in the order of their wire codes.
const (
	KindNotFound ErrorKind = iota + 1
	KindDormant
	KindDead
	KindBudgetExhausted
	KindParseFailure
	KindWorkingMemoryOverflow
	KindGoalStackFull
	KindDatabase
	KindSerialization
)

var errorKinds = [...]struct {
	text     string
	category wire.Category
}{
	KindNotFound:              {"agent not found", wire.CategoryNotFound},
	KindDormant:               {"agent is dormant", wire.CategoryConflict},
	KindDead:                  {"agent is dead", wire.CategoryConflict},
	KindBudgetExhausted:       {"tick budget exhausted", wire.CategoryQuotaExceeded},
	KindParseFailure:          {"answer unusable after all retries", wire.CategoryInvalidRequest},
	KindWorkingMemoryOverflow: {"working memory overflow", wire.CategoryQuotaExceeded},
	KindGoalStackFull:         {"goal stack full", wire.CategoryQuotaExceeded},
	KindDatabase:              {"store failed", wire.CategoryInternal},
	KindSerialization:         {"stored state unreadable", wire.CategoryInternal},
}

// String returns the kind in words.
func (k ErrorKind) String() string {
	if k == 0 || int(k) >= len(errorKinds) {
		return fmt.Sprintf("INVALID(%d)", uint8(k))
	}
	return errorKinds[k].text
}

// Error is an error of the agent runtime. Daemons never send it.
type Error struct {
	Kind  ErrorKind
	Agent wire.AgentID
	Size  int         // KindWorkingMemoryOverflow: bytes wanted
	Max   int         // KindWorkingMemoryOverflow: bytes allowed
	Layer goals.Layer // KindGoalStackFull
	Err   error       // cause, may be nil
}

// Error names the agent, the kind, its numbers and the cause.
func (e *Error) Error() string {
	s := fmt.Sprintf("%s: agent %s", e.Kind, e.Agent.Alias())
	switch e.Kind {
	case KindWorkingMemoryOverflow:
		s += fmt.Sprintf(": %d bytes exceed %d", e.Size, e.Max)
	case KindGoalStackFull:
		s += fmt.Sprintf(": layer %s", e.Layer)
	default: // nothing to do for the others
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	if e.Kind == KindSerialization {
		s += "; restore the store from a copy"
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is matches another *Error by kind, and by agent unless the target names none.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Kind == e.Kind && (t.Agent.IsZero() || t.Agent == e.Agent)
}

// Code returns the wire code (docs/WIRE.md).
func (e *Error) Code() uint32 { return wire.CodeAgentNotFound + uint32(e.Kind) - 1 }

// Category returns the wire category.
func (e *Error) Category() wire.Category { return errorKinds[e.Kind].category }

// Wrap turns an error of package goals or memory (a full layer, an overflow) into an [*Error] of the agent. Any other
// error, also nil, is returned unchanged.
func Wrap(id wire.AgentID, err error) error {
	var full *goals.FullError
	if errors.As(err, &full) {
		return &Error{Kind: KindGoalStackFull, Agent: id, Layer: full.Layer, Err: err}
	}
	var over *memory.OverflowError
	if errors.As(err, &over) {
		return &Error{Kind: KindWorkingMemoryOverflow, Agent: id, Size: over.Size, Max: over.Max, Err: err}
	}
	return err
}
