package wire

// SandboxCreatedEvent: sandbox_created.
type SandboxCreatedEvent struct {
	SandboxID   Hash    `kdom:"sandbox_id"`
	Owner       AgentID `kdom:"owner"`
	Code        Hash    `kdom:"code"`
	MemoryQuota uint64  `kdom:"memory_quota"`
	TickBudget  uint64  `kdom:"tick_budget"`
	Persistent  bool    `kdom:"persistent"`
}

// SandboxStartedEvent: sandbox_started.
type SandboxStartedEvent struct {
	SandboxID Hash    `kdom:"sandbox_id"`
	Owner     AgentID `kdom:"owner"`
}

// SandboxHaltedEvent: sandbox_halted.
type SandboxHaltedEvent struct {
	SandboxID  Hash   `kdom:"sandbox_id"`
	TicksUsed  uint64 `kdom:"ticks_used"`
	OutputHash Hash   `kdom:"output_hash"`
}

// SandboxFaultedEvent: sandbox_faulted.
type SandboxFaultedEvent struct {
	SandboxID Hash      `kdom:"sandbox_id"`
	Fault     FaultCode `kdom:"fault"`
	TicksUsed uint64    `kdom:"ticks_used"`
	PC        uint64    `kdom:"pc"` // line of the program, 0 if it is not known
}

// SandboxKilledEvent: sandbox_killed; also when a persistent sandbox is not paid for any more.
type SandboxKilledEvent struct {
	SandboxID Hash    `kdom:"sandbox_id"`
	KilledBy  AgentID `kdom:"killed_by"`
}

// ServiceCreatedEvent: service_created.
type ServiceCreatedEvent struct {
	ServiceID Hash     `kdom:"service_id"`
	Owner     AgentID  `kdom:"owner"`
	Name      []byte   `kdom:"name"`
	Endpoints [][]byte `kdom:"endpoints"`
}

// ServiceCalledEvent: service_called.
type ServiceCalledEvent struct {
	ServiceID Hash    `kdom:"service_id"`
	Endpoint  []byte  `kdom:"endpoint"`
	Caller    AgentID `kdom:"caller"`
}

// ServiceCompletedEvent: service_completed.
type ServiceCompletedEvent struct {
	ServiceID Hash   `kdom:"service_id"`
	Endpoint  []byte `kdom:"endpoint"`
	TicksUsed uint64 `kdom:"ticks_used"`
}

// ProofGeneratedEvent: proof_generated.
type ProofGeneratedEvent = ExecutionProof

// LinkCompletedEvent: link_completed.
type LinkCompletedEvent struct {
	Original    Hash   `kdom:"original"`
	Resolved    Hash   `kdom:"resolved"`
	ImportCount uint32 `kdom:"import_count"`
}
