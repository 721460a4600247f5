package nexus

import "kingdom/wire"

// Wake is a request to wake a DORMANT agent.
type Wake struct {
	Agent wire.AgentID
	Cause wire.WakeCause
}

// Change is one change of status.
type Change struct {
	Agent     wire.AgentID
	New       wire.AgentStatus
	Reason    string         // as in agent_status_change
	Cause     wire.WakeCause // of a wake, else 0
	HoldEnded bool           // the agent woke because the time was over for which an operator kept it asleep; the event does not say it
}
