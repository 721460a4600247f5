package agent

import (
	"fmt"

	"kingdom/wire"
)

// TransitionError says that a status cannot follow another.
type TransitionError struct {
	Agent    wire.AgentID
	From, To wire.AgentStatus
}

// Error names agent and both statuses.
func (e *TransitionError) Error() string {
	return fmt.Sprintf("set status: agent %s cannot go from %s to %s", e.Agent.Alias(), e.From, e.To)
}

// SetStatus moves the agent to a status (wire.AgentStatus.MayBecome). Staying is allowed; an
// illegal move changes nothing and returns a *TransitionError, for a dead agent inside an
// *Error of KindDead.
func (a *Agent) SetStatus(to wire.AgentStatus) error {
	if a.Status == to {
		return nil
	}
	if !a.Status.MayBecome(to) {
		err := &TransitionError{Agent: a.ID, From: a.Status, To: to}
		if a.Status == wire.StatusDead {
			return &Error{Kind: KindDead, Agent: a.ID, Err: err}
		}
		return err
	}
	a.Status = to
	return nil
}

// NOP adds one to the streak of NOPs.
func (a *Agent) NOP() { a.NOPStreak++ }

// Acted ends the streak of NOPs: the agent sent a request, whether or not the world accepted it.
func (a *Agent) Acted() { a.NOPStreak = 0 }
