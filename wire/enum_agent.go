package wire

import "kingdom/wire/codec"

// AgentStatus is where an agent stands in its life (docs/WORLD.md, agents).
type AgentStatus uint8

// Values of [AgentStatus], in wire order.
const (
	StatusEmbryo AgentStatus = iota + 1
	StatusActive
	StatusDormant
	StatusDead
)

var agentStatusNames = []string{"EMBRYO", "ACTIVE", "DORMANT", "DEAD"}

// EnumNames lists the wire names in ordinal order.
func (AgentStatus) EnumNames() []string { return agentStatusNames }

// String returns the wire name.
func (v AgentStatus) String() string { return codec.EnumString(agentStatusNames, uint8(v)) }

// Role is the trade a genome gives its agent (docs/AGENT.md, genome).
type Role uint8

// Values of [Role], in wire order.
const (
	RoleGeneralist Role = iota + 1
	RoleCompilerSmith
	RoleLibrarian
	RoleArchitect
	RoleExplorer
)

var roleNames = []string{"GENERALIST", "COMPILER_SMITH", "LIBRARIAN", "ARCHITECT", "EXPLORER"}

// EnumNames lists the wire names in ordinal order.
func (Role) EnumNames() []string { return roleNames }

// String returns the wire name.
func (v Role) String() string { return codec.EnumString(roleNames, uint8(v)) }
