package agent

import (
	"fmt"
	"slices"

	"kingdom/wire"
)

// transitions lists the legal next statuses; the living can always die, the dead stay dead.
var transitions = [...][]wire.AgentStatus{
	wire.StatusEmbryo:  {wire.StatusActive, wire.StatusDead},
	wire.StatusActive:  {wire.StatusDormant, wire.StatusDead},
	wire.StatusDormant: {wire.StatusActive, wire.StatusDead},
	wire.StatusDead:    {},
}

// CanBecome reports whether an agent may go from one status to another.
func CanBecome(from, to wire.AgentStatus) bool {
	return int(from) < len(transitions) && slices.Contains(transitions[from], to)
}

// TransitionError says that a status cannot follow another.
type TransitionError struct {
	Agent    wire.AgentID
	From, To wire.AgentStatus
}

// Error names agent and both statuses.
func (e *TransitionError) Error() string {
	return fmt.Sprintf("set status: agent %s cannot go from %s to %s", e.Agent.Alias(), e.From, e.To)
}

// SetStatus moves the agent to a status. Staying is allowed; an illegal move changes
// nothing and returns a *TransitionError, for a dead agent inside an *Error of KindDead.
func (a *Agent) SetStatus(to wire.AgentStatus) error {
	if a.Status == to {
		return nil
	}
	if !CanBecome(a.Status, to) {
		err := &TransitionError{Agent: a.ID, From: a.Status, To: to}
		if a.Status == wire.StatusDead {
			return &Error{Kind: KindDead, Agent: a.ID, Err: err}
		}
		return err
	}
	a.Status = to
	return nil
}
