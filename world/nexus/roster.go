package nexus

import "kingdom/wire"

// roster is the index over the agent table: who is in which status.
type roster struct {
	all    []wire.AgentID // ascending
	active []wire.AgentID // ascending
}
