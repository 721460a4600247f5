package wire

// Lengths of an agent's streak of NOPs at which its runtime sends AGENT_STATUS
// (docs/AGENT.md, slots without an action).
const (
	NOPWarning = 3  // Nexus warns
	NOPDormant = 10 // Nexus puts the agent to sleep
)

// SleepReason reports whether a word is a reason for which an agent may put itself to sleep: poverty, blocked or
// no_demand.
func SleepReason(reason string) bool {
	return reason == "poverty" || reason == "blocked" || reason == "no_demand"
}

// MayBecome reports whether an agent's status may change from one to another: EMBRYO to ACTIVE, ACTIVE to DORMANT and
// back, and any of them to DEAD. Nexus decides who may cause it, and when.
func (v AgentStatus) MayBecome(to AgentStatus) bool {
	switch v {
	case StatusEmbryo, StatusDormant:
		return to == StatusActive || to == StatusDead
	case StatusActive:
		return to == StatusDormant || to == StatusDead
	default:
		return false
	}
}
