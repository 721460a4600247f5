package adversary

import (
	"slices"

	"kingdom/wire"
)

// group is an agent and its accomplices.
type group struct {
	self    wire.AgentID
	members []wire.AgentID // in spawn order; self may be one
}

// friend reports whether an agent is an accomplice. An agent is not its own accomplice.
func (c group) friend(a wire.AgentID) bool { return a != c.self && slices.Contains(c.members, a) }

// friends returns the accomplices.
func (c group) friends() []wire.AgentID {
	out := []wire.AgentID{}
	for _, a := range c.members {
		if a != c.self {
			out = append(out, a)
		}
	}
	return out
}

// stranger reports whether an agent is neither a system, an accomplice nor this agent.
func (c group) stranger(a wire.AgentID) bool {
	if _, system := wire.SystemOf(a); system {
		return false
	}
	return a != c.self && !c.friend(a)
}
