package adversary

import (
	"slices"

	"kingdom/wire"
)

// circle is an agent and those that stand together with it.
type circle struct {
	self    wire.AgentID
	members []wire.AgentID // in spawn order; self may be one
}

// friend says whether an agent is an accomplice; one is none of itself.
func (c circle) friend(a wire.AgentID) bool { return a != c.self && slices.Contains(c.members, a) }

// friends are the accomplices.
func (c circle) friends() []wire.AgentID {
	out := []wire.AgentID{}
	for _, a := range c.members {
		if a != c.self {
			out = append(out, a)
		}
	}
	return out
}

// stranger says whether an agent is neither a system, an accomplice nor this agent.
func (c circle) stranger(a wire.AgentID) bool {
	if _, system := wire.SystemOf(a); system {
		return false
	}
	return a != c.self && !c.friend(a)
}
