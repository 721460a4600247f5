package wire

import "kingdom/wire/codec"

// AgentStatus is the status of an agent (docs/WORLD.md, Nexus).
type AgentStatus uint8

// Values of [AgentStatus], in wire order.
const (
	StatusEmbryo AgentStatus = iota + 1
	StatusActive
	StatusDormant
	StatusDead
)

var agentStatusNames = []string{"EMBRYO", "ACTIVE", "DORMANT", "DEAD"}

func (AgentStatus) EnumNames() []string { return agentStatusNames }
func (v AgentStatus) String() string    { return codec.EnumString(agentStatusNames, v) }

// WakeCause says why a sleeper wakes. The order is that of precedence: of several requests for
// one agent the first cause counts (docs/WORLD.md, waking).
type WakeCause uint8

// All wake causes.
const (
	WakeOperator WakeCause = iota + 1
	WakeGoal
	WakeMention
	WakeTimer
	WakeMessage
)

var wakeCauseNames = []string{"operator", "goal", "mention", "timer", "message"}

func (WakeCause) EnumNames() []string { return wakeCauseNames }
func (v WakeCause) String() string    { return codec.EnumString(wakeCauseNames, v) }

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

func (Role) EnumNames() []string { return roleNames }
func (v Role) String() string    { return codec.EnumString(roleNames, v) }
