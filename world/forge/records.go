package forge

import (
	"kingdom/wire"
	"kingdom/wire/codec"
)

// Sandbox is a program with its input, environment and limits.
type Sandbox struct {
	ID          wire.Hash         `kdom:"id"`
	Owner       wire.AgentID      `kdom:"owner"`
	Code        wire.Hash         `kdom:"code"`
	MemoryQuota uint64            `kdom:"memory_quota"` // bytes
	TickBudget  uint64            `kdom:"tick_budget"`  // forge ticks of a run
	Input       []byte            `kdom:"input"`
	Environment codec.BinMap      `kdom:"environment"`
	Persistent  bool              `kdom:"persistent"`
	State       wire.SandboxState `kdom:"state"`
	TicksUsed   uint64            `kdom:"ticks_used"`  // forge ticks of the last run
	MemoryUsed  uint64            `kdom:"memory_used"` // bytes, at the end of the last run
	Since       wire.Cycle        `kdom:"since"`       // of the last run, else of its creation
}

// Run is the result of the last run of a sandbox, for a proof of it.
type Run struct {
	Input     wire.Hash       `kdom:"input"`  // SHA-256
	Output    wire.Hash       `kdom:"output"` // SHA-256
	TicksUsed uint64          `kdom:"ticks_used"`
	Trace     wire.Hash       `kdom:"trace"`
	Fault     *wire.FaultCode `kdom:"fault"` // nil if it halted
}

// Proven is a proof that Forge made for a run that halted. Its key is the hash of the proof. It is kept for ever,
// because a proof may be presented at any time.
type Proven struct {
	Tick wire.Tick `kdom:"tick"`
}

// Service lets others call functions of a sandbox.
type Service struct {
	ID         wire.Hash       `kdom:"id"`
	Owner      wire.AgentID    `kdom:"owner"`
	Sandbox    wire.Hash       `kdom:"sandbox"` // zero for what Forge serves itself
	Name       []byte          `kdom:"name"`
	TickBudget uint64          `kdom:"tick_budget"` // forge ticks per cycle
	Used       uint64          `kdom:"used"`        // of them, in this cycle
	AutoFund   bool            `kdom:"auto_fund"`
	Endpoints  []wire.Endpoint `kdom:"endpoints"`
	Fee        uint64          `kdom:"fee"`     // ⚡ per call
	State      []byte          `kdom:"state"`   // JSON text; empty is None
	Stopped    *wire.Cycle     `kdom:"stopped"` // nil while it serves
	Tick       wire.Tick       `kdom:"tick"`    // when it was made
}

// CPU is how many forge ticks an agent has used in this cycle, and how many it bought for it.
type CPU struct {
	Used   uint64 `kdom:"used"`
	Bought uint64 `kdom:"bought"`
}

// Candidate is the result of testing a repo that claims to contain a language.
type Candidate struct {
	Place  uint64     `kdom:"place"`  // of the publication that was tested last
	Cycle  wire.Cycle `kdom:"cycle"`  // of that test
	Passed bool       `kdom:"passed"` // the language compiles itself
}

var (
	sandboxCodec   = codec.New[Sandbox]()
	runCodec       = codec.New[Run]()
	provenCodec    = codec.New[Proven]()
	serviceCodec   = codec.New[Service]()
	cpuCodec       = codec.New[CPU]()
	candidateCodec = codec.New[Candidate]()
)
