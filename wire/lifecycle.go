package wire

// Lengths of an agent's streak of NOPs at which its runtime sends AGENT_STATUS
// (docs/AGENT.md, idling).
const (
	NOPWarning = 3  // Nexus warns
	NOPDormant = 10 // Nexus puts the agent to sleep
)

// SleepReason reports whether an agent may go to sleep for a reason of its own, which it gives:
// it is too poor to stay awake, waits for what does not come, or is needed by nobody.
func SleepReason(reason string) bool {
	return reason == "poverty" || reason == "blocked" || reason == "no_demand"
}

// MayBecome reports whether an agent may go from one status to another: an EMBRYO wakes once,
// ACTIVE and DORMANT take turns, all of them can die, and the dead stay dead. Who may bring it
// about, and when, is up to Nexus.
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
