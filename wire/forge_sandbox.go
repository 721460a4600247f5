package wire

import "kingdom/wire/codec"

// SandboxCreate makes a sandbox for a program.
type SandboxCreate struct {
	Owner       AgentID      `kdom:"owner,runtime"`
	Code        Hash         `kdom:"code"`                       // an ATOM with the program's text
	MemoryQuota uint64       `kdom:"memory_quota,default=65536"` // bytes
	TickBudget  uint64       `kdom:"tick_budget,default=100"`    // forge ticks of all its runs
	Input       []byte       `kdom:"input,default"`
	Environment codec.BinMap `kdom:"environment,default"`
	Persistent  bool         `kdom:"persistent,default"`
}

// SandboxCreateAck names the sandbox.
type SandboxCreateAck struct {
	SandboxID Hash `kdom:"sandbox_id"`
}

// SandboxStatus looks at a sandbox.
type SandboxStatus struct {
	SandboxID Hash `kdom:"sandbox_id"`
}

// SandboxStatusReply is what there is to see of a sandbox.
type SandboxStatusReply struct {
	ID             Hash         `kdom:"id"`
	Owner          AgentID      `kdom:"owner"`
	State          SandboxState `kdom:"state"`
	TicksUsed      uint64       `kdom:"ticks_used"` // forge ticks
	TicksRemaining uint64       `kdom:"ticks_remaining"`
	MemoryUsed     uint64       `kdom:"memory_used"` // bytes
	MemoryQuota    uint64       `kdom:"memory_quota"`
	Persistent     bool         `kdom:"persistent"`
}

// SandboxKill ends a sandbox and what it serves.
type SandboxKill struct {
	SandboxID Hash `kdom:"sandbox_id"`
}

// ExecStart runs the program of a sandbox.
type ExecStart struct {
	SandboxID Hash `kdom:"sandbox_id"`
}

// ExecStartAck says what the run cost.
type ExecStartAck struct {
	Ticks uint64 `kdom:"ticks"` // of the agent, not of Forge
}

// ExecResult is the result of a run, for the owner of the sandbox.
type ExecResult struct {
	SandboxID Hash         `kdom:"sandbox_id"`
	State     SandboxState `kdom:"state"`
	TicksUsed uint64       `kdom:"ticks_used"` // forge ticks
	Output    []byte       `kdom:"output"`
	Fault     *FaultCode   `kdom:"fault"`
	Message   []byte       `kdom:"message"` // what went wrong, at most 512 bytes; empty without a fault
	Module    *Hash        `kdom:"module"`  // the module in which it went wrong; nil: the program itself, or unknown
	Line      uint32       `kdom:"line"`    // of that text; 0: unknown
	Log       []byte       `kdom:"log"`     // the first 16 KiB of what the program printed
}

// ProofRequest asks for a proof of a run that has ended; it comes as an [ExecutionProof].
type ProofRequest struct {
	SandboxID Hash `kdom:"sandbox_id"`
}

// ProofRequestAck says what the proof cost.
type ProofRequestAck struct {
	Ticks uint64 `kdom:"ticks"` // of the agent, not of Forge
}
