package nexus

import "kingdom/wire"

// WakeCause says why a sleeper wakes. The order is that of precedence: of several
// requests for one agent the first cause counts (docs/WORLD.md, waking).
type WakeCause uint8

// All wake causes.
const (
	WakeOperator WakeCause = iota + 1
	WakeGoal
	WakeMention
	WakeTimer
	WakeMessage
)

var wakeNames = [...]string{"", "operator", "goal", "mention", "timer", "message"}

// String is the reason on the wire.
func (w WakeCause) String() string {
	if int(w) >= len(wakeNames) {
		return ""
	}
	return wakeNames[w]
}

// Wake is a request to wake a DORMANT agent.
type Wake struct {
	Agent wire.AgentID
	Cause WakeCause
}

// Change is one change of status.
type Change struct {
	Agent  wire.AgentID
	Old    wire.AgentStatus
	New    wire.AgentStatus
	Reason string    // as in agent_status_change
	Cause  WakeCause // of a wake, else 0
}
